"""A study: moments of games in an order, each with a text, a line to step through, and perhaps a question.

A study names its games by their numbers in a list. Its file has their records inside, each as it is stored, byte for byte,
so that another site can take all of it.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from records.cards import RANKS, SUIT_SIGNS, SUITS_OF_SIGNS
from records.errors import BeziqueError
from records.events import Count, Seat
from records.record import MAX_NAME_LENGTH, MAX_RECORD_BYTES, EventList

STUDY_VERSION = "1.0"
STUDY_START = re.compile(
    rb'(?:\xef\xbb\xbf)?[ \t\r\n]*\{[ \t\r\n]*"format"[ \t\r\n]*:[ \t\r\n]*"bezique-study"'
)
"""How the file of a study begins: `format` is its first member."""
MOST_MOMENTS = 64
LONGEST_STUDY_TEXT = 4_000
"""The most characters of each text."""
MOST_LINE_NOTES = 100
LARGEST_STUDY_FILE = MAX_RECORD_BYTES
"""The most bytes of the file of a study, with its records."""

StudyTitle = Annotated[str, Meta(max_length=MAX_NAME_LENGTH)]
StudyText = Annotated[str, Meta(max_length=LONGEST_STUDY_TEXT)]
MomentPlace = Annotated[list[Count], Meta(min_length=2, max_length=2)]
"""`[deal, event]`: the position before the event with this index."""
StudyVersion = Annotated[str, Meta(pattern=r"^1\.[0-9]{1,9}$")]


class StudyUnreadable(BeziqueError):
    """A file that is no study; the words say why."""


class StudyStruct(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A member of a study."""


class LineNote(StudyStruct):
    """A comment in the line of a moment, on the event with this index."""

    event: Count
    text: StudyText


class StudyMoment(StudyStruct):
    """A position of a game with what is said of it.

    Where a `question` is asked, the `answer` and the `line` are hidden until the reader wants them.
    """

    game: Count
    at: MomentPlace
    title: StudyTitle | None = None
    text: StudyText | None = None
    near: Seat = 0
    question: StudyText | None = None
    answer: StudyText | None = None
    line: EventList = []
    notes: Annotated[list[LineNote], Meta(max_length=MOST_LINE_NOTES)] = []


MomentList = Annotated[list[StudyMoment], Meta(max_length=MOST_MOMENTS)]


class Study(StudyStruct):
    """What a study says, without its games."""

    title: StudyTitle
    by: StudyTitle | None = None
    text: StudyText | None = None
    moments: MomentList = []


class StudyFile(StudyStruct):
    """A study with the records of its games, in the order of the numbers that its moments have."""

    format: Literal["bezique-study"]
    version: StudyVersion
    title: StudyTitle
    by: StudyTitle | None = None
    text: StudyText | None = None
    moments: MomentList = []
    records: Annotated[list[msgspec.Raw], Meta(max_length=MOST_MOMENTS)] = []

    @property
    def study(self) -> Study:
        """What it says."""
        return Study(title=self.title, by=self.by, text=self.text, moments=self.moments)


def is_study(data: bytes | bytearray) -> bool:
    """Whether a text begins as the file of a study."""
    return STUDY_START.match(data) is not None


def is_study_alone(data: bytes | bytearray) -> bool:
    """Whether a text is the file of a study without games, in which there is no record to look for."""
    try:
        return is_study(data) and not read_study(bytes(data)).records
    except StudyUnreadable:
        return False


def write_study(study: Study, records: Sequence[bytes]) -> bytes:
    """The file of a study with these records, each a JSON object; raises StudyUnreadable if it is too large to be read."""
    file = StudyFile(
        format="bezique-study",
        version=STUDY_VERSION,
        title=study.title,
        by=study.by,
        text=study.text,
        moments=study.moments,
        records=list(map(msgspec.Raw, records)),
    )
    data = msgspec.json.encode(file) + b"\n"
    if len(data) > LARGEST_STUDY_FILE:
        raise StudyUnreadable(
            f"With its games the study has more than {LARGEST_STUDY_FILE // 2**20} MiB."
        )
    return data


def read_study(data: bytes) -> StudyFile:
    """The study of a file, with its records as they stand there; raises StudyUnreadable."""
    if len(data) > LARGEST_STUDY_FILE:
        raise StudyUnreadable(f"A study has at most {LARGEST_STUDY_FILE // 2**20} MiB.")
    try:
        file = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=StudyFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise StudyUnreadable(f"The study cannot be read: {wrong}") from None
    if any(moment.game >= len(file.records) for moment in file.moments):
        raise StudyUnreadable("A moment of the study is of a game that it does not have.")
    return file


def records_in_study(data: bytes) -> list[bytes]:
    """The records in the file of a study, byte for byte; raises StudyUnreadable if it has none that can be told apart."""
    try:
        found = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=_OnlyRecords)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise StudyUnreadable(f"The study cannot be read: {wrong}") from None
    return list(map(bytes, found.records))


class _OnlyRecords(msgspec.Struct):
    records: list[msgspec.Raw]


_SIGNS = "".join(SUIT_SIGNS.values())
_NAMED_CARD = re.compile(rf"(?<![\w{_SIGNS}])(10|[{RANKS}])([{_SIGNS}])")


def pointed_cards(text: str) -> frozenset[str]:
    """The cards that a comment points at, as faces such as `QS`: those that it names by rank and suit sign, `Q♠`."""
    return frozenset(
        f"{'T' if rank == '10' else rank}{SUITS_OF_SIGNS[sign]}"
        for rank, sign in _NAMED_CARD.findall(text)
    )
