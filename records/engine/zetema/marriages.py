"""Where the cards of marriages come from, hand or tableau: the ways in which an event can have happened (A-38).

A record need not say it, and both are often possible; of a marriage it may show cards by rank or suit alone.
Every way is then possible, and `records.validate.foresight` tries them against what follows.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, islice, product
from typing import NamedTuple

from records.cards import FACE_OF, SUITS, cards_missing, count_cards, covers, is_unknown
from records.engine.hidden_cards import may_be_among, may_hold
from records.engine.table import Table
from records.events import Meld
from records.rules import vocabulary as v
from records.rules.compiled import CompiledSheet

MOST_MARRIED = 10
"""Five kings and five queens are all there are."""
MOST_WAYS_LISTED = 1024
"""More ways than any marriages have of which every card is known."""


class MarriageWay(NamedTuple):
    """One way for marriages to have happened: which cards they are, and how many of each come from the tableau."""

    cards: tuple[str, ...]
    from_tableau: dict[str, int]

    @property
    def from_hand(self) -> list[str]:
        """The cards that come from the hand."""
        return [
            card
            for card, count in count_cards(self.cards).items()
            for _ in range(count - self.from_tableau.get(card, 0))
        ]


def way_of_marriages(table: Table, event: Meld) -> MarriageWay:
    """The way of the marriages at hand: as foreseen, or else the first possible one, or as the record says."""
    ways = table.tableau.ways
    way: MarriageWay | None = (
        ways[table.index] if table.index in ways else next(ways_of_marriages(table, event), None)
    )
    return way or MarriageWay(tuple(event.cards), count_cards(event.from_tableau or ()))


def ways_of_marriages(table: Table, event: Meld) -> Iterator[MarriageWay]:
    """Every way in which marriages can have happened at this table, those with most from the hand first."""
    shown = tuple(event.cards)
    sets = sets_of_pairs(table, shown) if any(map(is_unknown, shown)) else (shown,)
    for cards in sets:
        yield from _ways_with(table, event, cards)


def _ways_with(table: Table, event: Meld, cards: tuple[str, ...]) -> Iterator[MarriageWay]:
    needs, said = count_cards(cards), event.from_tableau
    places = _Places(table, event.seat)
    ranges = [places.numbers_from_tableau(card, count) for card, count in needs.items()]
    # Cards that are no marriages may be so many that nobody can try all ways.
    most_tried = MOST_WAYS_LISTED if len(cards) <= MOST_MARRIED else 1
    for numbers in islice(product(*ranges), most_tried):
        taken = {card: number for card, number in zip(needs, numbers, strict=True) if number}
        way = MarriageWay(cards, taken)
        if said is not None and not _agrees_with_record(taken, said):
            continue
        if enough_from_hand(table, way) and places.have(way):
            yield way


def _agrees_with_record(taken: dict[str, int], said: list[str]) -> bool:
    cards = [card for card, number in taken.items() for _ in range(number)]
    return len(cards) == len(said) and _are_shown_so(cards, said)


class _Places:
    """A seat's hand and the tableau: which cards are known to be there, and which may be."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.held, self.piles = table.held[seat], table.tableau.piles
        self.unsure = is_turn_unsure(table)
        self.unknown_held = table.unknown_held(seat)
        self.unknown_lying = unknown_on_tableau(table)

    def numbers_from_tableau(self, card: str, count: int) -> range:
        """How many of so many copies of a card may come from the tableau."""
        shown = copies_left(self.table, card, self.seat)
        least = count - self.held.get(card, 0)
        if least > 0:
            least -= shown if self.unsure else min(shown, self.unknown_held)
        most = self._lying(card)
        if most < count and self.unknown_lying:
            alike = sum(covers(token, card) for token in self.unknown_lying)
            most += min(alike, copies_left(self.table, card))
        return range(max(0, least), min(count, most) + 1)

    def _lying(self, card: str) -> int:
        return self.piles.get(card[0], []).count(card)

    def have(self, way: MarriageWay) -> bool:
        """Whether the cards not known to be in hand or tableau can be among the unknown ones there."""
        if not (self.unknown_held or self.unknown_lying or self.unsure):
            return True
        shown = cards_missing(count_cards(way.from_hand), self.held)
        lifted = [
            card
            for card, count in way.from_tableau.items()
            for _ in range(count - self._lying(card))
        ]
        if not self.unsure and len(shown) > self.unknown_held:
            return False
        left = count_cards(shown + lifted)
        return (
            all(copies_left(self.table, card) >= count for card, count in left.items())
            and may_show(self.table, self.seat, shown)
            and may_be_among([*self.table.tableau.lifted, *lifted], self.unknown_lying)
        )


