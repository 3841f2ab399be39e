"""How many copies lie there where a position lists a card in two melds: one that served in both, or two."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from records.cards import is_unknown
from records.events import Play, Score
from records.record import Setup
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import When


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

    Both hands have equally many cards, so a seat that seems to have fewer has laid more copies.
    """
    bounds = [_bounds(rules, setup, seat) for seat in range(len(setup.hands))]
    if len(bounds) != 2:
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
    """1 for the seat that has led to the trick, and so holds a card less."""
    return int(bool(setup.trick) and seat != setup.seat)


def _hand_size(
    rules: CompiledSheet, setup: Setup, events: Sequence[object], bounds: list[_Bounds]
) -> tuple[int, bool]:
    """The cards that both seats hold, the one just led among them, and whether that is sure; else the most."""
    least = max(_held(setup, i, each.least) + _offset(setup, i) for i, each in enumerate(bounds))
    most = min(_held(setup, i, each.most) + _offset(setup, i) for i, each in enumerate(bounds))
    if most <= least:
        return least, True
    last = {bonus.name for bonus in rules.sheet.bonuses if bonus.when is When.LAST_TRICK}
    if not any(isinstance(event, Score) and event.what in last for event in events):
        return most, False
    # The deal was played out, so what was played was held or drawn.
    drawn = (setup.stock + 1) // 2
    played = max(
        sum(isinstance(event, Play) and event.seat == i for event in events) + _offset(setup, i)
        for i in range(len(bounds))
    )
    return min(most, max(least, played - drawn)), True
