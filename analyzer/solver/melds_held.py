"""What one seat may still meld after the close from the cards it holds."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from math import comb, prod
from typing import Any, NamedTuple, TypeVar

from records.cards import FACE_OF, SUITS
from records.engine.copies import (
    MOVED_BIT,
    NEW_BIT,
    TRACE_NAME,
    USED_BIT,
    MarkedCard,
    Reading,
    Readings,
    ReusePredicate,
)
from records.engine.readings import after_leaving, after_meld, may_meld
from records.engine.reuse import (
    mark_bits_of,
    once_per_set,
    reuse_bits_of,
    reuse_rule_of,
    scored_sets_of,
    superseded_bits,
    upward_in_class,
)
from records.engine.table import Table
from records.rules.compiled import CompiledSheet, meld_requirements
from records.rules.vocabulary import MeldRule, ReuseRule

# Which melds cards form by their faces, and in how many ways.
#
# Nothing here asks whether a card has served before: `MeldTracker` does.

MeldFaces = tuple[str | None, tuple[tuple[str, int], ...], MeldRule]
"""A trump suit, the faces a meld needs under it with their numbers, and the meld."""


def formable_melds(
    rows: Iterable[MeldFaces], held: Mapping[str, int]
) -> Iterator[tuple[MeldFaces, tuple[str, ...]]]:
    """Those of these melds that the cards held form by their faces, with every set of names that forms one.

    Like cards without labels have one name, and make one set.
    """
    copies = _copies(held)
    for row in rows:
        needed = row[1]
        if all([len(copies.get(face, ())) >= count for face, count in needed]):
            choices = [
                sorted(set(combinations(copies[face], count))) if count else [()]
                for face, count in needed
            ]
            for cards in product(*choices):
                yield row, tuple(chain.from_iterable(cards))


def _copies(held: Mapping[str, int]) -> dict[str, list[str]]:
    """The names held of each face, each as often as it is held."""
    copies: dict[str, list[str]] = {}
    for card in sorted(held):
        copies.setdefault(FACE_OF[card], []).extend([card] * held[card])
    return copies


def count_card_sets(cards: Sequence[str], held: Mapping[str, int]) -> int:
    """How many sets of physical cards have these names."""
    return prod([comb(held[card], cards.count(card)) for card in set(cards)])


# The rights of a seat.
#
# `MeldRights` are everything that the rules of reuse need to know about one seat, and nothing that can no
# longer matter. Cards that no meld can use are left out, so that positions which differ only in those have
# the same rights; a seat that can never meld again has none (`None`). Rights are made once and cached: the
# search compares them by identity, and each remembers the rights that follow from it.
#
# Unlike the tricks, the rules of reuse are not written again: `MeldTracker` asks `records.engine.readings`
# whether a set of cards may be melded, and follows the readings there. What is repeated is which melds the
# cards form (above). `test_close.py` compares the melds offered with those the engine lists.

CardCounts = tuple[tuple[str, int], ...]
"""Cards and how many of each, sorted."""

ScoredKinds = tuple[tuple[str, int], ...]
"""Melds scored so far, where the rule of reuse counts them: kind and number of cards of each."""


class MeldableCards(NamedTuple):
    """The trumps, the cards a seat may meld from, and what of them has scored before."""

    trump: str | None
    held: dict[str, int]
    readings: Readings
    scored: ScoredKinds


SHRINKING_REUSE_RULES = (ReuseRule.ONCE_PER_SET, ReuseRule.ONCE_PER_KIND, ReuseRule.UPWARD_IN_CLASS)
"""Rules under which a set of cards that may not be melded now never may be: rights only shrink."""


RightsType = TypeVar("RightsType")
RightsPair = tuple[RightsType | None, RightsType | None]
"""The rights of both seats."""


class RemainingCards(NamedTuple):
    """What is still to be played: the tricks, the cards by face, and one integer per suit as a cache key."""

    tricks: int
    faces: Mapping[str, int]
    key: tuple[int, ...]


class PossibleMeld(NamedTuple):
    """A meld that may be scored now, and the rights of the seat after it."""

    meld: MeldRule
    cards: tuple[str, ...]
    rights: Any


class MeldRights:
    """What one seat holds that may still make a meld; made once and cached by `MeldTracker`.

    `rows` are the melds still possible. `points` lists their points, once for every set of cards that
    makes one, highest first. `points_at_once` is what melding everything now would score.
    """

    __slots__ = (
        "after", "held", "options", "points", "points_at_once", "readings", "rows", "scored", "trump",
    )  # fmt: skip

    def __init__(
        self,
        trump: str | None,
        held: CardCounts,
        readings: Readings,
        scored: ScoredKinds,
        rows: tuple[MeldFaces, ...],
        points: list[int],
    ) -> None:
        self.trump = trump
        self.rows = rows
        self.held = dict(held)
        self.readings = readings
        self.scored = scored
        self.points = points
        self.options: list[PossibleMeld] | None = None
        self.points_at_once: int | None = None
        self.after: dict[str, MeldRights | None] = {}


class MeldTracker:
    """The rights of both seats of one deal, and how cards and melds change them."""

    def __init__(self, rules: CompiledSheet) -> None:
        self.rules = rules
        self.melds_per_trick = rules.phases[-1].melds
        self.rights_only_shrink = rules.written.reuse.rule in SHRINKING_REUSE_RULES
        self.cache: dict[object, MeldRights | None] = {}

    def rights_of(self, table: Table, seat: int, remaining: RemainingCards) -> MeldRights | None:
        """The rights of a seat at a table."""
        scored = tuple(table.melding.scored[seat]) if self.rules.counts_sets else ()
        sheet, trump = self.rules.sheet, table.trump
        trumps = (trump,) if trump or not self.rules.makes_trumps else (None, *SUITS)
        rows = [
            (suit, needed, row) for suit in trumps for needed, row in meld_requirements(sheet, suit)
        ]
        return self._rights_from(
            MeldableCards(trump, table.held[seat], table.melding.readings[seat], scored), rows
        )

    def after_card(self, rights: MeldRights | None, card: str) -> MeldRights | None:
        """The rights after a card is played."""
        if rights is None or card not in rights.held:
            return rights
        if card not in rights.after:
            count = rights.held[card]
            forget, trace = self.rules.forgotten_bits, self.rules.traced_bits
            readings = after_leaving(rights.readings, card, count, forget=forget, trace=trace)
            held = {**rights.held, card: count - 1}
            meldable = MeldableCards(rights.trump, held, readings, rights.scored)
            rights.after[card] = self._rights_from(meldable, rights.rows)
        return rights.after[card]

    def after_meld(
        self, rights: MeldRights, row: MeldRule, cards: Sequence[str]
    ) -> MeldRights | None:
        """The rights after a meld is scored."""
        rules, scored = self.rules, rights.scored
        readings = after_meld(
            rights.readings,
            cards,
            rights.held,
            reuse_rule_of(row, rules, scored),
            mark_bits_of(row, rules, scored),
            supersedes=superseded_bits(row, rules, scored),
        )
        if rules.counts_sets:
            scored = (*scored, (row.kind, len(cards)))
        trump = rights.trump
        if trump is None and row.kind in rules.makes_trumps:
            trump = cards[0][1]
        return self._rights_from(MeldableCards(trump, rights.held, readings, scored), rights.rows)

    def after_lead(self, rights: MeldRights | None) -> MeldRights | None:
        """The rights once their seat has led and this chance to meld is over."""
        return rights

    def after_trick(
        self,
        pair: RightsPair[MeldRights],
        winner: int,
        cards: Sequence[str],
        remaining: RemainingCards,
    ) -> RightsPair[MeldRights]:
        """The rights of both seats after a trick; with no card left nobody can meld."""
        return pair if remaining.tricks else (None, None)

    def differs_by_reading(self, rights: MeldRights | None) -> bool:
        """Whether it may depend on which of like cards have scored what a seat may meld."""
        return rights is not None and len(rights.readings) > 1

    def can_use(self, rights: MeldRights | None, face: str) -> bool:
        """Whether a card of this face may still make a meld."""
        return rights is not None and any([FACE_OF[card] == face for card in rights.held])

    def named_cards(self, rights: MeldRights | None, face: str) -> list[str]:
        """The names under which a seat holds this face, where copies are told apart."""
        held = rights.held if rights else {}
        return [card for card, count in held.items() if count and FACE_OF[card] == face] or [face]

    def under_trump(self, rights: MeldRights | None, trump: str | None) -> MeldRights | None:
        """The rights once a meld has made trumps."""
        if rights is None or rights.trump == trump:
            return rights
        meldable = MeldableCards(trump, rights.held, rights.readings, rights.scored)
        return self._rights_from(meldable, rights.rows)

    def possible_melds(self, rights: MeldRights) -> list[PossibleMeld]:
        """The melds that may be scored now, in the order of the rule sheet."""
        if rights.options is None:
            rights.options = [
                PossibleMeld(row, cards, self.after_meld(rights, row, cards))
                for (suit, _, row), cards in formable_melds(rights.rows, rights.held)
                if suit == rights.trump
                and may_meld(
                    rights.readings,
                    cards,
                    rights.held,
                    reuse_rule_of(row, self.rules, rights.scored),
                )
            ]
        return rights.options

    def most_points(self, rights: MeldRights | None, remaining: RemainingCards, now: int) -> int:
        """An upper bound on the points a seat may still meld; it may score `now` melds at once.

        The last trick leaves no card to meld.
        """
        if rights is None:
            return 0
        most = sum(rights.points[: now + self.melds_per_trick * (remaining.tricks - 1)])
        return min(most, self._points_at_once(rights)) if self.rights_only_shrink else most

    def _points_at_once(self, rights: MeldRights) -> int:
        """What melding everything now would score; an upper bound where rights only shrink."""
        if rights.points_at_once is None:
            rights.points_at_once = max(
                [
                    option.meld.points
                    + (self._points_at_once(option.rights) if option.rights else 0)
                    for option in self.possible_melds(rights)
                ],
                default=0,
            )
        return rights.points_at_once

    def _rights_from(self, meldable: MeldableCards, rows: Iterable[MeldFaces]) -> MeldRights | None:
        """The rights these cards give, reduced to what may still make one of these melds."""
        trump, held, readings, scored = meldable
        # A plain tuple: all readings are listed, and the search of histories does not know the later rule.
        readings = tuple(readings)
        formed = [
            (row, cards)
            for row, cards in formable_melds(rows, held)
            if (row[0] == trump or trump is None)
            and may_meld(readings, cards, held, self._later_rule(row[2], scored))
        ]
        used = {FACE_OF[card] for _, cards in formed for card in cards}
        if not used:
            return None
        if not self.rights_only_shrink:
            # A card that makes no meld itself may still free others by leaving.
            used |= {FACE_OF.get(card, card) for reading in readings for card, _ in reading}
        counts = {card: count for card, count in held.items() if count and FACE_OF[card] in used}
        relevant = self._relevant_bits({row for (_, _, row), _ in formed}, scored)
        trimmed = tuple(
            sorted({self._trim_reading(reading, used, relevant) for reading in readings})
        )
        possible = tuple(dict.fromkeys(row for row, _ in formed))
        key = trump, tuple(sorted(counts.items())), trimmed, scored, possible
        rights = self.cache.get(key)
        if rights is None:
            points = [
                row[2].points
                for row, cards in formed
                for _ in range(count_card_sets(cards, counts))
            ]
            rights = self.cache[key] = MeldRights(*key, sorted(points, reverse=True))
        return rights

    def _relevant_bits(self, rows: Iterable[MeldRule], scored: ScoredKinds) -> int:
        """The bits of a mark that decide whether one of these melds is allowed."""
        bits = NEW_BIT | USED_BIT
        for row in rows:
            terms = reuse_bits_of(row, self.rules)
            bits |= terms.kind | terms.higher | terms.lower
            bits |= scored_sets_of(row, self.rules, scored).family
        return bits

    def _trim_reading(self, reading: Reading, used: Container[str], relevant: int) -> Reading:
        """A reading reduced to the cards in use and the bits of their marks that matter.

        A card whose newest set is dropped has moved on from its older ones; `MOVED_BIT` then says so.
        """
        sets = -1 << self.rules.first_set_bit
        trimmed = []
        for card, mark in reading:
            if FACE_OF.get(card, card) in used or card == TRACE_NAME:
                bits, own_sets = mark & relevant, mark & sets
                if bits & sets and (mark & MOVED_BIT or (own_sets & ~relevant) > bits & sets):
                    bits |= MOVED_BIT
                if bits:
                    trimmed.append((card, bits))
        return tuple(sorted(trimmed))

    def _later_rule(self, row: MeldRule, scored: ScoredKinds) -> ReusePredicate:
        """The rule for whether a set of cards may be melded now or later, once other cards have left."""
        rule = self.rules.written.reuse.rule
        if self.rights_only_shrink:
            return reuse_rule_of(row, self.rules, scored)
        # Once a card of an old meld has left, others of it may serve again. Which will leave is open:
        # only what forbids a set for good counts.
        if rule is not ReuseRule.REFORMED_AFTER_LEAVING:
            return lambda cards, reading: True
        terms = reuse_bits_of(row, self.rules)._replace(kind=0)
        past = scored_sets_of(row, self.rules, scored)

        def allows(cards: tuple[MarkedCard, ...], reading: Reading) -> bool:
            return once_per_set(past, cards) and upward_in_class(terms, cards)

        return allows
