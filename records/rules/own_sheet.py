"""A rule sheet of one's own, read from a file and refused with every mistake in its place.

The file is JSON or TOML: a whole sheet as the published ones are, or a `base` with `changes` to its rules. What follows from
the rest (`records.rules.complete`) may be left out, and is made anew.
"""

from copy import deepcopy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from records.rules.complete import (
    SHEET_VERSION,
    complete_rules,
    complete_sheet,
    differing,
    settled_by_law,
)
from records.rules.registry import require_own_id
from records.rules.sheet_changes import WrittenSheet, with_base
from records.rules.sheet_examples import words_with_example
from records.rules.sheet_mistakes import options_left, sheet_mistakes, value_mistakes
from records.rules.sheet_shape import quoted, shape_mistakes
from records.rules.sheet_text import (
    MOST_MISTAKES,
    SHEET_FORMAT,
    Mistakes,
    SheetError,
    SheetText,
    read_text,
)
from records.rules.vocabulary import REUSE_RULES, RuleSheet


def read_own_sheet(data: bytes, *, toml: bool = False) -> RuleSheet:
    """The sheet of a file; raises SheetError with what is wrong with it."""
    file = read_text(data, toml=toml)
    file.value.pop("$schema", None)
    if "changes" in file.value and "base" not in file.value:
        raise file.error(
            [("/changes", "Changes need a `base`: the id of the rulebook that they change.")]
        )
    written = with_base(file) if "base" in file.value else WrittenSheet(file.value)
    said = deepcopy(written.data)
    try:
        sheet = _made(written)
        _stop_at(_ignored(said, sheet, written))
    except _Mistaken as error:
        base = file.value.get("base")
        told = [
            (_place(file, written, at, says), words_with_example(at, says, base, toml=toml))
            for at, says in error.found
        ]
        raise file.error(told) from None
    return sheet


def is_toml_file(path: Path) -> bool:
    """Whether the file of a sheet is TOML, and not JSON."""
    return path.suffix.lower() == ".toml"


def read_sheet_at(path: Path) -> RuleSheet:
    """The sheet of a file, in TOML or JSON, whose id is no other's; raises SheetError, SheetIdTaken and OSError."""
    sheet = read_own_sheet(path.read_bytes(), toml=is_toml_file(path))
    require_own_id(sheet)
    return sheet


MOST_CHANGES_TRIED = 12
"""So many changes are left out one by one to see which of them makes a mistake in what the base has."""


def _place(file: SheetText, written: WrittenSheet, at: str, says: str) -> str:
    """Where in the file a mistake is told: of what the base has, at the change without which the base would have none."""
    place = written.place(at)
    changes = file.value.get("changes")
    if place != "/base" or not isinstance(changes, list) or len(changes) > MOST_CHANGES_TRIED:
        return place
    for number in range(len(changes)):
        fewer = replace(
            file, value=file.value | {"changes": changes[:number] + changes[number + 1 :]}
        )
        if says not in _sentences(fewer):
            return f"/changes/{number}"
    return place


def _sentences(file: SheetText) -> list[str]:
    """What is wrong with a file."""
    try:
        _made(with_base(replace(file, value=deepcopy(file.value))))
    except _Mistaken as error:
        return [says for _, says in error.found]
    except SheetError as error:
        return [mistake.says for mistake in error.mistakes]
    return []


def sheet_of_data(data: dict[str, Any]) -> tuple[RuleSheet | None, list[tuple[str, str]]]:
    """The sheet that plain data says whole, or None and what is wrong with it; what follows from the rest is made anew.

    Whether the data says that otherwise is not looked at. The data is filled in.
    """
    try:
        return _made(WrittenSheet(data)), []
    except _Mistaken as error:
        return None, error.found


class _Mistaken(Exception):
    """What is wrong with a sheet: for each mistake a pointer into it, and a sentence."""

    def __init__(self, found: list[tuple[str, str]]) -> None:
        super().__init__(found)
        self.found = found


def _stop_at(mistakes: Mistakes) -> None:
    if found := list(islice(mistakes, MOST_MISTAKES)):
        raise _Mistaken(found)


def _made(written: WrittenSheet) -> RuleSheet:
    """The sheet with what follows from it, if all of it can be played by."""
    _add_what_follows(written.data)
    _stop_at(shape_mistakes(written.data))
    sheet = msgspec.convert(written.data, RuleSheet, str_keys=True)
    _stop_at(value_mistakes(sheet.rules))
    sheet = msgspec.structs.replace(sheet, rules=complete_rules(sheet.rules))
    if written.base and "options" not in written.members:
        sheet = msgspec.structs.replace(sheet, options=options_left(sheet))
    _stop_at(sheet_mistakes(sheet))
    return complete_sheet(sheet)


def _add_what_follows(data: dict[str, Any]) -> None:
    """Put in what may be left out, as far as it can be told yet; `complete_sheet` makes it right."""
    for name, value in (("format", SHEET_FORMAT), ("version", SHEET_VERSION), ("edition", 1)):
        data.setdefault(name, value)
    for name in ("options", "articles", "laws", "sources"):
        data.setdefault(name, [])
    for way, member, given in _FOLLOWING:
        for item in _items(data, way.split("/")):
            if item.get("by") != "turns":
                item.setdefault(member, deepcopy(given))
    for reuse in _items(data, ["rules", "reuse"]):
        if isinstance(law := reuse.get("law"), str) and law in REUSE_RULES:
            reuse |= dict(settled_by_law(law)) | reuse


def _items(part: Any, way: list[str]) -> list[dict[str, Any]]:
    """The objects at the end of a way; of a list on the way, all its items."""
    for name in way:
        parts = part if isinstance(part, list) else [part]
        part = []
        for each in parts:
            found = each.get(name) if isinstance(each, dict) else None
            part += found if isinstance(found, list) else [found]
    return [each for each in part if isinstance(each, dict)]


_FOLLOWING: tuple[tuple[str, str, Any], ...] = (
    ("rules/pack", "cards", 0), ("rules/phases", "must_play", None), ("rules/melds", "sets", None),
    ("rules/play", "takes", []), ("rules/play", "at_the_close", "nothing"), ("rules/reuse", "forbids", []),
    ("rules/phases/must_play", "plain_led", []), ("rules/phases/must_play", "trumps_led", []),
    ("rules/reuse/forbids", "given", {}), ("rules/reuse/forbids", "class", None), ("rules/reuse/forbids", "says", "-"),
    ("articles", "heading", "-"), ("articles", "says", []), ("articles", "follows", None), ("laws", "says", []),
)  # fmt: skip
"""Members that follow from others, and what stands for them until they are made."""


# What a file says and its sheet does not: nothing may be ignored.


def _ignored(said: dict[str, Any], sheet: RuleSheet, written: WrittenSheet) -> Mistakes:
    """What follows from the rest of a sheet, and was written otherwise; what the base has is made anew."""
    made = msgspec.json.decode(msgspec.json.encode(sheet))
    for name in ("articles", "laws"):
        by_id = {each["id"]: each for each in made[name]}
        made[name] = [by_id.get(each["id"]) for each in said.get(name, [])]
    for at, value in differing(said, made):
        if at == "/version":
            yield at, f"The version of this format is {quoted(value)}: write that, or leave it out."
        elif not written.base or written.says(at):
            says = "nothing" if value is None else quoted(value)
            yield (
                at,
                f"This follows from the rest of the sheet and is {says}: write that, or leave it out.",
            )
