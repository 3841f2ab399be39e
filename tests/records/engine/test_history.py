"""Where readings are too many to list, the SAT solver gives the same answers as a list."""

from random import Random

import msgspec
import pytest

from records.engine import copies, copy_history
from records.engine.choices import legal_choices
from records.engine.reading_sat import Clauses
from records.record import Record
from records.replay import replay, snapshot_of
from records.rules.registry import resolve_sheet
from records.rules.vocabulary import ReuseRule
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.playouts.mutants import KINDS
from tests.records.engine.all_readings import check_by_all_readings

REFORMED = [
    way
    for way in [*STANDARD, *OPTIONED]
    if way.sheet.rules.reuse.rule is ReuseRule.REFORMED_AFTER_LEAVING
    and (
        not way.options
        or resolve_sheet(way.sheet.id, None, way.options).sheet.rules.reuse != way.sheet.rules.reuse
    )
]
"""Every sheet of that rule, and every option that changes it."""
FEW = 100
"""So many readings of both seats are listed in a moment."""
DAMAGE = ("drop a meld", "change a card of a meld", "repeat an event", "play another card held")


def told(record: Record) -> tuple[object, ...]:
    """Everything that hangs on the readings: the report, every position and every choice."""
    report = check_by_all_readings(record)
    steps = [
        (msgspec.json.encode(snapshot_of(frame.table)), legal_choices(frame.table))
        for frame in replay(record)
    ]
    return report.verdict, report.findings, steps


def some_records(way: Way, seed: int) -> list[Record]:
    """A game without labels, and what becomes of it when it is damaged."""
    style = ("greedy", "random")[seed == 2]
    record = way.play(seed, style, labels=False, where=bool(seed & 1))
    changed = [KINDS[name](record, Random(f"{way} {seed} {name}")) for name in DAMAGE]
    return [record, *[mutant.record for mutant in changed if mutant is not None]]


@pytest.mark.slow
@pytest.mark.parametrize("way", REFORMED, ids=str)
def test_the_solver_says_what_a_list_says(way, monkeypatch):
    # A solver asked at every step, as nowhere else, would spend it all.
    monkeypatch.setattr(copies, "MOST_READING_STEPS", 10**9)
    compared = 0
    for record in some_records(way, REFORMED.index(way) % 3):
        monkeypatch.setattr(copy_history, "MOST_READINGS_LISTED", 2048)
        monkeypatch.setattr(copy_history, "READINGS_SAMPLED", 128)
        assignments = check_by_all_readings(record).assignments
        if assignments is None or assignments.largest > FEW:
            continue
        listed = told(record)
        monkeypatch.setattr(copy_history, "MOST_READINGS_LISTED", 1)
        monkeypatch.setattr(copy_history, "READINGS_SAMPLED", 1)
        assert told(record) == listed
        compared += 1
    assert compared


@pytest.mark.long
def test_a_solver_is_asked_where_readings_are_many(monkeypatch):
    asked = []
    solve = Clauses.solve
    monkeypatch.setattr(Clauses, "solve", lambda *given: asked.append(1) or solve(*given))
    way = next(way for way in STANDARD if way.sheet.id == "chinese-bezique")
    record = way.play(13, "greedy", labels=False, where=True)
    monkeypatch.setattr(copy_history, "MOST_READINGS_LISTED", 64)
    monkeypatch.setattr(copy_history, "READINGS_SAMPLED", 4)
    report = check_by_all_readings(record)
    assert (report.verdict, list(report.findings)) == ("legal", [])
    assert report.assignments is not None
    assert not report.assignments.capped
    assert asked


def test_a_search_that_is_given_up_accuses_nobody(monkeypatch):
    records = [
        way.play(seed, "greedy", labels=False, where=False)
        for way in STANDARD
        if way.sheet.id in ("rubicon-bezique", "chinese-bezique")
        for seed in range(4)
    ]
    monkeypatch.setattr(copy_history, "MOST_READINGS_LISTED", 1)
    monkeypatch.setattr(copy_history, "READINGS_SAMPLED", 1)
    monkeypatch.setattr(Clauses, "solve", lambda *_: None)
    verdicts = set()
    for record in records:
        report = check_by_all_readings(record)
        assert report.assignments is not None
        assert [finding for finding in report.findings if finding.severity != "note"] == []
        assert report.assignments.capped == (report.verdict == "undetermined")
        verdicts.add(report.verdict)
    assert "undetermined" in verdicts


@pytest.mark.parametrize("way", REFORMED[:4], ids=str)
def test_labels_leave_one_reading_and_no_history(way):
    record = way.play(1, "random", labels=True, where=True)
    for frame in replay(record):
        for readings in frame.table.readings:
            assert type(readings) is tuple
            assert len(readings) == 1
