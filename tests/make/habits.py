"""A game of a program with a habit, for the tests of what is told once."""

from itertools import pairwise

from records.events import Draw
from records.record import Record
from records.selfplay import play_game

TIMES = 6


def draws_in_the_wrong_order(seed: int = 3) -> Record:
    """A game in which the loser of the first tricks draws first; both draw what they drew."""
    record = play_game("bezique", seed=seed, names=["Ann", "<Bob>"])
    events, changed = record.deals[0].events, 0
    for i, (one, two) in enumerate(pairwise([*events])):
        if (
            isinstance(one, Draw)
            and isinstance(two, Draw)
            and one.seat != two.seat
            and changed < TIMES
        ):
            events[i], events[i + 1] = two, one
            changed += 1
    return record
