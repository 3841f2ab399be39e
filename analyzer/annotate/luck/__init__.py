"""Luck told from skill, by playing positions out many times."""
