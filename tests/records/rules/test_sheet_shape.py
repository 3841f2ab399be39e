"""What is not of its type is told in sentences, without the words of a programming language."""

import json
import re
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.inspect import Metadata, StrType, StructType, Type, type_info

from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER
from records.rules.sheet_shape import PATTERN_WORDS, shape_mistakes
from records.rules.vocabulary import RuleSheet
from tests.records.rules.damaged_sheets import damage

BEZIQUE = json.loads((SHEETS_FOLDER / "bezique.json").read_bytes())
del BEZIQUE["$schema"]


def with_value(path: str, value: Any) -> Any:
    """The sheet with another value at a path."""
    data = json.loads(json.dumps(BEZIQUE))
    *way, last = path.split("/")[1:]
    part = data
    for step in way:
        part = part[int(step)] if isinstance(part, list) else part[step]
    part[int(last) if isinstance(part, list) else last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("/name", 3, "A text that is not empty is wanted here, not 3."),
        ("/id", "ours\n", 'A word of small letters and hyphens is wanted here, not "ours\\n".'),
        ("/edition", 0, "A number of at least 1 is wanted here, not 0."),
        ("/rules/dix/points", "ten", 'A number of at least 0 is wanted here, not "ten".'),
        ("/rules/dix/points", 1.5, "A number of at least 0 is wanted here, not the fraction 1.5."),
        ("/rules/dix/played", 1, "True or false is wanted here, not 1."),
        ("/rules/dix/show", "sometimes", '"never", "after_trick_won" or "at_any_time" is wanted here, not "sometimes".'),
        ("/rules/hand", [8], "An object is wanted here, not a list."),
        ("/rules/hand/7", 8, "A number from 2 to 6 is wanted here, not 7."),
        ("/rules/melds", {}, "A list is wanted here, not an object."),
        ("/rules/pack/ranks/0", "10", 'A rank (A, K, Q, J, T or 9 to 2) is wanted here, not "10".'),
        ("/rules/bezique_cards/S/0", "DQ", 'A card such as QS is wanted here, not "DQ".'),
        ("/rules/trumps/by", "chance", '"by" must be "turn_up", "first_meld" or "nothing".'),
        ("/rules/phases/0/melds", 10**30, "A number of at least 0 or null is wanted here, not so large a number."),
        ("/rules/cut", True, "An object or null is wanted here, not true."),
    ],
)  # fmt: skip
def test_a_value_of_another_type(path: str, value: Any, says: str) -> None:
    at = path if "by" not in path else "/rules/trumps"
    assert list(shape_mistakes(with_value(path, value))) == [(at, says)]


def test_every_pattern_of_the_types_has_words() -> None:
    assert patterns(type_info(RuleSheet), set()) == set(PATTERN_WORDS)


def patterns(kind: Type, seen: set[type]) -> set[str]:
    """The patterns of texts in a type and all in it."""
    if isinstance(kind, Metadata):
        return patterns(kind.type, seen)
    if isinstance(kind, StrType):
        return {kind.pattern} if kind.pattern else set()
    parts = list(getattr(kind, "types", ()))
    if isinstance(kind, StructType):
        if kind.cls in seen:
            return set()
        seen.add(kind.cls)
        parts += [field.type for field in kind.fields]
    parts += [
        getattr(kind, name)
        for name in ("item_type", "key_type", "value_type")
        if hasattr(kind, name)
    ]
    return {pattern for part in parts for pattern in patterns(part, seen)}


@pytest.mark.long
def test_what_has_the_right_shape_can_be_read() -> None:
    """The types themselves are the second opinion, but for numbers beyond all bounds and a line break after a name."""
    random = Random(45)
    answers = set()
    for number in range(600):
        data = json.loads((SHEETS_FOLDER / f"{ALL_SHEETS[number % 12].id}.json").read_bytes())
        del data["$schema"]
        damage(data, random)
        found = list(shape_mistakes(data))
        try:
            msgspec.convert(data, RuleSheet, str_keys=True)
        except msgspec.ValidationError:
            assert found
        else:
            known = [
                says
                for _, says in found
                if re.search(r"no member|so large|\\n\"\.$|-?10{6,}\.$", says)
            ]
            assert len(known) == len(found), found
        answers.add(bool(found))
    assert answers == {True, False}
