"""What one seat may still meld of captured cards, where each card may serve once in each kind of meld.

Then the kinds do not touch each other, and of like cards it does not matter which has served: a seat's
rights are so many cards of each face unused for each kind, and the cards of the trick just won that
have not served yet. Any four of a rank are as good as any others, so there the rank is all that counts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from analyzer.annotate.solver.melds.held import PossibleMeld, RemainingCards, RightsPair
from records.cards import FACE_OF
from records.engine.copies.marks import NEW_BIT, USED_BIT, Reading
from records.engine.table import Table
from records.rules.compiled import CompiledSheet, meld_requirements
from records.rules.patterns import parse_pattern
from records.rules.vocabulary import MeldRule, ReuseRule

UnusedCounts = tuple[int, ...]
PileFaces = tuple[str, ...]
ServedCards = tuple[tuple[str, str], ...]


class MeldUsage(NamedTuple):
    """A meld: what it uses, as places among the counts with numbers, and the faces that may be part of it.

    `cards` are those that form it, none where any of a rank will do.
    """

    meld: MeldRule
    cards: PileFaces
    uses: tuple[tuple[int, int], ...]
    place_of: Mapping[str, int]


class KindMeldRights:
    """The rights of one seat: cards unused for each kind, the melds that may yet come.

    `new` are the cards of the trick just won that have not served yet, `served` those that have, with the
    kind of meld they served in: there they are counted as used already. Where that is open, each of
    `either` may be the case, and `new` is all that may be new.
    """

    __slots__ = ("alive", "counts", "either", "new", "options", "served")

    def __init__(
        self, counts: UnusedCounts, alive: tuple[int, ...], new: PileFaces, served: ServedCards
    ) -> None:
        self.counts = counts
        self.alive = alive
        self.new = new
        self.served = served
        self.either: list[KindMeldRights] = []
        self.options: list[PossibleMeld] | None = None


def kinds_are_independent(book: CompiledSheet) -> bool:
    """Whether the kinds of meld do not touch each other in this sheet."""
    reuse = book.sheet.reuse
    free = reuse.sequence_then_marriage and reuse.singles_then_double and reuse.double_then_single
    once = reuse.rule is ReuseRule.ONCE_PER_KIND and not reuse.once_ever
    return book.melds_captured and once and free


class KindMeldTracker:
    """The rights of both seats of one deal."""

    def __init__(self, book: CompiledSheet, trump: str | None) -> None:
        self.book = book
        self.places: dict[tuple[str, str], int] = {}
        self.rows = list(self._rows(book, trump))
        self.gains = {
            face: tuple(sorted({row.place_of[face] for row in self.rows if face in row.place_of}))
            for face in book.copies
        }
        self.known: dict[object, KindMeldRights] = {}
        self.rooms: dict[object, UnusedCounts] = {}

    def _rows(self, book: CompiledSheet, trump: str | None) -> Iterator[MeldUsage]:
        seen = set()
        for needed, meld in meld_requirements(book.sheet, trump):
            ranks = {face[0] for face, _ in needed}
            if (
                not all([card.endswith("x") for card in parse_pattern(meld.cards).cards])
                or len(ranks) > 1
            ):
                uses = [(self._place(meld.kind, face), count) for face, count in needed]
                cards = tuple([face for face, count in needed for _ in range(count)])
                places = {face: place for (face, _), (place, _) in zip(needed, uses, strict=True)}
                yield MeldUsage(meld, cards, tuple(uses), places)
            elif meld not in seen:
                seen.add(meld)
                (rank,) = ranks
                place = self._place(meld.kind, rank)
                faces = {face: place for face in book.copies if face[0] == rank}
                yield MeldUsage(meld, (), ((place, sum([count for _, count in needed])),), faces)

    def _place(self, kind: str, token: str) -> int:
        return self.places.setdefault((kind, token), len(self.places))

    def _touched(self, kind: str, face: str) -> int | None:
        """The place among the counts that a card of this face has for a kind of meld."""
        return self.places.get((kind, face), self.places.get((kind, face[0])))

    def of(self, table: Table, seat: int, left: RemainingCards) -> KindMeldRights | None:
        """The rights of a seat at a table."""
        counts = [0] * len(self.places)
        readings = table.melding.readings[seat]
        for card, count in table.captured[seat].items():
            for place in self.gains[FACE_OF[card]]:
                counts[place] += count
        for card, mark in readings[0]:
            for kind in self._kinds(mark):
                touched = self._touched(kind, FACE_OF[card])
                if touched is not None:
                    counts[touched] -= 1
        key = tuple(counts), tuple(range(len(self.rows)))
        trick = {self._of_trick(reading) for reading in readings if table.melding.seat == seat}
        if len(trick) < 2:
            return self._kept(*key, *(trick.pop() if trick else ((), ())), left)
        new = Counter[str]()
        for faces, _ in trick:
            new |= Counter(faces)
        pile = self._kept(*key, tuple(sorted(new.elements())), (), left)
        if pile is None:
            return None
        found = KindMeldRights(pile.counts, pile.alive, pile.new, ())
        kept = [self._kept(*key, *each, left) for each in sorted(trick)]
        found.either = [each for each in dict.fromkeys(kept) if each and each.new]
        return found

    def _kinds(self, mark: int) -> list[str]:
        """The kinds of meld that a marked card has served in."""
        return [kind for kind, bit in self.book.kind_bit.items() if mark & bit]

    def _of_trick(self, reading: Reading) -> tuple[PileFaces, ServedCards]:
        """The cards of the trick just won, in one reading: those that have not served, and the others."""
        new = [FACE_OF[card] for card, mark in reading if mark & NEW_BIT]
        served = [
            (FACE_OF[card], kind)
            for card, mark in reading
            if mark & USED_BIT
            for kind in self._kinds(mark)
        ]
        return tuple(sorted(new)), tuple(sorted(served))

    def played(self, pile: KindMeldRights | None, card: str) -> KindMeldRights | None:
        """A card played is not won yet."""
        return pile

    def matters(self, pile: KindMeldRights | None, face: str) -> bool:
        """Whether a card of this face may make a meld."""
        return pile is not None and any(
            [face in self.rows[number].place_of for number in pile.alive]
        )

    def names(self, pile: KindMeldRights | None, face: str) -> list[str]:
        """Of like cards in the hand none has served in a meld: one is as good as another."""
        return [face]

    def won(
        self,
        pair: RightsPair[KindMeldRights],
        winner: int,
        cards: Sequence[str],
        left: RemainingCards,
    ) -> RightsPair[KindMeldRights]:
        """The rights of both seats after a trick: its two cards are new to the winner."""
        rights = [pile and self._kept(pile.counts, pile.alive, (), (), left) for pile in pair]
        pile = pair[winner]
        if pile is not None:
            counts = [*pile.counts]
            for card in cards:
                for place in self.gains[FACE_OF[card]]:
                    counts[place] += 1
            new = tuple(sorted([FACE_OF[card] for card in cards]))
            rights[winner] = self._kept(tuple(counts), pile.alive, new, (), left)
        return rights[0], rights[1]

    def led(self, pile: KindMeldRights | None) -> KindMeldRights | None:
        """The rights once their seat has led: nothing is new any more."""
        if pile is None or not (pile.new or pile.served or pile.either):
            return pile
        return self._pile(pile.counts, pile.alive, (), ())

    def under(self, pile: KindMeldRights | None, trump: str | None) -> KindMeldRights | None:
        """Trumps do not change where a card turned up makes them."""
        return pile

    def _room(self, left: RemainingCards) -> UnusedCounts:
        """How many of the cards still to be won there are for each place among the counts."""
        room = self.rooms.get(left.key)
        if room is None:
            counts = [0] * len(self.places)
            for face, count in left.faces.items():
                for place in self.gains[face]:
                    counts[place] += count
            room = self.rooms[left.key] = tuple(counts)
        return room

    def _kept(
        self,
        counts: UnusedCounts,
        alive: tuple[int, ...],
        new: PileFaces,
        served: ServedCards,
        left: RemainingCards,
    ) -> KindMeldRights | None:
        """These rights without the melds that cannot come any more."""
        room = self._room(left)
        still, used = [], set()
        for number in alive:
            row = self.rows[number]
            if all([counts[place] + room[place] >= count for place, count in row.uses]) and any(
                [room[place] for place, _ in row.uses] + [face in row.place_of for face in new]
            ):
                still.append(number)
                used |= {place for place, _ in row.uses}
        if not still:
            return None
        cut = tuple([count if place in used else 0 for place, count in enumerate(counts)])
        fresh = tuple([face for face in new if not used.isdisjoint(self.gains[face])])
        return self._pile(cut, tuple(still), fresh, served if fresh else ())

    def _pile(self, *key: Any) -> KindMeldRights:
        pile = self.known.get(key)
        if pile is None:
            pile = self.known[key] = KindMeldRights(*key)
        return pile

    def options(self, pile: KindMeldRights) -> list[PossibleMeld]:
        """The melds that may be scored now, the dearest first, once for every way to spare new cards."""
        if pile.options is None:
            pile.options = self._options(pile)
        return pile.options

    def _options(self, pile: KindMeldRights) -> list[PossibleMeld]:
        if pile.either:
            every = [option for each in pile.either for option in self.options(each)]
            return sorted(dict.fromkeys(every), key=lambda option: -option.meld.points)
        found = []
        for number in pile.alive if pile.new else ():
            row = self.rows[number]
            if all([pile.counts[place] >= count for place, count in row.uses]):
                for new in self._left_new(row, pile):
                    counts = [*pile.counts]
                    for place, count in row.uses:
                        counts[place] -= count
                    gone = [(face, row.meld.kind) for face in _faces_without(pile.new, new)]
                    served = tuple(sorted((*pile.served, *gone)))
                    after = self._pile(tuple(counts), pile.alive, new, served)
                    found.append(PossibleMeld(row.meld, row.cards, after))
        return found

    def _left_new(self, row: MeldUsage, pile: KindMeldRights) -> list[PileFaces]:
        """The new cards that may be left unused by a meld: as many as may be, and at least one is used."""
        served = [face for face in pile.new if face in row.place_of]
        one_less = {_faces_without(pile.new, (face,)) for face in served}
        spared = [new for new in one_less if self._enough(row, pile, new)]
        if spared or len(served) < 2:
            return spared
        new = tuple([face for face in pile.new if face not in row.place_of])
        return [new] if self._enough(row, pile, new) else []

    def _enough(self, row: MeldUsage, pile: KindMeldRights, spared: Iterable[str]) -> bool:
        """Whether a meld can do without the new cards spared."""
        others = [face for face, kind in pile.served if kind != row.meld.kind]
        kept = [row.place_of[face] for face in (*spared, *others) if face in row.place_of]
        return all([pile.counts[place] - kept.count(place) >= count for place, count in row.uses])

    def most(self, pile: KindMeldRights | None, left: RemainingCards, now: int) -> int:
        """A bound on what a seat may still meld, if it wins all that is left."""
        if pile is None:
            return 0
        best: dict[str, int] = {}
        room, by_kind = self._room(left), 0
        for number in pile.alive:
            row = self.rows[number]
            points = row.meld.points
            by_kind += points * min(
                [(pile.counts[place] + room[place]) // count for place, count in row.uses]
            )
            for face in row.place_of:
                best[face] = max(best.get(face, 0), points)
        by_card = sum([best.get(face, 0) * count for face, count in left.faces.items()])
        return min(by_kind, by_card + sum([best.get(face, 0) for face in pile.new]))


def _faces_without(faces: PileFaces, others: Iterable[str]) -> PileFaces:
    """Some faces without others that are among them."""
    left = list(faces)
    for face in others:
        left.remove(face)
    return tuple(left)
