"""What one seat may still meld after the close where melds are made of captured cards.

Every trick brings its winner two cards, and each of them may make a meld with cards won before. So rights
grow as a seat wins tricks, and their upper bound counts every card still to be won, at the points of the
best meld it could be part of. The rules of reuse are again those of `records.engine.reuse`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from analyzer.solver.melds_held import (
    MeldableCards,
    MeldFaces,
    MeldRights,
    MeldTracker,
    PossibleMeld,
    RemainingCards,
    RightsPair,
)
from records.cards import FACE_OF, sorted_faces
from records.engine.copies import NEW_BIT, USED_BIT, Reading, Readings
from records.engine.readings import after_capture
from records.engine.reuse import reuse_bits_of
from records.engine.table import Table
from records.rules.compiled import FIRST_MELD_BIT, CompiledSheet, any_of_rank, meld_requirements
from records.rules.vocabulary import MeldRule, ReuseRule

# What one seat may still meld of captured cards, where each card may serve once in each kind of meld.
#
# The kinds then do not touch each other, and it does not matter which of several like cards has served. So
# readings are not needed: a seat's rights are counts, one *slot* for every kind and face, of the cards not
# yet used for that kind. Any four of a rank make fours, so there one slot stands for the whole rank. Beside
# the counts stand the cards of the trick just won: every meld must use one that has not served yet.
#
# This is the reuse rule `once_per_kind` of `records.engine.reuse` written a second time. Counts are
# what makes long closes with many readings solvable at all; `test_close.py` compares both with the
# engine's minimax and with the melds it lists.

UnusedCounts = tuple[int, ...]
"""By slot: the cards not yet used for its kind."""

PileFaces = tuple[str, ...]
ServedCards = tuple[tuple[str, str], ...]
"""Faces of the trick just won, each with the kind of meld it has served in."""


class MeldUsage(NamedTuple):
    """A meld: how many cards it uses from which slots, and the slot of each face that may be part of it.

    `cards` are the faces that form it, empty where any cards of a rank will do.
    """

    meld: MeldRule
    cards: PileFaces
    uses: tuple[tuple[int, int], ...]
    slot_of: Mapping[str, int]


class KindMeldRights:
    """The rights of one seat: the unused cards of every slot, and the melds still possible.

    `new` are the cards of the trick just won that have not served yet; `served` are those that have, with
    the kind they served in, for which `counts` has them as used. Where it is open which card of the trick
    has served, `alternatives` lists the cases, and `new` is every card that may be new.
    """

    __slots__ = ("alternatives", "counts", "new", "options", "possible", "served")

    def __init__(
        self, counts: UnusedCounts, possible: tuple[int, ...], new: PileFaces, served: ServedCards
    ) -> None:
        self.counts = counts
        self.possible = possible
        self.new = new
        self.served = served
        self.alternatives: list[KindMeldRights] = []
        self.options: list[PossibleMeld] | None = None


def kinds_are_independent(rules: CompiledSheet) -> bool:
    """Whether this sheet reuses cards kind by kind, so that one kind of meld never affects another."""
    reuse = rules.written.reuse
    free = reuse.sequence_then_marriage and reuse.singles_then_double and reuse.double_then_single
    once = reuse.rule is ReuseRule.ONCE_PER_KIND and not reuse.once_ever
    return rules.melds_captured and once and free


class KindMeldTracker:
    """The rights of both seats of one deal, counted kind by kind."""

    def __init__(self, rules: CompiledSheet, trump: str | None) -> None:
        self.rules = rules
        self.slots: dict[tuple[str, str], int] = {}
        self.rows = list(self._rows(rules, trump))
        self.slots_of_face = {
            face: tuple(sorted({row.slot_of[face] for row in self.rows if face in row.slot_of}))
            for face in rules.copies
        }
        self.cache: dict[object, KindMeldRights] = {}
        self.obtainable: dict[object, UnusedCounts] = {}

    def _rows(self, rules: CompiledSheet, trump: str | None) -> Iterator[MeldUsage]:
        """Every meld of the sheet with the slots it uses; fours of a rank come once."""
        seen = set()
        for needed, meld in meld_requirements(rules.sheet, trump):
            rank = any_of_rank(meld.cards)
            if rank is None:
                uses = [(self._new_slot(meld.kind, face), count) for face, count in needed]
                cards = tuple([face for face, count in needed for _ in range(count)])
                slots = {face: slot for (face, _), (slot, _) in zip(needed, uses, strict=True)}
                yield MeldUsage(meld, cards, tuple(uses), slots)
            elif meld not in seen:
                seen.add(meld)
                slot = self._new_slot(meld.kind, rank)
                faces = {face: slot for face in rules.copies if face[0] == rank}
                yield MeldUsage(meld, (), ((slot, sum([count for _, count in needed])),), faces)

    def _new_slot(self, kind: str, token: str) -> int:
        return self.slots.setdefault((kind, token), len(self.slots))

    def _slot_of(self, kind: str, face: str) -> int | None:
        """The slot of a face for a kind of meld, or None."""
        return self.slots.get((kind, face), self.slots.get((kind, face[0])))

    def rights_of(
        self, table: Table, seat: int, remaining: RemainingCards
    ) -> KindMeldRights | None:
        """The rights of a seat at a table."""
        counts = [0] * len(self.slots)
        readings = table.melding.readings[seat]
        for card, count in table.captured[seat].items():
            for slot in self.slots_of_face[FACE_OF[card]]:
                counts[slot] += count
        for card, mark in readings[0]:
            for kind in self._kinds(mark):
                used_slot = self._slot_of(kind, FACE_OF[card])
                if used_slot is not None:
                    counts[used_slot] -= 1
        # Where readings differ in which card of the trick has served, every case is kept: each offers
        # its own melds, and the bound is taken from all cards that may be new.
        key = tuple(counts), tuple(range(len(self.rows)))
        trick_cases = {
            self._of_trick(reading) for reading in readings if table.melding.seat == seat
        }
        if len(trick_cases) < 2:
            return self._trimmed_rights(
                *key, *(trick_cases.pop() if trick_cases else ((), ())), remaining
            )
        new = Counter[str]()
        for faces, _ in trick_cases:
            new |= Counter(faces)
        rights = self._trimmed_rights(*key, tuple(sorted(new.elements())), (), remaining)
        if rights is None:
            return None
        found = KindMeldRights(rights.counts, rights.possible, rights.new, ())
        cases = [self._trimmed_rights(*key, *case, remaining) for case in sorted(trick_cases)]
        found.alternatives = [case for case in dict.fromkeys(cases) if case and case.new]
        return found

    def _kinds(self, mark: int) -> list[str]:
        """The kinds of meld that a marked card has served in."""
        return [kind for kind, bit in self.rules.kind_bit.items() if mark & bit]

    def _of_trick(self, reading: Reading) -> tuple[PileFaces, ServedCards]:
        """The cards of the trick just won in one reading: those that have not served, and those that have."""
        new = [FACE_OF[card] for card, mark in reading if mark & NEW_BIT]
        served = [
            (FACE_OF[card], kind)
            for card, mark in reading
            if mark & USED_BIT
            for kind in self._kinds(mark)
        ]
        return tuple(sorted(new)), tuple(sorted(served))

    def after_card(self, rights: KindMeldRights | None, card: str) -> KindMeldRights | None:
        """The same rights: a card played is not won yet."""
        return rights

    def differs_by_reading(self, rights: KindMeldRights | None) -> bool:
        """Whether it may depend on which of like cards have scored what a seat may meld."""
        return rights is not None and len(rights.alternatives) > 1

    def can_use(self, rights: KindMeldRights | None, face: str) -> bool:
        """Whether a card of this face may still make a meld."""
        return rights is not None and any(
            [face in self.rows[number].slot_of for number in rights.possible]
        )

    def named_cards(self, rights: KindMeldRights | None, face: str) -> list[str]:
        """The face itself: cards in hand have not scored in a meld, so like cards are equivalent."""
        return [face]

    def after_trick(
        self,
        pair: RightsPair[KindMeldRights],
        winner: int,
        cards: Sequence[str],
        remaining: RemainingCards,
    ) -> RightsPair[KindMeldRights]:
        """The rights of both seats after a trick: its two cards are new to the winner."""
        after = [
            own and self._trimmed_rights(own.counts, own.possible, (), (), remaining)
            for own in pair
        ]
        rights = pair[winner]
        if rights is not None:
            counts = [*rights.counts]
            for card in cards:
                for slot in self.slots_of_face[FACE_OF[card]]:
                    counts[slot] += 1
            new = sorted_faces(cards)
            after[winner] = self._trimmed_rights(tuple(counts), rights.possible, new, (), remaining)
        return after[0], after[1]

    def after_lead(self, rights: KindMeldRights | None) -> KindMeldRights | None:
        """The rights once their seat has led: no card is new any more."""
        if rights is None or not (rights.new or rights.served or rights.alternatives):
            return rights
        return self._cached_rights(rights.counts, rights.possible, (), ())

    def under_trump(
        self, rights: KindMeldRights | None, trump: str | None
    ) -> KindMeldRights | None:
        """The same rights: these games have a turn-up, so that no meld makes trumps."""
        return rights

    def _obtainable(self, remaining: RemainingCards) -> UnusedCounts:
        """By slot: how many of the cards still to be won would count there."""
        obtainable = self.obtainable.get(remaining.key)
        if obtainable is None:
            counts = [0] * len(self.slots)
            for face, count in remaining.faces.items():
                for slot in self.slots_of_face[face]:
                    counts[slot] += count
            obtainable = self.obtainable[remaining.key] = tuple(counts)
        return obtainable

    def _trimmed_rights(
        self,
        counts: UnusedCounts,
        possible: tuple[int, ...],
        new: PileFaces,
        served: ServedCards,
        remaining: RemainingCards,
    ) -> KindMeldRights | None:
        """Rights without the melds that have become impossible, and without the counts only those used."""
        obtainable = self._obtainable(remaining)
        possible_now, used = [], set()
        for number in possible:
            row = self.rows[number]
            if all([counts[slot] + obtainable[slot] >= count for slot, count in row.uses]) and any(
                [obtainable[slot] for slot, _ in row.uses] + [face in row.slot_of for face in new]
            ):
                possible_now.append(number)
                used |= {slot for slot, _ in row.uses}
        if not possible_now:
            return None
        trimmed = tuple([count if slot in used else 0 for slot, count in enumerate(counts)])
        still_new = tuple([face for face in new if not used.isdisjoint(self.slots_of_face[face])])
        return self._cached_rights(
            trimmed, tuple(possible_now), still_new, served if still_new else ()
        )

    def _cached_rights(self, *key: Any) -> KindMeldRights:
        rights = self.cache.get(key)
        if rights is None:
            rights = self.cache[key] = KindMeldRights(*key)
        return rights

    def possible_melds(self, rights: KindMeldRights) -> list[PossibleMeld]:
        """The melds that may be scored now, once for every way to spare new cards."""
        if rights.options is None:
            rights.options = self._list_melds(rights)
        return rights.options

    def _list_melds(self, rights: KindMeldRights) -> list[PossibleMeld]:
        if rights.alternatives:
            every = [option for each in rights.alternatives for option in self.possible_melds(each)]
            return sorted(dict.fromkeys(every), key=lambda option: -option.meld.points)
        found = []
        for number in rights.possible if rights.new else ():
            row = self.rows[number]
            if all([rights.counts[slot] >= count for slot, count in row.uses]):
                for new in self._spared_cards(row, rights):
                    counts = [*rights.counts]
                    for slot, count in row.uses:
                        counts[slot] -= count
                    used = [(face, row.meld.kind) for face in _faces_without(rights.new, new)]
                    served = tuple(sorted((*rights.served, *used)))
                    after = self._cached_rights(tuple(counts), rights.possible, new, served)
                    found.append(PossibleMeld(row.meld, row.cards, after))
        return found

    def _spared_cards(self, row: MeldUsage, rights: KindMeldRights) -> list[PileFaces]:
        """The new cards a meld may leave unused: as many as possible, but it must use at least one.

        A new card that is spared allows one more meld with the same trick.
        """
        served = [face for face in rights.new if face in row.slot_of]
        one_less = {_faces_without(rights.new, (face,)) for face in served}
        spared = [new for new in one_less if self._has_enough(row, rights, new)]
        if spared or len(served) < 2:
            return spared
        new = tuple([face for face in rights.new if face not in row.slot_of])
        return [new] if self._has_enough(row, rights, new) else []

    def _has_enough(self, row: MeldUsage, rights: KindMeldRights, spared: Iterable[str]) -> bool:
        """Whether the slots hold enough for a meld that spares these new cards."""
        others = [face for face, kind in rights.served if kind != row.meld.kind]
        unavailable = [row.slot_of[face] for face in (*spared, *others) if face in row.slot_of]
        return all(
            [rights.counts[slot] - unavailable.count(slot) >= count for slot, count in row.uses]
        )

    def most_points(
        self, rights: KindMeldRights | None, remaining: RemainingCards, now: int
    ) -> int:
        """An upper bound on the points a seat may still meld, as if it won every card left.

        The smaller of two bounds: how often the slots can fill each meld, and what each card can still
        bring at most.
        """
        if rights is None:
            return 0
        best: dict[str, int] = {}
        obtainable, by_kind = self._obtainable(remaining), 0
        for number in rights.possible:
            row = self.rows[number]
            points = row.meld.points
            by_kind += points * min(
                [(rights.counts[slot] + obtainable[slot]) // count for slot, count in row.uses]
            )
            for face in row.slot_of:
                best[face] = max(best.get(face, 0), points)
        by_card = sum([best.get(face, 0) * count for face, count in remaining.faces.items()])
        return min(by_kind, by_card + sum([best.get(face, 0) for face in rights.new]))


def _faces_without(faces: PileFaces, others: Iterable[str]) -> PileFaces:
    """Faces without others that are among them."""
    left = list(faces)
    for face in others:
        left.remove(face)
    return tuple(left)


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
        once_ever = self.rules.written.reuse.once_ever
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
