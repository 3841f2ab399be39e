"""Checks of a card drawn: whose draw, from where, and whether such a card is left (laws C1, C5, C6)."""

from records.cards import card_sign, covers, is_unknown
from records.engine.table import Table, TableStep
from records.engine.zetema.marriages import is_stock_unsure
from records.events import Draw
from records.validate.breach import Breach, Breaches, card_with_article, seat_name

# Bound once: to read a member of an enumeration costs more than to compare it.
DRAW = TableStep.DRAW


def check_draw(table: Table, event: Draw) -> Breaches | None:
    """Everything that can be wrong with a draw."""
    if (
        table.step is DRAW
        and table.seat == event.seat
        and table.stock.left
        and table.stock.order is None
        and table.unseen.get(event.card, 0) > 0
    ):
        return None
    found = [*_turn(table, event), *_card(table, event)]
    return tuple(found) or None


def _turn(table: Table, event: Draw) -> list[Breach]:
    if table.rules.has_tableau and is_stock_unsure(table):
        return []
    if table.step is not DRAW or event.seat not in table.draws_due:
        return [_not_due(table, event)]
    if event.seat != table.seat:
        return [
            Breach(
                code="draw-out-of-turn",
                seat=event.seat,
                message=f"{seat_name(table, event.seat)} draws first, but {seat_name(table, table.seat)} won the"
                " trick and draws first.",
                expected=f"seat {table.seat}",
                found=f"seat {event.seat}",
            )
        ]
    return []


def _not_due(table: Table, event: Draw) -> Breach:
    if not table.stock.left and table.stock.turn_up is None:
        why = "but the stock is gone"
    elif table.rules.has_tableau:
        why = f"but {seat_name(table, table.seat)}'s turn has no card to draw"
        if table.step is DRAW:
            why = f"but it is for {seat_name(table, table.seat)} to draw"
    elif table.step is DRAW:
        why = f"a second time, but it is for {seat_name(table, table.seat)} to draw"
    else:
        why = "but nobody draws before the trick is complete"
    return Breach(
        code="draw-not-due",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} draws {card_with_article(event.card)}, {why}.",
        found=f"draw of {event.card}",
    )


def _card(table: Table, event: Draw) -> list[Breach]:
    if table.stock.left == 0 and table.stock.turn_up is not None:
        return _turn_up(table, event, table.stock.turn_up)
    found = []
    top = table.stock.next_card()
    if table.stock.left and top is not None:
        found = _in_order(table, event, top)
    if not is_unknown(event.card) and table.unseen.get(event.card, 0) <= 0:
        found.append(_none_left(table, event))
    return found


def _turn_up(table: Table, event: Draw, lies: str) -> list[Breach]:
    if event.card == lies or covers(event.card, lies) or covers(lies, event.card):
        return []
    return [
        Breach(
            code="wrong-card-drawn",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} draws {card_with_article(event.card)}, but the card left to draw is the"
            f" turn-up, {card_with_article(lies)}.",
            expected=lies,
            found=event.card,
        )
    ]


def _in_order(table: Table, event: Draw, top: str) -> list[Breach]:
    if event.card == top or covers(event.card, top) or covers(top, event.card):
        return []
    return [
        Breach(
            code="wrong-card-drawn",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} draws {card_with_article(event.card)}, but the record's stock has"
            f" {card_with_article(top)} on top.",
            expected=top,
            found=event.card,
        )
    ]


def _none_left(table: Table, event: Draw) -> Breach:
    copies = table.rules.copies.get(event.card[:2], 0)
    seen = {0: "is not in this pack", 1: "is already out"}.get(
        copies, f"is in the pack {copies} times and every copy is out"
    )
    return Breach(
        code="no-such-card-left",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} draws {card_with_article(event.card)}, which {seen}.",
        found=card_sign(event.card),
        since=_earlier(table, event.card),
    )


def _earlier(table: Table, card: str) -> int | None:
    for i in range(table.index):
        if isinstance(table.events[i], Draw) and getattr(table.events[i], "card", None) == card:
            return i
    return None
