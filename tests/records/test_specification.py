"""The specification is true: its examples are valid, its tables match the types, its schemas are up to date."""

import hashlib
import json
import re
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings

from analyzer.review.deep_review import REVIEW_VERSION
from records import record
from records.documents import schemas
from records.documents.schemas import HEADINGS_OF_TYPES
from records.engine.copies import MOST_FEW_READINGS_STEPS, MOST_READING_STEPS
from records.events import EVENT_TYPES, MAX_LIST_LENGTH, MELD_NAMES, SCORE_NAMES, Event
from records.format import codec, containers
from records.format.diagnosis import fields_of
from records.partial.written_deal import MOST_STEPS
from records.record import Record
from records.rules import registry
from records.rules.complete import SHEET_VERSION
from records.validate.codes import FINDING_CODES
from records.validate.finding import (
    MOST_BYTES_EXAMINED,
    MOST_STEPS_A_RECORD,
    REQUEST_STEPS,
    STEPS_A_BYTE_READ,
)
from records.validate.report import REPORT_VERSION, FindingGroup
from records.validator import JUDGEMENT_VERSION, check
from tests.records.strategies import records
from webui.api.rulebooks import INTERFACE_VERSION
from webui.views.home import MOST_EXPANDED_AT_ONCE

TEXT = (schemas.SPEC_FOLDER / "format.md").read_text()
WRITING = (schemas.SPEC_FOLDER / "writing.md").read_text()
EXAMPLE = re.compile(r"^```json (\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = EXAMPLE.findall(TEXT)
HEAD = {
    "format": "bezique-record", "version": "1.0", "rules": {"id": "zetema"},
    "players": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
}  # fmt: skip


def whole(kind: str, text: str) -> bytes:
    """An example as a record of its own."""
    value = json.loads(text)
    if kind == "event":
        value = {"dealer": 0, "events": [value]}
    if kind in ("event", "deal"):
        players = HEAD["players"] if kind == "event" else HEAD["players"][:2]
        rules = HEAD["rules"] if kind == "event" else {"id": "bezique"}
        return json.dumps(HEAD | {"rules": rules, "players": players, "deals": [value]}).encode()
    return text.encode()


@pytest.mark.parametrize(("kind", "text"), EXAMPLES, ids=[text[:60] for _, text in EXAMPLES])
def test_every_example_is_a_record(kind: str, text: str) -> None:
    if kind == "digest":
        return
    if kind == "group":
        group = msgspec.json.decode(text, type=FindingGroup)
        assert (len(group.pointers), group.pointers[0]) == (group.count, group.first.pointer)
        assert msgspec.to_builtins(group) == json.loads(text)
        return
    decoded = codec.decode(whole(kind, text))
    assert decoded.findings == []
    assert decoded.record is not None
    validator("record").validate(json.loads(whole(kind, text)))


@pytest.mark.parametrize("text", [text for kind, text in EXAMPLES if kind in ("record", "deal")])
def test_no_example_breaks_a_rule(text: str) -> None:
    kind = "record" if '"format"' in text else "deal"
    report = check(whole(kind, text))
    assert [f for f in report.findings if f.severity in ("illegal", "mismatch")] == []


def test_there_are_no_other_examples() -> None:
    assert TEXT.count("```") == 2 * len(EXAMPLES)
    assert {json.loads(text)["type"] for kind, text in EXAMPLES if kind == "event"} == {
        type_of(event) for event in EVENT_TYPES
    }


def type_of(event: type[Event]) -> str:
    return str(msgspec.inspect.type_info(event).tag)  # type: ignore[attr-defined]


def table(heading: str) -> list[tuple[str, bool]]:
    """Members and whether they are required, of the first table after a heading or a phrase."""
    after = TEXT.split(f"\n{heading}\n", 1)[1]
    rows = re.search(r"^\| member \| value \| required .*?\n\n", after, re.MULTILINE | re.DOTALL)
    assert rows is not None
    return [
        (name, required == "yes")
        for name, required in re.findall(r"^\| `(\w+)` \|.*?\| (yes|no) \|", rows[0], re.MULTILINE)
    ]


TYPES: list[type[Any]] = [
    Record, record.Rules, record.Player, record.Provenance, record.Deal, record.Setup, record.Laid,
    record.Claims, record.Result, record.Note, record.Line, *EVENT_TYPES,
]  # fmt: skip
OBJECTS = {HEADINGS_OF_TYPES[kind.__name__]: kind for kind in TYPES}


def test_every_type_has_its_table() -> None:
    assert {kind.__name__ for kind in TYPES} == HEADINGS_OF_TYPES.keys()
    assert all(OBJECTS[f"### {type_of(event)}"] is event for event in EVENT_TYPES)


def test_every_member_of_the_schema_says_what_it_means() -> None:
    defined = schemas.record_schema()["$defs"]
    for kind in TYPES:
        for name, member in defined[kind.__name__]["properties"].items():
            assert name == "type" or member.get("description"), (kind, name)
    assert (
        defined["Play"]["properties"]["from"]["description"]
        == "where the card lay; binding if written"
    )


@pytest.mark.parametrize(
    ("heading", "kind"), OBJECTS.items(), ids=[kind.__name__ for kind in OBJECTS.values()]
)
def test_every_table_is_the_type(heading: str, kind: type[Any]) -> None:
    assert table(heading) == [(name, field.required) for name, field in fields_of(kind).items()]


@pytest.mark.parametrize(
    "word", [*MELD_NAMES, *SCORE_NAMES, *(sheet.id for sheet in registry.ALL_SHEETS)]
)
def test_every_word_is_there(word: str) -> None:
    assert f"`{word}`" in TEXT


@pytest.mark.parametrize(
    "option", sorted({option.name for sheet in registry.ALL_SHEETS for option in sheet.options})
)
def test_every_option_is_there(option: str) -> None:
    assert f"`{option}`" in TEXT


@pytest.mark.parametrize(
    ("what", "limit"),
    [
        ("one record, in bytes", record.MAX_RECORD_BYTES),
        ("deals in a record", record.MAX_DEALS),
        ("events in a deal or a line", record.MAX_EVENTS_PER_DEAL),
        ("players", record.MAX_PLAYERS),
        ("characters (code points) of a player's name", record.MAX_NAME_LENGTH),
        ("levels of nesting, the record itself counted", record.MAX_NESTING_DEPTH),
        ("bytes of one compressed file, expanded", record.MAX_EXPANDED_BYTES),
        (
            "bytes of one compressed file, expanded, for each of its own bytes, and 1,048,576 more",
            record.MAX_EXPANSION,
        ),
        ("archives and compressed files, one inside another", containers.MOST_LEVELS),
        ("files in one archive, those of archives in it counted", containers.MOST_FILES),
        ("lines in a record", record.MAX_LINES),
        ("events of all lines together", record.MAX_LINE_EVENTS),
        ("notes in a record", record.MAX_NOTES),
        (
            "entries of any other list: cards in a hand, a stock, a meld or a setup, hands, scores, sides",
            MAX_LIST_LENGTH,
        ),
        (
            "tricks, scores and irregularities between an event and what is claimed of it",
            record.MAX_EVENTS_BETWEEN,
        ),
        ("errors listed for one record", 1000),
        ("steps to tell copies of cards apart in one record", MOST_READING_STEPS),
        (
            "steps more to find a few ways to tell them apart that prove its deals legal",
            MOST_FEW_READINGS_STEPS,
        ),
        ("steps to search the completions of one record", MOST_STEPS),
        ("steps of all kinds for the records of one request", REQUEST_STEPS),
        ("steps more for each byte read of them", STEPS_A_BYTE_READ),
        ("bytes examined of the records of one request, expanded", MOST_BYTES_EXAMINED),
    ],
)
def test_the_limits_are_those_kept(what: str, limit: int) -> None:
    assert f"| {what} | {limit:,} |" in TEXT


def test_what_a_request_may_expand_to_is_told() -> None:
    text = " ".join(TEXT.split())
    assert MOST_READING_STEPS + MOST_FEW_READINGS_STEPS + MOST_STEPS == MOST_STEPS_A_RECORD
    assert f"expands to more than {MOST_EXPANDED_AT_ONCE:,} bytes is imported" in text


def test_the_digest_is_what_the_page_says() -> None:
    text = next(text for kind, text in EXAMPLES if kind == "digest").strip()
    stated = re.search(r"and its digest `(\w+)`", TEXT)
    assert stated is not None
    smallest = min((text for kind, text in EXAMPLES if kind == "record"), key=len)
    assert (
        stated[1]
        == hashlib.sha256(text.encode()).hexdigest()
        == codec.decode(smallest.encode()).digest()
    )


@pytest.mark.parametrize("name", schemas.SCHEMA_FILES)
def test_the_schemas_are_fresh(name: str) -> None:
    """`python -m records.documents.schemas` writes them."""
    assert (schemas.SPEC_FOLDER / name).read_bytes() == schemas.encode_schema(
        schemas.SCHEMA_FILES[name]()
    )


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((schemas.SPEC_FOLDER / f"{name}.schema.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.long
@settings(max_examples=30)
@given(records())
def test_every_record_fits_the_schema(made: Record) -> None:
    validator("record").validate(json.loads(codec.encode(made)))


@pytest.mark.parametrize(
    "change",
    [
        {"version": "2.0"}, {"players": []}, {"extra": 1}, {"ext": {"table": 1}}, {"deals": [{"dealer": 9}]},
        {"deals": [{"dealer": 0, "events": [{"type": "play", "seat": 0, "card": "1S"}]}]},
        {"deals": [{"dealer": 0, "events": [{"type": "fold", "seat": 0}]}]},
    ],
)  # fmt: skip
def test_the_schema_refuses_what_the_reader_refuses(change: dict[str, Any]) -> None:
    assert not validator("record").is_valid(HEAD | change)
    assert codec.decode(json.dumps(HEAD | change).encode()).record is None


def test_reports_fit_their_schema() -> None:
    texts = [whole(kind, text) for kind, text in EXAMPLES if kind != "digest"]
    for text in (*texts, b"", b"{}", texts[0].replace(b'"zique"', b'"ziqe"')):
        report = msgspec.json.encode(check(text))
        assert b'"format":"bezique-report"' in report
        validator("report").validate(json.loads(report))


def test_pages_that_are_linked_are_there() -> None:
    for name in re.findall(r"\]\((\w[\w.]+)\)", TEXT):
        assert (Path(schemas.SPEC_FOLDER) / name).is_file()


# the page for writers


def test_the_deals_of_the_page_for_writers_are_what_they_say() -> None:
    """Five times the beginning of one deal, as much as each program knows of it: nothing is wrong with any."""
    deals = [json.loads(text) for kind, text in EXAMPLE.findall(WRITING) if kind == "deal"]
    assert WRITING.count("```") == 2 * len(deals)
    assert [deal.get("knowledge") for deal in deals] == [None, None, "seat", "plays", "scores"]
    labelled, full, seat, plays, _ = deals
    bare = json.loads(re.sub(r'\.\d"', '"', json.dumps(labelled)))
    assert bare == full
    drawn = [event for event in full["events"] if event["type"] == "draw"]
    unseen = {**drawn[1], "card": "??"}
    hidden = [unseen if event == drawn[1] else event for event in full["events"]]
    assert seat == {
        **full, "knowledge": "seat", "seat": 0, "events": hidden,
        "hands": [full["hands"][0], ["??"] * len(full["hands"][1])],
    }  # fmt: skip
    assert plays["events"] == [event for event in full["events"] if event["type"] == "play"]
    verdicts = []
    for deal in deals:
        report = check(whole("deal", json.dumps(deal)))
        assert {finding.severity for finding in report.findings} <= {"note"}
        verdicts.append(report.verdict)
    assert verdicts == ["incomplete", "incomplete", "incomplete", "undetermined", "undetermined"]


def test_every_code_of_the_page_for_writers_is_one() -> None:
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", WRITING))
    assert named <= {*FINDING_CODES, *(sheet.id for sheet in registry.ALL_SHEETS)}


@pytest.mark.parametrize(
    ("what", "version"),
    [
        ("the format of records", record.RECORD_VERSION),
        ("the report", REPORT_VERSION),
        ("the sheets as data", SHEET_VERSION),
        ("the review of a game", REVIEW_VERSION),
        ("the interface for programs", INTERFACE_VERSION),
        (
            "the judgement: the verdicts, findings and digests of all records",
            str(JUDGEMENT_VERSION),
        ),
        ("the program", metadata.version("bezique")),
    ],
)
def test_the_page_of_versions_has_those_of_today(what: str, version: str) -> None:
    page = (schemas.SPEC_FOLDER / "versions.md").read_text()
    (row,) = [line for line in page.splitlines() if line.startswith(f"| {what} |")]
    assert row.endswith(f"| `{version}` |")
