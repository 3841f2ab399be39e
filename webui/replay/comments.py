"""What a record says beside its deals: notes and lines, each at its step."""

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
"""The most notes and lines of a deal that are shown, and the most events of a line."""
MOST_CHARACTERS_SHOWN = 4_000
"""The most characters of a text that are shown."""


class NoteAtStep(msgspec.Struct):
    """A note of the record, at the step of its event."""

    step: int
    by: str
    text: str


class LineAtStep(msgspec.Struct):
    """A line of the record, at the step it starts from; `number` is its index in the record.

    `said` are its events in words. The event at `wrong_at` is not legal, for the reason in `wrong`. `opens` says that
    the replay gets as far as its step.
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
    record: Record, match: Match, number: int, visibility: Visibility, reach: int
) -> DealComments:
    """The notes and lines of the deal with this index, of which `reach` events can be replayed.

    Text and lines can reveal hands and draws, so what a limited view hides is left out here too.
    """
    notes = [note for note in record.notes or [] if note.at[0] == number]
    lines = [(i, line) for i, line in enumerate(record.lines or []) if line.at[0] == number]
    until = reach + 1 if visibility.until is None else visibility.until
    readable = (
        [_note_at_step(note, reach) for note in notes[:MOST_NOTES_SHOWN]]
        if visibility.seat is None
        else []
    )
    visible_notes = [note for note in readable if note.step <= until]
    visible_lines = (
        list(_lines_at_steps(record, match, lines[:MOST_LINES_SHOWN], reach))
        if visibility == FULL_VISIBILITY
        else []
    )
    left = len(notes) + len(lines) - len(visible_notes) - len(visible_lines)
    return DealComments(visible_notes, visible_lines, left)


def _note_at_step(note: Note, reach: int) -> NoteAtStep:
    step = 0 if len(note.at) == 1 else min(note.at[1], reach) + 1
    return NoteAtStep(step, shorten_text(note.by), shorten_text(note.text))


def shorten_text(text: str | None) -> str:
    """A text, cut to the length that is shown."""
    if text is None or len(text) <= MOST_CHARACTERS_SHOWN:
        return text or ""
    return f"{text[:MOST_CHARACTERS_SHOWN]}…"


def first_unlawful_event(record: Record, match: Match, line: Line) -> tuple[int, str] | None:
    """The index of the first illegal event of a line, and why; None if all are legal as far as they can be followed."""
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
