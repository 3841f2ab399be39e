"""When a seat last could have melded and did not: a player who had a meld would mostly have scored it."""

from records.engine.table import Table
from records.events import AnyEvent, Dix, Draw, Meld, Play, Trick


class PassedMelds:
    """Reads one deal event by event for one seat.

    `drawn_since` counts the cards that the seat has drawn since it last passed up melding. It is None as long as it has
    not passed, or has melded or exchanged since, and where melds are made of captured cards, which all lie open.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.drawn_since: int | None = None
        self._may_meld = False

    def read(self, event: AnyEvent | None, table: Table) -> None:
        """Read an event with the table after it."""
        match event:
            case Trick(winner=winner):
                self._may_meld = winner == self.seat and table.melding.left > 0
            case Meld(seat=seat) | Dix(seat=seat, action="exchange" | "show") if seat == self.seat:
                self.drawn_since = None
                self._may_meld = table.melding.seat == seat and table.melding.left > 0
            case Draw() | Play():
                if self._may_meld and not table.rules.melds_captured:
                    self.drawn_since = 0
                self._may_meld = False
                if self.drawn_since is not None and isinstance(event, Draw):
                    self.drawn_since += event.seat == self.seat
            case _:
                pass
