"""What one seat may still meld after the close where melds are made of captured cards.

Every trick brings its winner two cards, and each of them may make a meld with cards won before. So the
rights of a seat grow as it wins tricks; what they may come to is bounded card by card.
"""

from collections.abc import Iterable, Mapping, Sequence

from analyzer.annotate.solver.melds.by_kind import Piles, applies_to
from analyzer.annotate.solver.melds.held import Holding, Left, Pair, Rightful, Rights
from analyzer.annotate.solver.melds.sets import Row
from records.cards import FACE_OF
from records.engine.copies.marks import NEW, Readings
from records.engine.copies.readings import captured
from records.engine.copies.reuse import terms_of
from records.engine.table import Table
from records.rules.compiled import FIRST_MELD_BIT, Book, needs


class Captures(Rightful):
    """The rights of both seats of one deal to meld the cards they have won and may yet win."""

    def of(self, table: Table, seat: int, left: Left) -> Rights | None:
        """The rights of a seat at a table."""
        rows = [(table.trump, needed, row) for needed, row in needs(self.book.sheet, table.trump)]
        scored = tuple(table.scored[seat]) if self.book.counts_sets else ()
        pile, readings = table.piles[seat], table.pool_readings[seat]
        before = self._made(Holding(table.trump, pile, readings, scored), rows)
        alive = [row for row in rows if before and self._may_come(before, row, left.faces)]
        now = readings if table.window == seat else _old(readings)
        return self._made(Holding(table.trump, pile, now, scored), alive)

    def played(self, rights: Rights | None, card: str) -> Rights | None:
        """A card played is not won yet."""
        return rights

    def matters(self, rights: Rights | None, face: str) -> bool:
        """Whether a card of this face may make a meld."""
        rows = rights.rows if rights else ()
        return any([face == each for _, needed, _ in rows for each, _ in needed])

    def names(self, rights: Rights | None, face: str) -> list[str]:
        """Of like cards in the hand none has served in a meld: one is as good as another."""
        return [face]

    def won(
        self, pair: Pair[Rights], winner: int, cards: Sequence[str], left: Left
    ) -> Pair[Rights]:
        """The rights of both seats after a trick: its two cards are new to the winner."""
        rights = pair[winner]
        if rights is None:
            return pair
        key = "+".join(cards)
        if key not in rights.after:
            pile = dict(rights.held)
            for card in cards:
                pile[card] = pile.get(card, 0) + 1
            readings = captured(rights.readings, cards)
            now = Holding(rights.trump, pile, readings, rights.scored)
            rights.after[key] = self._made(now, rights.rows)
        taken = rights.after[key]
        return (pair[0], taken) if winner else (taken, pair[1])

    def led(self, rights: Rights | None) -> Rights | None:
        """The rights once their seat has led: what was new is old."""
        if rights is None:
            return None
        if "" not in rights.after:
            readings = _old(rights.readings)
            now = Holding(rights.trump, rights.held, readings, rights.scored)
            rights.after[""] = self._made(now, rights.rows)
        return rights.after[""]

    def most(self, rights: Rights | None, left: Left, now: int) -> int:
        """A bound on what a seat may still meld, if it wins all that is left."""
        if rights is None:
            return 0
        best: dict[str, int] = {}
        for row in rights.rows:
            if self._may_come(rights, row, left.faces):
                for face, _ in row[1]:
                    best[face] = max(best.get(face, 0), row[2].points)
        new = {FACE_OF[card] for reading in rights.readings for card, mark in reading if mark & NEW}
        later = sum([best.get(face, 0) * count for face, count in left.faces.items()])
        return later + sum([rights.points[0]] * now) if new else later

    def _may_come(self, rights: Rights, row: Row, left: Mapping[str, int]) -> bool:
        """Whether a seat may come to hold these cards, none of them used up for this kind of meld."""
        kind, fresh = terms_of(row[2], self.book).kind, False
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

    def _made(self, now: Holding, rows: Iterable[Row]) -> Rights | None:
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
            self.known[key] = Rights(*key, points)
        return self.known[key]


def _old(readings: Readings) -> Readings:
    """The readings once nothing is new any more."""
    return captured(readings, ())


def rightful_of(book: Book, trump: str | None) -> Rightful | Piles:
    """What keeps the rights of both seats by the rules of a sheet."""
    if applies_to(book):
        return Piles(book, trump)
    return Captures(book) if book.captures else Rightful(book)
