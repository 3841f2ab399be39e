"""What a record says beside its deals: its notes, and the lines that it proposes, each at its step."""

from collections.abc import Iterator
from itertools import islice

import msgspec
from msgspec.structs import replace

from records.event_words import say
from records.proposed_lines import check_lines
from records.record import Line, Note, Record
from records.replay import Match
from webui.replay.visibility import SEEN_BY_ALL, Sight

NOTES, LINES, EVENTS = 400, 50, 40
"""So many of a deal are shown, and so many events of a line."""
LETTERS = 4_000
"""So much is shown of a text."""


class Noted(msgspec.Struct):
    """A note of the record, at the step that follows its event."""

    step: int
    by: str
    text: str


class Proposed(msgspec.Struct):
    """A line of the record, at the step from which it goes on; `number` is its place in the record.

    `said` are its events in words; the one at `wrong_at` is not lawful, for the reason that `wrong` tells.
    `opens` says that the replay comes to its step.
    """

    number: int
    step: int
    by: str
    text: str
    said: list[str]
    wrong: str
    wrong_at: int | None
    opens: bool


class Margin(msgspec.Struct):
    """The notes and lines of a deal; `left` counts those that are not shown."""

    notes: list[Noted]
    lines: list[Proposed]
    left: int


def margin_of(record: Record, match: Match, number: int, sight: Sight, reach: int) -> Margin:
    """What is said beside the deal with this index, of which `reach` events can be followed.

    What people write, and the cards of a line, may tell of hands and of draws that are not to be seen.
    """
    notes = [note for note in record.notes or [] if note.at[0] == number]
    lines = [(i, line) for i, line in enumerate(record.lines or []) if line.at[0] == number]
    until = reach + 1 if sight.until is None else sight.until
    said = [_noted(note, reach) for note in notes[:NOTES]] if sight.eyes is None else []
    told = [note for note in said if note.step <= until]
    shown = list(_proposed(record, match, lines[:LINES], reach)) if sight == SEEN_BY_ALL else []
    left = len(notes) + len(lines) - len(told) - len(shown)
    return Margin(told, shown, left)


def _noted(note: Note, reach: int) -> Noted:
    step = 0 if len(note.at) == 1 else min(note.at[1], reach) + 1
    return Noted(step, short(note.by), short(note.text))


def short(text: str | None) -> str:
    """A text as far as it is shown."""
    if text is None or len(text) <= LETTERS:
        return text or ""
    return f"{text[:LETTERS]}…"


def judged(record: Record, match: Match, line: Line) -> tuple[int, str] | None:
    """Which event of a line is not lawful, and why; None where all are, as far as can be followed."""
    found = next(check_lines(replace(record, lines=[line]), match), None)
    if found is None:
        return None
    return int(found.at.pointer.rpartition("/")[2]), found.message


def _proposed(
    record: Record, match: Match, lines: list[tuple[int, Line]], reach: int
) -> Iterator[Proposed]:
    for number, line in lines:
        start = line.at[1] if len(line.at) > 1 else 0
        at, why = judged(record, match, line) or (None, "")
        yield Proposed(
            number=number,
            step=min(start, reach),
            by=short(line.by),
            text=short(line.text),
            said=[say(event, match.names) for event in islice(line.events, EVENTS)],
            wrong=why,
            wrong_at=at,
            opens=start <= reach,
        )
