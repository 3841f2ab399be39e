"""From the notation to the record that it denotes, as JSON, with all mistakes of the text."""

import re
from collections.abc import Set
from typing import NamedTuple

from records.notation.line_scanner import LineMistake, LineScanner
from records.notation.mistakes import NotationError, NotationMistake
from records.notation.record_text import RecordText, TextPosition
from records.notation.tag_reader import read_tag

MOST_MISTAKES = 1_001
"""Reading stops at so many: one more than are listed."""
_LINE = re.compile(r"[^\n]++")
_FIRST_LINE = re.compile(r"[ \t]*\[bezique(?=[ \t\r\]]|\Z)")


class DenotedRecord(NamedTuple):
    """What a text denotes: a record as JSON, and where in the text stands what was `wanted` of it.

    The JSON may break what the format demands of records, just as any other: it is for the decoder to judge.
    """

    json: str
    places: dict[str, TextPosition]


def read_notation(text: str, wanted: Set[str] = frozenset()) -> DenotedRecord:
    """The record in a text, and the lines and columns of the JSON pointers that are wanted.

    Raises NotationError with all mistakes, one a line at most, and NotationTooLarge. The cost grows with the text.
    """
    record = RecordText(wanted)
    mistakes: list[NotationMistake] = []
    record.line_number, end = 1, 0
    for match in _LINE.finditer(text):
        record.line_number += text.count("\n", end, match.start())
        end = match.start()
        try:
            _read_line(record, match[0])
        except LineMistake as mistake:
            place = NotationMistake(
                record.line_number, mistake.column + 1, mistake.expected, mistake.found
            )
            mistakes.append(place)
            if record.deal is not None and match[0].rstrip().endswith(")"):
                record.deal.events.drop_line()
        if len(mistakes) >= MOST_MISTAKES:
            break
        record.limit()
    _end(record, mistakes)
    if mistakes:
        raise NotationError(mistakes)
    return DenotedRecord(record.json(), record.places)


def _read_line(record: RecordText, line: str) -> None:
    scanner = LineScanner(line)
    sign = scanner.next()
    if sign in ("", "#"):
        return
    if not record.is_begun:
        record.is_begun = True
        if not _FIRST_LINE.match(line):
            scanner.fail("[bezique 1.0], with which a record begins")
    in_line = record.deal is not None and record.deal.events.in_line
    if sign == "[" and in_line:
        scanner.fail("“)”, which ends the line of play begun above")
    if sign == "[":
        read_tag(record, scanner)
    elif record.deal is None:
        scanner.fail("a tag, such as [deal a]")
    else:
        record.deal.events.read(scanner)


def _end(record: RecordText, mistakes: list[NotationMistake]) -> None:
    """Note a bracket that the text never closes."""
    if record.deal is not None and record.deal.events.in_line and not mistakes:
        expected = "“)”, which ends the line of play begun above"
        mistakes.append(NotationMistake(record.line_number, 1, expected, "the end of the text"))
