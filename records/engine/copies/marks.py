"""Marks: what is known of one copy of a card, and how events change it (see `readings`)."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Final

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
