"""Marks: what is known of one copy of a card, and how it changes (see `readings`)."""

from collections.abc import Callable, Iterable, Mapping
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


def after_scoring(mark: int, bit: int) -> int:
    """A mark after its copy was laid and scored what `bit` says; nothing, where that is 0."""
    if mark & NEW:
        mark = mark & ~NEW | USED
    return (mark & ~MOVED if bit else mark) & ~SEEN | LAID | bit


def left_behind(rest: list[Marked], mark: int, forget: int, trace: int) -> Reading:
    """A reading after a copy with this mark was played."""
    forgotten, lost = mark & forget, mark & trace
    if forgotten:
        kept = [(card, forgetting(other, forgotten, forget)) for card, other in rest]
        rest = sorted([pair for pair in kept if pair[1]])
    if lost or (trace and any([card == TRACE for card, _ in rest])):
        return traced(rest, lost)
    return tuple(rest)


def forgetting(mark: int, gone: int, sets: int) -> int:
    """A mark without the sets gone; a card whose newest set goes has left the older ones all the same."""
    own = mark & sets
    left = own & ~gone
    if not left:
        return mark & ~(own | MOVED)
    return mark & ~gone | (MOVED if own ^ left > left else 0)


def traced(rest: list[Marked], left: int) -> Reading:
    """Keep the melds left by a card, as long as others of their cards still lie there."""
    live = 0
    for card, mark in rest:
        if card == TRACE:
            left |= mark
        else:
            live |= mark
    kept = [pair for pair in rest if pair[0] != TRACE]
    return tuple(sorted([*kept, (TRACE, left & live)])) if left & live else tuple(kept)


def lies(mark: int, where: str | None) -> bool:
    """Whether a copy may be said to be there: in the hand, on the table, or anywhere."""
    if where is None or mark & SEEN:
        return True
    return bool(mark & LAID) == (where == "table")


def without(marked: Iterable[Marked], chosen: Iterable[Marked]) -> list[Marked]:
    """The marked copies that are left when the chosen ones, marked or not, are taken away."""
    rest = list(marked)
    for pair in chosen:
        if pair[1]:
            rest.remove(pair)
    return rest


def counted(cards: Iterable[str]) -> dict[str, int]:
    """How many there are of each card."""
    counted: dict[str, int] = {}
    for card in cards:
        counted[card] = counted.get(card, 0) + 1
    return counted


def all_of(own: list[Marked], wanted: Mapping[str, int]) -> tuple[Marked, ...]:
    """The one choice there is when every copy held is wanted."""
    left = dict(wanted)
    for card, _ in own:
        left[card] -= 1
    return (*own, *[(card, 0) for card, count in left.items() for _ in range(count)])


def choices(
    marked: Iterable[Marked], wanted: Mapping[str, int], held: Mapping[str, int]
) -> Iterable[tuple[Marked, ...]]:
    """Every way to take the wanted cards from a seat's copies, told apart by their marks only."""
    own = tuple([pair for pair in marked if pair[0] in wanted])
    return _choices(own, tuple([(card, n, held.get(card, 0)) for card, n in wanted.items()]))


@lru_cache(maxsize=1 << 14)
def _choices(
    marked: tuple[Marked, ...], wanted: tuple[tuple[str, int, int], ...]
) -> list[tuple[Marked, ...]]:
    """The same for each card wanted, how many of it, and how many are held: it is asked again and again."""
    ways = []
    for card, count, held in wanted:
        copies = [pair for pair in marked if pair[0] == card]
        copies += [(card, 0)] * (held - len(copies))
        ways.append(sorted(set(combinations(sorted(copies), count))))
    return [tuple(chain.from_iterable(taken)) for taken in product(*ways)]
