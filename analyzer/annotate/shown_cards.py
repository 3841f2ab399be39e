"""Which cards of each hand the other player has seen.

Such a card cannot be the one that lies face down: a card laid in a meld, the turn-up taken in exchange, a seven
shown, a card that was exposed, and one that was seen in a meld and is back in the hand.
"""

from collections import Counter

from records.engine.copies.history import are_all_readings
from records.engine.copies.marks import LAID_BIT, SEEN_BIT
from records.engine.copies.readings import laid_bounds
from records.engine.table import Table
from records.events import AnyEvent, Dix, Draw, Irregular, Meld, Play

SHOWN_BITS = LAID_BIT | SEEN_BIT


class ShownCards:
    """Reads one two-player deal, event by event; counts cards by name and seat.

    Of like cards that the record does not tell apart, only as many count as have surely been shown.
    """

    def __init__(self) -> None:
        self._shown: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self._before: AnyEvent | None = None
        self._turn_up: str | None = None

    def read(self, event: AnyEvent | None, table: Table) -> None:
        """Read an event, or the deal before its first, with the table after it."""
        if isinstance(event, Play):
            # Of like cards the other player cannot tell which was played; `of` adds those that lie on the table.
            shown = self._shown[event.seat]
            if shown[event.card]:
                shown[event.card] -= 1
        elif isinstance(event, Meld | Dix | Irregular):
            shown, turn_up = self._shown[event.seat], table.stock.turn_up
            if isinstance(event, Dix) and self._turn_up and turn_up != self._turn_up:
                shown[self._turn_up] += 1
            if isinstance(event, Irregular) and event.what == "exposed_card":
                shown |= self._card_drawn(event.seat)
            # What is laid here stays known if the meld is withdrawn.
            shown |= surely_shown(table, event.seat)
        if event is not None:
            self._before = event
        self._turn_up = table.stock.turn_up

    def _card_drawn(self, seat: int) -> Counter[str]:
        """The card that the seat has drawn in the event before, if any."""
        drawn = self._before
        return Counter([drawn.card] if isinstance(drawn, Draw) and drawn.seat == seat else [])

    def of(self, table: Table, seat: int) -> Counter[str]:
        """The cards a seat holds that the other has seen."""
        held, shown = table.held[seat], self._shown[seat] | surely_shown(table, seat)
        return Counter({card: min(count, held.get(card, 0)) for card, count in shown.items()})


def surely_shown(table: Table, seat: int) -> Counter[str]:
    """The cards of a hand that lie on the table or are known to both seats in every reading."""
    readings = table.readings[seat]
    if not are_all_readings(readings):
        return Counter({card: least for card, (least, _) in laid_bounds(readings).items()})
    counts = [
        Counter([card for card, mark in reading if mark & SHOWN_BITS]) for reading in readings
    ]
    least = counts[0]
    for other in counts[1:]:
        least &= other
    return least
