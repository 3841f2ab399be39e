"""Where in a text findings are: lines and columns, as editors count them."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from records.record import MAX_NESTING_DEPTH, NOTATION_START
from records.validate.finding import Finding

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_MARK = "\ufeff"
_T = TypeVar("_T")


class TextPlace(NamedTuple):
    """A place in a file: its line and its column, in characters, both counted from 1."""

    line: int
    column: int


class _Level:
    """An object or a list that the scan is in; `pointer` is None where nothing below it is looked for."""

    __slots__ = ("at_name", "in_object", "index", "name", "pointer")

    def __init__(self, pointer: str | None, *, in_object: bool) -> None:
        self.pointer = pointer
        self.in_object = self.at_name = in_object
        self.name = ""
        self.index = 0

    def pointer_of_next(self) -> str | None:
        """The pointer to the value that comes next."""
        if self.pointer is None:
            return None
        return f"{self.pointer}/{self.name if self.in_object else self.index}"


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
    if NOTATION_START.match(data):
        return _places_in_notation(text, findings, first_line)
    offsets = _offsets_of(text, start, pointers)
    stop = _stop_of(data, text[start:], findings)
    breaks = [match.start() for match in re.finditer("\n", text)] if len(text) > start else []
    places: list[TextPlace | None] = []
    for finding in findings:
        at = _nearest(offsets, finding.at.pointer)
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
    """The places in a text in the notation; where it has mistakes, these are findings in the same order."""
    # The notation takes a while to load, and few texts are in it.
    from records.notation import NotationError, NotationTooLarge, read_notation

    positions: Mapping[str, tuple[int, int]] = {}
    mistakes: Iterator[tuple[int, int]] = iter(())
    wanted = _with_those_above({finding.at.pointer for finding in findings})
    try:
        positions = read_notation(text.lstrip(_MARK), wanted).places
    except NotationError as error:
        mistakes = ((mistake.line, mistake.column) for mistake in error.mistakes)
    except NotationTooLarge:
        pass
    places: list[TextPlace | None] = []
    for finding in findings:
        mistaken = finding.code == "not-notation"
        at = next(mistakes, None) if mistaken else _nearest(positions, finding.at.pointer)
        places.append(None if at is None else TextPlace(at[0] + first_line - 1, at[1]))
    return places


_STOPPING_CODES = ("not-json", "not-utf8", "too-deep")
"""Codes of what ends the reading: their place is where it ended, and not a value."""


def _nearest(offsets: Mapping[str, _T], pointer: str) -> _T | None:
    """The place of a value, or of the nearest around it but for the record itself."""
    while pointer:
        if pointer in offsets:
            return offsets[pointer]
        pointer = pointer.rpartition("/")[0]
    return None


def _offsets_of(text: str, start: int, pointers: Iterable[str]) -> dict[str, int]:
    """The offset in a text of the values that the pointers lead to, and of all around them."""
    wanted = _with_those_above(pointers)
    offsets: dict[str, int] = {}
    levels: list[_Level] = []
    left = len(wanted)
    for match in _TOKEN.finditer(text, start):
        token, level = match[0], levels[-1] if levels else None
        if token[0] in "}],:":
            _pass_sign(levels, token[0])
        elif level is not None and level.at_name:
            level.name = _step(token) if level.pointer is not None else ""
        else:
            pointer = "" if level is None else level.pointer_of_next()
            if pointer not in wanted:
                pointer = None
            elif pointer is not None and pointer not in offsets:
                offsets[pointer] = match.start()
                left -= 1
            if token[0] in "{[":
                levels.append(_Level(pointer, in_object=token[0] == "{"))
        if not left:
            break
    return offsets


def _with_those_above(pointers: Iterable[str]) -> set[str]:
    """The pointers, and those to all around what they lead to."""
    return {pointer[:end] for pointer in pointers for end in _ends_of_steps(pointer)}


def _pass_sign(levels: list[_Level], sign: str) -> None:
    """Go past what stands between values."""
    if not levels:
        return
    if sign in "}]":
        levels.pop()
    elif sign == ",":
        levels[-1].index += 1
        levels[-1].at_name = levels[-1].in_object
    else:
        levels[-1].at_name = False


def _ends_of_steps(pointer: str) -> list[int]:
    return [match.start() for match in re.finditer("/|$", pointer)]


def _step(token: str) -> str:
    """A member name as a pointer writes it."""
    try:
        name = str(json.loads(token))
    except ValueError:
        name = token.strip('"')
    return name.replace("~", "~0").replace("/", "~1")


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
    for match in _TOKEN.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > MAX_NESTING_DEPTH:
            return match.start()
    return None
