"""A slow solver for comparison: minimax on the tables of the referee, to the last card.

It uses nothing of the solver or of the engine: what may be done, and what it scores, says the referee of
`tests.playouts`, which plays with physical cards. A position is all the worlds that a record leaves possible: they
differ only in which of like cards has served in what. Positions with the same future are searched only once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from records.cards import FACE_OF
from records.events import AnyEvent, Dix, Meld, Play
from records.record import Deal
from records.rules.vocabulary import BrisqueCount, RuleSheet, Window
from tests.playouts.melds import row_of
from tests.playouts.tricks import TrickReferee
from tests.playouts.world import World, Wrong
from tests.records.rules.changed_sheets import pattern_text
from tests.referee import brute

Worlds = list[World]
"""Every way in which a position may really lie; the same points in each."""


class Minimax:
    """The values of endings of one sheet: points still to come, seat 0's less seat 1's."""

    def __init__(self, sheet: RuleSheet) -> None:
        self.sheet = sheet
        self.referee = TrickReferee(sheet)
        self.melds = sheet.rules.phases[-1].meld_limit > 0
        self._known: dict[object, int] = {}
        self._sets: dict[object, list[tuple[str, ...]]] = {}

    def value(self, worlds: Worlds) -> int:
        """What the rest of the deal is worth to seat 0 if both do their best."""
        key = frozenset([self._key(world) for world in worlds])
        if key not in self._known:
            values = [value for _, value in self.ways(worlds)]
            best = max if worlds[0].to_act == 0 else min
            self._known[key] = best([*values, 0] if worlds[0].over else values)
        return self._known[key]

    def ways(self, worlds: Worlds) -> Iterator[tuple[AnyEvent, int]]:
        """Everything that may be done, and what the rest of the deal is worth then with what it scores.

        Where like cards would score differently, whoever does it says for which.
        """
        best = max if worlds[0].to_act == 0 else min
        ahead = self._ahead(worlds[0])
        for event in self._events(worlds[0]):
            afters = self._after(worlds, event)
            if afters:
                yield (
                    event,
                    best(self._ahead(after[0]) - ahead + self.value(after) for after in afters),
                )

    def after(self, worlds: Worlds, events: Iterable[AnyEvent]) -> Worlds:
        """The worlds after lawful events."""
        for event in events:
            (worlds,) = self._after(worlds, event)
        return worlds

    def _after(self, worlds: Worlds, event: AnyEvent) -> list[Worlds]:
        """The worlds in which an event is lawful, after it, those of the same points together, and like ones once."""
        found: dict[tuple[int, ...], Worlds] = {}
        for world in worlds:
            try:
                for then in self.referee.act(world, event):
                    found.setdefault(tuple(then.points), []).append(then)
            except Wrong:
                continue
        return [
            list({self._key(world): world for world in after}.values()) if after[1:] else after
            for after in found.values()
        ]

    def _events(self, world: World) -> Iterator[AnyEvent]:
        """Everything that may be lawful."""
        seat, rule = world.to_act, self.sheet.rules.dix
        name = slice(None) if world.labelled else slice(2)
        if world.window is not None and world.melds_left > 0:
            for meld, cards in self._forming(world, name):
                yield Meld(seat=seat, meld=meld, cards=list(cards))
        names = sorted({card[name] for card in world.hands[seat]})
        if rule and rule.show is not Window.NEVER:
            for card in [card for card in names if card[:2] == f"7{world.trump}"]:
                yield Dix(seat=seat, action="show", card=card)
        for card in names:
            yield Play(seat=seat, card=card)

    def _forming(self, world: World, name: slice) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every meld that the cards of a seat form, whether or not it may score: its name and its cards."""
        pool = world.taken[world.to_act] if world.captures else world.hands[world.to_act]
        cards = sorted(card[name] for card in pool)
        new = {card[:2] for card in world.fresh}
        for row in self.sheet.rules.melds:
            ranks = {slot[0] for slot in pattern_text(row.cards).rpartition(" * ")[2].split()}
            fitting = tuple([card for card in cards if card[0] in ranks])
            if world.captures and not any(card[0] in ranks for card in new):
                continue
            key = row, fitting, world.trump
            if key not in self._sets:
                self._sets[key] = [
                    chosen
                    for chosen in _sets_of_ranks(pattern_text(row.cards), fitting)
                    if row_of(self.sheet, world, row.name, [c[:2] for c in chosen], scores=True)
                ]
            for chosen in self._sets[key]:
                if not world.captures or any(card[:2] in new for card in chosen):
                    yield row.name, chosen

    def _ahead(self, world: World) -> int:
        """What seat 0 has more than seat 1, brisques taken and not yet counted among it."""
        first, second = world.points
        if self.sheet.rules.brisques.count is BrisqueCount.AT_THE_END and not world.over:
            first += self.referee.brisques(world, 0)
            second += self.referee.brisques(world, 1)
        return first - second

    def _key(self, world: World) -> object:
        """What the rest of a closed deal depends on."""
        name = slice(None) if world.labelled else slice(2)
        now = (
            world.to_act,
            tuple([card[:2] for _, card in world.trick]),
            tuple([tricks > 0 for tricks in world.closed_tricks]),
            world.window is not None and world.melds_left,
            world.trump,
        )
        served = self._served(world) if self.melds else {}
        piles = [*world.hands, *(world.taken if self.melds and world.captures else ())]
        cards = [
            tuple(sorted([(c[name], c in world.spent, served.get(c, ())) for c in pile]))
            for pile in piles
        ]
        return now, *cards, tuple(sorted([card[name] for card in world.fresh]))

    def _served(self, world: World) -> dict[str, tuple[object, ...]]:
        """What each card has served in: in which melds, or, of cards captured, in melds of which kinds alone."""
        served: dict[str, tuple[object, ...]] = {}
        for seat, scored in enumerate(world.scored):
            for number, meld in enumerate(scored):
                replaced = (seat, number) in world.replaced
                what = meld.row.kind if world.captures else (number, meld.row.kind, replaced)
                for card in meld.cards:
                    if what not in served.get(card, ()):
                        served[card] = (*served.get(card, ()), what)
        return served


