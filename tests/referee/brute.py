"""Continuations counted the slow way: every conceivable event put to the referees of `tests.playouts`.

The referees are written from the rulebooks and follow every physical copy; nothing of the replay is
used. This is what `tests.referee.perft` is held against.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from records.events import AnyEvent, Discard, Dix, Draw, Meld, Play
from records.record import Deal, Record
from records.rules.registry import resolve_rules
from tests.playouts.laid_out import begin
from tests.playouts.piles import PileReferee, Seats
from tests.playouts.tricks import TrickReferee
from tests.playouts.world import World, Wrong

Worlds = list[Any]


def nodes(record: Record, depth: int) -> list[int]:
    """How many ways to go on there are: of one choice, of two, up to `depth`."""
    deal = record.deals[-1]
    sheet = resolve_rules(record.rules).sheet
    brute: Any = _Piles(sheet, deal) if sheet.rules.tableau else _Tricks(sheet, deal, record.sides)
    worlds = brute.start()
    for event in deal.events:
        worlds = acted(brute.referee, worlds, event)
    counts, states = [], [worlds]
    for _ in range(depth):
        states = [after for worlds in states for after in brute.after(worlds)]
        counts.append(len(states))
    return counts


def worlds_of(sheet: Any, deal: Deal) -> Worlds:
    """The worlds that the position of a deal describes, in a game with tricks."""
    return _Tricks(sheet, deal).start()


def acted(referee: Any, worlds: Worlds, event: AnyEvent) -> Worlds:
    """The worlds in which an event is lawful, after it; like worlds once."""
    found = {}
    for world in worlds:
        try:
            for then in referee.act(world, event):
                found[then.key()] = then
        except Wrong:
            continue
    return list(found.values())


class _Tricks:
    """A game with tricks, from a position."""

    def __init__(self, sheet: Any, deal: Deal, sides: list[list[int]] | None = None) -> None:
        self.sheet, self.deal = sheet, deal
        self.seats = range(sheet.rules.players[0])
        self.referee = TrickReferee(sheet, sides)
        self.sizes = meld_sizes(sheet)

    def start(self) -> Worlds:
        """The one world that a position without labels describes, names of copies apart."""
        return [begin(self.referee, self.deal)]

    def after(self, worlds: Worlds) -> Iterator[Worlds]:
        """What every choice leads to."""
        for event in [*self._melds(worlds[0]), *self._sevens(worlds[0])]:
            if then := acted(self.referee, worlds, event):
                yield then
        worlds = self._drawn(worlds)
        faces = {card[:2] for hand in worlds[0].hands for card in hand}
        for card in sorted(faces):
            for seat in self.seats:
                if then := acted(self.referee, worlds, Play(seat=seat, card=card)):
                    yield then

    def _melds(self, world: World) -> Iterator[AnyEvent]:
        for seat in self.seats:
            pool = world.taken[seat] if self.referee.captures else world.hands[seat]
            faces = sorted(card[:2] for card in pool)
            for name, size in self.sizes:
                for cards in sorted(set(combinations(faces, size))):
                    yield Meld(seat=seat, meld=name, cards=list(cards))

    def _sevens(self, world: World) -> Iterator[AnyEvent]:
        for seat in self.seats:
            yield Dix(seat=seat, action="exchange")
            yield Dix(seat=seat, action="show")

    def _drawn(self, worlds: Worlds) -> Worlds:
        stock = self.deal.stock or []
        while worlds[0].due:
            down, seat = worlds[0].down, worlds[0].due[0]
            card = stock[-down] if down else worlds[0].turn_up[:2]
            worlds = acted(self.referee, worlds, Draw(seat=seat, card=card))
        return worlds


class _Piles:
    """Zetema, from a position."""

    def __init__(self, sheet: Any, deal: Deal) -> None:
        self.deal, self.sheet = deal, sheet
        seats = len(deal.setup.hands if deal.setup else deal.hands or [])
        self.referee = PileReferee(sheet, seats, [[seat] for seat in range(seats)], [0] * seats)
        self.referee.labelled = False
        self.sizes = meld_sizes(sheet, self.referee.full)

    def start(self) -> Worlds:
        """The position."""
        return [begin(self.referee, self.deal)]

    def after(self, worlds: Worlds) -> Iterator[Worlds]:
        """What every choice leads to."""
        while worlds[0].now == "draw" and not worlds[0].over:
            card = (self.deal.stock or [])[-worlds[0].down]
            worlds = acted(self.referee, worlds, Draw(seat=worlds[0].to_act, card=card))
        for event in self._events(worlds[0]):
            if then := acted(self.referee, worlds, event):
                yield then

    def _events(self, world: Seats) -> Iterator[AnyEvent]:
        seat = world.to_act
        own, lying = sorted(world.hands[seat].elements()), list(world.tableau.elements())
        royal = sorted(card for card in [*own, *lying] if card[0] in "KQ")
        for name, size in self.sizes:
            pool = royal if name == "marriages" else own
            for cards in sorted(set(combinations(pool, size))):
                yield Meld(seat=seat, meld=name, cards=list(cards))
        for card in sorted(set(own)):
            yield Discard(seat=seat, card=card)


def meld_sizes(sheet: Any, full: int = 0) -> list[tuple[str, int]]:
    """Every name of a meld with the number of its cards; `full` is the size of a full hand, in Zetema."""
    sizes = [(row.name, row.cards.size) for row in sheet.rules.melds]
    if not full:
        return sorted(set(sizes))
    return sorted({(name, n if name == "marriages" else min(n, full)) for name, n in sizes})
