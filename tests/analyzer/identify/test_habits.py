"""Habits: their main cause is told in a sentence, and what would mend them is tried, on a copy."""

import pytest
from msgspec.structs import replace

from analyzer.identify.habits import find_main_cause, mend_habits
from records.events import Draw, Play
from records.record import Record
from records.selfplay import play_game
from records.validator import check_record
from tests.make.habits import TIMES, draws_in_the_wrong_order


def plays_from_the_table_after_the_close() -> Record:
    """Every play after the close is said to come from the table."""
    record = play_game("bezique", seed=5)
    for deal in record.deals:
        last_draw = max(i for i, event in enumerate(deal.events) if isinstance(event, Draw))
        deal.events[last_draw:] = [
            replace(event, source="table") if isinstance(event, Play) else event
            for event in deal.events[last_draw:]
        ]
    return record


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (draws_in_the_wrong_order(), "draw-out-of-turn"),
        (plays_from_the_table_after_the_close(), "not-on-table"),
    ],
)
def test_a_habit_is_mended_everywhere_and_nothing_is_left(record: Record, code: str):
    before = check_record(record)
    mended = mend_habits(record, before.findings)
    (change,) = mended.corrections
    assert (change.code, change.left, change.illegal) == (code, 0, 0)
    assert change.places == len(before.findings)
    assert check_record(mended.record).verdict == "legal"
    assert check_record(record).findings == before.findings, "the record itself is as it was"
    elsewhere = replace(before.findings[0], at=replace(before.findings[0].at, event=1))
    (same,) = mend_habits(record, [*before.findings, elsewhere]).corrections
    assert same.places == change.places, "where nothing was changed is no place of a change"


def test_what_brings_new_findings_mends_nothing():
    """Who plays a suit that they could not play had other cards: no change of draws helps them."""
    record = draws_in_the_wrong_order()
    findings = check_record(record).findings
    strange = [replace(found, at=replace(found.at, event=1)) for found in findings]
    assert mend_habits(record, strange).corrections == []


def test_a_single_slip_is_no_habit():
    record = draws_in_the_wrong_order()
    findings = check_record(record).findings[:1]
    assert mend_habits(record, findings).corrections == []


def test_the_main_cause_says_how_much_follows_from_it():
    record = draws_in_the_wrong_order()
    findings = check_record(record).findings
    cause = find_main_cause(findings)
    assert cause is not None
    assert cause.says == f"The loser of the trick draws first: all {TIMES} findings follow from it."
    deal = record.deals[1]
    deal.events[1] = replace(deal.events[1], seat=deal.events[0].seat)
    cause = find_main_cause(check_record(record).findings)
    assert cause is not None
    assert cause.total > TIMES
    assert f"{TIMES} of {cause.total} findings follow from it." in cause.says


def test_one_finding_is_its_own_cause_and_nothing_has_none():
    record = play_game("bezique", seed=3)
    assert find_main_cause(check_record(record).findings) is None
    event = record.deals[0].events[1]
    record.deals[0].events[1] = replace(event, seat=record.deals[0].events[0].seat)
    findings = check_record(record).findings[:1]
    cause = find_main_cause(findings)
    assert cause is not None
    assert (cause.says, cause.total) == (findings[0].message, 1)
