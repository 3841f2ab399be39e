"""Zetema: turns without tricks, and marriages with cards of the tableau."""
