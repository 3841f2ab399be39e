"""What one seat may still meld after the close where melds are made of captured cards.

Every trick brings its winner two cards, and each of them may make a meld with cards won before. So rights
grow as a seat wins tricks, and their upper bound counts every card still to be won, at the points of the
best meld it could be part of. The rules of reuse are again those of `records.engine.copies`.
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
    """The rights of both seats of one deal to meld the cards they have won and may still win."""

    def rights_of(self, table: Table, seat: int, remaining: RemainingCards) -> MeldRights | None:
        """The rights of a seat at a table."""
        rows = [
            (table.trump, needed, row)
            for needed, row in meld_requirements(self.rules.sheet, table.trump)
        ]
        scored = tuple(table.melding.scored[seat]) if self.rules.counts_sets else ()
        pile, readings = table.captured[seat], table.melding.readings[seat]
        before = self._rights_from(MeldableCards(table.trump, pile, readings, scored), rows)
        possible = [
            row
            for row in rows
            if before and self._may_become_possible(before, row, remaining.faces)
        ]
        current = readings if table.melding.seat == seat else _without_new_cards(readings)
        return self._rights_from(MeldableCards(table.trump, pile, current, scored), possible)

    def after_card(self, rights: MeldRights | None, card: str) -> MeldRights | None:
        """The same rights: a card played is not won yet."""
        return rights

    def can_use(self, rights: MeldRights | None, face: str) -> bool:
        """Whether a card of this face may still make a meld."""
        rows = rights.rows if rights else ()
        return any([face == each for _, needed, _ in rows for each, _ in needed])

    def named_cards(self, rights: MeldRights | None, face: str) -> list[str]:
        """The face itself: cards in hand have not scored in a meld, so like cards are equivalent."""
        return [face]

    def after_trick(
        self,
        pair: RightsPair[MeldRights],
        winner: int,
        cards: Sequence[str],
        remaining: RemainingCards,
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
            meldable = MeldableCards(rights.trump, pile, readings, rights.scored)
            rights.after[key] = self._rights_from(meldable, rights.rows)
        taken = rights.after[key]
        return (pair[0], taken) if winner else (taken, pair[1])

    def after_lead(self, rights: MeldRights | None) -> MeldRights | None:
        """The rights once their seat has led: no card is new any more."""
        if rights is None:
            return None
        if "" not in rights.after:
            readings = _without_new_cards(rights.readings)
            meldable = MeldableCards(rights.trump, rights.held, readings, rights.scored)
            rights.after[""] = self._rights_from(meldable, rights.rows)
        return rights.after[""]

    def most_points(self, rights: MeldRights | None, remaining: RemainingCards, now: int) -> int:
        """An upper bound on the points a seat may still meld, as if it won every card left."""
        if rights is None:
            return 0
        best: dict[str, int] = {}
        for row in rights.rows:
            if self._may_become_possible(rights, row, remaining.faces):
                for face, _ in row[1]:
                    best[face] = max(best.get(face, 0), row[2].points)
        new = {
            FACE_OF[card] for reading in rights.readings for card, mark in reading if mark & NEW_BIT
        }
        later = sum([best.get(face, 0) * count for face, count in remaining.faces.items()])
        return later + sum([rights.points[0]] * now) if new else later

    def _may_become_possible(
        self, rights: MeldRights, row: MeldFaces, left: Mapping[str, int]
    ) -> bool:
        """Whether a seat may still come to own these cards with none used up for this kind of meld."""
        kind = reuse_bits_of(row[2], self.rules).kind
        for face, count in row[1]:
            own = sum([held for card, held in rights.held.items() if FACE_OF[card] == face])
            used_up = min(
                [
                    sum([1 for card, mark in reading if FACE_OF[card] == face and mark & kind])
                    for reading in rights.readings
                ]
            )
            if own - used_up + left.get(face, 0) < count:
                return False
        return True

    def _rights_from(self, meldable: MeldableCards, rows: Iterable[MeldFaces]) -> MeldRights | None:
        """The rights of this pile, reduced to the cards of these melds."""
        trump, held, readings, scored = meldable
        rows = tuple(rows)
        if not rows:
            return None
        used = {face for _, needed, _ in rows for face, _ in needed}
        cards = tuple(
            sorted((card, count) for card, count in held.items() if FACE_OF[card] in used)
        )
        once_ever = self.rules.sheet.reuse.once_ever
        bits = -1 << FIRST_MELD_BIT if once_ever else 0
        bits |= self._relevant_bits({row for *_, row in rows}, scored)
        trimmed = tuple(sorted({self._trim_reading(reading, used, bits) for reading in readings}))
        key = trump, cards, trimmed, scored, rows
        if key not in self.cache:
            points = sorted([row.points for *_, row in rows], reverse=True)
            self.cache[key] = MeldRights(*key, points)
        return self.cache[key]


def _without_new_cards(readings: Readings) -> Readings:
    """The readings once no card is new any more."""
    return after_capture(readings, ())


def meld_tracker_for(rules: CompiledSheet, trump: str | None) -> MeldTracker | KindMeldTracker:
    """The tracker for the rights of both seats under the rules of a sheet."""
    if kinds_are_independent(rules):
        return KindMeldTracker(rules, trump)
    return CapturedMeldTracker(rules) if rules.melds_captured else MeldTracker(rules)
