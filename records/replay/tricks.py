"""What the second player owes to the card led (laws C4 and C8)."""

from collections.abc import Iterable
from typing import assert_never

from records.replay.table import Table
from records.rules.vocabulary import Follow


def lawful(table: Table, card: str) -> bool:
    """Whether the seat to reply may play this card to the card led."""
    led = table.led
    if led is None or (card[1] == led[1] and card in table.beaters.get(led, ())):
        return True
    return card in owed(table, table.seat, led)


def owed(table: Table, seat: int, led: str) -> list[str]:
    """The known cards a seat may play to the card led; all of them where nothing is owed."""
    hand = list(table.held[seat])
    trump = table.trump
    same = [card for card in hand if card[1] == led[1]]
    trumps = [card for card in hand if card[1] == trump]
    match table.phase.follow:
        case Follow.ANY:
            return hand
        case Follow.HEAD:
            return _higher(table, led, same) or same or trumps or hand
        case Follow.SUIT:
            if led[1] == trump:
                return _higher(table, led, same) or same or hand
            return same or trumps or hand
        case _:
            assert_never(table.phase.follow)


def _higher(table: Table, led: str, cards: Iterable[str]) -> list[str]:
    beaters = table.beaters.get(led, frozenset())
    return [card for card in cards if card in beaters]
