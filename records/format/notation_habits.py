"""What people type in place of the notation, understood: small letters, suit signs, words, blanks, curly quotes.

`understand` turns such a text into one that the grammar takes, line by line, and says what it took for what. It leaves a
line alone that it does not understand: the reader then says what is wrong there. Where a place has several readings it says
so, and takes none. `records/spec/notation.md` lists what is understood.
"""

import re
from collections import Counter
from collections.abc import Sequence, Set
from typing import NamedTuple

from records.format.notation import NotationError, SeveralReadings
from records.format.notation_reader import MOST_MISTAKES, DenotedRecord, read_notation
from records.format.semantics import read_time
from records.format.typed_cards import SeveralMeanings
from records.format.typed_events import rewrite_events
from records.format.typed_game import (
    RULES_TAG,
    TypedGame,
    TypedSeats,
    is_tag,
    rewrite_head,
    rewrite_tag,
    write_deal,
)
from records.format.typed_lines import (
    CleanLine,
    LineNotes,
    LineWriter,
    NotUnderstood,
    Understanding,
)
from records.format.written_dates import read_date
from records.rules.registry import SHEETS_BY_ID, named_sheet

MOST_UNDERSTOOD = 1_000
"""So many are kept of a text; it may have more."""
_FIRST_TAG = "[bezique 1.0]"
_MOST_MISTAKES = 100_000
"""A text with more lines that leave the grammar is something else."""
_MOST_READINGS = 8
"""So often a text is read anew: a tag that is understood lets those after it be read."""
_LONGEST_LINE = 4_000
"""Characters of a line that is rewritten; nobody types longer ones."""
_DATE_TAG = re.compile(r'\[meta date "([^"\\]*)"')
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_STARTED_TAG = re.compile(r'\[meta started "([^"\\]*)"')
_BEZIQUE_TAG = re.compile(r"\s*\[\s*bezique\b", re.IGNORECASE)


class LineOrigin(NamedTuple):
    """Where a line comes from: its line, counted from 1, and for each of its characters the column, counted from 0."""

    line: int
    columns: Sequence[int]

    def column(self, column: int) -> int:
        """The column in the first text of a column in this line, both counted from 1."""
        if not self.columns:
            return column
        at = min(column - 1, len(self.columns) - 1)
        return self.columns[at] + column - at


