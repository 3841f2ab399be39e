"""What one seat may still meld after the close: the engine's own rules of reuse, asked ahead.

`MeldRights` are what those rules need to know of one seat, and nothing that can no longer matter: positions
that differ only in cards which no meld can use have the same rights. A seat that can meld nothing any
more has none at all (`None`).
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from analyzer.annotate.solver.melds.sets import MeldFaces, count_card_sets, formable_melds
from records.cards import FACE_OF, SUITS
from records.engine.copies.marks import (
    MOVED_BIT,
    NEW_BIT,
    TRACE_NAME,
    USED_BIT,
    MarkedCard,
    Reading,
    Readings,
    ReusePredicate,
)  # fmt: skip
from records.engine.copies.readings import after_leaving, after_meld, may_meld
from records.engine.copies.reuse import (
    mark_bits_of,
    once_per_set,
    reuse_bits_of,
    reuse_rule_of,
    scored_sets_of,
    superseded_bits,
    upward_in_class,
)  # fmt: skip
from records.engine.table import Table
from records.rules.compiled import CompiledSheet, meld_requirements
from records.rules.vocabulary import MeldRule, ReuseRule

CardCounts = tuple[tuple[str, int], ...]
"""Cards with their numbers, sorted."""

ScoredKinds = tuple[tuple[str, int], ...]
"""Melds scored so far, where the rule of reuse counts them: kind and number of cards."""


class MeldableCards(NamedTuple):
    """What a seat may meld from under these trumps, and what of that has served."""

    trump: str | None
    held: Mapping[str, int]
    readings: Readings
    scored: ScoredKinds


SHRINKING_REUSE_RULES = (ReuseRule.ONCE_PER_SET, ReuseRule.ONCE_PER_KIND, ReuseRule.UPWARD_IN_CLASS)
"""Rules by which a set of cards that may not be melded now never may."""


RightsType = TypeVar("RightsType")
RightsPair = tuple[RightsType | None, RightsType | None]
"""The rights of both seats."""


class RemainingCards(NamedTuple):
    """What is still to be played: the tricks, the cards by face, and a number a suit that tells them."""

    tricks: int
    faces: Mapping[str, int]
    key: tuple[int, ...]


class PossibleMeld(NamedTuple):
    """A meld that may be scored now, and the rights of the seat after it."""

    meld: MeldRule
    cards: tuple[str, ...]
    rights: Any


class MeldRights:
    """What one seat holds that may still make a meld; made once and kept by `MeldTracker`.

    `rows` are the melds that may yet come, `points` what they score, as often as they may, the dearest
    first.
    """

    __slots__ = (
        "after", "held", "most", "options", "points", "readings", "rows", "scored", "trump",
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
        self.most: int | None = None
        self.after: dict[str, MeldRights | None] = {}


class MeldTracker:
    """The rights of both seats of one deal, and how they change."""

    def __init__(self, book: CompiledSheet) -> None:
        self.book = book
        self.limit = book.phases[-1].melds
        self.shrinks = book.sheet.reuse.rule in SHRINKING_REUSE_RULES
        self.known: dict[object, MeldRights | None] = {}

    def of(self, table: Table, seat: int, left: RemainingCards) -> MeldRights | None:
        """The rights of a seat at a table."""
        scored = tuple(table.melding.scored[seat]) if self.book.counts_sets else ()
        sheet, trump = self.book.sheet, table.trump
        trumps = (trump,) if trump or not self.book.makes_trumps else (None, *SUITS)
        rows = [
            (suit, needed, row) for suit in trumps for needed, row in meld_requirements(sheet, suit)
        ]
        return self._made(
            MeldableCards(trump, table.held[seat], table.melding.readings[seat], scored), rows
        )

    def played(self, rights: MeldRights | None, card: str) -> MeldRights | None:
        """The rights after a card was played."""
        if rights is None or card not in rights.held:
            return rights
        if card not in rights.after:
            count = rights.held[card]
            forget, trace = self.book.forgotten_bits, self.book.traced_bits
            readings = after_leaving(rights.readings, card, count, forget=forget, trace=trace)
            held = {**rights.held, card: count - 1}
            now = MeldableCards(rights.trump, held, readings, rights.scored)
            rights.after[card] = self._made(now, rights.rows)
        return rights.after[card]

    def melded(self, rights: MeldRights, row: MeldRule, cards: Sequence[str]) -> MeldRights | None:
        """The rights after a meld was scored."""
        book, scored = self.book, rights.scored
        readings = after_meld(
            rights.readings,
            cards,
            rights.held,
            reuse_rule_of(row, book, scored),
            mark_bits_of(row, book, scored),
            supersedes=superseded_bits(row, book, scored),
        )
        if book.counts_sets:
            scored = (*scored, (row.kind, len(cards)))
        trump = rights.trump
        if trump is None and row.kind in book.makes_trumps:
            trump = cards[0][1]
        return self._made(MeldableCards(trump, rights.held, readings, scored), rights.rows)

    def led(self, rights: MeldRights | None) -> MeldRights | None:
        """The rights once their seat has led and may meld no more."""
        return rights

    def won(
        self, pair: RightsPair[MeldRights], winner: int, cards: Sequence[str], left: RemainingCards
    ) -> RightsPair[MeldRights]:
        """The rights of both seats after a trick: with the last card the last meld has gone."""
        return pair if left.tricks else (None, None)

    def matters(self, rights: MeldRights | None, face: str) -> bool:
        """Whether a card of this face may make a meld."""
        return rights is not None and any([FACE_OF[card] == face for card in rights.held])

    def names(self, rights: MeldRights | None, face: str) -> list[str]:
        """The cards of this face that a seat may choose from where copies are told apart."""
        held = rights.held if rights else {}
        return [card for card, count in held.items() if count and FACE_OF[card] == face] or [face]

    def under(self, rights: MeldRights | None, trump: str | None) -> MeldRights | None:
        """The rights once a meld has made trumps."""
        if rights is None or rights.trump == trump:
            return rights
        now = MeldableCards(trump, rights.held, rights.readings, rights.scored)
        return self._made(now, rights.rows)

    def options(self, rights: MeldRights) -> list[PossibleMeld]:
        """The melds that may be scored now, the dearest first."""
        if rights.options is None:
            rights.options = [
                PossibleMeld(row, cards, self.melded(rights, row, cards))
                for (suit, _, row), cards in formable_melds(rights.rows, rights.held)
                if suit == rights.trump
                and may_meld(
                    rights.readings,
                    cards,
                    rights.held,
                    reuse_rule_of(row, self.book, rights.scored),
                )
            ]
        return rights.options

    def most(self, rights: MeldRights | None, left: RemainingCards, now: int) -> int:
        """A bound on what a seat may still meld, `now` being the melds it may score at once.

        The last trick leaves no card to meld.
        """
        if rights is None:
            return 0
        most = sum(rights.points[: now + self.limit * (left.tricks - 1)])
        return min(most, self._at_once(rights)) if self.shrinks else most

    def _at_once(self, rights: MeldRights) -> int:
        """What melding all it can, card after card, would score: more is never to be had if rights shrink."""
        if rights.most is None:
            rights.most = max(
                [
                    option.meld.points + (self._at_once(option.rights) if option.rights else 0)
                    for option in self.options(rights)
                ],
                default=0,
            )
        return rights.most

    def _made(self, now: MeldableCards, rows: Iterable[MeldFaces]) -> MeldRights | None:
        """The rights of these cards, cut down to what may still make one of these melds."""
        trump, held, readings, scored = now
        found = [
            (row, cards)
            for row, cards in formable_melds(rows, held)
            if (row[0] == trump or trump is None)
            and may_meld(readings, cards, held, self._ever(row[2], scored))
        ]
        used = {FACE_OF[card] for _, cards in found for card in cards}
        if not used:
            return None
        if not self.shrinks:
            used |= {FACE_OF.get(card, card) for reading in readings for card, _ in reading}
        kept = {card: count for card, count in held.items() if count and FACE_OF[card] in used}
        matters = self._matters({row for (_, _, row), _ in found}, scored)
        left = tuple(sorted({self._cut(reading, used, matters) for reading in readings}))
        alive = tuple(dict.fromkeys(row for row, _ in found))
        key = trump, tuple(sorted(kept.items())), left, scored, alive
        rights = self.known.get(key)
        if rights is None:
            points = [
                row[2].points for row, cards in found for _ in range(count_card_sets(cards, kept))
            ]
            rights = self.known[key] = MeldRights(*key, sorted(points, reverse=True))
        return rights

    def _matters(self, rows: Iterable[MeldRule], scored: ScoredKinds) -> int:
        """The bits of a mark on which melding one of these rows may depend."""
        bits = NEW_BIT | USED_BIT
        for row in rows:
            terms = reuse_bits_of(row, self.book)
            bits |= terms.kind | terms.higher | terms.lower
            bits |= scored_sets_of(row, self.book, scored).family
        return bits

    def _cut(self, reading: Reading, used: Container[str], matters: int) -> Reading:
        """A reading of the cards used alone, with the marks that matter.

        A card whose newest set is left out has moved on from the older ones.
        """
        sets = -1 << self.book.first_set_bit
        found = []
        for card, mark in reading:
            if FACE_OF.get(card, card) in used or card == TRACE_NAME:
                kept, own = mark & matters, mark & sets
                if kept & sets and (mark & MOVED_BIT or (own & ~matters) > kept & sets):
                    kept |= MOVED_BIT
                if kept:
                    found.append((card, kept))
        return tuple(sorted(found))

    def _ever(self, row: MeldRule, scored: ScoredKinds) -> ReusePredicate:
        """Whether a set of cards may be melded, now or once others have left."""
        rule = self.book.sheet.reuse.rule
        if self.shrinks:
            return reuse_rule_of(row, self.book, scored)
        if rule is not ReuseRule.REFORMED_AFTER_LEAVING:
            return lambda chosen, reading: True
        terms = reuse_bits_of(row, self.book)._replace(kind=0)
        past = scored_sets_of(row, self.book, scored)

        def ever(chosen: tuple[MarkedCard, ...], reading: Reading) -> bool:
            return once_per_set(past, chosen) and upward_in_class(terms, chosen)

        return ever
