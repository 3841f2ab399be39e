"""Where in a record or a text something is wrong: pointers, lines and columns, as editors count them."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from records.pointers import (
    JSON_TOKEN,
    nearest_value,
    pointer_step,
    pointers_above,
    value_offsets,
)
from records.record import MAX_NESTING_DEPTH, NOTATION_START, TYPED_START
from records.validate.codes import DECODING_CODES
from records.validate.finding import Finding, Place, Severity

# Pointers: where in a record something is wrong, and the finding that says so.

RecordPath = tuple[str | int, ...]
"""The members and indices that lead to a value: `("deals", 0, "events", 3, "card")`."""

MAX_ERRORS_LISTED = 1_000
"""How many errors of one record are listed."""
_LONGEST_QUOTE = 60
_LONGEST_STEP = 300
_LONGEST_POINTER = 1_000


def place_of(path: RecordPath) -> Place:
    """The place of a value, with the deal and the event that it belongs to."""
    deal = event = None
    if len(path) > 1 and path[0] == "deals" and isinstance(path[1], int):
        deal = path[1]
        if len(path) > 3 and path[2] == "events" and isinstance(path[3], int):
            event = path[3]
    return Place(deal=deal, event=event, pointer=pointer_to(path))


def pointer_to(path: RecordPath) -> str:
    """A path as a JSON pointer (RFC 6901); very long member names are clipped, and so is what has many of them."""
    steps = (_clip(_writable(str(step)[: _LONGEST_STEP + 1]), _LONGEST_STEP) for step in path)
    pointer = "".join("/" + pointer_step(step) for step in steps)
    return _clip(pointer, _LONGEST_POINTER)


def member_name_of(path: RecordPath) -> str:
    """The nearest member name above a value: a card in a hand belongs to `hands`."""
    names = [step for step in path if isinstance(step, str)]
    return _clip(_writable(names[-1][: _LONGEST_QUOTE + 1])) if names else "record"


def make_finding(
    code: str,
    path: RecordPath = (),
    *,
    clause: str = "",
    expected: str | None = None,
    found: str | None = None,
    candidates: tuple[str, ...] = (),
    severity: Severity | None = None,
    **facts: object,
) -> Finding:
    """A finding at a path; its severity is the code's own unless another is given.

    The facts, `expected` and `found` fill the places of the code's message.
    """
    finding_code = DECODING_CODES[code]
    return Finding(
        code=code,
        severity=severity or finding_code.severity,
        at=place_of(path),
        message=finding_code.sentence(clause, expected=expected, found=found, **facts),
        clause=clause or None,
        expected=expected,
        found=found,
        candidates=candidates,
    )


def quote_value(value: object) -> str:
    """A value as JSON writes it, clipped; of a list or an object only the brackets."""
    if isinstance(value, str):
        # Clipped first: to look at a megabyte for the sake of sixty characters takes time for every finding.
        return json.dumps(_clip(_writable(value[: _LONGEST_QUOTE + 1])), ensure_ascii=False)
    if isinstance(value, (list, dict)):
        return "[…]" if isinstance(value, list) else "{…}"
    return _clip(json.dumps(value))


def quote_list(values: list[Any]) -> str:
    """A list as JSON writes it without blanks, clipped."""
    return _clip(str(values[:_LONGEST_QUOTE]).replace(" ", ""))


def clip_number(text: str) -> str:
    """A number as it was written, clipped."""
    return _clip(text)


def _clip(text: str, longest: int = _LONGEST_QUOTE) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _writable(text: str) -> str:
    """The text with halves of characters, which UTF-8 cannot write, as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


# A text as plain JSON values, with what Python's reader would lose: double members, and how numbers are written.


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


_WEB_PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_SEPARATORS = ",;\t"


def _stop_at_syntax(text: str, error: json.JSONDecodeError) -> NoReturn:
    if not text.lstrip().startswith(("{", "[")):
        clause = _kind_of_text(text)
    elif error.msg == "Extra data":
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


