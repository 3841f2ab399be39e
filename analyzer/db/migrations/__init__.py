"""Older databases brought to today's schema, one step after the other."""
