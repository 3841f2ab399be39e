"""What a record says beside its deals: its notes, and the lines that it proposes, each at its step."""

from collections.abc import Iterator
from itertools import islice

import msgspec
from msgspec.structs import replace

from records.event_words import describe_event
from records.proposed_lines import check_lines
from records.record import Line, Note, Record
from records.replay import Match
from webui.replay.visibility import FULL_VISIBILITY, Visibility

MOST_NOTES_SHOWN, MOST_LINES_SHOWN, MOST_LINE_EVENTS_SHOWN = 400, 50, 40
"""So many of a deal are shown, and so many events of a line."""
MOST_CHARACTERS_SHOWN = 4_000
"""So much is shown of a text."""


class NoteAtStep(msgspec.Struct):
    """A note of the record, at the step that follows its event."""

    step: int
    by: str
    text: str


class LineAtStep(msgspec.Struct):
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


class DealComments(msgspec.Struct):
    """The notes and lines of a deal; `left` counts those that are not shown."""

    notes: list[NoteAtStep]
    lines: list[LineAtStep]
    left: int


def deal_comments(
    record: Record, match: Match, number: int, sight: Visibility, reach: int
) -> DealComments:
    """What is said beside the deal with this index, of which `reach` events can be followed.

    What people write, and the cards of a line, may tell of hands and of draws that are not to be seen.
    """
    notes = [note for note in record.notes or [] if note.at[0] == number]
    lines = [(i, line) for i, line in enumerate(record.lines or []) if line.at[0] == number]
    until = reach + 1 if sight.until is None else sight.until
    said = (
        [_note_at_step(note, reach) for note in notes[:MOST_NOTES_SHOWN]]
        if sight.eyes is None
        else []
    )
    told = [note for note in said if note.step <= until]
    shown = (
        list(_lines_at_steps(record, match, lines[:MOST_LINES_SHOWN], reach))
        if sight == FULL_VISIBILITY
        else []
    )
    left = len(notes) + len(lines) - len(told) - len(shown)
    return DealComments(told, shown, left)


def _note_at_step(note: Note, reach: int) -> NoteAtStep:
    step = 0 if len(note.at) == 1 else min(note.at[1], reach) + 1
    return NoteAtStep(step, shorten_text(note.by), shorten_text(note.text))


def shorten_text(text: str | None) -> str:
    """A text as far as it is shown."""
    if text is None or len(text) <= MOST_CHARACTERS_SHOWN:
        return text or ""
    return f"{text[:MOST_CHARACTERS_SHOWN]}…"


def first_unlawful_event(record: Record, match: Match, line: Line) -> tuple[int, str] | None:
    """Which event of a line is not lawful, and why; None where all are, as far as can be followed."""
    found = next(check_lines(replace(record, lines=[line]), match), None)
    if found is None:
        return None
    return int(found.at.pointer.rpartition("/")[2]), found.message


def _lines_at_steps(
    record: Record, match: Match, lines: list[tuple[int, Line]], reach: int
) -> Iterator[LineAtStep]:
    for number, line in lines:
        start = line.at[1] if len(line.at) > 1 else 0
        at, why = first_unlawful_event(record, match, line) or (None, "")
        yield LineAtStep(
            number=number,
            step=min(start, reach),
            by=shorten_text(line.by),
            text=shorten_text(line.text),
            said=[
                describe_event(event, match.names)
                for event in islice(line.events, MOST_LINE_EVENTS_SHOWN)
            ],
            wrong=why,
            wrong_at=at,
            opens=start <= reach,
        )
