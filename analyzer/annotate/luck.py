"""Luck and skill in one deal, by one evaluator: the mean of positions played out (see `rollout`).

The value of a position is the lead that seat 0 ends with on average. What a card drawn changes is luck:
the value after it less the value before, where every card face down was as likely. What a choice changes is
skill. The sum is exact: result = base + deal + draws + skill of the one - skill of the other + remainder.

Every position is played out under the same shuffles, so that two positions differ by what was done and
not by the cards that happen to follow; the standard errors are those of the sums, from shuffle to
shuffle.
"""

from math import sqrt
from random import Random
from statistics import mean, stdev

import msgspec

from analyzer.annotate.rollout import play_out
from records.events import CarteBlanche, Declare, Dix, Draw, Meld, Play
from records.frames import Frame, Match, replay
from records.record import Deal, Record
from records.replay.legal import choices
from records.replay.start import lay_out
from records.replay.table import OVER, Table
from records.rules.registry import Resolved
from records.rules.vocabulary import TurnUp

BASE = 3
"""So many fresh deals are played out for the base in every shuffle."""
PARTS = ("base", "deal", "draws", "skill_0", "skill_1", "remainder")


class Luck(msgspec.Struct):
    """Where a result came from, in points, seat 0's less seat 1's.

    `errors` are the standard errors of the parts. `base` is what such a deal brings seat 0 on average,
    `skill` counts for each seat what its choices brought it. The `remainder` is what nobody chose:
    rulings, and plays that were forced.
    """

    rollouts: int
    result: int
    base: float
    deal: float
    draws: float
    skill: list[float]
    remainder: float
    errors: list[float]


def luck_of(record: Record, resolved: Resolved, number: int, rollouts: int) -> Luck | None:
    """The luck in a deal of a record, the same for the same record; None if it was not played out openly."""
    deal = record.deals[number]
    if deal.setup is not None or deal.hands is None or rollouts < 2:
        return None
    match = Match(record, resolved)
    alone = msgspec.structs.replace(record, deals=[deal], lines=None)
    reader = Reader(match, deal, rollouts)
    for frame in replay(alone, match=match):
        if frame.table.guessed or frame.table.partial:
            return None
        reader.read(frame)
    return reader.luck()


class Reader:
    """Plays every position of a deal out, and puts each change of value down to what brought it."""

    def __init__(self, match: Match, deal: Deal, rollouts: int) -> None:
        self.table: Table | None = None
        self.draws = [event.card for event in deal.events if isinstance(event, Draw)]
        self.shuffles = [Random(f"shuffle {number}") for number in range(rollouts)]
        self.keys = [[random.random() for _ in self.draws] for random in self.shuffles]
        self.drawn = 0
        self.chosen = False
        self.values = [_base(match, deal, random) for random in self.shuffles]
        self.sums = {part: [0.0] * rollouts for part in PARTS}
        self.sums["base"] = list(self.values)

    def read(self, frame: Frame) -> None:
        """Take in a frame."""
        self.table = frame.table
        self.drawn += isinstance(frame.event, Draw)
        part = _part(frame, chosen=self.chosen)
        if part:
            before, self.values = self.values, self._values(frame)
            for number, (value, was) in enumerate(zip(self.values, before, strict=True)):
                self.sums[part][number] += value - was
        self.chosen = _may_choose(frame)

    def _values(self, frame: Frame) -> list[float]:
        """The lead at the end under every shuffle of the cards still face down."""
        table = frame.table
        if _is_end(frame):
            return [table.points[0] - table.points[1]] * len(self.keys)
        down = table.down
        left = range(self.drawn, self.drawn + down)
        if down < 2:
            lead = play_out(table.copy(), [self.draws[index] for index in left])
            return [lead] * len(self.keys)
        return [
            play_out(table.copy(), [self.draws[i] for i in sorted(left, key=keys.__getitem__)])
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


def _part(frame: Frame, *, chosen: bool) -> str:
    """What a change of value at this event is put down to; empty where nothing can change."""
    event = frame.event
    if frame.index == -1:
        return "deal"
    if isinstance(event, Draw):
        return "draws"
    if _is_end(frame):
        return f"skill_{frame.table.window}" if chosen else "remainder"
    if isinstance(event, Play | Meld | Dix | CarteBlanche | Declare):
        return f"skill_{event.seat}" if chosen else "remainder"
    return "remainder" if frame.awards else ""


def _is_end(frame: Frame) -> bool:
    """Whether the deal ends here: what could be melded after the last trick has been passed over."""
    return frame.event is None and frame.index >= 0


def _may_choose(frame: Frame) -> bool:
    """Whether what comes next is chosen from among several things."""
    lawful = choices(frame.table)
    return len(lawful.plays) > 1 or bool(lawful.melds or lawful.dix)


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
