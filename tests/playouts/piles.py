"""A slow referee of the game without tricks: draw up, combine, discard to the piles.

Nothing is melded twice, so like cards need no names; a record leaves open only whether a card of a
marriage comes from the hand or from the tableau, and every way is followed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

from records.events import AnyEvent, Discard, Draw, Meld, Score
from records.record import Deal
from records.rules.vocabulary import Chain, GameEnd, HandCards, RaceTo, RuleSheet
from records.rules.vocabulary import MeldRule as MeldRow
from tests.playouts.tricks import named
from tests.playouts.world import Wrong, demand
from tests.records.rules.changed_sheets import pattern_text

Pile = Counter[str]


@dataclass
class Seats:
    """Everything that is so in a deal of Zetema; `now` is the step that the seat to act is at."""

    hands: list[Pile]
    unseen: Pile
    down: int
    to_act: int = 0
    now: str = "draw"
    owes: int = 0
    combines: bool = True
    bound: frozenset[str] | None = None
    going_on: bool = False
    tableau: Pile = field(default_factory=Counter)
    zetema: tuple[int, int] | None = None
    points: list[int] = field(default_factory=list)
    over: bool = False

    def copy(self) -> "Seats":
        return replace(
            self,
            hands=[Counter(hand) for hand in self.hands],
            unseen=Counter(self.unseen),
            tableau=Counter(self.tableau),
            points=list(self.points),
        )

    def key(self) -> tuple[object, ...]:
        hands = tuple(tuple(sorted(hand.items())) for hand in self.hands)
        return hands, tuple(sorted(self.tableau.items())), self.to_act, self.now, tuple(self.points)


class PileReferee:
    """Judges one deal; `needed` is what each side lacks of the game, where play stops at once."""

    def __init__(
        self, sheet: RuleSheet, seats: int, sides: list[list[int]], needed: list[int]
    ) -> None:
        if sheet.rules.tableau is None:
            raise ValueError(sheet.id)
        self.sheet, self.rule, self.seats, self.sides = sheet, sheet.rules.tableau, seats, sides
        self.full = self.rule.draw_up_to[seats]
        at_once = isinstance(sheet.rules.match, RaceTo) and sheet.rules.match.end is GameEnd.AT_ONCE
        self.needed = needed if at_once else None
        self.acts = {
            Draw: self.draw, Meld: self.meld, Discard: self.discard, Score: self.score,
        }  # fmt: skip

    def start(self, deal: Deal) -> Seats:
        hands = deal.hands or []
        demand(deal.turn_up is None, "nothing is turned up")
        demand(len(hands) == self.seats, "hands")
        demand(all(len(hand) == self.sheet.rules.hand[self.seats] for hand in hands), "hands")
        drawn = [event.card for event in deal.events if isinstance(event, Draw)]
        self.labelled = any("." in card for cards in [*hands, drawn] for card in cards)
        places = [(card, seat) for seat, hand in enumerate(hands) for card in hand]
        given, unseen = named(self.sheet, places, self.seats)
        world = Seats(
            hands=[Counter(map(self.name, hand)) for hand in given],
            unseen=Counter(map(self.name, unseen)),
            down=len(unseen),
            points=[0] * self.seats,
        )
        self.begin(world, (deal.dealer + 1) % self.seats)
        return world

    def name(self, card: str) -> str:
        """As the record writes it: a label only where it labels, and where there are two."""
        doubled = card[1] in self.sheet.rules.pack.doubled_suits
        return card if self.labelled and doubled else card[:2]

    def begin(self, world: Seats, seat: int) -> None:
        """The next seat with cards, or with cards to draw, begins (A-35)."""
        turn = [(seat + i) % self.seats for i in range(self.seats)]
        able = [s for s in turn if world.down or world.hands[s].total()]
        world.over = world.over or not able
        if world.over:
            return
        world.to_act = able[0]
        lacks = max(0, self.full - world.hands[able[0]].total())
        if lacks and not world.down:
            world.combines = self.sheet.rules.phases[-1].meld_limit > 0
        world.owes = min(lacks, world.down)
        world.now = "draw" if world.owes else "combine" if world.combines else "discard"
        world.bound, world.going_on = None, False

    def act(self, world: Seats, event: AnyEvent) -> Iterator[Seats]:
        demand(type(event) in self.acts, "an event of another game")
        if not isinstance(event, Score):
            demand(not world.over and event.seat == world.to_act, "not in turn")
        found = list(self.acts[type(event)](world, event))
        demand(found, "cannot be")
        yield from found

    def at_the_end(self, world: Seats, deal: Deal) -> bool:
        claims = deal.claims.scores if deal.claims else None
        sides = [sum(world.points[seat] for seat in side) for side in self.sides]
        return claims is None or claims == sides

    def draw(self, world: Seats, event: Draw) -> Iterator[Seats]:
        demand(world.now == "draw" and world.unseen[event.card] > 0, "no such card to draw")
        then = world.copy()
        then.unseen[event.card] -= 1
        then.hands[event.seat][event.card] += 1
        then.down -= 1
        then.owes -= 1
        if not then.owes:
            then.now = "combine" if then.combines else "discard"
        yield then

    def meld(self, world: Seats, event: Meld) -> Iterator[Seats]:
        demand(world.now == "combine", "not the time to combine")
        points = self.points(event)
        demand(event.points in (None, points), "not those points")
        cards = Counter(event.cards)
        if event.meld == "marriages":
            for lying in self.ways(world, event, cards):
                then = world.copy()
                then.tableau -= lying
                then.hands[event.seat] -= cards - lying
                self.award(then, event.seat, points)
                self.begin(then, (event.seat + 1) % self.seats)
                yield then
            return
        demand(cards <= world.hands[event.seat], "cards not held")
        then = world.copy()
        then.now, then.bound = "discard", frozenset(cards)
        self.award(then, event.seat, points)
        yield then

    def points(self, event: Meld) -> int:
        """What the cards are worth under this name; raises Wrong if they are something else."""
        faces = [card[:2] for card in event.cards]
        rows = [row for row in self.sheet.rules.melds if row.name == event.meld]
        row = next((row for row in rows if self.forms(row, faces)), None)
        if row is None:
            raise Wrong("not that combination")
        pairs = len(faces) // 2
        if event.meld != "marriages" or pairs >= self.rule.doubled_suit_below:
            return row.points
        imperial = sum(face[1] in self.sheet.rules.pack.doubled_suits for face in faces) // 2
        return row.points + imperial * self.rule.doubled_suit_points

    def forms(self, row: MeldRow, faces: list[str]) -> bool:
        """Each kind of combination, in the rulebook's words."""
        ranks, suits = [face[0] for face in faces], {face[1] for face in faces}
        count, _, shape = pattern_text(row.cards).partition(" ")
        if row.name == "marriages":
            kings = Counter(face[1] for face in faces if face[0] == "K")
            queens = Counter(face[1] for face in faces if face[0] == "Q")
            return len(faces) == 2 * int(count) and kings == queens == +kings and (
                kings.total() == int(count)
            )  # fmt: skip
        if row.name == "assembly":
            named_ranks = shape.removeprefix("* ").removesuffix("x").strip("[]")
            return len(faces) == int(count) and len(set(ranks)) == 1 and ranks[0] in named_ranks
        runs = len(set(ranks)) == len(ranks) and self.consecutive(ranks)
        one_suit = len(suits) == 1
        wanted = {"sequence": (True, False), "flush": (False, True), "flush_sequence": (True, True)}
        return len(faces) == min(6, self.full) and (runs, one_suit) == wanted[row.name]

    def consecutive(self, ranks: list[str]) -> bool:
        order = self.sheet.rules.pack.row or ()
        windows = (order[i : i + len(ranks)] for i in range(len(order) - len(ranks) + 1))
        return any(set(window) == set(ranks) for window in windows)

    def ways(self, world: Seats, event: Meld, cards: Pile) -> Iterator[Pile]:
        """Which of the cards may come from the tableau (A-38)."""
        hand = world.hands[event.seat]
        said = None if event.from_tableau is None else Counter(event.from_tableau)
        pairs = self.rule.marriage_hand_cards is HandCards.EACH_PAIR
        ranges = [range(min(n, world.tableau[card]) + 1) for card, n in cards.items()]
        for numbers in product(*ranges):
            lying = +Counter(dict(zip(cards, numbers, strict=True)))
            from_hand = cards - lying
            fits = said in (None, lying) and from_hand <= hand and from_hand
            if fits and (not pairs or self.each_pair(cards, lying)):
                yield lying

    def each_pair(self, cards: Pile, lying: Pile) -> bool:
        """Of every pair at least one card comes from the hand."""
        for suit in "SHDC":
            pairs = sum(n for card, n in cards.items() if card[:2] == "K" + suit)
            if sum(n for card, n in lying.items() if card[1] == suit) > pairs:
                return False
        return True

    def discard(self, world: Seats, event: Discard) -> Iterator[Seats]:
        seat, card = event.seat, event.card
        demand(world.now in ("combine", "discard"), "cards are to be drawn first")
        demand(world.hands[seat][card] > 0, "not held")
        demand(world.bound is None or card in world.bound, "not of the combination")
        ready = [c for c in +world.hands[seat] if self.pile(world, c) == self.rule.full - 1]
        demand(not world.going_on or not ready or card in ready, "must go on")
        then = world.copy()
        then.hands[seat] -= Counter([card])
        then.tableau[card] += 1
        then.zetema = None
        completes = self.pile(then, card) == self.rule.full
        if completes:
            for lying in [c for c in then.tableau if c[0] == card[0]]:
                del then.tableau[lying]
            then.zetema = (seat, self.rule.zetemas[card[0]])
            self.award(then, seat, then.zetema[1])
        whole = self.rule.chain is Chain.WHOLE_HAND
        if completes and self.seats == 2 and (whole or not then.down) and then.hands[seat].total():
            then.now, then.bound, then.going_on = "discard", None, True
        else:
            self.begin(then, (seat + 1) % self.seats)
        yield then

    def pile(self, world: Seats, card: str) -> int:
        return sum(n for lying, n in world.tableau.items() if lying[0] == card[0])

    def award(self, world: Seats, seat: int, points: int) -> None:
        world.points[seat] += points
        if self.needed is not None:
            sums = [sum(world.points[seat] for seat in side) for side in self.sides]
            world.over = any(s >= n for s, n in zip(sums, self.needed, strict=True))

    def score(self, world: Seats, event: Score) -> Iterator[Seats]:
        demand(event.what == "zetema" and world.zetema, "no zetema to score")
        seat, points = world.zetema or (None, 0)
        demand(event.seat == seat and event.points in (None, points), "not so")
        then = world.copy()
        then.zetema = None
        yield then
