"""What the slow referee says of a record, for cases of the kit that it can judge."""

from typing import NamedTuple

from records.events import Irregular
from records.record import Record
from tests.playouts.referee import Judgement, TooManyWorldsError, is_withdrawal, judge

MOST_WORLDS = 300
"""Records that may be read in more ways at some event are left to the program."""


class Refereed(NamedTuple):
    """Whether some reading of a record is right; if not, the first event that no reading survives, or None for a number."""

    right: bool
    at: tuple[int, int | None] | None = None


def may_be_refereed(record: Record) -> bool:
    """Whether everything in a record is of a kind that the referee knows.

    Nothing is hidden, and nothing irregular but a meld withdrawn at once.
    """
    return all(
        deal.knowledge in (None, "full")
        and all(
            is_withdrawal(deal.events, index)
            for index, event in enumerate(deal.events)
            if isinstance(event, Irregular)
        )
        and (deal.setup is not None or deal.hands is not None)
        and deal.stock is None
        and "?" not in repr((deal.hands, deal.setup, deal.turn_up, deal.events))
        for deal in record.deals
    )


def referee_says(record: Record) -> Refereed | None:
    """The verdict of the referee; None if there are too many readings to follow."""
    try:
        judged = judge(record, most_worlds=MOST_WORLDS)
    except TooManyWorldsError:
        return None
    return Refereed(judged.right, None if judged.right else _place(judged, record))


def _place(judged: Judgement, record: Record) -> tuple[int, int | None] | None:
    """Where no reading survives; an event past the last is a number of the deal."""
    if judged.deal is None:
        return None
    event = judged.event
    if event is None or event >= len(record.deals[judged.deal].events):
        return judged.deal, None
    return judged.deal, event
