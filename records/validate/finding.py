"""A finding, the place it speaks of, the verdict on several, and what judging records may cost."""

from collections.abc import Sequence, Set
from typing import Literal

import msgspec
from msgspec.structs import replace

from records.phrases import join_words

Severity = Literal["unreadable", "illegal", "mismatch", "warning", "note"]


class Place(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """Where: 0-based indices, a JSON pointer into the record, and the line of a `.jsonl` file (1-based)."""

    deal: int | None = None
    event: int | None = None
    pointer: str = ""
    trick: int | None = None
    seat: int | None = None
    line: int | None = None


def place_in_deal(deal: int, event: int | None = None, seat: int | None = None) -> Place:
    """The place of a deal, or of an event in it."""
    pointer = f"/deals/{deal}" if event is None else f"/deals/{deal}/events/{event}"
    return Place(deal=deal, event=event, pointer=pointer, seat=seat)


class Cause(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """An earlier finding that another finding, or a wrong number, follows from: its code, and its pointer."""

    code: str
    pointer: str = ""


class Finding(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """One finding of the report. `rule` names the article of the rule sheet, such as `zique/close`.

    `clause` is the way in which the code is meant, where it has several; the page of findings lists them.
    `because_of` is the earlier finding that this one follows from: a reader may fold the two into one.
    """

    code: str
    severity: Severity
    at: Place
    message: str
    clause: str | None = None
    since: tuple[int, int] | None = None
    rule: str | None = None
    expected: str | None = None
    found: str | None = None
    legal: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    because_of: Cause | None = None

    def on_line(self, line: int) -> "Finding":
        """The same finding with the line of the record in its file, counted from 1."""
        return replace(self, at=replace(self.at, line=line))


# A finding's place in words. Words count deals and events from 1, as people do; every number of a report counts from 0.


def describe_place(at: Place) -> str:
    """`deal 2, event 34`, `deal 2`, or the pointer where it is in no deal; empty for the whole record."""
    if at.deal is None:
        return at.pointer
    return f"deal {at.deal + 1}" + (
        "" if at.event is None else f", {describe_event_place(at.event)}"
    )


def describe_event_place(event: int) -> str:
    """`event 34`, for the event with the index 33."""
    return f"event {event + 1}"


def describe_places(places: Sequence[Place]) -> str:
    """Several places, by deal: `in deal 1 at events 32 and 37; in deal 2 at event 9`."""
    events: dict[int | None, list[Place]] = {}
    for at in places:
        events.setdefault(at.deal, []).append(at)
    parts = []
    for deal, here in events.items():
        numbers = [str(at.event + 1) for at in here if at.event is not None]
        if deal is None:
            parts.append(f"at {join_words(at.pointer or 'the whole record' for at in here)}")
        elif not numbers:
            parts.append(f"in deal {deal + 1}")
        else:
            noun = "event" if len(numbers) == 1 else "events"
            parts.append(f"in deal {deal + 1} at {noun} {join_words(numbers)}")
    return "; ".join(parts)


# What judging may cost: counted in steps, so that a verdict never depends on the machine. A step takes about a microsecond.

MOST_STEPS_A_RECORD = 575_000
"""What is searched in one record, at most: to tell copies apart in two ways, and to search its completions."""

BYTES_A_STEP = 4
STEPS_AN_EVENT = 8
STEPS_A_FINDING = 24
STEPS_A_BYTE_OF_SHEET, MOST_SHEETS_PAID = 32, 16
"""What reading, replaying and reporting a record takes, beside what is searched in it.

A rulebook inside takes most where many melds meet many values of options; so many stay known in a request.
"""

REQUEST_STEPS, STEPS_A_BYTE_READ = 10_000_000, 1
"""What the records of a request may cost: so many steps, and so many for each byte read, compressed or not."""
MOST_BYTES_EXAMINED = 64 * 1024 * 1024
"""The records of a request are examined up to so many bytes."""

CUT_SHORT_CLAUSE = "cut-short"
"""The clause of notes on a variant of a record that stays open because its identification has no steps left."""


class StepBudget:
    """Steps that many variants of a record share, which are judged one after the other; `left` may fall below zero."""

    __slots__ = ("left",)

    def __init__(self, steps: int = MOST_STEPS_A_RECORD) -> None:
        self.left = steps

    @property
    def allowance(self) -> int:
        """The steps that the next record may take."""
        return max(0, self.left)

    def spend(self, steps: int) -> None:
        """Take what has been searched in a record."""
        self.left -= steps


class RequestBudget(StepBudget):
    """What the records of a request may cost together.

    Each is judged as it is alone, or not examined at all: no verdict depends on the records beside it.
    """

    __slots__ = ("_read", "_sheets")

    def __init__(self) -> None:
        super().__init__(REQUEST_STEPS)
        self._read = 0
        self._sheets: list[bytes] = []

    @property
    def allowance(self) -> int:
        """The steps that the next record may take: those that it has alone."""
        return MOST_STEPS_A_RECORD

    def admit(self, size: int) -> bool:
        """Whether a record of so many bytes is still examined."""
        self._read += size
        self.left += STEPS_A_BYTE_READ * size
        return self.left > 0 and self._read <= MOST_BYTES_EXAMINED

    def pay_for_reading(self, size: int, events: int, findings: int) -> None:
        """Take what a record has cost beside the searches: its bytes, events and findings."""
        self.spend(size // BYTES_A_STEP + STEPS_AN_EVENT * events + STEPS_A_FINDING * findings)

    def pay_for_sheet(self, text: bytes) -> None:
        """Take what reading a rulebook inside a record has cost; one that was read a little before is known already."""
        if text and text not in self._sheets:
            self.spend(STEPS_A_BYTE_OF_SHEET * len(text))
            self._sheets = [*self._sheets, text][-MOST_SHEETS_PAID:]


# Choose the verdict on a record where several apply.

Verdict = Literal[
    "legal", "legal_with_mismatches", "illegal", "incomplete", "undetermined", "unreadable"
]
WRONG_VERDICTS: tuple[Verdict, ...] = ("unreadable", "illegal", "legal_with_mismatches")
"""The verdicts of records in which a rule was broken or a number is wrong, and of what is no record."""


def choose_verdict(severities: Set[Severity], *, undetermined: bool, finished: bool) -> Verdict:
    """The verdict on a record that could be read: the worst that applies.

    `severities` are those of its findings; `undetermined` says that it shows too little to decide, and
    `finished` that the match was played to its end.
    """
    if "illegal" in severities:
        return "illegal"
    if "mismatch" in severities:
        return "legal_with_mismatches"
    if undetermined:
        return "undetermined"
    return "legal" if finished else "incomplete"
