"""Checks of a draw: whose turn it is, which card lies there, and whether a copy is left (laws C1, C5, C6)."""

from records.cards import card_sign, is_unknown, may_be_same
from records.engine.hidden_cards import (
    is_copy_left,
    is_exchanged_unseen,
    is_second_draw,
    may_all_be_in_pack,
)
from records.engine.table import Table, TableStep
from records.engine.zetema.marriages import is_turn_unsure
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
        and not table.knowledge.uncertain
    ):
        return None
    breaches = [*_turn(table, event), *_card(table, event)]
    return tuple(breaches) or None


def _turn(table: Table, event: Draw) -> list[Breach]:
    if _is_stock_unsure(table):
        return []
    if table.step is not DRAW or event.seat not in table.draws_due:
        return [_not_due(table, event)]
    if event.seat == table.seat or _unwritten_before(table, event) or table.trick.winner_open:
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


def _is_stock_unsure(table: Table) -> bool:
    """Whether nobody knows how many cards have been drawn (Zetema)."""
    return table.rules.has_tableau and is_turn_unsure(table)


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


def _unwritten_before(table: Table, event: Draw) -> int:
    """How many cards (1 or 0) are drawn before this one by a draw that the record leaves out."""
    return int(table.knowledge.partial and is_second_draw(table, event))


def _card(table: Table, event: Draw) -> list[Breach]:
    if beyond := not_in_pack(table, event.seat, [event.card], "draw"):
        return beyond
    stock = table.stock
    left = stock.left - _unwritten_before(table, event)
    if left <= 0 and stock.turn_up is not None:
        known = not is_unknown(stock.turn_up) or is_exchanged_unseen(table, stock.turn_up)
        breaches = _other_card(table, event, stock.turn_up, "turn-up")
        return breaches if breaches or known else _copies(table, event, is_turn_up=True)
    top = None if _is_stock_unsure(table) else stock.card_with(left)
    breaches = _other_card(table, event, top, "stock") if top is not None else []
    return [*breaches, *_copies(table, event)]


def _copies(table: Table, event: Draw, *, is_turn_up: bool = False) -> list[Breach]:
    if table.tableau.ways_given_up:
        return []
    if not is_copy_left(table, event.card):
        return [_none_left(table, event)]
    # In Zetema, a card married may have come from the tableau, and is none of those that its seat has shown.
    if table.rules.has_tableau or not (table.knowledge.uncertain or is_unknown(event.card)):
        return []
    if may_all_be_in_pack(table, drawn=event.card, is_turn_up=is_turn_up):
        return []
    return [_none_left(table, event, clause="wanted")]


def _other_card(table: Table, event: Draw, top: str, place: str) -> list[Breach]:
    if is_unknown(event.card) or is_unknown(top):
        agree = may_be_same(event.card, top)
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


def _none_left(table: Table, event: Draw, clause: str = "out") -> Breach:
    return breach_by(
        table,
        event.seat,
        "no-such-card-left",
        clause=clause,
        card=name_card(event.card),
        found=card_sign(event.card),
        since=_earlier_draw(table, event.card),
    )


def _earlier_draw(table: Table, card: str) -> int | None:
    for i in range(table.index):
        if isinstance(table.events[i], Draw) and getattr(table.events[i], "card", None) == card:
            return i
    return None
