"""What to write in a rulebook of one's own in place of a value that has not the form that is wanted: what a published one has there."""

import json
from typing import Any

import msgspec

from records.phrases import join_words, pluralize
from records.pointers import pointer_names
from records.rules.registry import ALL_SHEETS, value_at
from records.rules.sheet_shape import quoted

LONGEST_EXAMPLE = 60
"""In characters; of what is longer only the names of its members are told."""
WORDS_OF_PARTS = ("An object", "A list")
"""How the sentences begin that want something with parts in place of a single value."""


def words_with_example(at: str, says: str, base: object, *, toml: bool) -> str:
    """The sentence about a value of a file, with an example where something with parts is wanted."""
    if at == "/id" and "small letters" in says:
        return f"An id has small letters and hyphens, no digits, capitals or blanks: it is {_instead(says)}"
    known = _published(at, base)
    if not says.startswith(WORDS_OF_PARTS) or not known:
        return says
    noun = "a list" if isinstance(known, list) else "a table" if toml else "an object"
    example, more = f"such as {_written(known, toml=toml)}", ""
    if len(example) > LONGEST_EXAMPLE:
        first = "0" if isinstance(known, list) else next(iter(known))
        example = f"with {pluralize(len(known), 'item') if isinstance(known, list) else join_words(known)}"
        more = f" The path {at}/{first} leads to one of them."
    return f"{_called(at)} is {noun} {example}, not {_instead(says)}{more}"


def _called(at: str) -> str:
    """A value by its name, or by that of the list in which it stands."""
    *_, before, name = ["", *pointer_names(at)]
    return f"An item of {quoted(before)}" if name.isdigit() else quoted(name)


def _instead(says: str) -> str:
    """What a sentence says that stands there, with the full stop."""
    return says.rpartition(", not ")[2]


def _published(at: str, base: object) -> Any:
    """What the base has at a pointer, if it has parts, or the first rulebook with some there; None if none has."""
    for sheet in sorted(ALL_SHEETS, key=lambda sheet: sheet.id != base):
        try:
            found = value_at(msgspec.json.decode(msgspec.json.encode(sheet)), f"/{at}")
        except LookupError:
            continue
        if isinstance(found, dict | list) and found:
            return found
    return None


def _written(value: Any, *, toml: bool) -> str:
    """A value on one line, as a file has it."""
    if toml and isinstance(value, dict):
        members = (f"{name} = {_written(part, toml=True)}" for name, part in value.items())
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_written(part, toml=toml) for part in value)}]"
    return json.dumps(value, ensure_ascii=False)
