"""Sums of whole tables, kept at loading."""
