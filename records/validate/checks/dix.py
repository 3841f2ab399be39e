"""Checks of the seven of trumps (rulings A-01 to A-06, A-44)."""

from records.cards import FACE_OF
from records.engine.copies.marks import SPENT_BIT
from records.engine.copies.readings import after_leaving
from records.engine.dix import (
    dix_points,
    may_have_played_seven,
    seven_of,
)
from records.engine.hidden_cards import may_hold
from records.engine.table import Table, TableStep
from records.events import Dix
from records.phrases import name_card, pluralize
from records.rules.english.vocabulary_phrases import meld_limit_words
from records.rules.vocabulary import DixRule, Window
from records.validate.breach import Breach, Breaches, breach_by, not_in_pack


def check_dix(table: Table, event: Dix) -> Breaches | None:
    """Everything that can be wrong with a dix."""
    rule = table.rules.sheet.dix
    if rule is None or not _in_rules(rule, event.action):
        return (_not_in_rules(table, event),)
    if event.action == "play":
        return _played(table, event, rule)
    if event.action == "show" and _too_late(table, rule):
        return (_not_after_close(table, event),)
    breaches = _wrong_time(table, event, rule)
    # Where nobody knows who drew which card after the last trick, either may have the seven or the turn-up.
    if not table.trick.winner_open:
        breaches += [*_holding(table, event), *_exchange(table, event, rule)]
    if not breaches and table.seven is not None:
        breaches += _spent(table, event, rule) or _points(table, event)
    return tuple(breaches) or None


def _in_rules(rule: DixRule, action: str) -> bool:
    if action == "play":
        return rule.played
    return rule.window(action) is not Window.NEVER


def _not_in_rules(table: Table, event: Dix) -> Breach:
    act = event.action
    return breach_by(table, event.seat, "dix-not-in-rules", clause=act, found=act)


def _played(table: Table, event: Dix, rule: DixRule) -> Breaches | None:
    last = table.seven_played.get(event.seat)
    if last is None and may_have_played_seven(table, event):
        return None
    if last is None or (event.card is not None and event.card != last[0]):
        return (breach_by(table, event.seat, "dix-not-played", found="dix"),)
    # The engine gives a played seven no points after the close, or when it has scored before.
    if last[1] == 0 and _too_late(table, rule):
        return (_not_after_close(table, event),)
    if last[1] == 0:
        return (_has_scored(table, event),)
    return tuple(_points(table, event)) or None


def _too_late(table: Table, rule: DixRule) -> bool:
    return not rule.in_last_tricks and not table.phase.draws


def _not_after_close(table: Table, event: Dix) -> Breach:
    return breach_by(table, event.seat, "dix-not-in-rules", clause="close", found=event.action)


def _has_scored(table: Table, event: Dix) -> Breach:
    return breach_by(table, event.seat, "dix-spent", found=event.action)


def _wrong_time(table: Table, event: Dix, rule: DixRule) -> list[Breach]:
    window = rule.window(event.action)
    if table.step is TableStep.OVER:
        clause = "over"
    elif window is Window.AFTER_TRICK_WON and table.melding.seat != event.seat:
        clause = "no-trick"
    elif window is Window.AFTER_TRICK_WON and event.action == "show" and not table.phase.melds:
        clause = "close"
    else:
        return []
    act, found = f"{event.action}s", event.action
    return [breach_by(table, event.seat, "dix-out-of-window", clause=clause, act=act, found=found)]


def _holding(table: Table, event: Dix) -> list[Breach]:
    seven = seven_of(table, event)
    is_held = seven in table.held[event.seat]
    if not is_held and (beyond := not_in_pack(table, event.seat, [seven], "show")):
        return beyond
    may_be_dix = seven[0] == "7" if table.seven is None else FACE_OF[seven] == table.seven
    if not may_be_dix:
        clause = "not-dix"
    elif is_held or _may_have_drawn(table, event, seven):
        return []
    else:
        clause = "not-held"
    return [
        breach_by(
            table,
            event.seat,
            "dix-not-held",
            clause=clause,
            act=f"{event.action}s",
            card=name_card(seven),
            dix=name_card(table.seven or "7?"),
            expected=table.seven,
            found=seven,
        )
    ]


def _may_have_drawn(table: Table, event: Dix, seven: str) -> bool:
    """Whether the seat may hold the seven: as an unknown card, or by a draw that the record leaves out.

    A dix that has to come after the trick comes before such a draw.
    """
    rule, seat = table.rules.sheet.dix, event.seat
    before_draws = rule is None or rule.window(event.action) is Window.AFTER_TRICK_WON
    unwritten = 0 if before_draws or not table.knowledge.partial else table.draws_due.count(seat)
    return may_hold(table, seat, [seven], drawn=unwritten)


def _exchange(table: Table, event: Dix, rule: DixRule) -> list[Breach]:
    if event.action != "exchange":
        return []
    if rule.exchange_is_the_meld and table.melding.seat == event.seat and table.melding.left <= 0:
        return [_too_many(table, event)]
    turn_up = table.stock.turn_up
    if turn_up is not None and turn_up[0] != "7":
        return []
    clause = "drawn" if turn_up is None else "seven"
    return [breach_by(table, event.seat, "nothing-to-exchange", clause=clause, found=turn_up)]


def _too_many(table: Table, event: Dix) -> Breach:
    allowed = meld_limit_words(table.phase.melds)
    return breach_by(
        table,
        event.seat,
        "too-many-melds",
        clause="exchange",
        allowed=allowed,
        expected=allowed,
        found=event.action,
    )


def _spent(table: Table, event: Dix, rule: DixRule) -> list[Breach]:
    seat, seven = event.seat, seven_of(table, event)
    count = table.held[seat].get(seven, 0)
    if not count or after_leaving(table.readings[seat], seven, count, lacks=SPENT_BIT):
        return []
    if event.action == "exchange" and rule.spent_exchanges:
        return []
    if may_hold(table, seat, [seven]):
        return []
    return [_has_scored(table, event)]


def _points(table: Table, event: Dix) -> list[Breach]:
    computed = dix_points(table, event)
    if event.points is None or event.points == computed:
        return []
    # A dix that has scored may be exchanged for nothing; that it has, may have been left out.
    rule = table.rules.sheet.dix
    may_be_spent = table.knowledge.plays_only and rule is not None and rule.spent_exchanges
    if may_be_spent and event.action == "exchange" and event.points == 0:
        return []
    return [
        breach_by(
            table,
            event.seat,
            "wrong-dix-points",
            points=pluralize(event.points, "point"),
            expected=str(computed),
            found=str(event.points),
            pointer="/points",
        )
    ]
