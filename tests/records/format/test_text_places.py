"""Lines and columns of findings, on any layout of the text."""

import json
from pathlib import Path
from random import Random

import pytest

from records.format.codec import decode
from records.format.text_places import TextPlace, find_text_places
from records.validate.finding import Finding, Place
from records.validator import check_path

SAMPLES = Path(__file__).parents[3] / "samples"


def at(pointer: str, code: str = "bad-card") -> Finding:
    return Finding(code=code, severity="illegal", at=Place(pointer=pointer), message="")


def places(text: str, *pointers: str) -> list[TextPlace | None]:
    return find_text_places(text.encode(), [at(pointer) for pointer in pointers])


def test_the_place_of_a_value_is_where_it_begins() -> None:
    text = '{"a": [1, {"b/c~": "x"}],\n "deals": [\n  {"é": {}, "card": "9Z"}, true]}'
    assert places(text, "/a/0", "/a/1/b~1c~0", "/deals/0/card", "/deals/1") == [
        (1, 8), (1, 20), (3, 21), (3, 28),
    ]  # fmt: skip


def test_a_missing_member_is_where_its_object_is_and_the_record_is_nowhere() -> None:
    assert places('{"a": {"b": 1}}', "/a/c/d", "/x", "") == [(1, 7), None, None]


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("break_", ["\n", "\r\n"])
def test_every_layout_leads_to_the_same_values(indent: int | None, break_: str) -> None:
    record = json.loads((SAMPLES / "good/zique.json").read_bytes())
    random = Random(indent)
    pointers, values = [], []
    for deal, told in enumerate(record["deals"]):
        for event in random.sample(range(len(told["events"])), 10):
            name = random.choice(list(told["events"][event]))
            pointers.append(f"/deals/{deal}/events/{event}/{name}")
            values.append(json.dumps(told["events"][event][name]).partition("\n")[0][:3])
    text = json.dumps(record, indent=indent).replace("\n", break_)
    lines = text.split("\n")
    for place, value in zip(places(text, *pointers), values, strict=True):
        assert place is not None
        assert lines[place.line - 1][place.column - 1 :].startswith(value[:1])


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b'{"format": "bezique-record",\n "x": \xff}', (2, 7)),
        (b'{"a": 1,\n  b}', (2, 3)),
        (b'\xef\xbb\xbf{"a": 1, b}', (1, 10)),
        (b'{"a":\n' + b"[" * 40, (2, 32)),
        (b'{"a": 1}\n{', (2, 1)),
        (b"\xff", (1, 1)),
    ],
)
def test_what_ends_the_reading_is_where_it_ended(data: bytes, place: tuple[int, int]) -> None:
    findings = decode(data).findings
    assert place in find_text_places(data, findings)


def test_the_line_of_a_record_in_its_file_counts() -> None:
    assert find_text_places(b'{"a": 1}', [at("/a")], first_line=7) == [(7, 7)]


@pytest.mark.parametrize(
    "path", sorted((SAMPLES / "broken").glob("*.json")), ids=lambda path: path.stem
)
def test_every_broken_sample_has_places_within_it(path: Path) -> None:
    data = path.read_bytes()
    lines = data.decode("utf-8", "replace").split("\n")
    for report in check_path(path):
        for place in find_text_places(data, report.findings):
            if place is not None:
                assert 1 <= place.line <= len(lines)
                assert 1 <= place.column <= len(lines[place.line - 1]) + 1


def test_places_in_garbage_do_no_harm() -> None:
    random = Random(1)
    data = (SAMPLES / "good/zique.json").read_bytes()[:2_000]
    for _ in range(200):
        damaged = bytearray(data)
        for _ in range(random.choice([1, 5, 50])):
            damaged[random.randrange(len(damaged))] = random.choice(b'"[]{}:,\\\n \xff')
        text = bytes(damaged)
        findings = [*decode(text).findings, at("/deals/0/events/3/card"), at("/x")]
        assert len(find_text_places(text, findings)) == len(findings)


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("trick,card\n1,7C\n2,8D\n", "bezique convert"),
        ("7;5;3\n1;2;4", "bezique convert"),
        ("a\tb\n1\t2\n", "bezique convert"),
        ("<!DOCTYPE html>\n<html><body>{}</body></html>", "web page"),
        ('\ufeff<?xml version="1.0"?><games/>', "web page"),
        ("We played on Friday, and she won.", "begins neither like"),
        ("We played, all evening long,\nand then, at midnight, she won.", "begins neither like"),
        ("<html><style>a{color:red}</style>\n<p>[1]</p><p>{}</p></html>\n", "web page"),
        ('player,game\nAnn,{"a":1}\nBob,{"a":2}\n', "bezique convert"),
        ("They said {this}\nand [that].", "begins neither like"),
    ],
)
def test_a_text_that_is_no_json_at_all_is_told_by_its_kind(
    tmp_path: Path, text: str, cure: str
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    (report,) = check_path(path)
    codes = {finding.code: finding.message for finding in report.findings}
    assert cure in codes.pop("not-json")
    assert codes.keys() <= {"byte-order-mark"}
