"""The readings after a meld, or after a play, are those found by trying every physical copy with the rule itself.

No step changes their order.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from random import Random
from typing import NamedTuple

import pytest

from records.cards import count_cards
from records.engine.copies import (
    LAID_BIT,
    SPENT_BIT,
    TRACE_NAME,
    MarkedCard,
    Reading,
    Readings,
    mark_after_scoring,
    reading_after_play,
)
from records.engine.readings import (
    after_breaking,
    after_capture,
    after_leaving,
    after_marking,
    after_meld,
    after_taking_up,
    may_meld,
    without_card,
)
from records.engine.reuse import mark_bits_of, reuse_rule_of, superseded_bits
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import resolve_sheet
from records.rules.vocabulary import MeldRule
from tests.records.engine.test_copy_choices import every_choice
from tests.records.engine.test_prohibitions import WAYS, marked, melds_of

TRIES = 150
BESIDE = "7D"
"""A card of no meld."""


class _Position(NamedTuple):
    """Some readings of a seat, the copies it holds of each card, and what it has scored."""

    readings: Readings
    held: dict[str, int]
    scored: list[tuple[str, int]]


def one_of_each(mark: int, first: int, luck: Random) -> int:
    """A mark with at most one bit from the first on: where melds grow, a copy belongs to one meld of a class."""
    sets = [1 << place for place in range(first, mark.bit_length()) if mark >> place & 1]
    return mark & (1 << first) - 1 | (luck.choice(sets) if sets else 0)


def some_position(
    rules: CompiledSheet, melds: list[tuple[MeldRule, list[str]]], row: MeldRule, luck: Random
) -> _Position:
    """Up to three readings in which up to three copies of each card of some melds are marked or not."""
    family = [other for other in melds if other[0].family == row.family]
    earlier = [*luck.choices(family, k=2), luck.choice(melds)]
    scored = [(other.kind, luck.choice([2, len(cards)])) for other, cards in earlier]
    cards = sorted({BESIDE, *chain.from_iterable(cards for _, cards in [*family, *earlier])})
    held = {card: luck.randint(1, 3) for card in cards}
    readings = set()
    for _ in range(luck.randint(1, 3)):
        marks = [
            (card, luck.choice([0, marked(rules, scored, luck)]))
            for card in cards
            for _ in range(held[card])
        ]
        if rules.traced_bits and luck.random() < 0.8:
            marks = [(card, one_of_each(mark, rules.first_set_bit, luck)) for card, mark in marks]
        reading = sorted(pair for pair in marks if pair[1])
        if rules.traced_bits:
            sets = [1 << (rules.first_set_bit + index) for index in range(len(scored))]
            # Of a meld that others have replaced a trace may be left, until the next play.
            lost = sum(luck.sample(sets, luck.randrange(3)))
            reading += [(TRACE_NAME, lost)] if lost else []
        readings.add(tuple(reading))
    return _Position(tuple(sorted(readings)), held, scored)


def some_melds(
    rules: CompiledSheet, luck: Random
) -> Iterator[tuple[MeldRule, list[str], _Position]]:
    """Melds to be made, and a position for each."""
    melds = melds_of(rules)
    for _ in range(TRIES):
        row, cards = luck.choice(melds)
        yield row, cards, some_position(rules, melds, row, luck)


def without(reading: Reading, copies: tuple[MarkedCard, ...]) -> list[MarkedCard]:
    left = Counter(reading) - Counter(pair for pair in copies if pair[1])
    return sorted(left.elements())


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "options"), WAYS, ids=str)
def test_a_meld_leaves_the_readings_that_the_rule_allows_and_no_others(sheet, options):
    rules = compile_sheet(resolve_sheet(sheet, None, options).sheet)
    found = Counter()
    for row, cards, position in some_melds(rules, Random(f"{sheet} {options}")):
        readings, held, scored = position
        wanted = count_cards(cards)
        held.update({card: max(held[card], wanted[card]) for card in wanted})
        allows = reuse_rule_of(row, rules, scored)
        bit = mark_bits_of(row, rules, scored)
        old = superseded_bits(row, rules, scored)
        expected = [
            tuple(
                sorted(
                    [
                        *without(reading, chosen),
                        *[(card, mark_after_scoring(mark, bit) & ~old) for card, mark in chosen],
                    ]
                )
            )
            for reading in readings
            for chosen in every_choice(
                [pair for pair in reading if pair[0] in wanted], wanted, held
            )
            if allows(chosen, reading)
        ]
        after = after_meld(readings, cards, held, allows, bit, supersedes=old)
        assert after == tuple(dict.fromkeys(expected))
        assert may_meld(readings, cards, held, allows) == bool(expected)
        found[len(after)] += 1
    assert len(found) > 2, "some melds are forbidden, and some leave several readings"


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "options"), WAYS, ids=str)
def test_a_play_leaves_the_readings_without_one_of_the_copies(sheet, options):
    rules = compile_sheet(resolve_sheet(sheet, None, options).sheet)
    luck = Random(f"play {sheet} {options}")
    bits = {"forget": rules.forgotten_bits, "trace": rules.traced_bits}
    for _, _, (readings, held, _) in some_melds(rules, luck):
        card, where = luck.choice([*held]), luck.choice(["hand", "table", None])
        expected = {
            # A copy that is like others in the hand leaves everything as it is.
            reading_after_play(without(reading, taken), taken[0][1], *bits.values())
            if taken[0][1] or (held[card] == 1 and where is None)
            else reading
            for reading in readings
            for taken in every_choice(list(reading), {card: 1}, held)
            if where is None or bool(taken[0][1] & LAID_BIT) == (where == "table")
        }
        assert set(after_leaving(readings, card, held[card], where=where, **bits)) == expected
        if held[card] == 1 and where is None:
            assert set(without_card(readings, card, **bits)) == expected


STEPS: dict[str, Callable[[Readings], Readings]] = {
    "a copy leaves": lambda readings: after_leaving(readings, "QS", 4),
    "the only copy leaves": lambda readings: without_card(readings, "KH", trace=-1 << 8),
    "a copy is marked": lambda readings: after_marking(readings, "QS", 4, SPENT_BIT),
    "melds break": lambda readings: after_breaking(readings, 1 << 8, 0, 1 << 8),
    "cards are captured": lambda readings: after_capture(readings, ["QS", "7D"]),
    "melds are taken up": lambda readings: after_taking_up(readings, scoring=True),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_readings_keep_the_order_of_those_before(step):
    """Those followed are chosen by their order, and Python orders sets differently in every process."""
    luck = Random(1)
    copies = [("KH", 1 << 9), *[("QS", 1 << bit) for bit in range(6, 12)]]
    readings = tuple(tuple(sorted(luck.sample(copies, luck.randint(2, 4)))) for _ in range(40))
    each = chain.from_iterable(step((reading,)) for reading in readings)
    assert step(readings) == tuple(dict.fromkeys(each))
