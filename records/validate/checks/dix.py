"""Checks of the seven of trumps (rulings A-01 to A-06, A-44)."""

from records.cards import FACE_OF
from records.engine.copies.marks import SPENT_BIT
from records.engine.copies.readings import after_leaving
from records.engine.dix import dix_points, may_have_played_seven, seven_of
from records.engine.hidden_cards import may_hold
from records.engine.table import Table, TableStep
from records.events import Dix
from records.rules.vocabulary import DixRule, Window
from records.validate.breach import Breach, Breaches, card_with_article, meld_limit_words, seat_name


def check_dix(table: Table, event: Dix) -> Breaches | None:
    """Everything that can be wrong with a dix."""
    rule = table.rules.sheet.dix
    if rule is None or not _in_rules(rule, event.action):
        return (_not_in_rules(table, event),)
    if table.seven is None:
        return None
    if event.action == "play":
        return _played(table, event, rule)
    if event.action == "show" and _too_late(table, rule):
        return (_not_in_last_tricks(table, event),)
    found = [*_window(table, event, rule), *_holding(table, event), *_exchange(table, event, rule)]
    if not found:
        found += _spent(table, event, rule) or _points(table, event)
    return tuple(found) or None


def _in_rules(rule: DixRule, action: str) -> bool:
    if action == "play":
        return rule.played
    return _when(rule, action) is not Window.NEVER


def _when(rule: DixRule, action: str) -> Window:
    return rule.exchange if action == "exchange" else rule.show


def _not_in_rules(table: Table, event: Dix) -> Breach:
    act = {"exchange": "exchanged", "show": "shown", "play": "scored as it is played"}[event.action]
    return Breach(
        code="dix-not-in-rules",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)}'s seven of trumps is {act}; this game has no such rule.",
        found=event.action,
    )


def _played(table: Table, event: Dix, rule: DixRule) -> Breaches | None:
    last = table.seven_played
    if last is None and may_have_played_seven(table, event):
        return None
    if last is None or last[0] != event.seat or (event.card is not None and event.card != last[1]):
        return (
            Breach(
                code="dix-not-played",
                seat=event.seat,
                message=f"{seat_name(table, event.seat)} claims a dix for playing the seven of trumps, but has not"
                " just played it.",
                found="dix",
            ),
        )
    if last[2] == 0 and _too_late(table, rule):
        return (_not_in_last_tricks(table, event),)
    if last[2] == 0:
        return (_has_scored(table, event, "that seven has already scored"),)
    return tuple(_points(table, event)) or None


def _too_late(table: Table, rule: DixRule) -> bool:
    return not rule.in_last_tricks and not table.phase.draws


def _not_in_last_tricks(table: Table, event: Dix) -> Breach:
    return Breach(
        code="dix-not-in-rules",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} claims a dix after the close, where by the option chosen it does"
        " not score.",
        found=event.action,
    )


def _has_scored(table: Table, event: Dix, why: str) -> Breach:
    return Breach(
        code="dix-spent",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} claims a dix, but {why}.",
        found=event.action,
    )


def _window(table: Table, event: Dix, rule: DixRule) -> list[Breach]:
    window = _when(rule, event.action)
    who = seat_name(table, event.seat)
    if table.step is TableStep.OVER:
        when = "after the deal is over"
    elif window is Window.AFTER_TRICK_WON and table.melding.seat != event.seat:
        when = "without having just won a trick"
    elif window is Window.AFTER_TRICK_WON and event.action == "show" and not table.phase.melds:
        when = "after the close, where nothing is declared any more"
    else:
        return []
    return [
        Breach(
            code="dix-out-of-window",
            seat=event.seat,
            message=f"{who} {event.action}s the seven of trumps {when}.",
            found=event.action,
        )
    ]


def _holding(table: Table, event: Dix) -> list[Breach]:
    seven, who = seven_of(table, event), seat_name(table, event.seat)
    if FACE_OF[seven] != table.seven:
        message = f"{who} {event.action}s {card_with_article(seven)} as the dix; the dix is {card_with_article(table.seven or '7?')}."
    elif seven in table.held[event.seat] or _may_have_drawn(table, event, seven):
        return []
    else:
        message = f"{who} {event.action}s {card_with_article(seven)} but does not hold it."
    return [
        Breach(
            code="dix-not-held", seat=event.seat, message=message, expected=table.seven, found=seven
        )
    ]


def _may_have_drawn(table: Table, event: Dix, seven: str) -> bool:
    """Whether the seat may hold it: an unknown card or, where it need not come before them, a draw due."""
    rule, seat = table.rules.sheet.dix, event.seat
    before_draws = rule is None or _when(rule, event.action) is Window.AFTER_TRICK_WON
    unwritten = 0 if before_draws or not table.knowledge.partial else table.draws_due.count(seat)
    return may_hold(table, seat, [seven], drawn=unwritten)


def _exchange(table: Table, event: Dix, rule: DixRule) -> list[Breach]:
    if event.action != "exchange":
        return []
    if rule.exchange_is_the_meld and table.melding.seat == event.seat and table.melding.left <= 0:
        return [_too_many(table, event)]
    if table.stock.turn_up is None:
        why = "the turn-up has been drawn"
    elif table.stock.turn_up[0] == "7":
        why = "the card lying there is itself a seven"
    else:
        return []
    return [
        Breach(
            code="nothing-to-exchange",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} exchanges the seven of trumps, but {why}.",
            found=table.stock.turn_up,
        )
    ]


def _too_many(table: Table, event: Dix) -> Breach:
    allowed = meld_limit_words(table.phase.melds)
    return Breach(
        code="too-many-melds",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} exchanges the seven of trumps after a meld; here an exchange"
        f" counts as one, and a trick won allows {allowed}.",
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
    return [_has_scored(table, event, "that seven has already scored")]


def _points(table: Table, event: Dix) -> list[Breach]:
    computed = dix_points(table, event)
    if event.points is None or event.points == computed:
        return []
    return [
        Breach(
            code="wrong-dix-points",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} claims {event.points} points for the dix; it is worth {computed}.",
            expected=str(computed),
            found=str(event.points),
            pointer="/points",
        )
    ]
