"""What a text in the notation leaves open: the places with several readings, and the text with one of them chosen."""

from typing import NamedTuple

from records.errors import BeziqueError
from records.format.codec import is_notation
from records.format.notation import NotationError, NotationTooLarge, SeveralReadings
from records.format.notation_habits import read_as_typed

_MARK = "\ufeff"


class NoSuchReading(BeziqueError):
    """A reading was chosen that a text does not leave open."""


class OpenPlace(NamedTuple):
    """A place with several readings, and its line in three parts: before it, as it is `written`, and behind it.

    `line` and `column` are counted from 1; each of the `readings` may be written in its place.
    """

    line: int
    column: int
    before: str
    written: str
    after: str
    readings: tuple[str, ...]


def find_open_places(text: str) -> list[OpenPlace]:
    """The places of a text that have several readings, in its order; none if it is not in the notation, or has none."""
    text = text.removeprefix(_MARK)
    if not is_notation(text.encode(errors="replace")):
        return []
    try:
        read_as_typed(text)
    except NotationError as error:
        lines = text.split("\n")
        return [_open_place(lines[each.line - 1], each) for each in error.questions]
    except NotationTooLarge:
        pass
    return []


def _open_place(line: str, question: SeveralReadings) -> OpenPlace:
    at, end = question.column - 1, question.end - 1
    before, after = line[:at], line[end:].removesuffix("\r")
    return OpenPlace(question.line, question.column, before, line[at:end], after, question.readings)


def choose_reading(text: str, line: int, column: int, reading: str) -> str:
    """The text with a reading written in the place at this line and column; raises NoSuchReading.

    Nothing else of it changes.
    """
    for place in find_open_places(text):
        if (place.line, place.column) == (line, column) and reading in place.readings:
            mark = _MARK if text.startswith(_MARK) else ""
            lines = text.removeprefix(_MARK).split("\n")
            rest = lines[line - 1][column - 1 + len(place.written) :]
            lines[line - 1] = f"{place.before}{reading}{rest}"
            return mark + "\n".join(lines)
    raise NoSuchReading(f"line {line}, column {column} cannot be read as {reading}")
