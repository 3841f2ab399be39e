"""Reviews: what the best play was, exact after the close, and what was missed before it."""

DEFAULT_POSITIONS_SEARCHED = 40_000
"""The search limit for one close unless the caller sets another: a few seconds of work."""
