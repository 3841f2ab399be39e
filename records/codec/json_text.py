"""A text as plain JSON values, with everything that a reader of records must not overlook."""

import json
import re
from typing import Any, NoReturn

from records.codec.location import make_finding, quote_value
from records.record import MAX_NESTING_DEPTH
from records.validate.finding import Finding


class Unreadable(Exception):
    """Nothing further can be read."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class ObjectMembers(list[tuple[str, Any]]):
    """The members of an object as written, like-named ones included."""


class RealNumber(float):
    """A number with a fraction or an exponent, and how it was written."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class HugeInteger(str):
    """An integer of so many digits that it is not worth computing."""


class NonFiniteNumber(str):
    """NaN or Infinity, which the parser lets pass though JSON has neither."""


def _integer(text: str) -> int | HugeInteger:
    return int(text) if len(text) <= 20 else HugeInteger(text)


_PARSER = json.JSONDecoder(
    object_pairs_hook=ObjectMembers,
    parse_float=RealNumber,
    parse_int=_integer,
    parse_constant=NonFiniteNumber,
)
_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)


def parse_json(data: bytes) -> Any:
    """The JSON values of a text; like-named members included; raises Unreadable."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        _stop_at_bytes(data, error)
    _stop_if_too_deep(text)
    try:
        return _PARSER.decode(text)
    except json.JSONDecodeError as error:
        _stop_at_syntax(text, error)


def _stop_at_bytes(data: bytes, error: UnicodeDecodeError) -> NoReturn:
    message = f"Byte {error.start + 1} is not UTF-8."
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        message = "The text is UTF-16; a record is written in UTF-8."
    raise Unreadable(
        make_finding("not-utf8", (), message, found=f"0x{data[error.start]:02x}")
    ) from None


def _stop_if_too_deep(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        bracket = match[0]
        depth += (bracket in "[{") - (bracket in "]}")
        if depth > MAX_NESTING_DEPTH:
            where = _line_and_column(text, match.start())
            message = f"Lists and objects are nested more than {MAX_NESTING_DEPTH} levels deep at {where}."
            raise Unreadable(make_finding("too-deep", (), message))


def _stop_at_syntax(text: str, error: json.JSONDecodeError) -> NoReturn:
    where = _line_and_column(text, error.pos)
    if error.msg == "Extra data":
        message = (
            f"The record is over, yet more text follows at {where}. Of several records, each stands on"
            " a line of its own, in a file named .jsonl."
        )
    elif error.pos >= len(text.rstrip()):
        message = f"The text breaks off at {where}, in the middle of the record."
    else:
        reason = error.msg[0].lower() + error.msg[1:].removesuffix(" at")
        message = f"This is not JSON at {where}: {reason}."
    found = quote_value(text[error.pos : error.pos + 20]) if error.pos < len(text) else None
    raise Unreadable(make_finding("not-json", (), message, found=found)) from None


def _line_and_column(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f"column {column}" if "\n" not in text.strip() else f"line {line}, column {column}"
