"""The expert of a game without tricks: combinations and discards, weighed in possible deals that the engine plays on."""

from collections.abc import Sequence
from random import Random

from records.engine.choices import legal_plays
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table
from records.engine.zetema.combinations import combination_points
from records.events import AnyEvent, Discard, Meld
from records.record import Deal
from records.selfplay import FormedMeld, play_greedily

DEFAULT_WORLDS = 8
"""Each choice is tried in so many worlds."""
TURNS_AHEAD = 2
"""Each world is played on for so many turns of every seat."""


class TableauExpert:
    """Plays one seat of a deal of a game without tricks; the same seed plays alike.

    It knows its own hand, the tableau, and how many cards the others hold. Which of them were shown in combinations it does
    not remember. The `stock` of the deal is only counted among the cards that the seat has not seen.
    """

    def __init__(self, seat: int, deal: Deal, seed: int, worlds: int = DEFAULT_WORLDS) -> None:
        self.seat = seat
        self._stock = list(deal.stock or ())
        self._random = Random(seed)
        self._worlds = worlds

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Take note of an event: all that counts lies on the table."""

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to discard, of these."""
        return cards[self._best(table, self._discards(cards))]

    def choose_dix(self, table: Table, actions: Sequence[str]) -> str | None:
        """Nothing: there are no trumps."""
        return None

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        """The combination to score, of these; None to discard at once."""
        combinations = [
            Meld(
                seat=self.seat,
                meld=row.name,
                cards=cards,
                points=combination_points(table, row, cards),
            )
            for row, cards in melds
        ]
        best = self._best(table, [*combinations, *self._discards(legal_plays(table))])
        return melds[best] if best < len(melds) else None

    def _discards(self, cards: Sequence[str]) -> list[AnyEvent]:
        return [Discard(seat=self.seat, card=card) for card in cards]

    def _best(self, table: Table, events: Sequence[AnyEvent]) -> int:
        """The place of the event with the best lead over the mean of the others, in the same worlds."""
        leads = [0.0] * len(events)
        for _ in range(self._worlds if len(events) > 1 else 0):
            cards, seed = self._dealt_anew(table), self._random.random()
            for place, event in enumerate(events):
                leads[place] += self._lead_after(_world(table, self.seat, cards), event, seed)
        return leads.index(max(leads))

    def _dealt_anew(self, table: Table) -> list[str]:
        """The cards that the seat has not seen, in random order."""
        unseen = self._stock[len(self._stock) - table.stock.left :]
        for seat, held in enumerate(table.held):
            if seat != self.seat:
                unseen += [card for card, number in held.items() for _ in range(number)]
        return self._random.sample(sorted(unseen), len(unseen))

    def _lead_after(self, world: Table, event: AnyEvent, seed: float) -> float:
        """The lead over the mean of the others when greedy players have played on."""
        unchecked_stepper(world).advance(event)
        turns = TURNS_AHEAD * world.seats
        for played in play_greedily(world, Random(seed)):
            turns -= isinstance(played, Discard)
            if turns == 0:
                break
        points = world.points
        return points[self.seat] - (sum(points) - points[self.seat]) / (world.seats - 1)


def _world(table: Table, viewer: int, cards: Sequence[str]) -> Table:
    """The table with these cards in the other hands and, after them, in the stock."""
    world, first = table.copy(), 0
    for seat, held in enumerate(world.held):
        if seat != viewer:
            number = sum(held.values())
            held.clear()
            for card in cards[first : first + number]:
                held[card] = held.get(card, 0) + 1
            first += number
    world.stock.order = [*cards[first:]]
    return world
