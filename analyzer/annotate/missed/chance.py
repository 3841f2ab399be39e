"""A missed chance to score: when it was open, and what became of it. Part of the stored annotation."""

from typing import Literal

import msgspec

ChanceOutcome = Literal["delayed", "lost", "given_up"]
"""Taken later; never taken; never taken because something at least as good was."""


class PossibleScore(msgspec.Struct, frozen=True):
    """A possible score: its name in the format, its words, one set of cards that makes it, its points."""

    name: str
    words: str
    cards: tuple[str, ...]
    points: int


class MissedChance(msgspec.Struct, kw_only=True):
    """A chance that was not taken the first time.

    `first` and `last` are the events after which it was open, `tricks` the numbers of tricks complete then,
    `times` how often the seat could have taken it. `made` is the event that took it in the end, `ended` the
    event that ended it. `lost` is by how many points fewer a meld made late scored. It is `certain` if every
    reading allows it.
    """

    what: Literal["meld", "dix", "carte_blanche", "brisque"]
    seat: int
    could: PossibleScore
    first: int
    last: int
    tricks: tuple[int, int]
    times: int = 1
    became: ChanceOutcome
    made: int | None = None
    ended: int | None = None
    certain: bool = True
    lost: int = 0


class WonTrick(msgspec.Struct):
    """A trick whose winner could meld: what was possible, and what was made."""

    event: int
    trick: int
    seat: int
    could: list[PossibleScore]
    made: list[PossibleScore]
