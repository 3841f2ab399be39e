"""What the slow referee says of a record, for cases of the kit that it can judge."""

from typing import NamedTuple

from msgspec.structs import replace

from records.errors import RulesError
from records.events import Draw, Irregular
from records.record import Record
from records.rules.registry import resolve_rules
from tests.playouts.referee import Judgement, TooManyWorldsError, is_withdrawal, judge

BRISQUES_IN_A_PACK = 8
MOST_WORLDS = 300
"""Records that may be read in more ways at some event are left to the program."""


class Refereed(NamedTuple):
    """Whether some reading of a record is right; if not, the first event that no reading survives, or None for a number."""

    right: bool
    at: tuple[int, int | None] | None = None


def may_be_refereed(record: Record) -> bool:
    """Whether everything in a record is of a kind that the referee knows.

    Nothing is hidden, and nothing irregular but a meld withdrawn at once. A stock in order is known where it was drawn by events.
    """
    return all(
        deal.knowledge in (None, "full")
        and all(
            is_withdrawal(deal.events, index)
            for index, event in enumerate(deal.events)
            if isinstance(event, Irregular)
        )
        and (deal.setup is not None or deal.hands is not None)
        and (deal.stock is None or any(isinstance(event, Draw) for event in deal.events))
        and "?" not in repr((deal.hands, deal.setup, deal.turn_up, deal.events))
        for deal in record.deals
    )


def referee_says(record: Record) -> Refereed | None:
    """The verdict of the referee; None if there are too many readings to follow."""
    unordered = replace(record, deals=[replace(deal, stock=None) for deal in record.deals])
    try:
        judged = judge(unordered, most_worlds=MOST_WORLDS)
    except TooManyWorldsError:
        return None
    places = [] if judged.right else [_place(judged, record)]
    places += [at for at in (_counts_too_much(record), _drawn_out_of_order(record)) if at]
    # What is wrong with a result has no place, and comes last.
    first = min(
        places, key=lambda at: (at is None, at and (at[0], at[1] is None, at[1])), default=None
    )
    return Refereed(not places, first)


def _counts_too_much(record: Record) -> tuple[int, None] | None:
    """The first position that counts more brisques than the pack has: the referee takes them as they are told."""
    try:
        pack = resolve_rules(record.rules).sheet.rules.pack
    except RulesError:
        return None
    for number, deal in enumerate(record.deals):
        if (
            deal.setup is not None
            and sum(deal.setup.brisques or ()) > BRISQUES_IN_A_PACK * pack.packs
        ):
            return number, None
    return None


def _drawn_out_of_order(record: Record) -> tuple[int, int] | None:
    """The first draw of another card than the next one of the stock; behind its last card lies the turn-up."""
    for number, deal in enumerate(record.deals):
        left = list(deal.stock or ())
        for index, event in enumerate(deal.events):
            if isinstance(event, Draw) and left and left.pop(0) != event.card:
                return number, index
    return None


def _place(judged: Judgement, record: Record) -> tuple[int, int | None] | None:
    """Where no reading survives; an event past the last is a number of the deal."""
    if judged.deal is None:
        return None
    event = judged.event
    if event is None or event >= len(record.deals[judged.deal].events):
        return judged.deal, None
    return judged.deal, event
