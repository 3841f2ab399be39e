"""Tricks and units as one number, a *count*, so that the search adds both at once.

A unit is the largest number of points that divides all that tricks score. It fills the low bits:
`count = tricks * COUNT_PER_TRICK + units`.
"""

COUNT_PER_TRICK = 1 << 16
"""What one trick adds to a count."""

UNITS_MASK = COUNT_PER_TRICK - 1
"""The units of a count are `count & UNITS_MASK`."""
