"""Which cards and steps of a deal a viewer may see: hidden information never leaves the server."""

from typing import NamedTuple

from msgspec.structs import replace

from records.events import AnyEvent, Draw
from records.snapshot import SeatSnapshot
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.finding import Finding


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
        """What a seat has, the hand face down where it is hidden; melds lie open."""
        if self.sees(seat):
            return view
        return replace(view, hand=[], hidden=view.hidden + len(view.hand))

    def redact_finding(self, finding: Finding) -> Finding:
        """A finding, in general words where its own could reveal what another player holds."""
        if self.seat is None or finding.at.seat == self.seat:
            return finding
        title = FINDING_CODES[finding.code].title
        return replace(
            finding, message=f"{title}.", expected=None, found=None, legal=(), candidates=()
        )


FULL_VISIBILITY = Visibility()
