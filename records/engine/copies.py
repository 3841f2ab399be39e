"""Copies of like cards: their labels and marks, where they lie, and what it may cost to tell them apart."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, NamedTuple, TypeVar

import msgspec

from records.cards import FACE_OF, is_unknown
from records.events import Play, Score
from records.record import CARD_MEMBERS, Setup
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import When

# Labels on cards of which the pack has one: `QS.1` is the queen of spades, and the table calls it `QS`.

T = TypeVar("T")

_PARTS = frozenset(("setup", "tables", "events"))


def has_single_cards(rules: CompiledSheet) -> bool:
    """Whether the pack has cards of which there is only one."""
    return rules.packs == 1


def is_beyond_pack(rules: CompiledSheet, card: str) -> bool:
    """Whether the pack has no such card, or no such copy of it."""
    copies = rules.copies.get(FACE_OF[card], 0)
    return "?" not in card and copies < (int(card[3:]) if len(card) > 2 else 1)


def without_single_labels(rules: CompiledSheet, part: T) -> T:
    """A deal, or events, with every card of which there is one written without its label."""
    return _plain(part, single_labels(rules))


def single_labels(rules: CompiledSheet) -> dict[str, str]:
    """Every labelled card of which there is no other, and its name without the label."""
    return {f"{face}.1": face for face, count in rules.copies.items() if count == 1}


def _plain(value: T, plain: Mapping[str, str]) -> T:
    """A part of a record with these cards written in another way."""
    if isinstance(value, list):
        return [_plain(part, plain) for part in value]  # type: ignore[return-value]
    if not isinstance(value, msgspec.Struct):
        return value
    changed = {
        name: _named(part, plain) if name in CARD_MEMBERS else _plain(part, plain)
        for name in value.__struct_fields__
        if name in CARD_MEMBERS or name in _PARTS
        for part in [getattr(value, name)]
    }
    return msgspec.structs.replace(value, **changed)


def _named(value: T, plain: Mapping[str, str]) -> T:
    if isinstance(value, list):
        return [_named(part, plain) for part in value]  # type: ignore[return-value]
    return plain.get(value, value) if isinstance(value, str) else value  # type: ignore[return-value]


# How many copies lie there where a position lists a card in two melds: one that served in both, or two.


class LaidCopies(NamedTuple):
    """What a seat has laid: so many copies of each card surely, and so many more among those `in_two_melds`."""

    copies: Counter[str]
    more: int
    in_two_melds: list[str]


class _Bounds(NamedTuple):
    """The least and the most copies of each card that a seat has laid."""

    least: Counter[str]
    most: Counter[str]


def laid_copies(
    rules: CompiledSheet, setup: Setup, events: Sequence[object], *, partial: bool
) -> list[LaidCopies]:
    """For each seat, the copies that it has laid.

    All hands have equally many cards, so a seat that seems to have fewer has laid more copies.
    """
    bounds = [_bounds(rules, setup, seat) for seat in range(len(setup.hands))]
    if rules.has_tableau:
        return [LaidCopies(each.least, 0, []) for each in bounds]
    if rules.melds_captured:
        return _captured_copies(rules, setup, bounds, partial=partial)
    size, sure = _hand_size(rules, setup, events, bounds)
    found = []
    for seat, each in enumerate(bounds):
        spare = each.most - each.least
        more = min(size - _offset(setup, seat) - _held(setup, seat, each.least), spare.total())
        if more >= spare.total() and (sure or not more):
            found.append(LaidCopies(each.most, 0, []))
        else:
            found.append(LaidCopies(each.least, max(0, more), sorted(spare)))
    return found


def _captured_copies(
    rules: CompiledSheet, setup: Setup, bounds: list[_Bounds], *, partial: bool
) -> list[LaidCopies]:
    """The same where melds are made of captured cards: whatever is nowhere else has been captured."""
    spare = [each.most - each.least for each in bounds]
    lying = sum(map(len, setup.hands)) + setup.stock + (setup.turn_up is not None)
    lying += len(setup.trick or []) + sum(map(len, setup.captured or []))
    more = rules.pack_size - lying - sum(each.least.total() for each in bounds)
    if setup.captured is None:
        # Where the record hides nothing, a problem may leave out cards.
        return [LaidCopies(each.least, max(0, more) if partial else 0, []) for each in bounds]
    if more >= sum(copies.total() for copies in spare):
        return [LaidCopies(each.most, 0, []) for each in bounds]
    return [
        LaidCopies(each.least, max(0, min(more, copies.total())), sorted(copies))
        for each, copies in zip(bounds, spare, strict=True)
    ]


def _bounds(rules: CompiledSheet, setup: Setup, seat: int) -> _Bounds:
    groups = [*(setup.tables or []), *[[]] * len(setup.hands)][seat]
    least: Counter[str] = Counter()
    most: Counter[str] = Counter()
    for group in groups:
        least |= Counter(group.cards)
        most += Counter(group.cards)
    for card in most:
        in_hand = setup.hands[seat].count(card)
        most[card] = max(least[card], min(most[card], rules.copies.get(card, 0) - in_hand))
        if is_unknown(card):
            most[card] = least[card]
    return _Bounds(least, most)


def _held(setup: Setup, seat: int, laid: Counter[str]) -> int:
    return len(setup.hands[seat]) + laid.total()


def _offset(setup: Setup, seat: int) -> int:
    """1 for a seat that has played to the trick, and so holds a card less."""
    return int(0 < (setup.seat - seat) % len(setup.hands) <= len(setup.trick or []))


def _hand_size(
    rules: CompiledSheet, setup: Setup, events: Sequence[object], bounds: list[_Bounds]
) -> tuple[int, bool]:
    """The cards that each seat holds, one just played among them, and whether that is sure; else the most."""
    least = max(_held(setup, i, each.least) + _offset(setup, i) for i, each in enumerate(bounds))
    most = min(_held(setup, i, each.most) + _offset(setup, i) for i, each in enumerate(bounds))
    if most <= least:
        return least, True
    last = {bonus.name for bonus in rules.written.bonuses if bonus.tricks is When.LAST_TRICK}
    if not any(isinstance(event, Score) and event.what in last for event in events):
        return most, False
    # The deal was played out, so what was played was held or drawn.
    seats = len(setup.hands)
    drawn = (setup.stock + seats - 1) // seats
    played = max(
        sum(isinstance(event, Play) and event.seat == i for event in events) + _offset(setup, i)
        for i in range(len(bounds))
    )
    return min(most, max(least, played - drawn)), True


# Marks: what is known of one copy of a card, and how events change it (see `records.engine.readings`).

MarkedCard = tuple[str, int]
Reading = tuple[MarkedCard, ...]
Readings = tuple[Reading, ...]
ReusePredicate = Callable[[tuple[MarkedCard, ...], Reading], bool]
"""A rule of reuse: takes the copies chosen and the reading they are chosen from."""
BarringBits = tuple[int, int]
"""A copy with one of the first bits may not be chosen, whatever is chosen beside it, unless it has one of the second."""
BarringRule = Callable[[Reading], BarringBits]
"""What a rule of reuse bars in a reading."""
ReadingChoice = tuple[Reading, tuple[MarkedCard, ...]]
"""A reading, and copies chosen from it."""
MOST_TAKINGS_LISTED = 64
"""Of one card, so many ways to take copies are listed; seats have few copies."""
COPIES_LISTED: Final = 7
"""Of so many copies there are at most 35 ways to take some: they are listed without being counted."""

LAID_BIT: Final = 1
"""The copy lies face up before its seat."""
SEEN_BIT: Final = 2
"""Both players know the copy, and it may be called hand or table (a turn-up taken in exchange)."""
SPENT_BIT: Final = 4
"""A dix that has scored."""
NEW_BIT: Final = 8
"""A captured card of the trick just won."""
USED_BIT: Final = 16
"""A captured card of the trick just won that has served in a meld."""
MOVED_BIT: Final = 32
"""The copy has left every scored set it still belongs to: the newer one it scored in is forgotten."""
TRACE_NAME: Final = "~"
"""The name under which a reading keeps the melds that have lost a card to a trick: it comes after every card."""


def mark_after_scoring(mark: int, bit: int) -> int:
    """The mark of a copy after it was laid and scored in the meld of `bit`; laid without scoring if `bit` is 0."""
    # A captured card of the last trick may serve in one meld only (C12): from now on it is used.
    if mark & NEW_BIT:
        mark = mark & ~NEW_BIT | USED_BIT
    # By scoring in a new set the copy belongs to it, and has not moved on from it.
    return (mark & ~MOVED_BIT if bit else mark) & ~SEEN_BIT | LAID_BIT | bit


def order_of_service(mark: int) -> tuple[int, int, int]:
    """The order of like copies by what they can still do: those first that have scored most, and new ones last.

    Whatever a copy can do, one that has scored less can do, too; only a new one may start a meld of captured cards.
    """
    return mark & NEW_BIT, -mark.bit_count(), -mark


def reading_after_play(rest: list[MarkedCard], mark: int, forget: int, trace: int) -> Reading:
    """The `rest` of a reading, sorted, after a copy with this mark was played.

    The sets of the bits `forget` no longer bind the cards left behind; those of `trace` may be restored.
    """
    forgotten, lost = mark & forget, mark & trace
    if forgotten:
        remaining = [(card, mark_without_sets(other, forgotten, forget)) for card, other in rest]
        # A copy without a mark is like any other, and is not listed: that keeps the readings few.
        rest = sorted([pair for pair in remaining if pair[1]])
    if lost or (trace and rest and rest[-1][0] == TRACE_NAME):
        return reading_with_trace(rest, lost)
    return tuple(rest)


def mark_without_sets(mark: int, gone: int, sets: int) -> int:
    """A mark without the sets `gone`.

    A copy scored in a newer set has left the older ones (R-RUB). If the newest is gone, the bits left would
    look like sets it still belongs to; MOVED says that it has left them.
    """
    own = mark & sets
    left = own & ~gone
    if not left:
        return mark & ~(own | MOVED_BIT)
    return mark & ~gone | (MOVED_BIT if own ^ left > left else 0)


def reading_with_trace(rest: list[MarkedCard], lost: int) -> Reading:
    """A reading with a trace of the melds a card has `lost`, as long as others of their cards still lie there."""
    if rest and rest[-1][0] == TRACE_NAME:
        lost |= rest[-1][1]
        rest = rest[:-1]
    live = 0
    for _, mark in rest:
        live |= mark
    return (*rest, (TRACE_NAME, lost & live)) if lost & live else tuple(rest)


def may_lie(mark: int, where: str | None) -> bool:
    """Whether a copy may be said to be there: in the hand, on the table, or anywhere."""
    if where is None or mark & SEEN_BIT:
        return True
    return bool(mark & LAID_BIT) == (where == "table")


def without_copies(reading: Reading, chosen: Iterable[MarkedCard]) -> list[MarkedCard]:
    """The marked copies that are left, sorted, when the chosen ones, marked or not, are taken away."""
    rest = list(reading)
    for pair in chosen:
        if pair[1]:
            del rest[bisect_left(rest, pair)]
    return rest


def reading_after_meld(
    reading: Reading, chosen: tuple[MarkedCard, ...], bit: int, supersedes: int = 0
) -> Reading:
    """A reading with the chosen copies laid and marked; `supersedes` are the bits of earlier melds that this one replaces."""
    after = without_copies(reading, chosen)
    for card, mark in chosen:
        insort(after, (card, mark_after_scoring(mark, bit) & ~supersedes))
    return tuple(after)


def choose_all_copies(own: list[MarkedCard], wanted: dict[str, int]) -> tuple[MarkedCard, ...]:
    """The one choice there is when every copy held is wanted."""
    left = dict(wanted)
    for card, _ in own:
        left[card] -= 1
    return (*own, *[(card, 0) for card, count in left.items() for _ in range(count)])


def copy_choices(
    marked: Iterable[MarkedCard], wanted: dict[str, int], held: dict[str, int]
) -> Iterable[tuple[MarkedCard, ...]]:
    """Every way to take the wanted cards from a seat's copies, in lexicographic order; copies with the same mark are alike.

    Very many are made one by one, as they are asked for.
    """
    own = sorted(marked)
    wanted_of = [
        (_copies_of(card, held.get(card, 0), own), count) for card, count in wanted.items()
    ]
    for copies, count in wanted_of:
        if len(copies) > COPIES_LISTED and _count_takings(copies, count) > MOST_TAKINGS_LISTED:
            return _one_by_one(wanted_of)
    # Quicker, where it does not take much: only the takings of each card are listed, not what they combine to.
    takings = [_list_takings(copies, count) for copies, count in wanted_of]
    return map(_joined, product(*takings))


def _copies_of(card: str, held: int, marked: list[MarkedCard]) -> list[MarkedCard]:
    """All copies of a card, sorted as the marked ones are: those without a mark first."""
    own = [pair for pair in marked if pair[0] == card]
    return [(card, 0)] * (held - len(own)) + own


def _list_takings(copies: list[MarkedCard], count: int) -> Iterable[tuple[MarkedCard, ...]]:
    if len(copies) >= count and (len(copies) == count or copies[0] == copies[-1]):
        return (tuple(copies[:count]),)
    if len(copies) <= COPIES_LISTED:
        return dict.fromkeys(combinations(copies, count))
    return tuple(_takings(copies, count))


def _one_by_one(
    wanted_of: list[tuple[list[MarkedCard], int]],
) -> Iterator[tuple[MarkedCard, ...]]:
    if not wanted_of:
        yield ()
        return
    copies, count = wanted_of[0]
    for taken in _takings(copies, count):
        for others in _one_by_one(wanted_of[1:]):
            yield (*taken, *others)


def _joined(takings: tuple[tuple[MarkedCard, ...], ...]) -> tuple[MarkedCard, ...]:
    return tuple([pair for taken in takings for pair in taken])


def _count_takings(copies: list[MarkedCard], count: int) -> int:
    """In how many ways so many copies can be taken, counted without making them."""
    ways = [1] + [0] * count
    for number in Counter(copies).values():
        ways = [sum(ways[max(0, taken - number) : taken + 1]) for taken in range(count + 1)]
    return ways[count]


def _takings(copies: list[MarkedCard], count: int) -> Iterator[tuple[MarkedCard, ...]]:
    """Every way to take so many sorted copies, as many as possible of the lowest mark first."""
    if not copies:
        if not count:
            yield ()
        return
    alike = copies.count(copies[0])
    others = copies[alike:]
    for taken in range(min(alike, count), max(0, count - len(others)) - 1, -1):
        for rest in _takings(others, count - taken):
            yield (*copies[:taken], *rest)


def choices_by_reading(
    readings: Readings,
    wanted: dict[str, int],
    held: dict[str, int],
    bars: BarringRule | None = None,
) -> Iterator[ReadingChoice]:
    """Every reading with every way to take so many of each card from it, but for copies that a rule bars."""
    every_copy = all([held.get(card) == count for card, count in wanted.items()])
    unmarked = tuple([(card, 0) for card, count in wanted.items() for _ in range(count)])
    for reading in readings:
        own = [pair for pair in reading if pair[0] in wanted]
        left = held
        if own and bars is not None:
            own, left = _without_barred(own, held, wanted, bars(reading))
        if not own:
            if _holds(left, wanted):
                yield reading, unmarked
        elif not every_copy:
            for chosen in copy_choices(own, wanted, left):
                yield reading, chosen
        elif left is held:
            yield reading, choose_all_copies(own, wanted)


def _without_barred(
    own: list[MarkedCard], held: dict[str, int], wanted: dict[str, int], bars: BarringBits
) -> tuple[list[MarkedCard], dict[str, int]]:
    """Of the marked copies those that may be chosen, and how many copies of each card are left, marked or not."""
    binding, lifted = bars
    barred = [pair[0] for pair in own if pair[1] & binding and not pair[1] & lifted]
    if not barred:
        return own, held
    free = [pair for pair in own if not pair[1] & binding or pair[1] & lifted]
    return free, {card: held.get(card, 0) - barred.count(card) for card in wanted}


def _holds(held: dict[str, int], wanted: dict[str, int]) -> bool:
    """Whether so many of each card are held."""
    return all([held.get(card, 0) >= count for card, count in wanted.items()])


# In which of a seat's melds a card lies that was melded more often than it has copies.

MeldSpots = Sequence[tuple[int, int]]
"""The melds in which a card was laid, oldest first: their number, and the bit that they leave on their cards."""
CopyBoundsByMeld = dict[int, tuple[int, int]]
"""The least and the largest number of copies of a card in each meld."""


def locate_copies(readings: Readings, card: str, spots: MeldSpots) -> CopyBoundsByMeld:
    """Where the copies of a card lie, over all readings: a copy lies in the newest meld that it has served in."""
    found = [_copies_by_meld(reading, card, spots) for reading in set(readings)]
    melds = {meld for where in found for meld in where}
    return {
        meld: (min(where[meld] for where in found), max(where[meld] for where in found))
        for meld in melds
    }


def _copies_by_meld(
    reading: Sequence[tuple[str, int]], card: str, spots: MeldSpots
) -> Counter[int]:
    """How many copies of a card lie in each meld, if this reading is the right one."""
    copies = sorted([mark for name, mark in reading if name == card and mark & LAID_BIT])
    where: Counter[int] = Counter()
    all_placed: set[int] = set()
    # From the newest meld back: the first that a copy has served in is where it lies.
    for meld, bit in reversed(spots):
        if bit in all_placed:
            continue
        served = next((mark for mark in copies if mark & bit), None)
        if served is None:
            all_placed.add(bit)
        else:
            copies.remove(served)
            where[meld] += 1
    return where


# What telling like copies apart may cost, and how many readings are followed (`records.engine.readings` follows them).
#
# Costs are counted in steps, never in seconds, so that a verdict never depends on the machine.

MOST_READING_STEPS = 300_000
"""Steps for all deals of one record. A step takes about two microseconds, so this is a bit more than half a second."""
MOST_FEW_READINGS_STEPS = 75_000
"""Steps more, with which few readings may prove deals legal: an attempt that fails takes none from those that decide."""
MOST_READER_STEPS, MOST_REVIEW_STEPS = 1_000_000, 6_000_000
"""Steps to say what may be done at the tables of one record, as its pages ask; and as its review asks, which also looks
at tables that might have been. Few games take a tenth of them."""
LISTING_SHARE = 2
"""While more than this part of the steps is left (a half), readings are listed; then only a sample is, and a solver asked."""

STEPS_A_READING = 2
STEPS_A_CHOICE = 4
STEPS_A_CONFLICT = 24
LITERALS_A_STEP = 16
PROPAGATIONS_A_STEP = 8
VARIABLES_A_STEP = 32
"""What takes how many steps, or how many of it take one: a reading written down, a choice of copies tried, a dead end of
the solver, a literal of a clause, what the solver concludes, and a variable of its answer. A clause takes one step more."""

MOST_READINGS_FOLLOWED = 32_768
"""The most readings of a seat that are followed where no history is kept. Beyond that only a sample is: a reading
of it that survives still proves the record legal, but if none survives, that proves nothing."""
FEW_READINGS = 8
"""So many are followed first where any one that survives proves the deal legal: nearly always one does."""
MOST_AFTER_ILLEGAL_MELDS, LEAST_FOLLOWED = 2_048, 16
"""Illegal melds are laid in so many readings, counted together, and from then on in the fewest that are followed: the
verdict is known, and nothing tells which copies they were."""
CARDS_A_READING = 8
"""A reading, or a choice of copies, of so many more cards costs as much as one more."""
LEAST_CHOICES_TRIED = 64
"""So many choices are tried for a meld even when the budget is spent."""


class ReadingBudget:
    """What is left to spend on telling copies apart, in steps; all deals of a record share one.

    It begins with `steps`, or with `MOST_READING_STEPS`. When it ends, the readings sampled are followed on, and none
    is searched for: a sample that runs out then proves nothing, and the deal is undetermined.
    """

    __slots__ = ("_for_readers", "gave_up", "left", "steps")

    def __init__(self, steps: int | None = None) -> None:
        self.steps: int = MOST_READING_STEPS if steps is None else steps
        self.left: int = self.steps
        self.gave_up = False
        self._for_readers: ReadingBudget | None = None

    @property
    def for_readers(self) -> "ReadingBudget":
        """What is left for those who look at the tables of the same record: the verdict does not depend on them."""
        if self._for_readers is None:
            self.allow_readers(MOST_READER_STEPS)
        assert self._for_readers is not None
        return self._for_readers

    def for_few_readings(self) -> "ReadingBudget":
        """A budget for following few readings: no larger than this one, as a file or a request may have less left."""
        return ReadingBudget(min(self.steps, MOST_FEW_READINGS_STEPS))

    def allow_readers(self, steps: int) -> None:
        """Let those who look at the tables take so many steps from now on."""
        self._for_readers = ReadingBudget(steps)

    def renew(self) -> None:
        """Let everything be spent again: a game that goes on for long, or is searched, asks anew at every move."""
        self.left, self.gave_up, self._for_readers = self.steps, False, None

    def spend(self, steps: int) -> None:
        """Take these steps from what is left; it may go below zero, for work that was begun."""
        self.left -= steps

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0

    @property
    def is_cut_short(self) -> bool:
        """Whether nothing is left, and a record checked alone would have had more."""
        return self.is_spent and self.steps < MOST_READING_STEPS

    @property
    def spent(self) -> int:
        """How much has been spent."""
        return self.steps - self.left

    @property
    def is_ample(self) -> bool:
        """Whether there is enough left to list all readings, and not only a sample."""
        return self.left * LISTING_SHARE > self.steps


@dataclass(slots=True)
class ReadingTracking:
    """Whether all readings of the seats could be followed, and what is left to spend on that.

    At most `limit` readings of a seat are followed; the fewest once the `budget` is spent. `incomplete`: some were
    dropped, or a search was given up. `exhausted`: those followed ran out, which then proves nothing. `largest` is
    the largest number of assignments met, `in_illegal_melds` the number of readings in which illegal melds were laid.

    With `few`, a few readings are followed to prove the deal legal; where they do not, it is replayed with all of
    them. Dropping some leaves nothing incomplete then. With `likely_only`, too, each is followed by likely copies alone:
    by one choice for a meld, if that is allowed, and by two for a card that leaves.
    """

    budget: ReadingBudget
    limit: int = MOST_READINGS_FOLLOWED
    few: bool = False
    likely_only: bool = False
    incomplete: bool = False
    exhausted: bool = False
    largest: int = 1
    in_illegal_melds: int = 0

    def copy(self) -> "ReadingTracking":
        """The same, for a copy of the table; both pay from one budget."""
        return ReadingTracking(
            self.budget, self.limit, self.few, self.likely_only,
            self.incomplete, self.exhausted, self.largest, self.in_illegal_melds,
        )  # fmt: skip

    def follow_few(self, budget: ReadingBudget, *, likely_only: bool) -> None:
        """Follow a few readings, to prove the deal legal by one of them, and pay from this budget."""
        self.few, self.likely_only = True, likely_only
        self.limit, self.budget = FEW_READINGS, budget

    def note_dropped(self) -> None:
        """Note that some readings are followed no more."""
        self.incomplete = self.incomplete or not self.few

    def pay_for_readings(self, count: int, cards: int) -> None:
        """Pay for so many readings, each of so many cards, that are followed."""
        self._spend(STEPS_A_READING * count * size_of(cards))

    def most_choices(self, cards: int) -> int:
        """How many choices of copies the budget allows to try, each of so many cards."""
        return max(LEAST_CHOICES_TRIED, self.budget.left // (STEPS_A_CHOICE * size_of(cards)))

    def pay_for_choices(self, count: int, cards: int) -> None:
        """Pay for so many choices that were tried, each of so many cards."""
        self._spend(STEPS_A_CHOICE * count * size_of(cards))

    def _spend(self, steps: int) -> None:
        self.budget.spend(steps)
        if self.budget.is_spent:
            self.limit = min(self.limit, LEAST_FOLLOWED)


def size_of(cards: int) -> int:
    """How many readings one of so many cards counts for."""
    return 1 + cards // CARDS_A_READING
