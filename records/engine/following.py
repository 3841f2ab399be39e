"""What the second player owes to the card led (laws C4 and C8)."""

from collections.abc import Iterable
from typing import assert_never

from records.engine.table import Table
from records.rules.vocabulary import Follow

NO_CARDS: frozenset[str] = frozenset()
"""The cards that beat an unknown card, or that share its suit: none is known."""


def is_lawful_reply(table: Table, seat: int, led: str, reply: str) -> bool:
    """Whether `reply` is one of the `lawful_replies`: the same law for one card, without making the list.

    It is called for every reply, so it uses set operations instead of a list. tests/test_perft.py and the
    playouts check both.
    """
    phase = table.phase
    if not phase.must_follow:
        return True
    hand, suits, trump = table.held[seat], table.rules.suits, table.trump
    if reply[1] == led[1]:
        # Trumps must be beaten even where other suits need only be followed (C8).
        if not phase.must_head and led[1] != trump:
            return True
        higher = table.rules.higher_cards.get(led, NO_CARDS)
        return reply in higher or higher.isdisjoint(hand)
    if not suits.get(led[1], NO_CARDS).isdisjoint(hand):
        return False
    return trump is None or reply[1] == trump or suits[trump].isdisjoint(hand)


def lawful_replies(table: Table, seat: int, led: str) -> list[str]:
    """The known cards a seat may play to the card led; all of them where there is no duty to follow."""
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


def could_have_taken(table: Table, seat: int, led: str, reply: str) -> bool | None:
    """Whether a seat that has just replied, and not taken the card led, held a legal reply that takes it.

    None where its cards are not fully known.
    """
    if table.knowledge.partial or table.unknown_held(seat):
        return None
    hand, beaters = table.held[seat], table.beaters.get(led, NO_CARDS)
    if beaters.isdisjoint(hand):
        return False
    suit = table.rules.suits.get(led[1], NO_CARDS)
    if not table.phase.must_follow or (reply[1] != led[1] and suit.isdisjoint(hand)):
        return True
    return not beaters.isdisjoint(suit.intersection(hand))


def _higher(table: Table, led: str, cards: Iterable[str]) -> list[str]:
    beaters = table.beaters.get(led, frozenset())
    return [card for card in cards if card in beaters]
