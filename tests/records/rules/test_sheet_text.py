"""Texts of sheets: every value has its place, and what cannot be read is told in a sentence, soon."""

import json
from time import perf_counter
from typing import Any

import pytest

from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER
from records.rules.sheet_text import (
    LARGEST_SHEET_BYTES,
    SheetError,
    find_places,
    line_and_column,
    read_text,
    toml_offsets,
)
from records.rules.vocabulary import RuleSheet

by_sheet = pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)


def pointers(value: Any, at: str = "") -> list[str]:
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [at, *(each for name, part in inner for each in pointers(part, f"{at}/{name}"))]


@by_sheet
def test_every_value_of_a_text_has_its_place(sheet: RuleSheet) -> None:
    text = (SHEETS_FOLDER / f"{sheet.id}.json").read_text()
    data = json.loads(text)
    places = dict(zip(pointers(data), find_places(text, pointers(data), toml=False), strict=True))
    lines = text.splitlines()
    for pointer, (line, column) in places.items():
        part = data
        for step in pointer.split("/")[1:]:
            part = part[int(step)] if isinstance(part, list) else part[step]
        begins = lines[line - 1][column - 1 :]
        assert begins.startswith(json.dumps(part, ensure_ascii=False)[:1]), pointer


def test_tables_and_keys_of_toml_have_places() -> None:
    text = 'a = 1\n[[t]]\n  b.c = 2\n[[t]]\n"d e" = 3\n'
    places = {at: line_and_column(text, offset) for at, offset in toml_offsets(text).items()}
    assert places["/t/0/b/c"] == (3, 3)
    assert places["/t/1/d e"] == (5, 1)


TABLES = """\
text = '''
[not_a_table]
not_a_key = 1
'''
list = [
  [1],
  [2]  # [no] table = either
]
[[changes]]
  path = "/rules/x"
[[changes]]
value.cards.repeat = 2
"a.b/c" = 3
[changes.more]
deep = 1
"""


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("/text", (1, 1)), ("/list", (5, 1)), ("/list/1/0", (5, 1)), ("/changes/0/path", (10, 3)),
        ("/changes/1", (11, 1)), ("/changes/1/value/cards", (12, 1)), ("/changes/1/a.b~1c", (13, 1)),
        ("/changes/1/more/deep", (15, 1)), ("/not_a_table/not_a_key", (1, 1)),
    ],
)  # fmt: skip
def test_toml_is_read_by_its_tables_and_not_by_its_texts(
    pointer: str, place: tuple[int, int]
) -> None:
    read_text(TABLES.encode(), toml=True)
    assert find_places(TABLES, [pointer], toml=True) == [place]


def mistake(text: str | bytes, *, toml: bool = False) -> tuple[int, int, str]:
    """The only mistake of a text."""
    with pytest.raises(SheetError) as caught:
        read_text(text.encode() if isinstance(text, str) else text, toml=toml)
    (only,) = caught.value.mistakes
    return tuple(only)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1,\n "b": [{"c": 1,\n "c": 2}]}', (2, 14, 'The member "c" stands here twice.')),
        ('{"a": NaN}', (1, 7, "NaN is no number of JSON.")),
        ('{"a":\n "\\ud800"}', (2, 2, "This text has half of a character.")),
        ('{"a" 1}', (1, 6, "This is not JSON: a colon is missing here.")),
        ('{"a": 1\n', (2, 1, "This is not JSON: a comma is missing here.")),
        ('{"a": ' + "1" * 5_000 + "}", (1, 1, "A number has too many digits.")),
        ("[" * 50_000, (1, 1, "The file is nested too deeply.")),
        (" " * (LARGEST_SHEET_BYTES + 1), (1, 1, "A sheet has at most 131,072 bytes, and this file has 131,073.")),
    ],
)  # fmt: skip
def test_what_is_no_json_of_a_sheet(text: str, told: tuple[int, int, str]) -> None:
    assert mistake(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = 1\na = 2", (2, 6, "This is not TOML: this key has a value already.")),
        ("a = [1", (1, 7, "This is not TOML: a list has no closing bracket.")),
        ("a b", (1, 3, "This is not TOML: an equals sign is missing after the key.")),
        ("a." * 50_000 + "b = 1", (1, 1, "A key has at most 40 parts.")),
        ("a = " + "[" * 50_000, (1, 1, "The file is nested too deeply.")),
    ],
)
def test_what_is_no_toml_of_a_sheet(text: str, told: tuple[int, int, str]) -> None:
    """Python's reader takes minutes for the long key."""
    assert mistake(text, toml=True) == told


@pytest.mark.long
@pytest.mark.parametrize(
    "value", ["[[[0]]],", '{"a": 0},', '"x",', '"\\n",', "\n,".replace(",", "0,")]
)
def test_places_are_found_in_one_pass(value: str) -> None:
    """A file of the greatest size takes no more than four times what one of half the size takes, and half a second."""
    times = []
    for size in (LARGEST_SHEET_BYTES // 2, LARGEST_SHEET_BYTES):
        text = '{"a": [' + value * (size // len(value)) + "0]}"
        last = f"/a/{size // len(value)}"
        begins = perf_counter()
        (place,) = find_places(text, [last], toml=False)
        times.append(perf_counter() - begins)
        assert place == line_and_column(text, len(text) - 3)
    assert times[1] < min(0.5, 4 * times[0] + 0.1)