class UnderstoodText:
    """A text in the notation, what was understood on the way to it, and what stays open; `origins` has each of its lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.origins: list[LineOrigin] = []
        self.understood: list[Understanding] = []
        self.questions: list[SeveralReadings] = []

    @property
    def text(self) -> str:
        """The text in the notation."""
        return "\n".join(self.lines)

    def add(self, text: str, number: int, columns: Sequence[int] = ()) -> None:
        """Add what is written for a line of the first text: one line or more."""
        at = 0
        for line in text.split("\n"):
            self.lines.append(line)
            self.origins.append(LineOrigin(number, columns[at : at + len(line)]))
            at += len(line) + 1

    def keep_notes(self, notes: LineNotes) -> None:
        """Keep what was understood in a line, as far as there is room."""
        room = MOST_UNDERSTOOD - len(self.understood)
        self.understood += notes.understood[: max(0, room)]

    def first_of_each_kind(self) -> list[tuple[Understanding, int]]:
        """The first of each kind that was understood, and how many others there are of it."""
        kinds = Counter(each.kind for each in self.understood)
        firsts = {each.kind: each for each in reversed(self.understood)}
        return [(each, kinds[each.kind] - 1) for each in sorted(firsts.values(), key=_place)]

    def origin(self, line: int, column: int) -> tuple[int, int]:
        """Where in the first text a place of this one comes from, both counted from 1."""
        if line > len(self.origins):
            return line, column
        origin = self.origins[line - 1]
        return origin.line, origin.column(column)


def _place(understanding: Understanding) -> tuple[int, int]:
    return understanding.line, understanding.column


class TypedRecord(NamedTuple):
    """What a text denotes as it was typed, and what had to be understood for that: nothing, if it is None."""

    denoted: DenotedRecord
    typed: UnderstoodText | None


def read_as_typed(text: str, wanted: Set[str] = frozenset()) -> TypedRecord:
    """The record in a text, as `read_notation` reads it once what people type is understood.

    Places are those in the text as typed. Raises NotationError with the mistakes that remain, and NotationTooLarge.
    """
    if "\n" not in text:
        text = text.replace("\r", "\n")
    lines = text.split("\n")
    readings = 0
    mistaken = {number for number, line in enumerate(lines, 1) if _says_otherwise(line)}
    typed = _Typist(mistaken).read(lines) if mistaken else None
    while True:
        try:
            denoted = read_notation(
                typed.text if typed else text, wanted, most_mistakes=_MOST_MISTAKES
            )
        except NotationError as error:
            found = {
                typed.origin(each.line, each.column)[0] if typed else each.line
                for each in error.mistakes
            }
            readings += 1
            if (
                found <= mistaken
                or readings > _MOST_READINGS
                or len(error.mistakes) >= _MOST_MISTAKES
            ):
                raise _mistakes_left(error, typed) from None
            mistaken |= found
            typed = _Typist(mistaken).read(lines)
        else:
            break
    if typed is None:
        return TypedRecord(denoted, None)
    if typed.questions:
        raise NotationError([], typed.questions)
    places = {pointer: typed.origin(*at) for pointer, at in denoted.places.items()}
    return TypedRecord(denoted._replace(places=places), typed)


def _says_otherwise(line: str) -> bool:
    """Whether a tag is good by the grammar, and yet names rules or a time in another way than the format does."""
    if (rules := RULES_TAG.match(line)) is not None:
        return rules[1] not in SHEETS_BY_ID and named_sheet(rules[1]) is not None
    if (date := _DATE_TAG.match(line)) is not None:
        return _ISO_DATE.fullmatch(date[1]) is None and bool(read_date(date[1]))
    started = _STARTED_TAG.match(line)
    return started is not None and read_time(started[1]) is None and bool(read_date(started[1]))


def _mistakes_left(error: NotationError, typed: UnderstoodText | None) -> NotationError:
    """The mistakes of a text at their places as typed; where a line has a question, that stands in their place."""
    if typed is None:
        return NotationError(error.mistakes[:MOST_MISTAKES])
    asked = {question.line for question in typed.questions}
    left = [
        mistake._replace(line=line, column=column)
        for mistake in error.mistakes[:MOST_MISTAKES]
        for line, column in [typed.origin(mistake.line, mistake.column)]
        if line not in asked
    ]
    return NotationError(left, typed.questions)


class _Typist:
    """Rewrites a text line by line; only lines that are `mistaken` change, and those only if they are understood."""

    def __init__(self, mistaken: Set[int]) -> None:
        self.mistaken, self.typed = mistaken, UnderstoodText()
        self.seats, self.game = TypedSeats(), TypedGame()
        self._begun = False

    def read(self, lines: Sequence[str]) -> UnderstoodText:
        """The text; lines are counted from 1."""
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.lstrip().startswith("#"):
                self.typed.add(line, number)
                continue
            if not self._begun:
                self._begin(line, number)
            if number in self.mistaken:
                self._rewrite(line, number)
            else:
                self.seats.read(line)
                self._add(line, number)
        return self.typed

    def _begin(self, line: str, number: int) -> None:
        self._begun = True
        if number in self.mistaken and not _BEZIQUE_TAG.match(line):
            self.typed.add(_FIRST_TAG, number)
            self.typed.understood.append(Understanding("tag", number, 1, "", _FIRST_TAG))

    def _add(self, text: str, number: int, columns: Sequence[int] = ()) -> None:
        for line in text.split("\n"):
            self.game.read(line)
        self.typed.add(text, number, columns)

    def _rewrite(self, line: str, number: int) -> None:
        if len(line) > _LONGEST_LINE:
            self.typed.add(line, number)
            return
        notes = LineNotes(number)
        cleaned = CleanLine(line, notes)
        if not is_tag(cleaned.text):
            cleaned.read_cards(self.game.trump_in_words())
        out = LineWriter(cleaned)
        try:
            self._rewrite_cleaned(out)
        except NotUnderstood:
            self.typed.add(line, number)
        except SeveralMeanings as meanings:
            self.typed.questions.append(_question(meanings, number, out))
            self.typed.add(line, number)
        else:
            self._add("".join(out.parts), number, out.columns)
            self.typed.keep_notes(notes)

    def _rewrite_cleaned(self, out: LineWriter) -> None:
        if rewrite_tag(out, self.seats) or rewrite_head(out, self.seats, self.game):
            return
        if not self.game.is_dealt:
            write_deal(out, self.seats, self.game)
        rewrite_events(out, self.seats, self.game)


def _question(meanings: SeveralMeanings, number: int, out: LineWriter) -> SeveralReadings:
    """What is to be asked about a place in a line."""
    written = out.source[meanings.at : meanings.end]
    at, end = out.column(meanings.at) + 1, out.column(meanings.end - 1) + 2
    return SeveralReadings(number, at, end, written, meanings.readings)
