"""Corrections: what a record tells of its occasion, as somebody who knows better says it.

A correction concerns a player's name or id, the day, the event, the round, the table, the place, the comment on the
match, or the text of a note. It never concerns what was played or what the record claims of it. The record itself
stays: `correct` makes a copy.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, cast, get_args

from msgspec.structs import replace

from records.errors import BeziqueError
from records.format import codec
from records.format.semantics import WRITTEN_DAY, read_day, read_time
from records.people import player_key, read_name
from records.record import MAX_NAME_LENGTH, MAX_RECORD_BYTES, Note, Player, Record

Subject = Literal["name", "id", "date", "event", "round", "table", "site", "comment", "note"]
SUBJECTS: Final[tuple[Subject, ...]] = get_args(Subject)
NUMBERED_SUBJECTS: Final = ("name", "id", "note")
"""These are told of each seat, or of each note: a number says of which."""
FACT_WORD: Final = re.compile(
    r"(?P<numbered>name|id|note)(?P<number>[1-9][0-9]{0,4})|(?:date|event|round|table|site|comment)"
)
LONGEST_VALUE, LONGEST_COMMENT = MAX_NAME_LENGTH, 2_000
"""The most characters of a value, and of a comment or a note."""
WRITTEN_DATE = "A date is written as 2026-03-05, or with its time as 2026-03-05T19:30:00+01:00."
LINE_BREAKS: Final = "\t\n"
"""The controls that a comment or a note may have."""


class CorrectionRefused(BeziqueError):
    """A record cannot be corrected so; the words say why."""


class CorrectedFact(NamedTuple):
    """What is corrected: its `subject`, and the `number` of the seat or note, from 0, for those that have one."""

    subject: Subject
    number: int | None = None

    @property
    def word(self) -> str:
        """The fact in a word, with its number from 1, such as `date` or `name2`."""
        return self.subject if self.number is None else f"{self.subject}{self.number + 1}"


Corrections = Mapping[CorrectedFact, str]
"""What is told in the place of what the record tells; an empty text takes it away."""
NO_CORRECTIONS: Final[Corrections] = {}


def read_fact(word: str) -> CorrectedFact:
    """The fact that a word names; raises CorrectionRefused."""
    found = FACT_WORD.fullmatch(word)
    if found is None:
        raise CorrectionRefused(
            f"Nothing called {word!r} can be corrected. There is name1, id1 and so on, note1 and so on, date, event, round, "
            "table, site and comment."
        )
    subject, number = found["numbered"], found["number"]
    if subject:
        return CorrectedFact(cast(Subject, subject), int(number) - 1)
    return CorrectedFact(cast(Subject, word))


def read_value(record: Record, fact: CorrectedFact, text: str) -> str:
    """The value of a correction of this record, as it is stored; raises CorrectionRefused."""
    _require_fact(record, fact)
    is_long = fact.subject in ("comment", "note")
    value = text.replace("\r\n", "\n").strip() if is_long else " ".join(text.split(" ")).strip()
    longest = LONGEST_COMMENT if is_long else LONGEST_VALUE
    if len(value) > longest:
        raise CorrectionRefused(f"It has at most {longest:,} characters.")
    if any(_is_control(letter, is_long=is_long) for letter in value):
        raise CorrectionRefused("It has a character that cannot be shown.")
    if fact.subject == "name" and not read_name(value):
        raise CorrectionRefused(f"A name has 1 to {MAX_NAME_LENGTH} characters.")
    if fact.subject == "id" and value and not read_name(value):
        raise CorrectionRefused("An id has a character that can be seen.")
    if fact.subject == "date" and value and read_day(value) is None and read_time(value) is None:
        raise CorrectionRefused(wrong_day_words(value, WRITTEN_DATE))
    _require_room(record, fact, value)
    return value


def wrong_day_words(text: str, otherwise: str = "A day is written as 2026-03-05.") -> str:
    """What is wrong with a text that is no day, or begins with none: no calendar has it, or it is written `otherwise`."""
    day = text[: len("2026-11-20")]
    is_impossible = WRITTEN_DAY.fullmatch(day) and read_day(day) is None
    return f"{day} is no day of the calendar." if is_impossible else otherwise


def _require_fact(record: Record, fact: CorrectedFact) -> None:
    if fact.subject not in NUMBERED_SUBJECTS:
        if fact.number is not None:
            raise CorrectionRefused("Only a name, an id and a note have a number.")
        return
    told: Sequence[object] = (record.notes or []) if fact.subject == "note" else record.players
    if fact.number is None or not 0 <= fact.number < len(told):
        number = "" if fact.number is None else f" {fact.number + 1}"
        what = "note" if fact.subject == "note" else "seat"
        raise CorrectionRefused(f"The record has no {what}{number}.")


def require_apart(before: Record, after: Record) -> None:
    """Raise CorrectionRefused if two seats are one person by what is told after a correction, and were two before it."""
    told, now = ([player_key(player) for player in each.players] for each in (before, after))
    for seat, key in enumerate(now):
        if key and now.count(key) > max(1, told.count(key)):
            name = read_name(after.players[seat].name)
            raise CorrectionRefused(
                f"Two seats of this match would be {name}. If they are two people of one name, give each an id of their own."
            )


def _is_control(letter: str, *, is_long: bool) -> bool:
    kind = unicodedata.category(letter)
    return kind == "Cs" or (kind == "Cc" and not (is_long and letter in LINE_BREAKS))


def _require_room(record: Record, fact: CorrectedFact, value: str) -> None:
    """Raise CorrectionRefused if the corrected record would be too large to be read again."""
    if len(codec.encode(correct(record, {fact: value}))) > MAX_RECORD_BYTES:
        raise CorrectionRefused(
            f"The record would have more than {MAX_RECORD_BYTES // 2**20} MiB with this."
        )


def fact_value(record: Record, fact: CorrectedFact) -> str:
    """What a record tells of a fact, as a text; empty if it tells nothing."""
    if fact.subject == "name":
        return record.players[fact.number or 0].name
    if fact.subject == "id":
        return record.players[fact.number or 0].id or ""
    if fact.subject == "note":
        notes, number = record.notes or [], fact.number or 0
        return notes[number].text if number < len(notes) else ""
    meta = record.meta or {}
    value = meta.get("started", meta.get("date")) if fact.subject == "date" else meta.get(fact.subject)  # fmt: skip
    return "" if value is None or isinstance(value, dict | list | bool) else str(value)


def list_facts(record: Record) -> list[CorrectedFact]:
    """All that can be corrected of a record: players first, then the occasion, then its notes."""
    seats = range(len(record.players))
    return [
        *(CorrectedFact(subject, seat) for seat in seats for subject in ("name", "id")),
        *(CorrectedFact(subject) for subject in SUBJECTS if subject not in NUMBERED_SUBJECTS),
        *(CorrectedFact("note", number) for number in range(len(record.notes or []))),
    ]


def correct(record: Record, corrections: Corrections) -> Record:
    """A copy of a record that tells what the corrections say; the record itself if there are none.

    A day leaves the clock of a time that the record gives. What the corrections name and the record does not have is
    passed over.
    """
    if not corrections:
        return record
    players = [_player(player, seat, corrections) for seat, player in enumerate(record.players)]
    return replace(
        record,
        players=players,
        meta=_meta(record.meta, corrections),
        notes=_notes(record.notes or [], corrections) or None,
    )


def _player(player: Player, seat: int, corrections: Corrections) -> Player:
    name = corrections.get(CorrectedFact("name", seat), player.name)
    own = corrections.get(CorrectedFact("id", seat), player.id)
    return replace(player, name=name, id=own or None)


def _notes(notes: Sequence[Note], corrections: Corrections) -> list[Note]:
    """The notes as corrected; one whose text is taken away is gone."""
    texts = [corrections.get(CorrectedFact("note", i)) for i in range(len(notes))]
    pairs = zip(notes, texts, strict=True)
    return [note if text is None else replace(note, text=text) for note, text in pairs if text != ""]  # fmt: skip


def _meta(meta: dict[str, object] | None, corrections: Corrections) -> dict[str, object] | None:
    told = dict(meta or {})
    for (subject, _), value in corrections.items():
        if subject == "date":
            _set_date(told, value)
        elif subject not in NUMBERED_SUBJECTS:
            told[subject] = value
            if not value:
                del told[subject]
    return told or None


def _set_date(told: dict[str, object], value: str) -> None:
    """Put a day or a time into `meta`."""
    started = told.pop("started", None)
    told.pop("date", None)
    if read_time(value) is not None:
        told["started"] = value
    elif value and isinstance(started, str) and read_time(started) is not None:
        told["started"] = value + started[len(value) :]
    elif value:
        told["date"] = value
