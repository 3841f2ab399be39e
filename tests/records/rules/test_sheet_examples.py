"""What is wrong with a rulebook of one's own is told in words of the file, with an example, in the place of the thing itself."""

import json
from typing import Any

import msgspec
import pytest

from records.rules.own_sheet import read_own_sheet
from records.rules.registry import get_sheet
from records.rules.sheet_text import SheetError, SheetMistake

HEAD = 'base = "zique"\nid = "ours"\nname = "Ours"\n'


def mistakes(text: str, *, toml: bool = True) -> list[SheetMistake]:
    with pytest.raises(SheetError) as error:
        read_own_sheet(text.encode(), toml=toml)
    return error.value.mistakes


def parted(value: Any, at: str) -> list[str]:
    """Pointers to everything that has parts."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    found = [
        (f"{at}/{name}", part) for name, part in parts if isinstance(part, dict | list) and part
    ]
    return [pointer for at, part in found for pointer in (at, *parted(part, at))]


RULES = json.loads(msgspec.json.encode(get_sheet("zique").rules))


@pytest.mark.parametrize(
    "path", sorted(parted(RULES, "/rules"), key=lambda path: path.count("/"))[:40]
)
def test_a_single_value_in_place_of_one_with_parts_is_told_with_an_example(path: str) -> None:
    ((line, column, says), *_) = mistakes(f'{HEAD}[[changes]]\npath = "{path}"\nvalue = 800\n')
    assert (line, column) == (6, 1)
    assert ", not 800." in says
    assert "object" not in says
    assert "such as" in says or " with " in says, says


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        ('path = "/rules/hand"\nvalue = 9', 6, '"hand" is a table such as {2 = 8}, not 9.'),
        ('path = "/rules/pack/ranks"\nvalue = "AKQ"', 6, '"ranks" is a list such as ["A", "T", "K", "Q", "J", "9", "8", "7"], not "AKQ".'),
        ('path = "rules/hand/2"\nvalue = 9', 5, 'A `path` begins with /rules/ (perhaps "/rules/hand/2" is meant).'),
        ('path = "/hand/2"\nvalue = 9', 5, 'A `path` begins with /rules/ (perhaps "/rules/hand/2" is meant).'),
        ('path = "rules.hand.2"\nvalue = 9', 5, 'A `path` begins with /rules/ (perhaps "/rules/hand/2" is meant).'),
        ('path = "/options/0"\nvalue = 9', 5, "A `path` begins with /rules/."),
        ('value = 9\npath = "/rules/hnd/2"', 6, '/rules/hnd/2 leads nowhere: there is no "hnd" (perhaps "hand" is meant).'),
        ('path = "/rules/melds/beziqe/points"\nvalue = 9', 5, '/rules/melds/beziqe/points leads nowhere: there is no "beziqe" (perhaps "bezique" is meant).'),
        ('path = "/rules/hand/2"\nop = "test"\nvalue = 9', 6, 'The `op` of a change is replace, add or remove, not "test".'),
        ('path = "/rules/hand/2"\nop = "remove"\nvalue = 9', 7, "A change that removes something has no `value`."),
        ('path = "/rules/hand/2"', 4, "A change has a `value`, unless its `op` is remove."),
        ('value = 9', 4, 'A change has a `path` such as "/rules/hand/2", and a `value`.'),
        ('path = "/rules/hand/2"\nvalue = 9\nwhy = ""', 7, 'A change has no "why": it has `op`, `path` and `value`.'),
    ],
)  # fmt: skip
def test_a_mistake_in_a_change_is_told_where_it_stands(change: str, line: int, says: str) -> None:
    """One change may be written as a table of its own, or as one of several."""
    for header in ("[changes]", "[[changes]]") if line > 5 else ("[[changes]]",):
        ((found, column, said),) = mistakes(f"{HEAD}{header}\n{change}\n")
        assert (column, said) == (1, says)
        assert found == line or header == "[changes]"


@pytest.mark.parametrize("own_id", ["ours2", "Ours", "our game", ""])
def test_what_an_id_may_have_is_told(own_id: str) -> None:
    ((line, _, says),) = mistakes(HEAD.replace("ours", own_id))
    words = "An id has small letters and hyphens, no digits, capitals or blanks: it is"
    assert (line, says) == (2, f'{words} "{own_id}".')


def test_changes_need_something_to_change() -> None:
    text = json.dumps({"id": "ours", "name": "Ours", "changes": []}, indent=1)
    assert mistakes(text, toml=False) == [
        (4, 13, "Changes need a `base`: the id of the rulebook that they change.")
    ]


def test_json_has_objects_where_toml_has_tables() -> None:
    change = {"path": "/rules/hand", "value": 9}
    text = json.dumps({"base": "zique", "id": "ours", "name": "Ours", "changes": [change]})
    ((_, _, says),) = mistakes(text, toml=False)
    assert says == '"hand" is an object such as {"2": 8}, not 9.'
