"""Marks: what is known of one copy of a card, and how events change it (see `readings`)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, product

MarkedCard = tuple[str, int]
Reading = tuple[MarkedCard, ...]
Readings = tuple[Reading, ...]
ReusePredicate = Callable[[tuple[MarkedCard, ...], Reading], bool]
"""A rule of reuse: takes the copies chosen and the reading they are chosen from."""
ReadingChoice = tuple[Reading, list[MarkedCard], tuple[MarkedCard, ...]]
"""A reading, its marked copies of some cards, and copies chosen among all of those cards."""
CopiesNeeded = tuple[str, int, int]
"""A card, how many copies of it are wanted, and how many are held."""
MOST_CHOICES_KEPT, MOST_PAIRS_IN_KEY = 32, 24
"""Only so many choices, of so many cards and marked copies, are remembered: a record may list as many as it likes."""
FEW_COPIES = 16
"""Fewer copies are taken from a list one by one; of more than seats have, that takes too long."""
MOST_TAKINGS_LISTED = 64
"""Of one card, so many ways to take copies are listed; seats have few copies."""
Takings = Callable[[], Iterator[tuple[MarkedCard, ...]]]
"""The ways to take copies of one card."""

LAID_BIT = 1
"""The copy lies face up before its seat."""
SEEN_BIT = 2
"""Both players know the copy, and it may be called hand or table (a turn-up taken in exchange)."""
SPENT_BIT = 4
"""A dix that has scored."""
NEW_BIT = 8
"""A captured card of the trick just won."""
USED_BIT = 16
"""A captured card of the trick just won that has served in a meld."""
MOVED_BIT = 32
"""The copy has left every scored set it still belongs to: the newer one it scored in is forgotten."""
TRACE_NAME = "~"
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


def without_copies(marked: Iterable[MarkedCard], chosen: Iterable[MarkedCard]) -> list[MarkedCard]:
    """The marked copies that are left when the chosen ones, marked or not, are taken away."""
    rest, gone = list(marked), [pair for pair in chosen if pair[1]]
    if len(gone) > FEW_COPIES:
        left = Counter(rest)
        left.subtract(gone)
        return sorted(left.elements())
    for pair in gone:
        rest.remove(pair)
    return rest


def choose_all_copies(own: list[MarkedCard], wanted: Mapping[str, int]) -> tuple[MarkedCard, ...]:
    """The one choice there is when every copy held is wanted."""
    left = dict(wanted)
    for card, _ in own:
        left[card] -= 1
    return (*own, *[(card, 0) for card, count in left.items() for _ in range(count)])


def copy_choices(
    marked: Iterable[MarkedCard], wanted: Mapping[str, int], held: Mapping[str, int]
) -> Iterable[tuple[MarkedCard, ...]]:
    """Every way to take the wanted cards from a seat's copies; copies with the same mark are alike.

    They are counted before they are made. Only few are remembered; more are made one by one, as they are asked for.
    """
    own = tuple([pair for pair in marked if pair[0] in wanted])
    needs = tuple([(card, n, held.get(card, 0)) for card, n in wanted.items()])
    if len(own) + len(needs) > MOST_PAIRS_IN_KEY:
        return _choices(own, needs)
    few = _few_choices(own, needs)
    return _choices(own, needs) if few is None else few


@lru_cache(maxsize=4096)
def _few_choices(
    marked: tuple[MarkedCard, ...], needs: tuple[CopiesNeeded, ...]
) -> tuple[tuple[MarkedCard, ...], ...] | None:
    """All choices, remembered because few differ; None if there are too many to keep."""
    number = 1
    for card, count, held in needs:
        number *= _count_takings(_copies_by_mark(marked, card, held), count)
        if number > MOST_CHOICES_KEPT:
            return None
    return tuple(_choices(marked, needs))


def _choices(
    marked: tuple[MarkedCard, ...], needs: tuple[CopiesNeeded, ...]
) -> Iterator[tuple[MarkedCard, ...]]:
    """The choices in lexicographic order, one by one."""
    copies = [_copies_by_mark(marked, card, held) for card, _, held in needs]
    numbers = [
        _count_takings(alike, count) for alike, (_, count, _) in zip(copies, needs, strict=True)
    ]
    takings = [
        partial(_takings, card, tuple(alike.items()), count)
        for alike, (card, count, _) in zip(copies, needs, strict=True)
    ]
    if max(numbers, default=0) > MOST_TAKINGS_LISTED:
        return _one_by_one(takings)
    # Quicker, where it does not take much: only the takings of each card are listed, not what they combine to.
    return map(_joined, product(*[tuple(of_card()) for of_card in takings]))


def _one_by_one(takings: Sequence[Takings]) -> Iterator[tuple[MarkedCard, ...]]:
    if not takings:
        yield ()
        return
    for taken in takings[0]():
        for others in _one_by_one(takings[1:]):
            yield (*taken, *others)


def _joined(takings: Iterable[tuple[MarkedCard, ...]]) -> tuple[MarkedCard, ...]:
    return tuple(chain.from_iterable(takings))


def choices_by_reading(
    readings: Readings, wanted: Mapping[str, int], held: Mapping[str, int]
) -> Iterator[ReadingChoice]:
    """Every reading, its marked copies of these cards, and every way to take so many of each."""
    every_copy = all([held.get(card) == count for card, count in wanted.items()])
    for reading in readings:
        own = [pair for pair in reading if pair[0] in wanted]
        for chosen in (
            [choose_all_copies(own, wanted)] if every_copy else copy_choices(own, wanted, held)
        ):
            yield reading, own, chosen


def _copies_by_mark(marked: tuple[MarkedCard, ...], card: str, held: int) -> dict[int, int]:
    """How many of the copies of a card bear each mark, those without a mark first."""
    marks = sorted([mark for name, mark in marked if name == card])
    return {0: max(0, held - len(marks)), **{mark: marks.count(mark) for mark in marks}}


def _count_takings(copies: Mapping[int, int], count: int) -> int:
    """In how many ways so many copies can be taken, counted without making them."""
    ways = [1] + [0] * count
    for number in copies.values():
        ways = [sum(ways[max(0, taken - number) : taken + 1]) for taken in range(count + 1)]
    return ways[count]


def _takings(
    card: str, copies: tuple[tuple[int, int], ...], count: int
) -> Iterator[tuple[MarkedCard, ...]]:
    """Every way to take so many copies, as many as possible of the lowest mark first."""
    if not copies:
        if not count:
            yield ()
        return
    (mark, number), others = copies[0], copies[1:]
    left = sum([more for _, more in others])
    for taken in range(min(number, count), max(0, count - left) - 1, -1):
        for rest in _takings(card, others, count - taken):
            yield (*[(card, mark)] * taken, *rest)
