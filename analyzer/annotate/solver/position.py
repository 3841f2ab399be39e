"""A position after the close as the solver sees it: hands, trumps, and everything that may still score."""

from typing import Any, NamedTuple

from analyzer.annotate.solver.melds.held import RightsPair
from analyzer.annotate.solver.trick_play import TrickPosition
from records.engine.table import Table

EITHER_SEAT = 2
"""No trick has been taken since the close: either seat may still take them all."""


class SearchLimitExceeded(Exception):
    """A search needed more positions than its limit allows."""


HeldSeven = tuple[str, int, int]
"""Sevens of trumps of one name: the name, how many a seat holds, how many of those were not shown."""

HeldSevens = tuple[HeldSeven, ...]


class UnshownSevens(NamedTuple):
    """The sevens of trumps each seat may still show; `won` if the seat to act has just won a trick."""

    held: tuple[HeldSevens, HeldSevens]
    won: bool


class ClosePosition(NamedTuple):
    """A position after the close, with everything that may still score.

    `led` is the card led, by its name. `melds` counts the melds the seat to act may score before it
    leads, and `rights` holds what each seat may meld from now on. `sweeper` is the seat that has taken
    every trick since the close: a seat, `EITHER_SEAT`, or None. `sevens` are those that still score by
    being shown.
    """

    trick_position: TrickPosition
    trump: str | None
    led: str | None = None
    melds: int = 0
    rights: RightsPair[Any] = (None, None)
    sweeper: int | None = None
    sevens: UnshownSevens | None = None

    @property
    def only_tricks_left(self) -> bool:
        """Whether only tricks can still score."""
        return self.rights == (None, None) and self.sweeper is None and self.sevens is None


def possible_sweeper(table: Table) -> int | None:
    """The seat that may still take every trick after the close: a seat, `EITHER_SEAT`, or None."""
    tricks_won = table.closed_tricks
    if not table.whole_close or all(tricks_won):
        return None
    return EITHER_SEAT if not any(tricks_won) else tricks_won.index(max(tricks_won))
