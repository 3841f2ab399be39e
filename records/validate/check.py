"""Which checks an event meets; a check reads the table and changes nothing."""

from collections.abc import Callable

from records.events import (
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Event,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.replay.table import Table
from records.validate.breach import Breach, Breaches, name
from records.validate.checks.dixes import check_dix
from records.validate.checks.draws import check_draw
from records.validate.checks.melds import check_declare, check_meld
from records.validate.checks.plays import check_play
from records.validate.checks.scores import check_meld_points, check_score, check_trick

STOPS = frozenset(
    {"card-not-held", "meld-card-not-held", "dix-not-held", "no-such-card-left", "no-such-seat"}
)
"""Codes of what cannot have happened: nobody can hold the card. The deal stops there."""

OTHER_GAMES = {
    CarteBlanche: "carte blanche",
    Cut: "a cut for the deal",
    Discard: "a discard to a tableau",
}


def check_melded(table: Table, event: Meld) -> Breaches | None:
    """A scored meld: its legality, then its points."""
    legality, points = check_meld(table, event), check_meld_points(table, event)
    if legality is None:
        return points
    return legality if points is None else (*legality, *points)


def not_in_rules(table: Table, event: Event) -> Breaches | None:
    """An event of another game of the family."""
    seat = getattr(event, "seat", None)
    return (
        Breach(
            code="event-not-in-rules",
            seat=seat,
            message=f"{name(table, seat)} makes {OTHER_GAMES[type(event)]}; this game has none.",
            found=type(event).__name__,
        ),
    )


def check_irregular(table: Table, event: Irregular) -> Breaches | None:
    """An irregularity is legal in a record, and listed."""
    said = f": {event.text}" if event.text else "."
    return (
        Breach(
            code="irregularity",
            seat=event.seat,
            message=f"{name(table, event.seat)}: {event.what.replace('_', ' ')}{said}",
            found=event.what,
        ),
    )


CHECK: dict[type[Event], Callable[..., Breaches | None]] = {
    Play: check_play,
    Trick: check_trick,
    Draw: check_draw,
    Meld: check_melded,
    Declare: check_declare,
    Dix: check_dix,
    Score: check_score,
    Irregular: check_irregular,
    CarteBlanche: not_in_rules,
    Cut: not_in_rules,
    Discard: not_in_rules,
}


def check(table: Table, event: Event) -> Breaches | None:
    """What is wrong with an event at this table; nothing is None."""
    return CHECK[type(event)](table, event)
