"""Who looks at a deal, and how far: what is not to be seen is not sent."""

from typing import NamedTuple

from msgspec.structs import replace

from records.events import AnyEvent, Draw
from records.snapshot import SeatSnapshot
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.finding import Finding


class Visibility(NamedTuple):
    """`eyes` is the seat whose hand alone is seen, `until` the last step shown; none means all."""

    eyes: int | None = None
    until: int | None = None

    def sees(self, seat: int | None) -> bool:
        """Whether what a seat holds, and may do, is to be seen."""
        return self.eyes is None or seat == self.eyes

    def hides(self, event: AnyEvent | None, *, openly: bool) -> bool:
        """Whether this is a card drawn unseen by another, and not `openly`, as the turn-up is."""
        return isinstance(event, Draw) and not self.sees(event.seat) and not openly

    def of(self, view: SeatSnapshot, seat: int) -> SeatSnapshot:
        """What a seat has, the hand face down where it is not to be seen; melds lie open."""
        if self.sees(seat):
            return view
        return replace(view, hand=[], hidden=view.hidden + len(view.hand))

    def told(self, finding: Finding) -> Finding:
        """A finding, in general words where its own may tell what another holds."""
        if self.eyes is None or finding.at.seat == self.eyes:
            return finding
        title = FINDING_CODES[finding.code].title
        return replace(
            finding, message=f"{title}.", expected=None, found=None, legal=(), candidates=()
        )


FULL_VISIBILITY = Visibility()
