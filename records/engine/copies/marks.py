"""Marks: what is known of one copy of a card, and how events change it (see `readings`)."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import chain, combinations, product

MarkedCard = tuple[str, int]
Reading = tuple[MarkedCard, ...]
Readings = tuple[Reading, ...]
ReusePredicate = Callable[[tuple[MarkedCard, ...], Reading], bool]
"""A rule of reuse: takes the copies chosen and the reading they are chosen from."""

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
"""The name under which a reading keeps the melds that have lost a card to a trick."""


def mark_after_scoring(mark: int, bit: int) -> int:
    """The mark of a copy after it was laid and scored in the meld of `bit`; laid without scoring if `bit` is 0."""
    # A captured card of the last trick may serve in one meld only (C12): from now on it is used.
    if mark & NEW_BIT:
        mark = mark & ~NEW_BIT | USED_BIT
    # By scoring in a new set the copy belongs to it, and has not moved on from it.
    return (mark & ~MOVED_BIT if bit else mark) & ~SEEN_BIT | LAID_BIT | bit


def reading_after_play(rest: list[MarkedCard], mark: int, forget: int, trace: int) -> Reading:
    """The `rest` of a reading after a copy with this mark was played.

    The sets of the bits `forget` no longer bind the cards left behind; those of `trace` may be restored.
    """
    forgotten, lost = mark & forget, mark & trace
    if forgotten:
        remaining = [(card, mark_without_sets(other, forgotten, forget)) for card, other in rest]
        # A copy without a mark is like any other, and is not listed: that keeps the readings few.
        rest = sorted([pair for pair in remaining if pair[1]])
    if lost or (trace and any([card == TRACE_NAME for card, _ in rest])):
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
    live = 0
    for card, mark in rest:
        if card == TRACE_NAME:
            lost |= mark
        else:
            live |= mark
    without_trace = [pair for pair in rest if pair[0] != TRACE_NAME]
    return (
        tuple(sorted([*without_trace, (TRACE_NAME, lost & live)]))
        if lost & live
        else tuple(without_trace)
    )


def may_lie(mark: int, where: str | None) -> bool:
    """Whether a copy may be said to be there: in the hand, on the table, or anywhere."""
    if where is None or mark & SEEN_BIT:
        return True
    return bool(mark & LAID_BIT) == (where == "table")


def without_copies(marked: Iterable[MarkedCard], chosen: Iterable[MarkedCard]) -> list[MarkedCard]:
    """The marked copies that are left when the chosen ones, marked or not, are taken away."""
    rest = list(marked)
    for pair in chosen:
        if pair[1]:
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
    """Every way to take the wanted cards from a seat's copies; copies with the same mark are alike."""
    own = tuple([pair for pair in marked if pair[0] in wanted])
    return _choices(own, tuple([(card, n, held.get(card, 0)) for card, n in wanted.items()]))


@lru_cache(maxsize=1 << 14)
def _choices(
    marked: tuple[MarkedCard, ...], wanted: tuple[tuple[str, int, int], ...]
) -> list[tuple[MarkedCard, ...]]:
    """The same for tuples of (card, number wanted, number held), so that it can be cached: few differ."""
    choices_by_card = []
    for card, count, held in wanted:
        copies = [pair for pair in marked if pair[0] == card]
        copies += [(card, 0)] * (held - len(copies))
        choices_by_card.append(sorted(set(combinations(sorted(copies), count))))
    return [tuple(chain.from_iterable(taken)) for taken in product(*choices_by_card)]
