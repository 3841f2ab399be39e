"""Confidence intervals of everything that is counted in matches: one method, in SQL, for all questions."""

DEVIATIONS_FOR_95_PERCENT = 1.959964
"""Standard deviations to both sides that make a 95 % interval where a model gives the deviation itself."""
