"""A text as plain JSON values, with what Python's reader would lose: double members, and how numbers are written."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from records.codec.location import RecordPath, make_finding, quote_value
from records.record import MAX_NESTING_DEPTH
from records.validate.finding import Finding


class Unreadable(Exception):
    """Nothing more of the text can be read; the finding says why."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class ObjectMembers(list[tuple[str, Any]]):
    """The members of an object as written, with members of the same name."""


class RealNumber(float):
    """A number with a fraction or an exponent, and how it was written."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class HugeInteger(str):
    """An integer with too many digits for any number of a record; it stays a text."""


class NonFiniteNumber(str):
    """NaN or Infinity, which Python's parser accepts although JSON has neither."""


def _integer(text: str) -> int | HugeInteger:
    return int(text) if len(text) <= 20 else HugeInteger(text)


_PARSER = json.JSONDecoder(
    object_pairs_hook=ObjectMembers,
    parse_float=RealNumber,
    parse_int=_integer,
    parse_constant=NonFiniteNumber,
)
_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)


def decode_utf8(data: bytes) -> str:
    """The characters of a text; raises Unreadable."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        _stop_at_bytes(data, error)


def parse_json(data: bytes) -> Any:
    """The JSON values of a text, with members of the same name; raises Unreadable."""
    text = decode_utf8(data)
    _stop_if_too_deep(text)
    try:
        return _PARSER.decode(text)
    except json.JSONDecodeError as error:
        _stop_at_syntax(text, error)


def find_double_member(data: bytes) -> Finding | None:
    """What is wrong with a JSON text in which an object has two members of one name, or that cannot be read at all."""
    try:
        return next(_double_members(parse_json(data), ()), None)
    except Unreadable as stop:
        return stop.finding


def _double_members(value: Any, path: RecordPath) -> Iterator[Finding]:
    if isinstance(value, ObjectMembers):
        seen = set()
        for name, item in value:
            if name in seen:
                yield make_finding("duplicate-member", (*path, name), found=quote_value(name))
            seen.add(name)
            yield from _double_members(item, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _double_members(item, (*path, index))


def _stop_at_bytes(data: bytes, error: UnicodeDecodeError) -> NoReturn:
    clause = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "byte"
    found = f"0x{data[error.start]:02x}"
    raise Unreadable(
        make_finding("not-utf8", clause=clause, byte=error.start + 1, found=found)
    ) from None


def _stop_if_too_deep(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        bracket = match[0]
        depth += (bracket in "[{") - (bracket in "]}")
        if depth > MAX_NESTING_DEPTH:
            where = f"at {_line_and_column(text, match.start())}"
            raise Unreadable(make_finding("too-deep", limit=MAX_NESTING_DEPTH, where=where))


def _stop_at_syntax(text: str, error: json.JSONDecodeError) -> NoReturn:
    if error.msg == "Extra data":
        clause = "more-text"
    else:
        clause = "cut-off" if error.pos >= len(text.rstrip()) else "syntax"
    found = quote_value(text[error.pos : error.pos + 20]) if error.pos < len(text) else None
    finding = make_finding(
        "not-json",
        clause=clause,
        where=_line_and_column(text, error.pos),
        problem=error.msg[0].lower() + error.msg[1:].removesuffix(" at"),
        found=found,
    )
    raise Unreadable(finding) from None


def _line_and_column(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f"column {column}" if "\n" not in text.strip() else f"line {line}, column {column}"
