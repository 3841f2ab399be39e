"""What is asked of a review in the terminal; nothing that works is loaded for it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import click

from analyzer.review import MOST_WORLDS, WIDTHS, Width

EXACT: Literal["exact"] = "exact"
DEFAULT_LEAST = 20
"""In points, where nobody says how much a mistake loses."""
Worlds: TypeAlias = Width | Literal["exact"] | int
Document: TypeAlias = Literal["review", "annotation", "deep review"]
"""What is printed as JSON: a review, or one of the two documents before it."""


class WorldsType(click.ParamType[Worlds]):
    """A width by its name, or a number of worlds."""

    name = "worlds"

    def __init__(self, *, with_exact: bool) -> None:
        self.names: tuple[str, ...] = (EXACT, *WIDTHS) if with_exact else WIDTHS

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Worlds:
        """The width or the number; fails for anything else."""
        for width in (EXACT, *WIDTHS):
            if value == width and width in self.names:
                return width
        is_number = str(value).isascii() and str(value).isdigit()
        if not is_number or not 2 <= int(value) <= MOST_WORLDS:
            words = f"{', '.join(self.names)} or a number from 2 to {MOST_WORLDS}"
            self.fail(f"{value!r} is not {words}", param, ctx)
        return int(value)


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """What is asked of a review: how deep it goes, its limits, and roll-outs for luck and skill."""

    worlds: Worlds
    seed: int
    positions: int
    least: int
    rollouts: int
    last_trick: bool

    @property
    def is_deep(self) -> bool:
        """Whether choices before the close are weighed."""
        return self.worlds != EXACT


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """What to print: which record, which deal, in which form, and as JSON which document."""

    record: int | None
    deal: int | None
    form: str
    document: Document = "review"


@dataclass(frozen=True, slots=True)
class ReviewSource:
    """What is reviewed: these files, or the `stored` games of the data folder; those reviewed before only `again`."""

    paths: tuple[str, ...]
    folder: Path
    stored: bool
    again: bool
