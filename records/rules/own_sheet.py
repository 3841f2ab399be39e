"""A rule sheet of one's own, read from a file and refused with every mistake in its place.

The file is JSON or TOML: a whole sheet as the published ones are, or a `base` with `changes` to its rules. What follows from
the rest (`records.rules.complete`) may be left out, and is made anew.
"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import msgspec

from records.phrases import join_words
from records.rules.complete import SHEET_VERSION, complete_rules, complete_sheet
from records.rules.registry import ALL_SHEETS
from records.rules.sheet_mistakes import sheet_mistakes, value_mistakes
from records.rules.value_places import (
    ValuePlaces,
    escaped,
    json_places,
    line_and_column,
    place_at,
    toml_places,
)
from records.rules.vocabulary import RuleSheet


class SheetMistake(NamedTuple):
    """A mistake in a file: line and column, from 1, and a sentence."""

    line: int
    column: int
    says: str


class SheetError(Exception):
    """A file is no sheet that can be played by; `mistakes` are all that were found, in the order of the file."""

    def __init__(self, mistakes: list[SheetMistake]) -> None:
        super().__init__("\n".join(f"{line}:{column}: {says}" for line, column, says in mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class _Written:
    """What a file says: the sheet as data, and where each value of it was written."""

    data: dict[str, Any]
    places: ValuePlaces
    origins: dict[str, str]
    """For what a change has set, the pointer of that change in the file."""

    def place(self, pointer: str) -> tuple[int, int]:
        """Where a value was written; of one that the base has and no change, where the base is named."""
        inner = pointer
        while inner and inner not in self.origins:
            inner = inner.rpartition("/")[0]
        kept = "/base" if pointer.startswith("/rules") and "/base" in self.places else pointer
        return place_at(self.places, self.origins.get(inner, kept))


NUMBER_TOO_LONG = "A number has too many digits."
LARGEST_SHEET_BYTES = 128 * 1024
"""A file may have so many bytes: the largest published sheet has a third of that, and places are looked for in all of it."""


def read_own_sheet(data: bytes, *, toml: bool = False) -> RuleSheet:
    """The sheet of a file; raises SheetError with all that is wrong with it."""
    if len(data) > LARGEST_SHEET_BYTES:
        says = (
            f"A sheet has at most {LARGEST_SHEET_BYTES:,} bytes, and this file has {len(data):,}."
        )
        raise SheetError([SheetMistake(1, 1, says)])
    try:
        written = _written(data, toml=toml)
    except RecursionError as error:
        raise SheetError([SheetMistake(1, 1, "The file is nested too deeply.")]) from error
    found = list(_shape_mistakes(written.data, RuleSheet, ""))
    if not found:
        sheet = msgspec.convert(written.data, RuleSheet, str_keys=True)
        found = list(value_mistakes(sheet.rules))
    if not found:
        sheet = msgspec.structs.replace(sheet, rules=complete_rules(sheet.rules))
        found = list(sheet_mistakes(sheet))
        if not found:
            return complete_sheet(sheet)
    raise SheetError(sorted({SheetMistake(*written.place(at), says) for at, says in found}))


def _written(data: bytes, *, toml: bool) -> _Written:
    text = _text(data)
    value, places = _toml(text) if toml else _json(text)
    if not isinstance(value, dict):
        raise SheetError([SheetMistake(1, 1, "A sheet is an object with members.")])
    value.pop("$schema", None)
    written = _with_base(value, places) if "base" in value else _Written(value, places, {})
    _add_what_follows(written.data)
    return written


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = line_and_column(data[: error.start].decode(), error.start)
        raise SheetError([SheetMistake(line, column, "Here the file is not UTF-8.")]) from error


def _json(text: str) -> tuple[Any, ValuePlaces]:
    try:
        return json.loads(text), json_places(text)
    except json.JSONDecodeError as error:
        mistake = SheetMistake(error.lineno, error.colno, f"This is not JSON: {error.msg}.")
        raise SheetError([mistake]) from error
    except ValueError as error:  # Python reads no number of so many digits
        raise SheetError([SheetMistake(1, 1, NUMBER_TOO_LONG)]) from error


def _toml(text: str) -> tuple[Any, ValuePlaces]:
    try:
        return tomllib.loads(text), toml_places(text)
    except tomllib.TOMLDecodeError as error:
        says, _, place = str(error).partition(" (at line ")
        line, _, column = place.rstrip(")").partition(", column ")
        at = (int(line), int(column)) if column else line_and_column(text, len(text))
        raise SheetError([SheetMistake(*at, f"This is not TOML: {says}.")]) from error
    except ValueError as error:
        raise SheetError([SheetMistake(1, 1, NUMBER_TOO_LONG)]) from error


# A base with changes.

_FROM_BASE = (
    "format",
    "version",
    "edition",
    "says",
    "rules",
    "options",
    "articles",
    "laws",
    "sources",
)


def _with_base(value: dict[str, Any], places: ValuePlaces) -> _Written:
    """The sheet that a base becomes by the changes of a file."""
    known = {sheet.id: sheet for sheet in ALL_SHEETS}
    base = known.get(str(value["base"]))
    if base is None:
        meant = _meant(str(value["base"]), list(known))
        says = f"There is no rulebook {json.dumps(value['base'])}{meant}."
        raise SheetError([SheetMistake(*place_at(places, "/base"), says)])
    told = msgspec.json.decode(msgspec.json.encode(base))
    data = {name: told[name] for name in _FROM_BASE if name in told}
    changes = value.pop("changes", [])
    del value["base"]
    laws = value.pop("laws", [])
    data |= value | {"laws": [*data["laws"], *laws] if isinstance(laws, list) else laws}
    origins, mistakes = dict[str, str](), list[SheetMistake]()
    for number, change in enumerate(changes if isinstance(changes, list) else [changes]):
        try:
            origins[_change(data, change)] = f"/changes/{number}"
        except LookupError as error:
            at = place_at(places, f"/changes/{number}")
            mistakes.append(SheetMistake(*at, str(error.args[0])))
    if mistakes:
        raise SheetError(mistakes)
    return _Written(data, places, origins)


def _change(data: dict[str, Any], change: Any) -> str:
    """Make one change, and return the pointer of what it set; raises LookupError with a sentence."""
    if not isinstance(change, dict) or not str(change.get("path", "")).startswith("/rules/"):
        raise LookupError("A change has a `path` that begins with /rules/, and a `value`.")
    operation = change.get("op", "replace")
    if operation not in ("replace", "add", "remove") or ("value" in change) == (
        operation == "remove"
    ):
        raise LookupError(
            "A change replaces or adds a `value`, or it has `op` remove and no value."
        )
    part: Any = data
    pointer = ""
    *way, last = change["path"].split("/")[1:]
    for step in way:
        name = _step(part, step, change["path"])
        part, pointer = part[name], f"{pointer}/{name}"
    if operation == "add" and isinstance(part, list) and last == "-":
        part.append(change["value"])
        return f"{pointer}/{len(part) - 1}"
    name = (
        last if operation == "add" and isinstance(part, dict) else _step(part, last, change["path"])
    )
    if operation == "remove":
        del part[name]
        return pointer
    part[name] = change["value"]
    return f"{pointer}/{name}"


def _step(part: Any, step: str, path: str) -> Any:
    """A member of an object; of a list, the number of the item with this number, `name` or `words`."""
    if isinstance(part, dict) and step in part:
        return step
    if isinstance(part, list):
        named = [
            number
            for number, item in enumerate(part)
            if step == str(number)
            or (isinstance(item, dict) and step in (item.get("words"), item.get("name")))
        ]
        by_words = [
            number
            for number in named
            if isinstance(part[number], dict) and part[number].get("words") == step
        ]
        if len(by_words or named) == 1:
            return (by_words or named)[0]
        if named:
            words = join_words([json.dumps(part[number].get("words")) for number in named], "or")
            raise LookupError(f"{path} fits several: name one of them by its words, {words}.")
    known = list(part) if isinstance(part, dict) else []
    if isinstance(part, list):
        known = [item.get("words") or item.get("name") for item in part if isinstance(item, dict)]
    raise LookupError(f"{path} leads nowhere: there is no {json.dumps(step)}{_meant(step, known)}.")


def _add_what_follows(data: dict[str, Any]) -> None:
    """Put in what may be left out, as far as it can be told yet; `complete_sheet` makes it right."""
    for name, value in (("format", "bezique-sheet"), ("version", SHEET_VERSION), ("edition", 1)):
        data.setdefault(name, value)
    for name in ("options", "articles", "laws", "sources"):
        data.setdefault(name, [])
    rules = data.get("rules")
    for part, member, given in (
        ("pack", "cards", 0),
        ("phases", "must_play", None),
        ("melds", "sets", None),
    ):
        found = rules.get(part) if isinstance(rules, dict) else None
        for item in found if isinstance(found, list) else [found]:
            if isinstance(item, dict):
                item.setdefault(member, given)


# Mistakes of shape: what does not fit the types.


def _shape_mistakes(value: Any, kind: Any, at: str) -> Iterator[tuple[str, str]]:
    """Every value that is not of its type, every member that is missing or unknown: its pointer, and a sentence."""
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    structs = [each for each in (bare, *get_args(bare)) if _is_struct(each)]
    if structs and isinstance(value, dict):
        yield from _of_structs(value, structs, at)
    elif get_origin(bare) is tuple and isinstance(value, list):
        for number, part in enumerate(value):
            yield from _shape_mistakes(part, get_args(bare)[0], f"{at}/{number}")
    else:
        yield from _of_plain_type(value, kind, at)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _of_structs(value: dict[str, Any], structs: list[Any], at: str) -> Iterator[tuple[str, str]]:
    """An object, of several kinds the one that its tag says."""
    tags = {each.__struct_config__.tag: each for each in structs}
    config: Any = structs[0].__struct_config__
    field: str | None = config.tag_field
    tag = value.get(field) if field else None
    chosen = tags.get(tag) if isinstance(tag, str | None) else None
    if chosen is None:
        known = join_words([json.dumps(tag) for tag in tags], "or")
        yield at, f"{json.dumps(field)} must be {known}."
        return
    fields = {each.encode_name: each for each in msgspec.structs.fields(chosen)}
    for name in sorted(value.keys() - fields.keys() - {field}):
        known_names = [*fields]
        yield (
            f"{at}/{escaped(name)}",
            f"There is no member {json.dumps(name)} here{_meant(name, known_names)}.",
        )
    for name, member in fields.items():
        if name in value:
            yield from _shape_mistakes(value[name], member.type, f"{at}/{escaped(name)}")
        else:
            yield at, f"The member {json.dumps(name)} is missing."


def _of_plain_type(value: Any, kind: Any, at: str) -> Iterator[tuple[str, str]]:
    try:
        msgspec.convert(value, kind, str_keys=True)
    except msgspec.ValidationError as error:
        says, _, inner = str(error).replace("`", "").partition(" - at $")
        yield at, f"{says}{f' ({inner})' if inner else ''}."


def _meant(word: str, known: list[str]) -> str:
    close = get_close_matches(word, [each for each in known if each], n=1)
    return f" (perhaps {json.dumps(close[0])} is meant)" if close else ""
