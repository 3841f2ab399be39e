"""Checks of a draw: whose turn it is, which card lies there, and whether a copy is left (laws C1, C5, C6)."""

from records.cards import card_sign, covers, is_unknown
from records.engine.table import Table, TableStep
from records.engine.zetema.marriages import is_stock_unsure
from records.events import Draw
from records.phrases import name_card
from records.validate.breach import Breach, Breaches, breach_by, not_in_pack, seat_name

# Bound once: to read a member of an enumeration costs more than to compare it.
DRAW = TableStep.DRAW


def check_draw(table: Table, event: Draw) -> Breaches | None:
    """Everything that can be wrong with a draw."""
    # Nearly every draw is legal and returns here.
    if (
        table.step is DRAW
        and table.seat == event.seat
        and table.stock.left
        and table.stock.order is None
        and table.unseen.get(event.card, 0) > 0
    ):
        return None
    breaches = [*_turn(table, event), *_card(table, event)]
    return tuple(breaches) or None


def _turn(table: Table, event: Draw) -> list[Breach]:
    if table.rules.has_tableau and is_stock_unsure(table):
        return []
    if table.step is not DRAW or event.seat not in table.draws_due:
        return [_not_due(table, event)]
    if event.seat == table.seat:
        return []
    return [
        breach_by(
            table,
            event.seat,
            "draw-out-of-turn",
            winner=seat_name(table, table.seat),
            expected=f"seat {table.seat}",
            found=f"seat {event.seat}",
        )
    ]


def _not_due(table: Table, event: Draw) -> Breach:
    if not table.stock.left and table.stock.turn_up is None:
        clause = "no-stock"
    elif table.rules.has_tableau:
        clause = "other-turn" if table.step is DRAW else "full-hand"
    else:
        clause = "again" if table.step is DRAW else "no-trick"
    return breach_by(
        table,
        event.seat,
        "draw-not-due",
        clause=clause,
        card=name_card(event.card),
        other=seat_name(table, table.seat),
        found=f"draw of {event.card}",
    )


def _card(table: Table, event: Draw) -> list[Breach]:
    if beyond := not_in_pack(table, event.seat, [event.card], "draw"):
        return beyond
    stock = table.stock
    if stock.left == 0 and stock.turn_up is not None:
        return _other_card(table, event, stock.turn_up, "turn-up")
    breaches = []
    top = stock.next_card()
    if stock.left and top is not None:
        breaches = _other_card(table, event, top, "stock")
    if not is_unknown(event.card) and table.unseen.get(event.card, 0) <= 0:
        breaches.append(_none_left(table, event))
    return breaches


def _other_card(table: Table, event: Draw, top: str, place: str) -> list[Breach]:
    if is_unknown(event.card) or is_unknown(top):
        agree = covers(event.card, top) or covers(top, event.card)
    else:
        agree = event.card == top
    if agree:
        return []
    return [
        breach_by(
            table,
            event.seat,
            "wrong-card-drawn",
            clause=place,
            card=name_card(event.card),
            top=name_card(top),
            expected=top,
            found=event.card,
        )
    ]


def _none_left(table: Table, event: Draw) -> Breach:
    return breach_by(
        table,
        event.seat,
        "no-such-card-left",
        card=name_card(event.card),
        found=card_sign(event.card),
        since=_earlier_draw(table, event.card),
    )


def _earlier_draw(table: Table, card: str) -> int | None:
    for i in range(table.index):
        if isinstance(table.events[i], Draw) and getattr(table.events[i], "card", None) == card:
            return i
    return None
