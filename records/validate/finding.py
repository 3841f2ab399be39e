"""A finding, the place it speaks of, the verdict on several, and the steps that all records of a file may take together."""

from collections.abc import Sequence, Set
from typing import Literal, Self

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


# One budget for all records of a file or a request: counted in steps, so that a verdict never depends on the machine.

FREE_BYTES = 64 * 1024
FREE_STEPS = 500_000
"""A budget begins with what one record may cost if it is checked alone; that is for the first bytes."""
STEPS_A_BYTE = 6
"""Every byte more adds so many steps. A step takes about a microsecond, so that a MiB adds about six seconds."""

BYTES_A_STEP = 4
STEPS_AN_EVENT = 8
STEPS_A_FINDING = 24
"""What reading, replaying and reporting a record takes, beside what is searched in it."""

REQUEST_STEPS, REQUEST_STEPS_A_BYTE = 100_000, 2
"""For reading what the records of a request expand to: so many steps, and so many for each byte sent."""

SHARED_CLAUSE = "shared"
"""The clause of notes on what stays open because of the other records: checked alone, it might not."""


class SharedBudget:
    """What is left for the records of one file or request, in steps.

    `left` is for searching: a record may spend as much of it as it might if it were checked alone. When it has ended,
    records are still replayed, and what would have to be searched stays open. It may be below zero, for
    work that was begun. A request has a limit on what is read of it, too.
    """

    __slots__ = ("_grows", "_read", "_reading_left", "_sent", "left")

    def __init__(self, *, steps: int = FREE_STEPS, grows: bool = True) -> None:
        self.left = steps
        self._grows = grows
        self._read = 0
        self._sent = 0
        self._reading_left: int | None = None

    @classmethod
    def of_block(cls, size: int, *, first: bool) -> Self:
        """The budget of a block of a file of so many bytes, which is examined apart; of the `first` block, or of others."""
        beyond = max(0, size - FREE_BYTES) if first else size
        return cls(steps=FREE_STEPS * first + STEPS_A_BYTE * beyond, grows=False)

    @classmethod
    def of_request(cls, sent: int) -> Self:
        """The budget of a request with so many bytes, which may expand to more."""
        budget = cls.of_block(sent, first=True)
        budget._sent = sent
        budget._reading_left = REQUEST_STEPS + REQUEST_STEPS_A_BYTE * sent
        return budget

    def admit(self, size: int) -> bool:
        """Add what a record of so many bytes adds; whether it is examined at all."""
        before, self._read = self._read, self._read + size
        if self._grows:
            beyond, had = max(0, self._read - FREE_BYTES), max(0, before - FREE_BYTES)
            self.left += STEPS_A_BYTE * (beyond - had)
        # What was sent plain is always read; the limit is for what a few bytes expand to.
        if self._reading_left is None or self._read <= self._sent:
            return True
        return self._reading_left + max(0, self.left) >= size

    def pay_for_reading(self, size: int, events: int, findings: int) -> None:
        """Take what a record has cost beside the searches: its bytes, events and findings."""
        steps = size // BYTES_A_STEP + STEPS_AN_EVENT * events + STEPS_A_FINDING * findings
        if self._reading_left is not None:
            here = min(steps, max(0, self._reading_left))
            self._reading_left -= here
            steps -= here
        self.left -= steps

    def spend(self, steps: int) -> None:
        """Take what has been searched in a record."""
        self.left -= steps


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
