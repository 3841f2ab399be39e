"""Whether the cards of a record can have been where it needs them, rules aside.

After a rule is broken the referee cannot go on. Whether the rest of the record still fits the
completion is asked of the cards alone. Where that is not certain the answer is no: the completion then counts as
a misfit, of which nothing is demanded.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from records.events import Declare, Discard, Dix, Draw, Meld, Play, Score, Trick
from tests.playouts.piles import Seats
from tests.records.partial.positions import covers

Cards = Counter[str]


@dataclass
class Whereabouts:
    """Who holds which faces; `captured` is None where melds are not made of captured cards."""

    hands: list[Cards]
    unseen: Cards
    captured: list[Cards] | None
    tableau: Cards
    turn_up: str
    trump: str | None
    down: int

    def allows(self, events: list[Any]) -> bool:
        """Whether every card of these events can be where it must be; no, where that is not certain."""
        if not events:
            return True
        return any(then.allows(events[1:]) for then in self.after(events[0], events[1:]))

    def after(self, event: Any, rest: list[Any]) -> Iterator["Whereabouts"]:
        """Everything that may be so after an event."""
        if isinstance(event, Trick | Score):
            yield self
        elif isinstance(event, Play | Discard):
            yield from self._after_play(event, rest)
        elif isinstance(event, Draw):
            yield from self._after_draw(event, rest)
        elif isinstance(event, Meld | Declare):
            yield from self._after_meld(event, rest)
        elif isinstance(event, Dix) and event.action != "play":
            yield from self._after_dix(event)

    def _copy(self) -> "Whereabouts":
        return replace(
            self, hands=[Counter(hand) for hand in self.hands], unseen=Counter(self.unseen)
        )

    def _after_play(self, event: Any, rest: list[Any]) -> Iterator["Whereabouts"]:
        if self.captured is not None and any(isinstance(e, Meld) for e in rest):
            return
        options = [f for f in +self.hands[event.seat] if f == event.card or covers(event.card, f)]
        for face in options:
            then = self._copy()
            then.hands[event.seat][face] -= 1
            yield then

    def _after_draw(self, event: Draw, rest: list[Any]) -> Iterator["Whereabouts"]:
        if "?" in event.card:
            if not any(isinstance(e, Play | Discard | Meld | Declare | Dix) for e in rest):
                yield self
            return
        then = self._copy()
        if then.unseen[event.card] and then.down:
            then.unseen[event.card] -= 1
            then.down -= 1
        elif event.card == then.turn_up and not then.down:
            then.turn_up = ""
        else:
            return
        then.hands[event.seat][event.card] += 1
        yield then

    def _after_meld(self, event: Any, rest: list[Any]) -> Iterator["Whereabouts"]:
        pool = (self.captured or self.hands)[event.seat] + self.tableau
        known = Counter(card for card in event.cards if "?" not in card)
        if not known - pool and (event.meld != "marriages" or not rest):
            yield self

    def _after_dix(self, event: Dix) -> Iterator["Whereabouts"]:
        seven = f"7{self.trump or ''}"
        then = self._copy()
        if not then.hands[event.seat][seven]:
            return
        if event.action == "exchange":
            if not then.turn_up:
                return
            then.hands[event.seat][seven] -= 1
            then.hands[event.seat][then.turn_up] += 1
            then.turn_up = seven
        yield then


def whereabouts_of(world: Any) -> Whereabouts:
    """The cards of a world by their faces."""
    if isinstance(world, Seats):
        return Whereabouts(
            hands=[Counter(hand) for hand in world.hands], unseen=Counter(world.unseen), captured=None,
            tableau=Counter(world.tableau), turn_up="", trump=None, down=world.down,
        )  # fmt: skip
    return Whereabouts(
        hands=[_faces(hand) for hand in world.hands], unseen=_faces(world.unseen),
        captured=[_faces(pile) for pile in world.taken] if world.captures else None,
        tableau=Counter(), turn_up=world.turn_up[:2], trump=world.trump, down=world.down,
    )  # fmt: skip


def _faces(cards: Any) -> Cards:
    return Counter(card[:2] for card in cards)
