"""The likely copies are some of those that may serve: whatever they lead to, all readings have, too."""

from collections import Counter
from random import Random

import pytest

from records.cards import count_cards
from records.engine import readings as engine_readings
from records.engine.copies import (
    MarkedCard,
    ReadingBudget,
    Readings,
    ReadingTracking,
    choices_by_reading,
)
from records.engine.readings import (
    after_leaving,
    after_likely_leaving,
    after_meld,
    allow_any_copies,
    choose_likely_copies,
)
from records.engine.reuse import bars_of, mark_bits_of, reuse_rule_of, superseded_bits
from records.replay import Match, replay
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_rules, resolve_sheet
from tests.records.engine.all_readings import assert_few_readings_tell_the_same
from tests.records.engine.test_few_readings import standard, table_of
from tests.records.engine.test_prohibitions import WAYS
from tests.records.engine.test_readings import some_melds

SIX_PACKS = [(sheet, options) for sheet, options in WAYS if sheet == "six-pack-bezique"]


def tracking_likely_copies() -> ReadingTracking:
    tracking = ReadingTracking(ReadingBudget())
    tracking.follow_few(ReadingBudget(), likely_only=True)
    return tracking


def order(chosen: tuple[MarkedCard, ...]) -> list[tuple[str, list[int]]]:
    """The marks chosen of each card, the highest first."""
    return [
        (card, sorted([mark for other, mark in chosen if other == card], reverse=True))
        for card in sorted({card for card, _ in chosen})
    ]


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "options"), WAYS, ids=str)
def test_the_choice_has_the_highest_marks_of_all_that_no_rule_bars(sheet, options):
    rules = compile_sheet(resolve_sheet(sheet, None, options).sheet)
    found = Counter()
    for row, cards, position in some_melds(rules, Random(f"likely {sheet} {options}")):
        readings, held, scored = position
        wanted, bars = count_cards(cards), bars_of(reuse_rule_of(row, rules, scored))
        for reading in readings:
            every = [chosen for _, chosen in choices_by_reading((reading,), wanted, held, bars)]
            chosen = choose_likely_copies(reading, wanted, held, bars)
            assert (chosen is None) == (not every)
            if chosen is not None:
                assert order(chosen) == max(map(order, every))
            found[chosen is not None, len(every) > 1] += 1
    assert found[True, True], "some can be chosen in several ways"
    assert found[True, False] + found[False, False], "and some in one way or none"


@pytest.mark.parametrize(("sheet", "options"), SIX_PACKS, ids=str)
def test_a_meld_of_likely_copies_leaves_some_of_all_readings_and_one_if_there_is_any(
    sheet, options
):
    rules = compile_sheet(resolve_sheet(sheet, None, options).sheet)
    found = Counter()
    for row, cards, position in some_melds(rules, Random(f"likely melds {sheet} {options}")):
        readings, held, scored = position
        held.update({card: max(held[card], count) for card, count in count_cards(cards).items()})
        allows, bit = reuse_rule_of(row, rules, scored), mark_bits_of(row, rules, scored)
        old, tracking = superseded_bits(row, rules, scored), tracking_likely_copies()
        every = after_meld(readings, cards, held, allows, bit, supersedes=old)
        likely = after_meld(readings, cards, held, allows, bit, supersedes=old, tracking=tracking)
        assert set(likely) <= set(every)
        assert bool(likely) == bool(every)
        assert len(likely) <= max(len(readings), tracking.limit + 1)
        assert not tracking.incomplete
        found[len(every) > len(likely), bool(likely)] += 1
    assert len(found) > 2


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "options"), WAYS, ids=str)
@pytest.mark.parametrize("copies", [1, engine_readings.COPIES_TO_LEAVE, 9])
def test_a_card_leaves_some_of_all_readings_and_one_if_there_is_any(
    sheet, options, copies, monkeypatch
):
    monkeypatch.setattr(engine_readings, "COPIES_TO_LEAVE", copies)
    rules = compile_sheet(resolve_sheet(sheet, None, options).sheet)
    luck = Random(f"likely plays {sheet} {options}")
    bits = {"forget": rules.forgotten_bits, "trace": rules.traced_bits}
    for _, _, (readings, held, _) in some_melds(rules, luck):
        card, where = luck.choice([*held]), luck.choice(["hand", "table", None])
        if held[card] == 1 and where is None:
            continue
        every = after_leaving(readings, card, held[card], where=where, **bits)
        likely = after_likely_leaving(readings, card, held[card], where=where, **bits)
        assert set(likely) <= set(every)
        assert bool(likely) == bool(every)
        assert len(likely) <= copies * len(readings)
        if copies == 9:
            assert set(likely) == set(every)


def test_copies_with_the_highest_marks_leave_first():
    readings: Readings = ((("KS", 1), ("KS", 3), ("KS", 5), ("QS", 1)),)
    left = after_likely_leaving(readings, "KS", 4, where=None, forget=0, trace=0)
    assert left == (
        (("KS", 1), ("KS", 3), ("QS", 1)),
        (("KS", 1), ("KS", 5), ("QS", 1)),
    )


def test_other_copies_are_tried_where_the_likely_ones_may_not_score():
    readings: Readings = ((("KS", 65), ("QS", 65)),)

    def only_fresh_queens(chosen: tuple[MarkedCard, ...], _: object) -> bool:
        return ("QS", 0) in chosen

    tracking = tracking_likely_copies()
    after = after_meld(
        readings, ["KS", "QS"], {"KS": 2, "QS": 2}, only_fresh_queens, 128, tracking=tracking
    )
    assert set(after) == {
        (("KS", 65), ("KS", 129), ("QS", 65), ("QS", 129)),
        (("KS", 193), ("QS", 65), ("QS", 129)),
    }
    nothing = after_meld(
        readings, ["KS", "KS", "KS"], {"KS": 2}, allow_any_copies, 128, tracking=tracking
    )
    assert nothing == ()


@pytest.mark.parametrize("sheet", ["chinese-bezique", "rubicon-bezique", "six-pack-bezique"])
def test_only_likely_copies_are_followed_where_melds_grow_and_are_restored(sheet):
    record = standard(sheet).play(0, "greedy", labels=False, where=False)
    tracking = table_of(record).tracking
    assert tracking.few
    assert tracking.likely_only == (sheet == "six-pack-bezique")


@pytest.mark.slow
def test_other_copies_are_tried_before_all_readings(monkeypatch):
    monkeypatch.setattr(engine_readings, "COPIES_TO_LEAVE", 1)
    way, proved = standard("six-pack-bezique"), Counter()
    for seed in range(20):
        record = way.play(seed, "greedy", labels=False, where=False)
        match = Match(record, resolve_rules(record.rules))
        *_, frame = replay(record, match=match, findings_only=True, few_readings=True)
        tracking = frame.table.tracking
        proved[tracking.few, tracking.likely_only] += 1
        assert assert_few_readings_tell_the_same(record).verdict == "legal"
        if tracking.few:
            assert not match.reading_budget.spent, "all readings have paid nothing"
    assert proved[True, True], "some deals are proved by likely copies"
    assert proved[True, False], "and some by others"
