"""The deep review: every choice of a deal weighed, exactly after the close and by sampled worlds before it."""

from typing import Literal, TypeAlias, get_args

Width: TypeAlias = Literal["quick", "default", "deep"]
WIDTHS: tuple[Width, ...] = get_args(Width)
MOST_WORLDS = 10_000
"""The most that anybody may ask for."""
