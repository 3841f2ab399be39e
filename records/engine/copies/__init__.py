"""Readings: which physical copy of a card was used where, when a record does not label its copies."""