def copies_left(table: Table, card: str, seat: int | None = None) -> int:
    """How many copies of a card this seat, or any, may have that nobody has seen, or that have perhaps left unseen."""
    doubtful = table.hidden.doubtful
    perhaps = [n for (owner, face), n in doubtful.items() if face == card and seat in (None, owner)]
    return max(0, table.unseen.get(card, 0)) + sum(perhaps)


def may_show(table: Table, seat: int, cards: list[str], *, drawn: int = 0) -> bool:
    """Whether a seat may have these cards beyond those it is known to hold; `drawn` are draws it has not written.

    Where nobody knows how many cards it holds, these may be any that are left.
    """
    if table.tableau.ways_given_up:
        return True
    if is_turn_unsure(table):
        counts = count_cards(card for card in cards if not is_unknown(card))
        return all(copies_left(table, card, seat) >= count for card, count in counts.items())
    return may_hold(table, seat, cards, drawn=drawn)


def unknown_on_tableau(table: Table) -> list[str]:
    """The cards of the tableau that the record does not show, or not fully."""
    if not table.knowledge.partial and not table.knowledge.uncertain:
        return []
    piles = table.tableau.piles.values()
    return [*table.tableau.unranked, *(card for pile in piles for card in pile if is_unknown(card))]


def sets_of_pairs(table: Table, cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The pairs that marriages may be of which the record does not show every card."""
    if len(cards) > MOST_MARRIED or len(cards) % 2:
        return ()
    return _sets_shown_so(table.rules, cards, labelled=is_labelled(table))


def is_labelled(table: Table) -> bool:
    """Whether the copies of a card are told apart."""
    return "." in "".join(table.unseen)


@lru_cache(maxsize=4096)
def _sets_shown_so(
    rules: CompiledSheet, shown: tuple[str, ...], *, labelled: bool
) -> tuple[tuple[str, ...], ...]:
    """Every set of pairs of this pack that a record may show so, in part only."""
    pairs = _sets_of_pairs(rules, len(shown) // 2, labelled=labelled)
    return tuple(cards for cards in pairs if _are_shown_so(cards, shown))


def _are_shown_so(cards: Iterable[str], shown: Iterable[str]) -> bool:
    """Whether these cards are what a record shows, in part only, of as many."""
    left = list(cards)
    for card in shown:
        if not is_unknown(card):
            if card not in left:
                return False
            left.remove(card)
    return may_be_among([card for card in shown if is_unknown(card)], left)


@lru_cache(maxsize=64)
def _sets_of_pairs(
    rules: CompiledSheet, number: int, *, labelled: bool
) -> tuple[tuple[str, ...], ...]:
    """Every set of so many kings with as many queens of the same suits."""
    kings, queens = [
        [
            f"{face}.{copy}" if labelled and count > 1 else face
            for face, count in rules.copies.items()
            for copy in range(1, count + 1)
            if face[0] == rank
        ]
        for rank in "KQ"
    ]
    found = {
        (*some, *others)
        for some in combinations(kings, number)
        for others in combinations(queens, number)
        if all(_suit_count(some, suit) == _suit_count(others, suit) for suit in SUITS)
    }
    return tuple(sorted(found))


def _suit_count(cards: Iterable[str], suit: str) -> int:
    return sum(card[1] == suit for card in cards)


def is_turn_unsure(table: Table) -> bool:
    """Whether nobody knows how many cards the seats hold, and so whose turn it is and how many cards are left.

    Where a record may lack combinations, marriages may have ended a turn that it does not tell of; and
    where there are too many ways to follow, the hands that they leave are not known.
    """
    return table.knowledge.plays_only or table.tableau.ways_given_up


def enough_from_hand(table: Table, way: MarriageWay) -> bool:
    """Whether the hand gives a card: one of all the marriages or, by the option, one of each pair (A-38)."""
    tableau = table.rules.sheet.tableau
    if tableau is None or tableau.marriage_hand_cards is v.HandCards.ONE:
        return len(way.cards) > sum(way.from_tableau.values())
    lying = dict.fromkeys(SUITS, 0)
    for card, count in way.from_tableau.items():
        lying[card[1]] += count
    kings = [FACE_OF[card] for card in way.cards]
    return all(lying[suit] <= kings.count("K" + suit) for suit in SUITS)
