"""A position after the close, as the solver knows it: hands and trumps, and all that may still be scored."""

from typing import Any, NamedTuple

from analyzer.annotate.solver.melds.held import RightsPair
from analyzer.annotate.solver.trick_play import TrickPosition
from records.engine.table import Table

EITHER_SEAT = 2
"""Nobody has taken a closed trick yet: either seat may take them all."""


class SearchLimitExceeded(Exception):
    """The melds that may still come open more positions than were to be searched."""


HeldSeven = tuple[str, int, int]
"""Sevens of trumps of one name: how many a seat holds, and how many of them have not been shown."""

HeldSevens = tuple[HeldSeven, ...]


class UnshownSevens(NamedTuple):
    """The sevens of trumps that may yet be shown, by seat; `won` if the seat to act has just won a trick."""

    held: tuple[HeldSevens, HeldSevens]
    won: bool


class ClosePosition(NamedTuple):
    """A position after the close, with all that may still be scored.

    `melds` are those that the seat to act may score before it leads, `rights` what each seat may
    ever meld, `led` the card led by its very name, `sweeper` the seat that has taken every closed
    trick (or `EITHER_SEAT`, or none), `sevens` those that may be shown for points.
    """

    close: TrickPosition
    trump: str | None
    led: str | None = None
    melds: int = 0
    rights: RightsPair[Any] = (None, None)
    sweeper: int | None = None
    sevens: UnshownSevens | None = None

    @property
    def plain(self) -> bool:
        """Whether nothing but tricks is left to be scored."""
        return self.rights == (None, None) and self.sweeper is None and self.sevens is None


def possible_sweeper(table: Table) -> int | None:
    """Who may still take every closed trick."""
    taken = table.closed_tricks
    if not table.whole_close or all(taken):
        return None
    return EITHER_SEAT if not any(taken) else taken.index(max(taken))
