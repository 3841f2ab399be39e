"""Which check each type of event gets; a check reads the table and changes nothing."""

from collections.abc import Callable

from records.engine.stepper import Stepper
from records.engine.table import Table
from records.events import (
    AnyEvent,
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
    actor_of,
)
from records.validate.breach import Breach, Breaches, breach_by, check_irregular, counts_nothing
from records.validate.check_melds import check_declare, check_dix, check_meld
from records.validate.check_plays import check_carte_blanche, check_cut, check_draw, check_play
from records.validate.check_scores import check_meld_points, check_score, check_trick
from records.validate.check_zetema import check_combination, check_discard
from records.validate.codes import FINDING_CODES
from records.validate.opening import FaultCodes, TurnStepper

DEAL_STOPPING_CODES = frozenset(
    {"card-not-in-pack", "card-not-held", "meld-card-not-held", "dix-not-held", "no-such-card-left"}
)
"""Codes of events that cannot have happened, because nobody can hold the card. The deal stops there."""


def check_scored_meld(table: Table, event: Meld) -> Breaches | None:
    """Everything that can be wrong with a scored meld: its legality, then its points."""
    legality, points = check_meld(table, event), check_meld_points(table, event)
    if legality is None:
        return points
    return legality if points is None else (*legality, *points)


def event_not_in_rules(table: Table, event: AnyEvent) -> Breaches | None:
    """An event of another game of the family."""
    kind = type(event).__name__
    return (breach_by(table, actor_of(event), "event-not-in-rules", clause=kind, found=kind),)


TRICK_GAME_CHECKS: dict[type[Event], Callable[..., Breaches | None]] = {
    Play: check_play,
    Trick: check_trick,
    Draw: check_draw,
    Meld: check_scored_meld,
    Declare: check_declare,
    Dix: check_dix,
    Score: check_score,
    Irregular: check_irregular,
    CarteBlanche: check_carte_blanche,
    Cut: check_cut,
    Discard: event_not_in_rules,
}


TABLEAU_CHECKS: dict[type[Event], Callable[..., Breaches | None]] = {
    Draw: check_draw,
    Meld: check_combination,
    Discard: check_discard,
    Score: check_score,
    Irregular: check_irregular,
    Play: event_not_in_rules,
    Trick: event_not_in_rules,
    Declare: event_not_in_rules,
    Dix: event_not_in_rules,
    CarteBlanche: event_not_in_rules,
    Cut: event_not_in_rules,
}
"""The checks of Zetema, which has no tricks."""


def checks_at(table: Table) -> dict[type[Event], Callable[..., Breaches | None]]:
    """The check of each type of event in the game at this table."""
    return TABLEAU_CHECKS if table.rules.has_tableau else TRICK_GAME_CHECKS


FAULT_CODES = FaultCodes(
    illegal=frozenset(code for code, row in FINDING_CODES.items() if row.severity == "illegal"),
    mismatch=frozenset(code for code, row in FINDING_CODES.items() if row.severity == "mismatch"),
)


def checking_stepper(table: Table) -> Stepper[Breach]:
    """A stepper that checks every event before it is applied, and stops at what cannot have happened.

    An illegal event counts nothing, unless an irregularity excuses it.
    """
    checks = checks_at(table)
    if not table.rules.has_tableau:
        return Stepper(table, checks, DEAL_STOPPING_CODES, counts_nothing)
    return TurnStepper(table, checks, DEAL_STOPPING_CODES, counts_nothing, FAULT_CODES)
