"""What a record tells of its occasion as corrections say it: the play and all other members stay."""

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from records.corrected import (
    SUBJECTS,
    CorrectedFact,
    CorrectionRefused,
    correct,
    fact_value,
    list_facts,
    read_value,
)
from records.format import codec
from records.format.semantics import read_day
from records.record import Note, Record
from records.selfplay import play_game

DATE = CorrectedFact("date")


def record_with(**meta: object) -> Record:
    return replace(play_game("zique", seed=1, deals=1), meta=meta or None)


RECORD = replace(
    record_with(started="2026-03-31T19:00:00Z", own={"kept": [1]}),
    notes=[Note(at=[0], text="One."), Note(at=[0, 2], text="Two.")],
)


def test_every_subject_can_be_corrected() -> None:
    assert {fact.subject for fact in list_facts(RECORD)} == set(SUBJECTS)


@given(st.dictionaries(st.sampled_from(list_facts(RECORD)), st.text(max_size=300)))
def test_a_correction_is_told_and_nothing_else_changes(texts: dict[CorrectedFact, str]) -> None:
    corrections = {}
    for fact, text in texts.items():
        try:
            corrections[fact] = read_value(RECORD, fact, text)
        except CorrectionRefused:
            continue
    told = correct(RECORD, corrections)
    decoded = codec.decode(codec.encode(told))
    assert decoded.record == told
    assert not decoded.findings
    assert decoded.digest() == codec.decode(codec.encode(RECORD)).digest()
    assert correct(told, corrections) == told or CorrectedFact("note", 0) in corrections
    for fact in list_facts(RECORD):
        if fact.subject not in ("date", "note"):
            assert fact_value(told, fact) == corrections.get(fact, fact_value(RECORD, fact))
    assert told.deals == RECORD.deals
    assert (told.meta or {})["own"] == {"kept": [1]}


@pytest.mark.parametrize(
    ("meta", "value", "told"),
    [
        ({"started": "2026-03-31T19:00:00+01:00"}, "2026-04-01", {"started": "2026-04-01T19:00:00+01:00"}),
        ({"started": "2026-03-31T19:00:00Z"}, "", None),
        ({"date": "2026-03-31"}, "2026-04-01", {"date": "2026-04-01"}),
        ({"date": "yesterday"}, "2026-04-01", {"date": "2026-04-01"}),
        ({"date": "2026-03-31"}, "2026-04-01T19:00:00Z", {"started": "2026-04-01T19:00:00Z"}),
        ({}, "2026-04-01", {"date": "2026-04-01"}),
    ],
)  # fmt: skip
def test_a_day_leaves_the_clock_of_the_place(
    meta: dict[str, object], value: str, told: dict[str, object] | None
) -> None:
    record = record_with(**meta)
    assert correct(record, {DATE: read_value(record, DATE, value)}).meta == told


def test_a_note_without_text_is_gone_and_the_others_keep_their_numbers() -> None:
    both = {CorrectedFact("note", 0): "", CorrectedFact("note", 1): "Three."}
    assert correct(RECORD, both).notes == [Note(at=[0, 2], text="Three.")]
    assert correct(RECORD, {**both, CorrectedFact("note", 1): ""}).notes is None


def test_what_a_record_does_not_have_is_told_as_nothing_and_passed_over() -> None:
    beyond = CorrectedFact("note", 9)
    assert fact_value(RECORD, beyond) == ""
    assert correct(RECORD, {beyond: "No.", CorrectedFact("name", 7): "Eve"}) == RECORD


@given(
    st.integers(0, 9999), st.integers(0, 99), st.integers(0, 99), st.sampled_from(["", "T19:30:00Z"])
)  # fmt: skip
@example(2026, 2, 30, "")
@example(2026, 2, 30, "T19:30:00Z")
def test_a_day_that_never_was_is_refused_by_its_name(
    year: int, month: int, day: int, clock: str
) -> None:
    text = f"{year:04}-{month:02}-{day:02}"
    try:
        is_day = bool(date(year, month, day))
    except ValueError:
        is_day = False
    if is_day:
        assert read_value(RECORD, DATE, text + clock) == text + clock
        return
    with pytest.raises(CorrectionRefused, match=f"{text} is no day of the calendar"):
        read_value(RECORD, DATE, text + clock)


@given(st.text(st.sampled_from("0123456789-W"), min_size=10, max_size=10))
@example("2026-W10-4")
def test_a_day_is_written_in_one_way(text: str) -> None:
    found = read_day(text)
    assert found is None or found.isoformat() == text
