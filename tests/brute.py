"""Continuations counted the slow way: every conceivable event put to the referees of `tests.playouts`.

The referees are written from the rulebooks and follow every physical copy; nothing of the replay is
used. This is what `tests.perft` is held against.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from records.events import AnyEvent, Discard, Dix, Draw, Meld, Play
from records.record import Deal, Record
from records.rules.registry import resolve_rules
from tests.playouts.melds import note, row_of
from tests.playouts.piles import PileReferee, Seats
from tests.playouts.tricks import TrickReferee, named
from tests.playouts.world import Scored, World, Wrong

Worlds = list[Any]


def nodes(record: Record, depth: int) -> list[int]:
    """How many ways to go on there are: of one choice, of two, up to `depth`."""
    deal = record.deals[-1]
    sheet = resolve_rules(record.rules).sheet
    game: Any = _Piles if sheet.tableau else _Tricks
    brute = game(sheet, deal)
    counts, states = [], [brute.start()]
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

    def __init__(self, sheet: Any, deal: Deal) -> None:
        self.sheet, self.deal, self.setup = sheet, deal, deal.setup
        self.referee = TrickReferee(sheet)
        self.sizes = meld_sizes(sheet)

    def start(self) -> Worlds:
        """The one world that a position describes, but for the names of copies that have none."""
        setup, sheet = self.setup, self.sheet
        laid = [
            [card for group in groups for card in group.cards]
            for groups in setup.tables or [[], []]
        ]
        won = setup.captured or [[], []]
        places = [(card, seat) for seat in (0, 1) for card in [*setup.hands[seat], *laid[seat]]]
        if self.referee.captures:
            places = [(card, seat) for seat in (0, 1) for card in setup.hands[seat]]
        places += [(card, 2 + seat) for seat in (0, 1) for card in won[seat]]
        turn_up = [(setup.turn_up, 4)] if setup.turn_up else []
        given, unseen = named(sheet, places + turn_up, 5)
        world = World(
            hands=given[:2], unseen=unseen, down=setup.stock, turn_up=next(iter(given[4]), ""),
            dealer=self.deal.dealer, trump=setup.trump or (setup.turn_up or "")[1:] or None,
            to_act=setup.seat, reuse=sheet.reuse.rule, captures=self.referee.captures,
            labelled=any("." in card for hand in setup.hands for card in hand),
        )  # fmt: skip
        world.taken = [sorted(given[2]), sorted(given[3])]
        for seat, groups in enumerate(setup.tables or []):
            for group in groups:
                self._lay(world, seat, group.meld, group.cards)
        if setup.won:
            self._has_won(world, won[setup.seat][-2:])
        return [world]

    def _lay(self, world: World, seat: int, name: str, faces: list[str]) -> None:
        cards: set[str] = set()
        for face in faces:
            free = world.hands[seat] - world.laid - cards
            cards.add(min(card for card in free if card[:2] == face))
        world.laid |= cards
        row = row_of(self.sheet, world, name, list(faces), scores=True)
        assert row is not None
        note(self.sheet, world, seat, row, frozenset(cards))
        assert world.scored[seat][-1] == Scored(row, frozenset(cards))

    def _has_won(self, world: World, new: list[str]) -> None:
        seat = self.setup.seat
        world.window, world.melds_left = seat, self.sheet.phases[world.closed].melds
        world.due = [] if world.closed else [seat, 1 - seat]
        for face in new if self.referee.captures else ():
            free = set(world.taken[seat]) - world.fresh
            world.fresh.add(max(card for card in free if card[:2] == face))

    def after(self, worlds: Worlds) -> Iterator[Worlds]:
        """What every choice leads to."""
        for event in [*self._melds(worlds[0]), *self._sevens(worlds[0])]:
            if then := acted(self.referee, worlds, event):
                yield then
        worlds = self._drawn(worlds)
        faces = {card[:2] for hand in worlds[0].hands for card in hand}
        for card in sorted(faces):
            for seat in (0, 1):
                if then := acted(self.referee, worlds, Play(seat=seat, card=card)):
                    yield then

    def _melds(self, world: World) -> Iterator[AnyEvent]:
        for seat in (0, 1):
            pool = world.taken[seat] if self.referee.captures else world.hands[seat]
            faces = sorted(card[:2] for card in pool)
            for name, size in self.sizes:
                for cards in sorted(set(combinations(faces, size))):
                    yield Meld(seat=seat, meld=name, cards=list(cards))

    def _sevens(self, world: World) -> Iterator[AnyEvent]:
        for seat in (0, 1):
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
        self.deal, self.setup, self.sheet = deal, deal.setup, sheet
        seats = len(self.setup.hands)
        self.referee = PileReferee(sheet, seats, [[seat] for seat in range(seats)], [0] * seats)
        self.referee.labelled = False
        self.sizes = meld_sizes(sheet, self.referee.full)

    def start(self) -> Worlds:
        """The position."""
        setup = self.setup
        world = Seats(
            hands=[Counter(hand) for hand in setup.hands], unseen=Counter(self.deal.stock or []),
            down=setup.stock, points=[0] * len(setup.hands), tableau=Counter(setup.tableau or []),
        )  # fmt: skip
        self.referee.begin(world, setup.seat)
        return [world]

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
    sizes = [(row.name, _size(row.cards)) for row in sheet.melds]
    if not full:
        return sorted(set(sizes))
    return sorted({(name, n if name == "marriages" else min(n, full)) for name, n in sizes})


def _size(pattern: str) -> int:
    """How many cards a pattern names: `2 * Qb Jb` four, `6 run` six."""
    times, _, cards = pattern.rpartition(" * ")
    return (
        int(pattern[0])
        if "run" in cards or "suit" in cards
        else int(times or 1) * len(cards.split())
    )
