"""Reviews: what should have been played, exactly after the close and by sampled worlds before it."""

from typing import Literal, TypeAlias, get_args

DEFAULT_POSITIONS_SEARCHED = 40_000
"""The search limit for one close unless the caller sets another: a few seconds of work."""
Width: TypeAlias = Literal["quick", "default", "deep"]
WIDTHS: tuple[Width, ...] = get_args(Width)
MOST_WORLDS = 10_000
"""The most that anybody may ask for."""
