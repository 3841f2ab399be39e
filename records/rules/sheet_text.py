"""The text of a sheet's file: its values, and where each stands, so that a mistake is told with its line and column."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from records.errors import BeziqueError
from records.pointers import nearest_value, pointer_step, value_offsets


class SheetMistake(NamedTuple):
    """A mistake in a file: line and column, from 1, and a sentence."""

    line: int
    column: int
    says: str


class SheetError(BeziqueError):
    """A file is no sheet that can be played by; `mistakes` are those found, in the order of the file."""

    def __init__(self, mistakes: list[SheetMistake]) -> None:
        super().__init__("\n".join(f"{line}:{column}: {says}" for line, column, says in mistakes))
        self.mistakes = mistakes


Mistakes = Iterator[tuple[str, str]]
"""For each mistake a JSON Pointer, into the file or into the sheet that it makes, and a sentence."""

SHEET_FORMAT = "bezique-sheet"
LARGEST_SHEET_BYTES = 128 * 1024
"""A file may have so many bytes: the largest published sheet has a third of that."""
MOST_MISTAKES = 100
"""So many mistakes of a file are told at once."""


@dataclass(frozen=True, slots=True)
class SheetText:
    """The text of a file and the object that it stands for."""

    text: str
    toml: bool
    value: dict[str, Any]

    def error(self, mistakes: Iterable[tuple[str, str]]) -> SheetError:
        """These mistakes, each in its place."""
        told = list(islice(mistakes, MOST_MISTAKES))
        places = find_places(self.text, [at for at, _ in told], toml=self.toml)
        return SheetError(
            sorted({SheetMistake(*at, says) for at, (_, says) in zip(places, told, strict=True)})
        )


def read_text(data: bytes, *, toml: bool) -> SheetText:
    """The object of a file; raises SheetError."""
    if len(data) > LARGEST_SHEET_BYTES:
        most = f"A sheet has at most {LARGEST_SHEET_BYTES:,} bytes"
        raise _error(1, 1, f"{most}, and this file has {len(data):,}.")
    text = _decoded(data)
    try:
        value, mistakes = _toml(text) if toml else _json(text)
    except RecursionError as error:
        raise _error(1, 1, "The file is nested too deeply.") from error
    if not isinstance(value, dict):
        raise _error(1, 1, "A sheet is an object with members.")
    read = SheetText(text, toml, value)
    if mistakes:
        raise read.error(mistakes)
    return read


def _error(line: int, column: int, says: str) -> SheetError:
    return SheetError([SheetMistake(line, column, says)])


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        raise _error(
            *line_and_column(before, len(before)), "Here the file is not UTF-8."
        ) from error


# Where the values stand.


def find_places(text: str, pointers: Iterable[str], *, toml: bool) -> list[tuple[int, int]]:
    """Line and column of each value, both from 1; of one that is not written, those of the nearest thing around it.

    The text is JSON or TOML from its first character to its last.
    """
    wanted = list(pointers)
    offsets = toml_offsets(text) if toml else value_offsets(text, wanted)
    top = 0 if toml else len(text) - len(text.lstrip())
    return [line_and_column(text, nearest_value(offsets, each) or top) for each in wanted]


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The place of a character."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*",
    re.DOTALL,
)
_KEY_PART = re.compile(r"[\w-]+")
_KEY = re.compile(r"[ \t]*(\[?\[?)[ \t]*([\w-]+(?:[ \t]*\.[ \t]*[\w-]+)*)[ \t]*[=\]]")
_LINE = re.compile(r"[^\n]+")


def toml_offsets(text: str) -> dict[str, int]:
    """The offsets of the tables and keys, by pointer; what stands in an inline value has none of its own."""
    offsets: dict[str, int] = {}
    table, depth, counts = "", 0, dict[str, int]()
    masked = _STRING_OR_COMMENT.sub(_mask, text)
    for line in _LINE.finditer(masked):
        found = _KEY.match(line[0]) if not depth else None
        if found is None or not found[1]:
            depth += sum(line[0].count(sign) for sign in "[{") - sum(map(line[0].count, "]}"))
        if found is None:
            continue
        start = line.start()
        names = _key_names(text[start + found.start(2) : start + found.end(2)], found[2])
        at = start + len(line[0]) - len(line[0].lstrip())
        if found[1]:
            table = _table(names, counts, in_list=found[1] == "[[")
            offsets.setdefault(table, at)
        else:
            for count in range(1, len(names) + 1):
                key = "".join(f"/{pointer_step(name)}" for name in names[:count])
                offsets.setdefault(table + key, at)
    return offsets


def _mask(found: re.Match[str]) -> str:
    """As many signs that no bracket, key or comment begins with."""
    return re.sub(r"[^\n]", " " if found[0][0] == "#" else "_", found[0])


def _key_names(written: str, masked: str) -> list[str]:
    """The names of a dotted key."""
    return [_name(written[part.start() : part.end()]) for part in _KEY_PART.finditer(masked)]


def _name(written: str) -> str:
    return str(tomllib.loads(f"name = {written}")["name"]) if written[0] in "\"'" else written


def _table(names: list[str], counts: dict[str, int], *, in_list: bool) -> str:
    """The pointer of a table; one in a list of tables is the latest of it, or with `in_list` the next."""
    pointer = ""
    for number, name in enumerate(names, 1):
        pointer += f"/{pointer_step(name)}"
        if in_list and number == len(names):
            counts[pointer] = counts.get(pointer, -1) + 1
        if pointer in counts:
            pointer += f"/{counts[pointer]}"
    return pointer


# A text of JSON as plain values, with what Python's reader would lose or let pass.


class _Members(list[tuple[str, Any]]):
    """The members of an object as written, with members of the same name."""


class _NoNumber(str):
    """NaN or Infinity, which JSON has not."""

    __slots__ = ()


_PARSER = json.JSONDecoder(object_pairs_hook=_Members, parse_constant=_NoNumber)
_TOO_MANY_DIGITS = "A number has too many digits."
_WORDS_OF_JSON = {
    "Expecting value": "a value is missing here",
    "Expecting property name": "a name in double quotes is missing here",
    "Expecting ':'": "a colon is missing here",
    "Expecting ','": "a comma is missing here",
    "Extra data": "there is more text after the end of the object",
    "Unterminated string": "the text that begins here has no closing quote",
    "Invalid control character": "a text has no line breaks or other control characters in it",
    "Invalid \\": "no such sign may follow a backslash",
    "Illegal trailing comma": "no comma stands before a closing bracket",
}
"""What a reader of Python says, by its first words, in ours."""


def _json(text: str) -> tuple[Any, list[tuple[str, str]]]:
    try:
        value = _PARSER.decode(text)
    except json.JSONDecodeError as error:
        says = _in_our_words(error.msg, _WORDS_OF_JSON)
        raise _error(error.lineno, error.colno, f"This is not JSON: {says}.") from error
    except ValueError as error:  # Python reads no number of so many digits
        raise _error(1, 1, _TOO_MANY_DIGITS) from error
    return _plain(value), list(islice(_json_mistakes(value, ""), MOST_MISTAKES))


def _in_our_words(says: str, known: dict[str, str]) -> str:
    return next(
        (ours for start, ours in known.items() if says.startswith(start)), "it cannot be read here"
    )


def _plain(value: Any) -> Any:
    if isinstance(value, _Members):
        return {name: _plain(part) for name, part in value}
    return [_plain(part) for part in value] if isinstance(value, list) else value


def _json_mistakes(value: Any, at: str) -> Mistakes:
    if isinstance(value, _Members):
        yield from _member_mistakes(value, at)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _json_mistakes(part, f"{at}/{number}")
    elif isinstance(value, _NoNumber):
        yield at, f"{value} is no number of JSON."
    elif isinstance(value, str) and not _is_whole(value):
        yield at, "This text has half of a character."


def _member_mistakes(members: _Members, at: str) -> Mistakes:
    seen = set()
    for name, part in members:
        here = f"{at}/{pointer_step(name)}"
        if not _is_whole(name):
            yield at, "A name here has half of a character."
        elif name in seen:
            yield here, f"The member {json.dumps(name, ensure_ascii=False)} stands here twice."
        seen.add(name)
        yield from _json_mistakes(part, here)


def _is_whole(text: str) -> bool:
    return text.isascii() or text.encode("utf-8", "replace").decode() == text


# A text of TOML.

_WORDS_OF_TOML = {
    "Invalid statement": "no key, table or comment begins like this",
    "Invalid value": "a value is missing here",
    "Invalid initial character for a key": "a key is missing here",
    "Expected '=": "an equals sign is missing after the key",
    "Expected newline": "the line goes on after its end",
    "Expected ']": "a closing bracket is missing here",
    "Cannot overwrite": "this key has a value already",
    "Cannot declare": "this table stands here already",
    "Cannot redefine": "this table stands here already",
    "Cannot mutate": "this table is complete already",
    "Duplicate inline table key": "this key has a value already",
    "Unclosed array": "a list has no closing bracket",
    "Unclosed inline table": "a table has no closing bracket",
    "Unterminated string": "a text has no closing quote",
    "Expected \"'": "a text has no closing quote",
    "Unescaped": "no such sign may follow a backslash",
    "Illegal character": "no such sign may stand here",
}


def _toml(text: str) -> tuple[Any, list[tuple[str, str]]]:
    if (found := _LONG_KEY.search(text)) is not None:
        place = line_and_column(text, found.start())
        raise _error(*place, f"A key has at most {_MOST_KEY_PARTS} parts.")
    try:
        return tomllib.loads(text), []
    except tomllib.TOMLDecodeError as error:
        says, _, where = str(error).partition(" (at line ")
        line, _, column = where.rstrip(")").partition(", column ")
        at = (int(line), int(column)) if column else line_and_column(text, len(text))
        says = f"This is not TOML: {_in_our_words(says, _WORDS_OF_TOML)}."
        raise _error(*at, says) from error
    except ValueError as error:
        raise _error(1, 1, _TOO_MANY_DIGITS) from error


_MOST_KEY_PARTS = 40
"""Python's reader needs minutes for a key of 50,000 parts."""
_LONG_KEY = re.compile(
    r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+)"
    f"{{{_MOST_KEY_PARTS}}}"
)
