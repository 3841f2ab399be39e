"""One budget for all records of a file or a request: counted in steps, so that a verdict never depends on the machine."""

from typing import Self

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
