"""The last trick before the close, seen by a seat: one card lies face down, and each that it has not seen may be that card.

Each of them is one case, in which the seat knows every card. What a play is worth in a case is exact, with best play by
both and an other player who knows the case, too.
"""

from collections import Counter
from typing import NamedTuple

from analyzer.solver.close import show_all_sevens
from records.cards import FACE_OF
from records.engine.copy_history import are_all_readings
from records.engine.table import Table, TableStep


class LastTrickCase(NamedTuple):
    """A card that may lie face down, how many like it are unseen, and the table in that case."""

    card: str
    copies: int
    table: Table


def is_last_stock_trick(table: Table) -> bool:
    """Whether the next card is played to the last trick of the stock, with one card face down and the turn-up."""
    stock = table.stock
    to_play = table.step is TableStep.LEAD or table.step is TableStep.REPLY
    return to_play and stock.left == 1 and stock.turn_up is not None


def cases_of_last_trick(table: Table, shown: Counter[str], face_down: str) -> list[LastTrickCase]:
    """Every card that may lie face down, as far as the seat to play knows.

    It knows the cards of the other hand that were `shown`; any other may be swapped for the one face down.
    """
    other = 1 - table.seat
    unseen = Counter(table.held[other]) - shown + Counter([face_down])
    cases = []
    for card, count in sorted(unseen.items()):
        swapped = table.copy()
        held = swapped.held[other]
        if card != face_down:
            held[card] -= 1
            if not held[card]:
                del held[card]
            held[face_down] = held.get(face_down, 0) + 1
            _drop_readings(swapped, other)
        cases.append(LastTrickCase(card, count, show_all_sevens(swapped)))
    return cases


def _drop_readings(table: Table, seat: int) -> None:
    """Keep the readings in which no more copies of a card are marked than the seat holds."""
    readings, held = table.readings[seat], table.held[seat]
    if not are_all_readings(readings):
        return
    fits = [
        reading
        for reading in readings
        for marked in [Counter([card for card, _ in reading if card in FACE_OF])]
        if all([count <= held.get(card, 0) for card, count in marked.items()])
    ]
    if fits and len(fits) < len(readings):
        table.set_readings(seat, tuple(fits))
