"""The samples are up to date; a broken one has exactly its finding, a good one has none."""

import gzip
from pathlib import Path

import pytest
from msgspec.structs import replace

from records.format import codec
from records.validator import check, check_path, check_record
from records.documents.findings_page import CODES_WITHOUT_SAMPLE
from records.format import containers
from records.record import Record
from records.validate.codes import FINDING_CODES
from records.validate.finding import Finding
from tests.samples.broken import RECORDS
from tests.samples.good import GAMES, LEFT_OUT, OWN_GAMES, PARTIAL, sheets_without_a_game
from tests.samples.make import SAMPLES, samples, stored
from tests.samples.unreadable import FILES, TEXTS, Text, game, too_large, too_many_events

UNAVOIDABLE = {"unfinished", "undetermined", "too-many-completions"}
"""Notes on what a small record leaves open."""


def broken(code: str) -> Path:
    return SAMPLES / "broken" / f"{code}.json"


def beside(findings: list[Finding], code: str) -> list[Finding]:
    """The findings without the notes that a small record cannot avoid."""
    return [one for one in findings if one.code == code or one.code not in UNAVOIDABLE]


def test_the_samples_are_fresh() -> None:
    made = samples()
    assert stored() == set(made)
    stale = [path for path, data in made.items() if (SAMPLES / path).read_bytes() != data]
    assert stale == [], "write them with: python -m tests.samples.make"


def test_the_page_of_the_samples_names_the_notes_that_are_left_out_here() -> None:
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    assert [code for code in UNAVOIDABLE if f"`{code}`" not in text] == []


def test_no_code_lacks_a_sample() -> None:
    has_one = {Path(path).name.split(".")[0] for path in samples() if path.startswith("broken/")}
    assert has_one | set(CODES_WITHOUT_SAMPLE) == set(FINDING_CODES)
    assert has_one.isdisjoint(CODES_WITHOUT_SAMPLE)


@pytest.mark.parametrize("code", RECORDS)
def test_a_broken_record_has_its_finding_alone(code: str) -> None:
    (finding,) = beside(check(broken(code).read_bytes()).findings, code)
    assert (finding.code, finding.at.pointer) == (code, RECORDS[code].pointer)
    assert finding.severity == FINDING_CODES[code].severity


@pytest.mark.parametrize("code", [code for code in TEXTS if code != "too-many-errors"])
def test_a_broken_text_has_its_finding_alone(code: str) -> None:
    (finding,) = beside(check(broken(code).read_bytes()).findings, code)
    assert (finding.code, finding.at.pointer) == (code, TEXTS[code].pointer)
    assert finding.severity == FINDING_CODES[code].severity


def test_too_many_errors_come_after_a_thousand() -> None:
    codes = [one.code for one in check(broken("too-many-errors").read_bytes()).findings]
    assert codes == ["wrong-type"] * 1000 + ["too-many-errors"]


@pytest.mark.parametrize(
    # Without one of its events, the lines of that sample would begin after an event that is not there.
    "code",
    [code for code in RECORDS if code != "lines-not-judged"],
)
def test_a_broken_record_has_no_event_to_spare(code: str) -> None:
    record = RECORDS[code].record()
    for smaller in without_an_event(record):
        assert [one.code for one in beside(check_record(smaller).findings, code)] != [code]


def without_an_event(record: Record) -> list[Record]:
    """The record without one of its events, each in turn."""
    return [
        replace(record, deals=[*record.deals[:number], less, *record.deals[number + 1 :]])
        for number, deal in enumerate(record.deals)
        for at in range(len(deal.events))
        for less in [replace(deal, events=[*deal.events[:at], *deal.events[at + 1 :]])]
    ]


@pytest.mark.parametrize("name", FILES)
def test_a_broken_file_has_its_finding_alone(name: str) -> None:
    (report,) = check_path(SAMPLES / "broken" / name)
    codes = [one.code for one in report.findings if one.code not in UNAVOIDABLE]
    assert codes == [name.partition(".")[0]]


def test_a_file_that_expands_too_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MAX_EXPANDED_BYTES", 1000)
    path = tmp_path / "expands-too-far.jsonl.gz"
    path.write_bytes(gzip.compress((game() + b"\n") * 100_000))
    codes = [one.code for report in check_path(path) for one in report.findings]
    assert [code for code in codes if code not in UNAVOIDABLE] == ["expands-too-far"]


LARGE = {"record-too-large": too_large, "too-many-events": too_many_events}


@pytest.mark.parametrize("code", LARGE)
def test_a_text_too_large_to_keep(code: str) -> None:
    text: Text = LARGE[code]()
    (finding,) = check(text.data).findings
    assert (finding.code, finding.at.pointer) == (code, text.pointer)


def test_what_has_no_sample_is_made_here() -> None:
    assert set(CODES_WITHOUT_SAMPLE) == {*LARGE, "expands-too-far"}


@pytest.mark.parametrize("name", [*GAMES, *OWN_GAMES])
def test_a_good_game_is_legal(name: str) -> None:
    data = (SAMPLES / "good" / f"{name}.json").read_bytes()
    report = check(data)
    assert (report.verdict, report.findings) == ("legal", [])
    record = codec.decode(data).record
    assert record is not None
    assert codec.encode(record) == data


@pytest.mark.parametrize("left", LEFT_OUT)
@pytest.mark.parametrize("name", PARTIAL)
def test_of_a_partial_game_nothing_is_wrong_and_something_open(name: str, left: str) -> None:
    whole = codec.decode((SAMPLES / "good" / f"{name}.json").read_bytes()).record
    report = check((SAMPLES / "partial" / f"{name}-{left}.json").read_bytes())
    assert whole is not None
    assert whole.result is not None
    assert report.verdict == "undetermined"
    assert {finding.severity for finding in report.findings} == {"note"}
    assert (report.deals, report.finished) == (len(whole.deals), True)


def test_every_sheet_has_a_good_game() -> None:
    assert sheets_without_a_game() == set()