def _kind_of_text(text: str) -> str:
    """What a text is that begins with no object and no list: a clause of the finding."""
    if _WEB_PAGE.match(text) is not None:
        return "web-page"
    first, _, rest = text.lstrip(_MARK).partition("\n")
    second = rest.partition("\n")[0]
    # In prose a blank stands behind a comma.
    as_often = [sign for sign in _SEPARATORS if first.count(sign) == second.count(sign) > 0]
    return "table" if any(f"{sign} " not in first for sign in as_often) else "other-text"


def _line_and_column(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f"column {column}" if "\n" not in text.strip() else f"line {line}, column {column}"


# Lines and columns: where in a text findings are.

_MARK = "\ufeff"


class TextPlace(NamedTuple):
    """A place in a file: its line and its column, in characters, both counted from 1."""

    line: int
    column: int


def find_text_places(
    data: bytes, findings: Sequence[Finding], *, first_line: int = 1
) -> list[TextPlace | None]:
    """Where the value is that each finding is about, or the nearest one around it; None for the whole record.

    `first_line` is the line of the text in its file. The cost grows with the text, and not with the findings.
    """
    # A byte that is no UTF-8 becomes one sign, so that all columns before it are right.
    text = data.decode("utf-8", "replace")
    start = len(text) - len(text.lstrip(_MARK))
    pointers = {finding.at.pointer for finding in findings}
    if NOTATION_START.match(data) or TYPED_START.match(data):
        return _places_in_notation(text, findings, first_line)
    offsets = value_offsets(text, pointers, start)
    stop = _stop_of(data, text[start:], findings)
    breaks = [match.start() for match in re.finditer("\n", text)] if len(text) > start else []
    places: list[TextPlace | None] = []
    for finding in findings:
        at = nearest_value(offsets, finding.at.pointer)
        if stop is not None and finding.code in _STOPPING_CODES:
            at = start + stop
        if at is None:
            places.append(None)
            continue
        line = bisect_right(breaks, at - 1) if at else 0
        begins = breaks[line - 1] + 1 if line else start
        places.append(TextPlace(first_line + line, at - begins + 1))
    return places


def _places_in_notation(
    text: str, findings: Sequence[Finding], first_line: int
) -> list[TextPlace | None]:
    """The places in a text in the notation; mistakes, and what was understood, are findings in the same order."""
    # The notation takes a while to load, and few texts are in it.
    from records.format.notation import NotationError, NotationTooLarge
    from records.format.notation_habits import read_as_typed

    positions: Mapping[str, tuple[int, int]] = {}
    mistakes: Iterator[tuple[int, int]] = iter(())
    understood: Iterator[tuple[int, int]] = iter(())
    wanted = pointers_above({finding.at.pointer for finding in findings})
    try:
        denoted, typed = read_as_typed(text.lstrip(_MARK), wanted)
        positions = denoted.places
        if typed is not None:
            understood = ((first.line, first.column) for first, _ in typed.first_of_each_kind())
    except NotationError as error:
        mistakes = ((each.line, each.column) for each in error.told)
    except NotationTooLarge:
        pass
    places: list[TextPlace | None] = []
    for finding in findings:
        if finding.code in ("not-notation", "several-readings"):
            at = next(mistakes, None)
        elif finding.code == "read-as":
            at = next(understood, None)
        else:
            at = nearest_value(positions, finding.at.pointer)
        places.append(None if at is None else TextPlace(at[0] + first_line - 1, at[1]))
    return places


def is_json(text: str | bytes) -> bool:
    """Whether a text is one value of JSON that Python can read."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


_STOPPING_CODES = ("not-json", "not-utf8", "too-deep")
"""Codes of what ends the reading: their place is where it ended, and not a value."""


def _stop_of(data: bytes, text: str, findings: Sequence[Finding]) -> int | None:
    """Where reading the text ended, if a finding says that it did, counted in the text without its marks."""
    codes = {finding.code for finding in findings}
    if "not-utf8" in codes:
        try:
            data.decode()
        except UnicodeDecodeError as error:
            return len(data[: error.start].decode().lstrip(_MARK))
    if "not-json" in codes:
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            return error.pos
        except (ValueError, RecursionError):
            return None
    if "too-deep" in codes:
        return _too_deep_at(text)
    return None


def _too_deep_at(text: str) -> int | None:
    depth = 0
    for match in JSON_TOKEN.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > MAX_NESTING_DEPTH:
            return match.start()
    return None
