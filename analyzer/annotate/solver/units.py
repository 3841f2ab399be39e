"""Tricks and units in one number, so that both are added at once."""

COUNT_PER_TRICK = 1 << 16
"""One trick in a count: `tricks * TRICK + units`."""

UNITS_MASK = COUNT_PER_TRICK - 1
"""The units of a count: `count & UNITS`."""
