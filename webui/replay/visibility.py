"""Which cards and steps of a deal a viewer may see: hidden information never leaves the server."""

from collections import Counter
from typing import NamedTuple

from msgspec.structs import replace

from records.events import AnyEvent, Draw, Irregular
from records.snapshot import LaidCard, SeatSnapshot
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.finding import Finding

REVEALING_CODES = ("irregularity", "no-such-card-left", "wrong-card-drawn")
"""Findings that could tell a seat more than its own cards: a comment, another's draw, the top of the stock."""


class Visibility(NamedTuple):
    """`seat` is the only one whose hand is seen, `until` the last step shown; None means all."""

    seat: int | None = None
    until: int | None = None

    def sees(self, seat: int | None) -> bool:
        """Whether a seat's hand and its legal choices are visible."""
        return self.seat is None or seat == self.seat

    def hides(self, event: AnyEvent | None, *, openly: bool) -> bool:
        """Whether an event is a card drawn face down by another seat; the turn-up is drawn `openly`."""
        return isinstance(event, Draw) and not self.sees(event.seat) and not openly

    def redact_seat(self, view: SeatSnapshot, seat: int) -> SeatSnapshot:
        """What a seat has; of a hidden one the hand face down, and only what must lie on the table."""
        if self.sees(seat):
            return view
        return replace(
            view,
            hand=[],
            unsure=[],
            between=[],
            laid=surely_laid(view),
            hidden=view.hidden + len(view.hand) + len(view.unsure),
        )

    def redact_event(self, event: AnyEvent) -> AnyEvent:
        """An event as it is told: the comment on an irregularity could reveal what another player holds."""
        if self.seat is None or not isinstance(event, Irregular):
            return event
        return replace(event, text="")

    def redact_finding(self, finding: Finding) -> Finding:
        """A finding, in general words where its own could reveal what another player holds."""
        if self.seat is None or (
            finding.at.seat == self.seat and finding.code not in REVEALING_CODES
        ):
            return finding
        title = FINDING_CODES[finding.code].title
        return replace(
            finding,
            message=f"{title}.",
            clause=None,
            since=None,
            expected=None,
            found=None,
            legal=(),
            candidates=(),
        )


def surely_laid(view: SeatSnapshot) -> list[LaidCard]:
    """What lies on the table whatever the seat holds, as if it were certain in which meld.

    That the position of a card is uncertain shows that the hand holds, or held, another copy of it.
    """
    left = Counter(card.card for card in view.laid if card.sure) + Counter(view.between)
    laid: list[LaidCard] = []
    for card in reversed(view.laid):
        if left[card.card]:
            left[card.card] -= 1
            laid.append(replace(card, sure=True, elsewhere=False))
    return laid[::-1]


FULL_VISIBILITY = Visibility()
