"""What telling like copies apart costs a record: never more than its budget, whose end accuses nobody."""

import os
import subprocess
import sys
from functools import cache

import msgspec
import pytest

from records.engine.choices import legal_choices
from records.engine.copies import MOST_READING_STEPS, STEPS_A_READING, ReadingBudget, Readings
from records.engine.copy_history import ReadingsWithHistory, attach_history
from records.events import Play
from records.format import codec
from records.record import Record
from records.replay import Frame, Match, replay, snapshot_of
from records.validate import check_plays
from records.validate.dispatch import checks_at
from records.validate.report import Report
from records.validator import Validator
from tests.make import tables
from tests.playouts.hoarding import HOARDED_SHEETS, play_hoarding_game

MANY_READINGS = {
    "rubicon-bezique": 1, "rubicon-bezique-recommended": 3, "rubicon-bezique-club": 2, "chinese-bezique": 0,
}  # fmt: skip
"""By sheet, the seed of a hoarding game of which the readings cannot all be listed, or hardly."""


@cache
def game(sheet: str, seed: int, *, labels: bool = False) -> Record:
    return play_hoarding_game(sheet, seed, labels=labels)


def judge(
    record: Record, budget: ReadingBudget | None = None, *, look: bool = False
) -> tuple[Report, ReadingBudget]:
    """The report on a record, and what is left of its budget; a reader may look at every table meanwhile."""
    validator = Validator(record)
    assert validator.match is not None
    if budget is not None:
        validator.match = Match(record, validator.match.resolved, budget=budget)
    for frame in replay(record, match=validator.match, findings_only=not look):
        validator.see(frame)
        if look:
            told(frame)
    return validator.report(), validator.match.reading_budget


def told(frame: Frame) -> tuple[bytes, object]:
    return msgspec.json.encode(snapshot_of(frame.table)), legal_choices(frame.table)


def spent(budget: ReadingBudget) -> int:
    return budget.steps - budget.left


@pytest.mark.parametrize("labels", [False, True], ids=["alike", "labelled"])
@pytest.mark.parametrize("sheet", HOARDED_SHEETS)
def test_the_hardest_legal_games_are_judged_with_budget_to_spare(sheet, labels):
    for seed in {0, MANY_READINGS.get(sheet, 0)}:
        record = game(sheet, seed, labels=True) if labels else game(sheet, seed)
        report, budget = judge(record)
        assert report.verdict in ("legal", "incomplete")
        assert [finding for finding in report.findings if finding.severity != "note"] == []
        assert spent(budget) < MOST_READING_STEPS // 2


@pytest.mark.parametrize("sheet", MANY_READINGS)
def test_many_readings_cost_steps(sheet):
    """So that the other tests ask something."""
    _, budget = judge(game(sheet, MANY_READINGS[sheet]))
    assert spent(budget) > 1000


@pytest.mark.parametrize("steps", [0, 300, 3000])
@pytest.mark.parametrize("sheet", MANY_READINGS)
def test_when_the_budget_ends_nobody_is_accused(sheet, steps):
    report, budget = judge(game(sheet, MANY_READINGS[sheet]), ReadingBudget(steps))
    assert budget.is_spent
    assert [finding for finding in report.findings if finding.severity != "note"] == []
    assert report.verdict in ("legal", "incomplete", "undetermined")


def test_a_record_left_open_by_its_budget_says_so():
    record = game("chinese-bezique", MANY_READINGS["chinese-bezique"])
    report, _ = judge(record, ReadingBudget(0))
    assert report.verdict == "undetermined"
    (note,) = report.findings
    assert note.code == "undetermined"
    assert "too many readings" in note.message


@pytest.mark.long
def test_the_deals_of_a_record_share_one_budget():
    record = game("chinese-bezique", 1)
    once = spent(judge(record)[1])
    thrice = msgspec.structs.replace(record, deals=record.deals * 3)
    budget = judge(thrice)[1]
    assert once < spent(budget)
    assert budget.left < MOST_READING_STEPS - 2 * once


def test_who_else_looks_at_the_table_does_not_change_what_is_spent():
    record = game("rubicon-bezique", MANY_READINGS["rubicon-bezique"])
    alone, looked_at = judge(record), judge(record, look=True)
    assert spent(alone[1]) == spent(looked_at[1])
    assert alone[0].verdict == looked_at[0].verdict
    assert alone[0].assignments == looked_at[0].assignments


SPEND = """
import sys
from records.format import codec
from records.replay import Match, replay
from records.rules.registry import resolve_sheet
record = codec.decode(sys.stdin.buffer.read()).record
match = Match(record, resolve_sheet(record.rules.id, None, {}))
for frame in replay(record, match=match, findings_only=True):
    pass
print(match.reading_budget.left, frame.table.tracking.largest)
"""


@pytest.mark.slow
def test_what_is_spent_does_not_depend_on_the_process():
    """Python orders sets by numbers that differ from process to process; nothing here may follow that order."""
    record = codec.encode(game("chinese-bezique", MANY_READINGS["chinese-bezique"]))
    printed = {
        subprocess.run(
            [sys.executable, "-c", SPEND],
            input=record,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1


@pytest.mark.long
def test_readings_that_are_followed_are_paid_for_and_a_history_has_paid():
    alike: Readings = ((("QS", 1),), (("QS", 2),), (("QS", 4),))
    record = game("chinese-bezique", 1)
    table = next(replay(record)).table
    before = spent(table.tracking.budget)
    kept = table.readings[0]
    assert isinstance(kept, ReadingsWithHistory)
    table.set_readings(0, attach_history(alike, kept.history))
    assert spent(table.tracking.budget) == before
    table.set_readings(0, alike)
    assert spent(table.tracking.budget) == before + 3 * STEPS_A_READING


@pytest.mark.parametrize("how", ["all followed", "some dropped", "search given up"])
def test_a_card_is_elsewhere_only_if_all_readings_say_so(how, monkeypatch):
    """The king lies on the table in every reading that is listed."""
    record = tables.table("N: 9C | N lays marriage KS QS | S: 8C 8D 8H | trump H | N leads").record
    with tables.cut_down():
        *_, frame = replay(record)
    table = frame.table
    table.tracking.incomplete = how == "some dropped"
    monkeypatch.setattr(check_plays, "search_given_up", lambda readings: how == "search given up")
    found = checks_at(table)[Play](table, Play(seat=0, card="KS", source="hand"))
    wrong = [breach.code for breach in found or ()]
    assert wrong == (["not-in-hand"] if how == "all followed" else [])
