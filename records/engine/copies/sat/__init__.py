"""Searching for readings with a SAT solver, where they are too many to list."""
