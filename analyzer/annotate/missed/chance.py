"""What was missed: a chance to score, when it was there, and what became of it."""

from typing import Literal

import msgspec

ChanceOutcome = Literal["delayed", "lost", "given_up"]
"""Made later; never made; never made because something at least as good was."""


class PossibleScore(msgspec.Struct, frozen=True):
    """Something that could be scored: its name in a record, its words, one set of cards, its points."""

    name: str
    words: str
    cards: tuple[str, ...]
    points: int


class MissedChance(msgspec.Struct, kw_only=True):
    """A chance that was not taken when it was first there.

    `first` and `last` are the events after which it was open, `tricks` as many tricks were complete then,
    `times` how often the turn came round. `made` is the event that took it in the end, `ended` the one by
    which it was gone. It is `certain` if the cards allow it however like cards are told apart.
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


class WonTrick(msgspec.Struct):
    """A trick won at which something could be melded: what, and what was."""

    event: int
    trick: int
    seat: int
    could: list[PossibleScore]
    made: list[PossibleScore]
