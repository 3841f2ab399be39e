"""Luck and skill in one deal, by one evaluator: the mean of positions played out (see `rollout`).

The value of a position is the lead that seat 0 ends with on average. What cards drawn change is luck:
the value after them less the value before, where every card face down was as likely. What a choice
changes is skill: who does what the players of the roll-outs do changes nothing. The sum is exact:
result = base + deal + draws + skill of the one - skill of the other + remainder.

Every position is played out under the same shuffles, so that two positions differ by what was done and
not by the cards that happen to follow; the standard errors are those of the sums, from shuffle to
shuffle.
"""

from collections import Counter
from math import sqrt
from random import Random
from statistics import mean, stdev

import msgspec

from analyzer.annotate.rollout import next_event, play_out
from records.events import AnyEvent, CarteBlanche, Declare, Dix, Draw, Meld, Play
from records.frames import Frame, Match
from records.record import Deal
from records.replay.apply import apply
from records.replay.start import lay_out
from records.replay.table import DRAW, OVER, Table
from records.rules.vocabulary import TurnUp

BASE = 3
"""So many fresh deals are played out for the base in every shuffle."""
PARTS = ("base", "deal", "draws", "skill_0", "skill_1", "remainder")


class Luck(msgspec.Struct):
    """Where a result came from, in points, seat 0's less seat 1's.

    `errors` are the standard errors of the parts. `base` is what such a deal brings seat 0 on average,
    `skill` counts for each seat what its choices brought it. The `remainder` is what nobody chose: rulings,
    and melds that a roll-out missed where like cards are not told apart.
    """

    rollouts: int
    result: int
    base: float
    deal: float
    draws: float
    skill: list[float]
    remainder: float
    errors: list[float]


def may_be_told(deal: Deal) -> bool:
    """Whether luck can be told from skill: only where the deal was dealt, and every hand is written."""
    return deal.setup is None and deal.hands is not None


class Reader:
    """Plays the positions of a deal out, and puts each change of value down to what brought it."""

    def __init__(self, match: Match, deal: Deal, rollouts: int) -> None:
        self.match, self.deal = match, deal
        self.shuffles = [Random(f"shuffle {number}") for number in range(rollouts)]
        self.sums = {part: [0.0] * rollouts for part in PARTS}
        self.values = [0.0] * rollouts
        self.table: Table | None = None
        self.stock: list[str] = []
        self.keys: list[list[float]] = []
        self.expected: AnyEvent | None = None

    def read(self, frame: Frame) -> None:
        """Take in a frame."""
        table, event = frame.table, frame.event
        if self.table is None:
            self._begin(table)
        self.table = table
        if event is None and frame.index >= 0:
            lead = table.points[0] - table.points[1]
            self._count("remainder", [lead] * len(self.keys))
            return
        events = self.deal.events
        following = events[frame.index + 1] if frame.index + 1 < len(events) else None
        between = isinstance(event, Draw) and isinstance(following, Draw)
        if not between and not _same(event, self.expected) and (part := _part(frame)):
            self._add(part, table)
        self._go_on(table.copy(), following)

    def _go_on(self, table: Table, following: AnyEvent | None) -> None:
        """What no event tells: what could be melded is passed over, cards are drawn that are not written."""
        self.expected = next_event(table)
        if not isinstance(following, Play | Draw | None):
            return
        if isinstance(self.expected, Meld | Dix):
            table.window = None
            self._add(f"skill_{self.expected.seat}", table)
        if table.step == DRAW and table.order and isinstance(following, Play):
            while table.step == DRAW and (draw := next_event(table)):
                apply(table, draw)
            self._add("draws", table)
        self.expected = next_event(table)

    def _begin(self, table: Table) -> None:
        """Before the first event: the base, and the order of the cards face down."""
        self.stock = _stock(table, self.deal)
        self.keys = [[random.random() for _ in self.stock] for random in self.shuffles]
        self._count("base", [_base(self.match, self.deal, random) for random in self.shuffles])

    def _add(self, part: str, table: Table) -> None:
        self._count(part, self._values(table))

    def _count(self, part: str, values: list[float]) -> None:
        for number, (value, was) in enumerate(zip(values, self.values, strict=True)):
            self.sums[part][number] += value - was
        self.values = values

    def _values(self, table: Table) -> list[float]:
        """The lead at the end under every shuffle of the cards still face down."""
        first, last = len(self.stock) - table.down, len(self.stock)
        if table.down < 2:
            lead = play_out(table.copy(), self.stock[first:])
            return [lead] * len(self.keys)
        return [
            play_out(
                table.copy(),
                [self.stock[i] for i in sorted(range(first, last), key=keys.__getitem__)],
            )
            for keys in self.keys
        ]

    def luck(self) -> Luck | None:
        """The parts with their errors; rounded, they still add up. None before the end of the deal."""
        if self.table is None or self.table.step != OVER:
            return None
        result = self.table.points[0] - self.table.points[1]
        means = {part: round(mean(self.sums[part]), 1) for part in PARTS}
        rest = result - sum([means[part] for part in PARTS[:-1]])
        return Luck(
            rollouts=len(self.keys),
            result=result,
            base=means["base"],
            deal=means["deal"],
            draws=means["draws"],
            skill=[means["skill_0"], round(0 - means["skill_1"], 1)],
            remainder=round(rest, 1) + 0.0,
            errors=[round(stdev(self.sums[part]) / sqrt(len(self.keys)), 1) for part in PARTS],
        )


def _part(frame: Frame) -> str:
    """What a change of value at this event is put down to; empty where nothing can change."""
    event = frame.event
    if event is None:
        return "deal"
    if isinstance(event, Draw):
        return "draws"
    if isinstance(event, Play | Meld | Dix | CarteBlanche | Declare):
        return f"skill_{event.seat}"
    return "remainder" if frame.awards else ""


def _same(event: AnyEvent | None, expected: AnyEvent | None) -> bool:
    """Whether a choice is the one that the players of the roll-outs make."""
    match event, expected:
        case Play(source=None), Play():
            return event.card == expected.card
        case Meld(), Meld():
            return event.meld == expected.meld and sorted(event.cards) == sorted(expected.cards)
        case Dix(), Dix():
            return event.action == expected.action
        case CarteBlanche(), CarteBlanche():
            return event.seat == expected.seat
        case _:
            return False


def _stock(table: Table, deal: Deal) -> list[str]:
    """The cards face down in the order in which they are drawn, those that nobody drew last."""
    drawn = deal.stock or [event.card for event in deal.events if isinstance(event, Draw)]
    left = Counter(table.unseen)
    left.subtract(drawn[: table.down])
    return [*drawn, *left.elements()][: table.down]


def _base(match: Match, deal: Deal, random: Random) -> float:
    """What a deal of the same dealer is worth before a card is seen."""
    book = match.book
    pack = [face for face, copies in book.faces.items() for _ in range(copies)]
    size = len((deal.hands or [[]])[0])
    total = 0
    for _ in range(BASE):
        random.shuffle(pack)
        rest = pack[2 * size :]
        turn_up = rest.pop() if isinstance(book.sheet.trumps, TurnUp) else None
        dealt = Deal(
            dealer=deal.dealer,
            knowledge="full",
            hands=[pack[:size], pack[size : 2 * size]],
            turn_up=turn_up,
            stock=rest,
        )
        total += play_out(lay_out(book, dealt, match.names), rest)
    return total / BASE
