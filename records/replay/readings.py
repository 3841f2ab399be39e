"""Which physical copy served where: all the readings of a record that are still possible.

`QS` in a record is *some* queen of spades. A *reading* says, for one seat, which of the cards it holds
lie on the table and what each has already scored: a sorted tuple of `(card, mark)`, one pair a marked
copy. Copies without a mark are alike and are not listed. An event is legal if any reading allows it,
and only the readings that allow it survive. This is the only module that knows.

A mark is a set of bits: LAID, SEEN, SPENT, NEW, USED and MOVED, then one bit a kind of meld, and, where the
sheet's reuse rule counts sets, one bit a meld scored. A card that is played may take such bits along
(`forget`: its melds no longer bind the cards left behind) or leave them under the name TRACE
(`trace`: its melds may be restored). Forgetting what can no longer matter keeps the readings few.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations, product

Marked = tuple[str, int]
Reading = tuple[Marked, ...]
Readings = tuple[Reading, ...]
Allows = Callable[[tuple[Marked, ...], Reading], bool]
"""A rule of reuse: asked of the copies chosen and of the reading they are chosen from."""

LAID = 1
"""The copy lies face up before its seat."""
SEEN = 2
"""Both players know the copy, and it may be called hand or table (a turn-up taken in exchange)."""
SPENT = 4
"""A dix that has scored."""
NEW = 8
"""A captured card of the trick just won."""
USED = 16
"""A captured card of the trick just won that has served in a meld."""
MOVED = 32
"""The copy has left every scored set it still belongs to: the newer one it scored in is forgotten."""
TRACE = "~"
"""The name under which a reading keeps the melds that have lost a card to a trick."""

NONE: Readings = ((),)
"""One reading: nothing is marked."""
NO_CARDS: frozenset[str] = frozenset()
CAP = 2048
"""So many readings of one seat are followed; beyond them a sample, so that a surviving one still proves
a record lawful, while none surviving proves nothing."""


def after_leaving(
    readings: Readings,
    card: str,
    held: int,
    *,
    where: str | None = None,
    has: int = 0,
    lacks: int = 0,
    forget: int = 0,
    trace: int = 0,
) -> Readings:
    """The readings in which a copy could leave the seat from there, carrying some bits and lacking others.

    `held` counts the copies before it leaves.
    """
    if held == 1 and where is None and not has and not lacks:
        return without_card(readings, card, forget=forget, trace=trace)
    found = set()
    anywhere = where is None and not has and not lacks
    for reading in readings:
        marks = [mark for name, mark in reading if name == card]
        if len(marks) < held and where != "table" and not has:
            found.add(reading)
        for mark in set(marks) if len(marks) > 1 else marks:
            if anywhere or (_lies(mark, where) and mark & has == has and not mark & lacks):
                rest = _without(reading, ((card, mark),))
                found.add(_left_behind(rest, mark, forget, trace))
    return tuple(found)


def without_card(readings: Readings, card: str, *, forget: int = 0, trace: int = 0) -> Readings:
    """The readings after the only copy of a card left its seat."""
    if forget or trace:
        return tuple(
            {
                _left_behind(
                    [pair for pair in reading if pair[0] != card],
                    sum([mark for name, mark in reading if name == card]),
                    forget,
                    trace,
                )
                for reading in readings
            }
        )
    if len(readings) == 1:
        return (tuple([pair for pair in readings[0] if pair[0] != card]),)
    return tuple({tuple([pair for pair in reading if pair[0] != card]) for reading in readings})


def after_meld(
    readings: Readings,
    cards: Iterable[str],
    held: Mapping[str, int],
    allows: Allows,
    bit: int,
    *,
    supersedes: int = 0,
) -> Readings:
    """The readings in which this set may be melded, with the set marked by `bit` and laid.

    `supersedes` are the bits of earlier melds that the new one takes the place of.
    """
    wanted = _counted(cards)
    if len(readings) == 1 and all([held.get(card) == count for card, count in wanted.items()]):
        reading = readings[0]
        chosen = _all_of([pair for pair in reading if pair[0] in wanted], wanted)
        if not allows(chosen, reading):
            return ()
        rest = [pair for pair in reading if pair[0] not in wanted]
        marked = [(card, _after_scoring(mark) & ~supersedes | bit) for card, mark in chosen]
        return (tuple(sorted(rest + marked)),)
    found = set()
    for reading, own, chosen in _ways(readings, wanted, held):
        if allows(chosen, reading):
            kept = _without(own, chosen)
            marked = [(card, _after_scoring(mark) & ~supersedes | bit) for card, mark in chosen]
            rest = [pair for pair in reading if pair not in own]
            found.add(tuple(sorted([*rest, *kept, *marked])))
            if len(found) > 2 * CAP:
                break
    return tuple(found)


def may_meld(
    readings: Readings, cards: Iterable[str], held: Mapping[str, int], allows: Allows
) -> bool:
    """Whether this set may be melded in some reading."""
    return any(
        allows(chosen, reading) for reading, _, chosen in _ways(readings, _counted(cards), held)
    )


def _ways(
    readings: Readings, wanted: Mapping[str, int], held: Mapping[str, int]
) -> Iterator[tuple[Reading, list[Marked], tuple[Marked, ...]]]:
    """Every reading, its marked copies of these cards, and every way to take so many of each."""
    every_copy = all([held.get(card) == count for card, count in wanted.items()])
    for reading in readings:
        own = [pair for pair in reading if pair[0] in wanted]
        for chosen in [_all_of(own, wanted)] if every_copy else _choices(own, wanted, held):
            yield reading, own, chosen


def after_marking(
    readings: Readings, card: str, held: int, bit: int, *, without: int = 0
) -> Readings:
    """The readings with one copy of a card marked, taken among those that lack the bits `without`."""
    found = set()
    for reading in readings:
        for chosen in _choices(reading, {card: 1}, {card: held}):
            mark = chosen[0][1]
            if not mark & without:
                kept = _without(reading, chosen)
                found.add(tuple(sorted((*kept, (card, mark | bit)))))
    return tuple(found)


def after_fresh_meld(readings: Readings, cards: Iterable[str], bit: int) -> Readings:
    """The readings after a meld of cards none of which is marked in any of them."""
    fresh = [(card, bit | LAID) for card in cards]
    if len(readings) == 1:
        return (tuple(sorted([*readings[0], *fresh])),)
    return tuple([tuple(sorted([*reading, *fresh])) for reading in readings])


def captured(readings: Readings, cards: Iterable[str]) -> Readings:
    """The readings of a pile after these cards came to it, new; the new ones of before are old."""
    old = ~(NEW | USED)
    new = [(card, NEW) for card in cards]
    return tuple(
        {
            tuple(sorted([*[(card, mark & old) for card, mark in reading if mark & old], *new]))
            for reading in readings
        }
    )


def taken_up(readings: Readings, *, scoring: bool) -> Readings:
    """The readings after all laid cards went back to the hand (law C7).

    Where nothing will be melded any more (`scoring` false) only a spent dix is still told apart.
    """
    kept = ~(LAID | SEEN) if scoring else SPENT
    if len(readings) == 1 and not any([mark & kept for _, mark in readings[0]]):
        return NONE
    return tuple(
        {
            tuple(sorted([(card, mark & kept) for card, mark in reading if mark & kept]))
            for reading in readings
        }
    )


def broken(readings: Readings, sets: int) -> Readings:
    """The readings in which these melds, still lying there, have lost a card to a trick."""
    return tuple({_traced(list(reading), sets) for reading in readings})


@lru_cache(maxsize=64)
def lying(readings: Readings) -> dict[str, tuple[int, int]]:
    """The least and the largest number of copies of each card that lie on the table."""
    found: dict[str, tuple[int, int]] = {}
    for number, reading in enumerate(readings):
        counts = dict.fromkeys(found, 0)
        for card, mark in reading:
            if mark & LAID:
                counts[card] = counts.get(card, 0) + 1
        for card, count in counts.items():
            least, most = found.get(card, (0 if number else count, count))
            found[card] = min(least, count), max(most, count)
    return found


def marked_cards(readings: Readings) -> frozenset[str]:
    """The cards of which some copy is marked in some reading."""
    if readings is NONE:
        return NO_CARDS
    if len(readings) == 1:
        return frozenset([pair[0] for pair in readings[0]])
    return frozenset([pair[0] for reading in readings for pair in reading])


def _after_scoring(mark: int) -> int:
    if mark & NEW:
        mark = mark & ~NEW | USED
    return (mark | LAID) & ~(SEEN | MOVED)


def _left_behind(rest: list[Marked], mark: int, forget: int, trace: int) -> Reading:
    """A reading after a copy with this mark was played."""
    forgotten, traced = mark & forget, mark & trace
    if forgotten:
        kept = [(card, _forgetting(other, forgotten, forget)) for card, other in rest]
        rest = sorted([pair for pair in kept if pair[1]])
    if traced or (trace and any([card == TRACE for card, _ in rest])):
        return _traced(rest, traced)
    return tuple(rest)


def _forgetting(mark: int, gone: int, sets: int) -> int:
    """A mark without the sets gone; a card whose newest set goes has left the older ones all the same."""
    own = mark & sets
    left = own & ~gone
    if not left:
        return mark & ~(own | MOVED)
    return mark & ~gone | (MOVED if own ^ left > left else 0)


def _traced(rest: list[Marked], left: int) -> Reading:
    """Keep the melds left by a card, as long as others of their cards still lie there."""
    live = 0
    for card, mark in rest:
        if card == TRACE:
            left |= mark
        else:
            live |= mark
    kept = [pair for pair in rest if pair[0] != TRACE]
    return tuple(sorted([*kept, (TRACE, left & live)])) if left & live else tuple(kept)


def _lies(mark: int, where: str | None) -> bool:
    if where is None or mark & SEEN:
        return True
    return bool(mark & LAID) == (where == "table")


def _without(marked: Iterable[Marked], chosen: Iterable[Marked]) -> list[Marked]:
    """The marked copies that are left when the chosen ones, marked or not, are taken away."""
    rest = list(marked)
    for pair in chosen:
        if pair[1]:
            rest.remove(pair)
    return rest


def _counted(cards: Iterable[str]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for card in cards:
        counted[card] = counted.get(card, 0) + 1
    return counted


def _all_of(own: list[Marked], wanted: Mapping[str, int]) -> tuple[Marked, ...]:
    """The one choice there is when every copy held is wanted."""
    left = dict(wanted)
    for card, _ in own:
        left[card] -= 1
    return (*own, *[(card, 0) for card, count in left.items() for _ in range(count)])


def _choices(
    marked: Iterable[Marked], wanted: Mapping[str, int], held: Mapping[str, int]
) -> Iterable[tuple[Marked, ...]]:
    """Every way to take the wanted cards from a seat's copies, told apart by their marks only."""
    ways = []
    for card, count in wanted.items():
        copies = [pair for pair in marked if pair[0] == card]
        copies += [(card, 0)] * (held.get(card, 0) - len(copies))
        ways.append(sorted(set(combinations(sorted(copies), count))))
    return [tuple(chain.from_iterable(taken)) for taken in product(*ways)]