def _sets_of_ranks(pattern: str, cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The sets of these cards with the ranks of a meld, of whatever suits."""
    times, _, slots = pattern.rpartition(" * ")
    ranks = Counter("".join(slot[0] for slot in slots.split()) * int(times or 1))
    by_rank = [
        sorted(set(combinations([card for card in cards if card[0] == rank], number)))
        for rank, number in ranks.items()
    ]
    for chosen in product(*by_rank):
        yield tuple(card for part in chosen for card in part)


def close_worlds(sheet: RuleSheet, deal: Deal, minimax: Minimax | None = None) -> Worlds:
    """The worlds after the events of a deal that begins with a position after the close.

    Tricks may have been played after the close before, so nobody can be said to have taken them all.
    """
    (world,) = brute.worlds_of(sheet, deal)
    world.closed_tricks = [1, 1]
    return (minimax or Minimax(sheet)).after([world], deal.events)


def dixes_to_come(sheet: RuleSheet, worlds: Worlds) -> int:
    """What seat 0 scores for sevens of trumps played, or shown when it likes, less seat 1: the same whatever is played."""
    rule = sheet.rules.dix
    if not rule or not rule.in_last_tricks:
        return 0
    if not rule.played and rule.show is not Window.AT_ANY_TIME:
        return 0
    scoring = [
        max(
            sum(
                card[:2] == f"7{world.trump}"
                and not (card in world.spent and (rule.once_per_card or not rule.played))
                for card in world.hands[seat]
            )
            for world in worlds
        )
        for seat in (0, 1)
    ]
    return rule.points * (scoring[0] - scoring[1])


def unshown(sheet: RuleSheet, worlds: Worlds, event: AnyEvent) -> int:
    """What a seven of trumps that scores only by being shown forgoes when it is played: that stands apart."""
    rule = sheet.rules.dix
    if not rule or rule.show is not Window.AT_ANY_TIME or rule.played:
        return 0
    world = worlds[0]
    if not isinstance(event, Play) or FACE_OF[event.card] != f"7{world.trump}":
        return 0
    held = [card for card in world.hands[event.seat] if event.card in (card, card[:2])]
    return rule.points if any(card not in world.spent for card in held) else 0
