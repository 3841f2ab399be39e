"""What one seat may still meld after the close where melds are made of captured cards.

Every trick brings its winner two cards, and each of them may make a meld with cards won before. So the
rights of a seat grow as it wins tricks; what they may come to is bounded card by card.
"""

from collections.abc import Iterable, Mapping, Sequence

from analyzer.annotate.solver.melds.by_kind import KindMeldTracker, kinds_are_independent
from analyzer.annotate.solver.melds.held import (
    MeldableCards,
    MeldRights,
    MeldTracker,
    RemainingCards,
    RightsPair,
)
from analyzer.annotate.solver.melds.sets import MeldFaces
from records.cards import FACE_OF
from records.engine.copies.marks import NEW_BIT, Readings
from records.engine.copies.readings import after_capture
from records.engine.copies.reuse import reuse_bits_of
from records.engine.table import Table
from records.rules.compiled import FIRST_MELD_BIT, CompiledSheet, meld_requirements


class CapturedMeldTracker(MeldTracker):
    """The rights of both seats of one deal to meld the cards they have won and may yet win."""

    def of(self, table: Table, seat: int, left: RemainingCards) -> MeldRights | None:
        """The rights of a seat at a table."""
        rows = [
            (table.trump, needed, row)
            for needed, row in meld_requirements(self.book.sheet, table.trump)
        ]
        scored = tuple(table.melding.scored[seat]) if self.book.counts_sets else ()
        pile, readings = table.captured[seat], table.melding.readings[seat]
        before = self._made(MeldableCards(table.trump, pile, readings, scored), rows)
        alive = [row for row in rows if before and self._may_come(before, row, left.faces)]
        now = readings if table.melding.seat == seat else _nothing_new(readings)
        return self._made(MeldableCards(table.trump, pile, now, scored), alive)

    def played(self, rights: MeldRights | None, card: str) -> MeldRights | None:
        """A card played is not won yet."""
        return rights

    def matters(self, rights: MeldRights | None, face: str) -> bool:
        """Whether a card of this face may make a meld."""
        rows = rights.rows if rights else ()
        return any([face == each for _, needed, _ in rows for each, _ in needed])

    def names(self, rights: MeldRights | None, face: str) -> list[str]:
        """Of like cards in the hand none has served in a meld: one is as good as another."""
        return [face]

    def won(
        self, pair: RightsPair[MeldRights], winner: int, cards: Sequence[str], left: RemainingCards
    ) -> RightsPair[MeldRights]:
        """The rights of both seats after a trick: its two cards are new to the winner."""
        rights = pair[winner]
        if rights is None:
            return pair
        key = "+".join(cards)
        if key not in rights.after:
            pile = dict(rights.held)
            for card in cards:
                pile[card] = pile.get(card, 0) + 1
            readings = after_capture(rights.readings, cards)
            now = MeldableCards(rights.trump, pile, readings, rights.scored)
            rights.after[key] = self._made(now, rights.rows)
        taken = rights.after[key]
        return (pair[0], taken) if winner else (taken, pair[1])

    def led(self, rights: MeldRights | None) -> MeldRights | None:
        """The rights once their seat has led: what was new is old."""
        if rights is None:
            return None
        if "" not in rights.after:
            readings = _nothing_new(rights.readings)
            now = MeldableCards(rights.trump, rights.held, readings, rights.scored)
            rights.after[""] = self._made(now, rights.rows)
        return rights.after[""]

    def most(self, rights: MeldRights | None, left: RemainingCards, now: int) -> int:
        """A bound on what a seat may still meld, if it wins all that is left."""
        if rights is None:
            return 0
        best: dict[str, int] = {}
        for row in rights.rows:
            if self._may_come(rights, row, left.faces):
                for face, _ in row[1]:
                    best[face] = max(best.get(face, 0), row[2].points)
        new = {
            FACE_OF[card] for reading in rights.readings for card, mark in reading if mark & NEW_BIT
        }
        later = sum([best.get(face, 0) * count for face, count in left.faces.items()])
        return later + sum([rights.points[0]] * now) if new else later

    def _may_come(self, rights: MeldRights, row: MeldFaces, left: Mapping[str, int]) -> bool:
        """Whether a seat may come to hold these cards, none of them used up for this kind of meld."""
        kind, fresh = reuse_bits_of(row[2], self.book).kind, False
        for face, count in row[1]:
            own = sum([held for card, held in rights.held.items() if FACE_OF[card] == face])
            spent = min(
                [
                    sum([1 for card, mark in reading if FACE_OF[card] == face and mark & kind])
                    for reading in rights.readings
                ]
            )
            if own - spent + left.get(face, 0) < count:
                return False
            fresh = fresh or left.get(face, 0) > 0
        return True

    def _made(self, now: MeldableCards, rows: Iterable[MeldFaces]) -> MeldRights | None:
        """The rights of this pile, cut down to the cards of these melds."""
        trump, held, readings, scored = now
        rows = tuple(rows)
        if not rows:
            return None
        used = {face for _, needed, _ in rows for face, _ in needed}
        kept = tuple(sorted((card, count) for card, count in held.items() if FACE_OF[card] in used))
        once_ever = self.book.sheet.reuse.once_ever
        bits = -1 << FIRST_MELD_BIT if once_ever else 0
        bits |= self._matters({row for *_, row in rows}, scored)
        left = tuple(sorted({self._cut(reading, used, bits) for reading in readings}))
        key = trump, kept, left, scored, rows
        if key not in self.known:
            points = sorted([row.points for *_, row in rows], reverse=True)
            self.known[key] = MeldRights(*key, points)
        return self.known[key]


def _nothing_new(readings: Readings) -> Readings:
    """The readings once nothing is new any more."""
    return after_capture(readings, ())


def meld_tracker_for(book: CompiledSheet, trump: str | None) -> MeldTracker | KindMeldTracker:
    """What keeps the rights of both seats by the rules of a sheet."""
    if kinds_are_independent(book):
        return KindMeldTracker(book, trump)
    return CapturedMeldTracker(book) if book.melds_captured else MeldTracker(book)
