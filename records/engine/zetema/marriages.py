"""Where the cards of marriages come from, hand or tableau: as the record says, or as later events show (A-38).

A record need not say it, and both are often possible. Then every way is tried against what the seat does
later, and the way that contradicts the fewest events is taken.
"""

from collections.abc import Iterator, Sequence
from itertools import product, zip_longest

from records.cards import FACE_OF, count_cards
from records.engine.hidden_cards import full_hand_size
from records.engine.table import Table
from records.events import Discard, Draw, Irregular, Meld
from records.rules import vocabulary as v

TableauCardCounts = dict[str, int]
"""How many copies of each card of a set of marriages come from the tableau."""


def cards_from_tableau(table: Table, event: Meld) -> TableauCardCounts:
    """Which cards of marriages come from the tableau: as the record says, or the way that best fits later events."""
    if event.from_tableau is not None:
        return count_cards(event.from_tableau)
    ways = list(ways_from_tableau(table, event))
    if len(ways) > 1:
        if table.knowledge.partial:
            table.leave_open(bonus="zetema")
        ways.sort(key=lambda way: _contradictions(table, event, way))
    return ways[0] if ways else {}


def ways_from_tableau(table: Table, event: Meld) -> Iterator[TableauCardCounts]:
    """Every way to take the cards of marriages from hand and tableau, those with most from the hand first."""
    held, unknown = table.held[event.seat], table.unknown_held(event.seat)
    needs = count_cards(event.cards)
    short = {card: max(0, count - held.get(card, 0)) for card, count in needs.items()}
    ranges = []
    for card, count in needs.items():
        lying = table.tableau.piles.get(card[0], []).count(card)
        ranges.append(range(max(0, short[card] - unknown), min(count, lying) + 1))
    for numbers in product(*ranges):
        way = {card: number for card, number in zip(needs, numbers, strict=True) if number}
        taken_from_unknown = sum(max(0, short[card] - way.get(card, 0)) for card in needs)
        if taken_from_unknown <= unknown and enough_from_hand(table, event, way):
            yield way


def is_stock_unsure(table: Table) -> bool:
    """Whether nobody knows how many cards are left to draw.

    Where a partial record does not say from where marriages came, the hand left is not known, nor how many
    cards it draws.
    """
    return table.knowledge.plays_only or (
        table.knowledge.partial
        and any(
            isinstance(event, Meld) and event.meld == "marriages" and event.from_tableau is None
            for event in table.events[: table.index]
        )
    )


def enough_from_hand(table: Table, event: Meld, way: TableauCardCounts) -> bool:
    """Whether the hand gives a card: one of all the marriages or, by the option, one of each pair (A-38)."""
    tableau = table.rules.sheet.tableau
    from_hand = len(event.cards) - sum(way.values())
    if tableau is None or tableau.marriage_hand_cards is v.HandCards.ONE:
        return from_hand >= 1
    lying: dict[str, int] = {}
    for suit in "SHDC":
        for rank in "KQ":
            lying[rank + suit] = sum(n for card, n in way.items() if FACE_OF[card] == rank + suit)
    pairs = {suit: sum(FACE_OF[card] == "K" + suit for card in event.cards) for suit in "SHDC"}
    return all(lying["K" + suit] + lying["Q" + suit] <= pairs[suit] for suit in "SHDC")


class _Hand:
    """The hand that one way leaves to the seat, followed through later events."""

    def __init__(self, table: Table, event: Meld, way: TableauCardCounts) -> None:
        self.table, self.seat, self.married = table, event.seat, event.cards
        self.full, self.down, self.partial = (
            full_hand_size(table),
            table.stock.left,
            table.knowledge.partial,
        )
        self.cards = dict(table.held[event.seat])
        self.unknown = table.unknown_held(event.seat)
        self.begins_turn = True
        for card, count in count_cards(event.cards).items():
            self.cards[card] = self.cards.get(card, 0) - (count - way.get(card, 0))

    def allows(self, later: object) -> bool:
        """Whether an event can be, as far as this hand goes; the hand is then as after it."""
        if isinstance(later, Draw):
            self.down -= 1
            self.begins_turn = self.begins_turn or later.seat != self.seat
            if later.seat == self.seat:
                self.cards[later.card] = self.cards.get(later.card, 0) + 1
            return True
        if not isinstance(later, Discard | Meld):
            return True
        cards = [later.card] if isinstance(later, Discard) else later.cards
        if later.seat != self.seat:
            self.begins_turn = True
            return not any(card in self.married and self.cards.get(card, 0) > 0 for card in cards)
        # Both are asked, as each of them moves the hand on.
        return self._has_drawn_up() & self._gives(later, cards)

    def _has_drawn_up(self) -> bool:
        begins, self.begins_turn = self.begins_turn, False
        size = sum(self.cards.values()) + self.unknown
        return not begins or self.partial or self.down == 0 or size == self.full

    def _gives(self, later: Discard | Meld, cards: list[str]) -> bool:
        if isinstance(later, Meld) and later.meld == "marriages":
            return self._marries(later)
        held = all(self.cards.get(card, 0) >= count for card, count in count_cards(cards).items())
        if isinstance(later, Discard):
            self.cards[later.card] = self.cards.get(later.card, 0) - 1
        return held

    def _marries(self, later: Meld) -> bool:
        needs = count_cards(later.cards)
        held = {card: min(count, self.cards.get(card, 0)) for card, count in needs.items()}
        lying = {card: count - held[card] for card, count in needs.items()}
        if later.from_tableau is not None:
            lying = count_cards(later.from_tableau)
        for card, count in needs.items():
            self.cards[card] = self.cards.get(card, 0) - (count - lying.get(card, 0))
        return enough_from_hand(self.table, later, lying) and min(self.cards.values()) >= 0


def _contradictions(table: Table, event: Meld, way: TableauCardCounts) -> int:
    """How many later events are impossible if the cards of the marriages came this way."""
    hand = _Hand(table, event, way)
    return sum(not hand.allows(later) for later in _not_withdrawn(table.events[table.index + 1 :]))


def _not_withdrawn(events: Sequence[object]) -> Iterator[object]:
    """The events without the combinations that are withdrawn right away."""
    for event, after in zip_longest(events, events[1:]):
        withdrawn = isinstance(after, Irregular) and after.what == "withdrawn_meld"
        if not (withdrawn and isinstance(event, Meld)):
            yield event
