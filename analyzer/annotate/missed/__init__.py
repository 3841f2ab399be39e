"""Chances to score that a player had and did not take."""
