"""Which physical copy served where: all the readings of a record that are still possible.

`QS` in a record is *some* queen of spades. A *reading* says, for one seat, which of the cards it holds
lie on the table and what each has already scored: a sorted tuple of `(card, mark)`, one pair a marked
copy. Copies without a mark are alike and are not listed. An event is legal if any reading allows it,
and only the readings that allow it survive. This is the only module that knows.

A mark is a set of bits: LAID, SEEN and SPENT, and above them one bit a kind of meld or a meld scored,
as the sheet's reuse rule needs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations

Marked = tuple[str, int]
Reading = tuple[Marked, ...]
Readings = tuple[Reading, ...]
Allows = Callable[[tuple[Marked, ...]], bool]

LAID = 1
"""The copy lies face up before its seat."""
SEEN = 2
"""Both players know the copy, and it may be called hand or table (a turn-up taken in exchange)."""
SPENT = 4
"""A dix that has scored."""

NONE: Readings = ((),)
"""One reading: nothing is marked."""
CAP = 4096
"""Beyond so many readings of one seat the replay no longer claims to know them all."""


def after_leaving(
    readings: Readings, card: str, held: int, *, where: str | None = None, has: int = 0, lacks: int = 0
) -> Readings:
    """The readings in which a copy could leave the seat from there, carrying some bits and lacking others.

    `held` counts the copies before it leaves.
    """
    found = set()
    for reading in readings:
        marks = [mark for name, mark in reading if name == card]
        if len(marks) < held and where != "table" and not has:
            found.add(reading)
        for mark in set(marks):
            if _lies(mark, where) and mark & has == has and not mark & lacks:
                found.add(_without(reading, ((card, mark),)))
    return tuple(found)


def after_meld(
    readings: Readings, cards: Iterable[str], held: Mapping[str, int], allows: Allows, bit: int
) -> Readings:
    """The readings in which this set may be melded, with the set marked by `bit` and laid."""
    wanted = [(card, count) for card, count in _counted(cards).items()]
    found = set()
    for reading in readings:
        for chosen in _choices(reading, wanted, held):
            if allows(chosen):
                kept = _without(reading, [pair for pair in chosen if pair[1]])
                marked = ((card, (mark | bit | LAID) & ~SEEN) for card, mark in chosen)
                found.add(tuple(sorted((*kept, *marked))))
    return tuple(found)


def after_marking(readings: Readings, card: str, held: int, bit: int, *, without: int = 0) -> Readings:
    """The readings with one copy of a card marked, taken among those that lack the bits `without`."""
    found = set()
    for reading in readings:
        for chosen in _choices(reading, [(card, 1)], {card: held}):
            mark = chosen[0][1]
            if not mark & without:
                kept = _without(reading, [pair for pair in chosen if pair[1]])
                found.add(tuple(sorted((*kept, (card, mark | bit)))))
    return tuple(found)


def taken_up(readings: Readings) -> Readings:
    """The readings after all laid cards went back to the hand (law C7)."""
    return tuple(
        {
            tuple(sorted((card, mark & ~(LAID | SEEN)) for card, mark in reading if mark & ~(LAID | SEEN)))
            for reading in readings
        }
    )


def bounds(readings: Readings, card: str, bits: int) -> tuple[int, int]:
    """The least and the largest number of copies of a card that carry any of the bits."""
    counts = [sum(1 for name, mark in reading if name == card and mark & bits) for reading in readings]
    return min(counts), max(counts)


def marked_cards(readings: Readings) -> frozenset[str]:
    """The cards of which some copy is marked in some reading."""
    return frozenset(card for reading in readings for card, _ in reading)


def _lies(mark: int, where: str | None) -> bool:
    if where is None or mark & SEEN:
        return True
    return bool(mark & LAID) == (where == "table")


def _without(reading: Reading, pairs: Iterable[Marked]) -> Reading:
    rest = list(reading)
    for pair in pairs:
        rest.remove(pair)
    return tuple(rest)


def _counted(cards: Iterable[str]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for card in cards:
        counted[card] = counted.get(card, 0) + 1
    return counted


def _choices(
    reading: Reading, wanted: list[tuple[str, int]], held: Mapping[str, int]
) -> Iterator[tuple[Marked, ...]]:
    """Every way to take the wanted cards from a seat's copies, told apart by their marks only."""
    if not wanted:
        yield ()
        return
    (card, count), rest = wanted[0], wanted[1:]
    marks = [mark for name, mark in reading if name == card]
    copies = sorted([*marks, *[0] * (held.get(card, 0) - len(marks))])
    tails = list(_choices(reading, rest, held))
    for taken in sorted(set(combinations(copies, count))):
        for tail in tails:
            yield (*((card, mark) for mark in taken), *tail)
