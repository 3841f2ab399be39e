"""Imports: records are read, checked, turned into rows and stored."""
