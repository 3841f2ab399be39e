"""Tricks and units in one number, so that both are added at once."""

TRICK = 1 << 16
"""One trick in a count: `tricks * TRICK + units`."""

UNITS = TRICK - 1
"""The units of a count: `count & UNITS`."""
