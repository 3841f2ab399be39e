"""A rule sheet of one's own, read from a file and refused with every mistake in its place.

The file is JSON or TOML: a whole sheet as the published ones are, or a `base` with `changes` to its rules. What follows from
the rest (`records.rules.complete`) may be left out, and is made anew.
"""

from collections.abc import Callable
from copy import deepcopy
from itertools import islice
from typing import Any

import msgspec

from records.rules.complete import SHEET_VERSION, complete_rules, complete_sheet, differing
from records.rules.sheet_changes import WrittenSheet, with_base
from records.rules.sheet_mistakes import sheet_mistakes, value_mistakes
from records.rules.sheet_shape import quoted, shape_mistakes
from records.rules.sheet_text import MOST_MISTAKES, Mistakes, read_text
from records.rules.vocabulary import RuleSheet


def read_own_sheet(data: bytes, *, toml: bool = False) -> RuleSheet:
    """The sheet of a file; raises SheetError with what is wrong with it."""
    file = read_text(data, toml=toml)
    file.value.pop("$schema", None)
    written = with_base(file) if "base" in file.value else WrittenSheet(file.value)
    said = deepcopy(written.data)
    _add_what_follows(written.data)

    def stop_at(mistakes: Mistakes) -> None:
        if found := [(written.place(at), says) for at, says in islice(mistakes, MOST_MISTAKES)]:
            raise file.error(found)

    stop_at(shape_mistakes(written.data))
    return _checked(msgspec.convert(written.data, RuleSheet, str_keys=True), written, said, stop_at)


def _checked(
    sheet: RuleSheet,
    written: WrittenSheet,
    said: dict[str, Any],
    stop_at: Callable[[Mistakes], None],
) -> RuleSheet:
    """The sheet with what follows from it, if all of it can be played by."""
    stop_at(value_mistakes(sheet.rules))
    sheet = msgspec.structs.replace(sheet, rules=complete_rules(sheet.rules))
    stop_at(sheet_mistakes(sheet))
    sheet = complete_sheet(sheet)
    stop_at(_ignored(said, sheet, written))
    return sheet


def _add_what_follows(data: dict[str, Any]) -> None:
    """Put in what may be left out, as far as it can be told yet; `complete_sheet` makes it right."""
    for name, value in (("format", "bezique-sheet"), ("version", SHEET_VERSION), ("edition", 1)):
        data.setdefault(name, value)
    for name in ("options", "articles", "laws", "sources"):
        data.setdefault(name, [])
    rules = data.get("rules")
    for part, member, given in _FOLLOWING:
        found = rules.get(part) if isinstance(rules, dict) else None
        for item in found if isinstance(found, list) else [found]:
            if isinstance(item, dict) and item.get("by") != "turns":
                item.setdefault(member, deepcopy(given))


_FOLLOWING: tuple[tuple[str, str, Any], ...] = (
    ("pack", "cards", 0), ("phases", "must_play", None), ("melds", "sets", None),
    ("play", "takes", []), ("play", "at_the_close", "nothing"), ("reuse", "forbids", []),
)  # fmt: skip
"""Members of the rules that follow from others, and what stands for them until they are made."""


# What a file says and its sheet does not: nothing may be ignored.


def _ignored(said: dict[str, Any], sheet: RuleSheet, written: WrittenSheet) -> Mistakes:
    """What follows from the rest of a sheet, and was written otherwise; what the base has is made anew."""
    made = msgspec.json.decode(msgspec.json.encode(sheet))
    for name in ("articles", "laws"):
        by_id = {each["id"]: each for each in made[name]}
        made[name] = [by_id.get(each["id"]) for each in said.get(name, [])]
    for at, value in differing(said, made):
        if not written.base or written.says(at):
            says = "nothing" if value is None else quoted(value)
            yield (
                at,
                f"This follows from the rest of the sheet and is {says}: write that, or leave it out.",
            )
