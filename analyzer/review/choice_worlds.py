"""What the choices of a decision bring in the worlds in which they are tried, and why one is better than another."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot, sqrt
from random import Random
from typing import NamedTuple

from analyzer.play.fast_deal import FastDeal, PointSource
from analyzer.play.greedy import Choice, play_out
from analyzer.play.worlds import do_choice
from analyzer.review.decisions import OpenDecision
from analyzer.review.deep_review import ERRORS_TO_TELL, is_settled
from analyzer.review.winning import DealEnd

# All choices are made in the same worlds, and in each of them every seat draws the same cards whoever takes the tricks
# (`FastDeal.paired`): so two choices differ by what they bring, and little by luck.
#
# The best of many means is partly the luckiest. So a choice is never compared in the worlds that chose the best: these are
# divided into folds, and in each the best is the one that was best in all others.
#
# Which choice is best stays uncertain, too, and the spread of these differences does not tell how much: the error has a
# second part, by how much the worlds that choose the best themselves say otherwise.

FIRST_WORLDS = 32
"""So many worlds are tried first; then twice as many, and so on, until the grade is settled or the width is reached."""
FOLDS = 4
"""Each fold is compared with the best choice of the others."""
ERRORS_TO_SETTLE = 3.0
"""A grade is settled if so many standard errors to either side would not change it."""


class MeanPoints(NamedTuple):
    """A mean in points, and its standard error."""

    points: float
    error: float


class ChoiceWorlds:
    """The leads at the end of the deal by choice and world, for the seat that decides, in points; and the `ends` themselves.

    World n of a decision is the same in every run with the same `key`, whatever else is reviewed.
    """

    def __init__(self, decision: OpenDecision, key: str) -> None:
        self.decision = decision
        self.leads: list[list[int]] = [[] for _ in decision.choices]
        self.ends: list[list[DealEnd]] = [[] for _ in decision.choices]
        self._key = key

    @property
    def number(self) -> int:
        """How many worlds have been tried."""
        return len(self.leads[0])

    def world(self, number: int) -> FastDeal:
        """World `number` of this decision, before its choices."""
        world = self.decision.knowledge.world(Random(f"{self._key} {number}"))
        world.paired = True
        return world

    def widen(self, worlds: int) -> None:
        """Try the choices in more worlds, until there are so many."""
        sign = -1 if self.decision.seat else 1
        for number in range(self.number, worlds):
            world = self.world(number)
            for place, choice in enumerate(self.decision.choices):
                twin = world.copy()
                do_choice(twin, choice)
                self.leads[place].append(sign * play_out(twin))
                self.ends[place].append(DealEnd.of(twin))

    def widen_until_settled(self, most: int, least: float) -> None:
        """Try as many worlds as the grade of what was done needs with a limit of `least` points, at most `most`."""
        worlds = min(FIRST_WORLDS, most)
        self.widen(worlds)
        while worlds < most and not self.is_settled(least):
            worlds = min(2 * worlds, most)
            self.widen(worlds)

    def is_settled(self, least: float) -> bool:
        """Whether more worlds would hardly change the grade of what was done."""
        chosen = self.leads[self.decision.chosen]
        gaps = [mean_difference(leads, chosen) for leads in self.leads]
        lowest = max(gap.points - ERRORS_TO_SETTLE * gap.error for gap in gaps)
        highest = max(gap.points + ERRORS_TO_SETTLE * gap.error for gap in gaps)
        return is_settled(max(lowest, 0.0), highest, least)

    def best(self) -> int:
        """The choice with the highest mean; what was done, if that is as good."""
        sums = [sum(leads) for leads in self.leads]
        chosen = self.decision.chosen
        return chosen if sums[chosen] == max(sums) else sums.index(max(sums))

    def mean_of(self, choice: int) -> MeanPoints:
        """The mean lead after a choice."""
        return _mean(self.leads[choice])

    def behind(self, choice: int) -> MeanPoints:
        """By how much the best is better than a choice, measured in worlds that had no part in choosing the best.

        Its error also holds what the best gains or loses by being chosen in the same worlds, and one world more in which the
        two are alike: however often they differed by as much, the next world may be another.
        """
        own, differences = self.leads[choice], [0] * self.number
        for fold in range(FOLDS):
            best = self.leads[self._best_outside(fold)]
            for world in range(fold, self.number, FOLDS):
                differences[world] = best[world] - own[world]
        found = _mean(differences)
        chosen_by_all = self.mean_of(self.best()).points - self.mean_of(choice).points
        flattery, one_more = chosen_by_all - found.points, found.points / self.number
        return MeanPoints(found.points, hypot(found.error, flattery, one_more))

    def best_by_fold(self) -> list[int]:
        """The choice with the highest mean in all worlds but those of a fold, for each fold; world n is in fold n % FOLDS."""
        return [self._best_outside(fold) for fold in range(FOLDS)]

    def _best_outside(self, fold: int) -> int:
        sums = [sum(leads) - sum(leads[fold::FOLDS]) for leads in self.leads]
        return sums.index(max(sums))


def mean_difference(first: list[int], second: list[int]) -> MeanPoints:
    """By how much one is better than the other in the same worlds."""
    return _mean([a - b for a, b in zip(first, second, strict=True)])


def _mean(values: list[int]) -> MeanPoints:
    number = len(values)
    mean = sum(values) / number
    variance = sum((value - mean) ** 2 for value in values) / max(number - 1, 1)
    return MeanPoints(mean, sqrt(variance / number))


# Why a choice is better than another, as the worlds show it: what each side scores afterwards, and how often.

TRACED_WORLDS = 100
"""What comes of two choices is counted in so many worlds."""
MOST_REASONS = 2
LEAST_SHARE, LEAST_PART = 1 / 3, 1 / 6
"""The reasons told are this share of the whole difference together, so all others together are at most twice as large; and each is this part of it."""
TAKEN_BY_ONE = ("brisques", "last_trick", "last_stock_trick")
"""What one seat gets of these the other does not, so they are told of the seat that decides, for what they are worth to both."""


def trace_choice(world: FastDeal, choice: Choice) -> dict[PointSource, int]:
    """How often every source brought its points in a world after a choice, the choice itself included.

    The points of brisques are one source, counted in brisques; what is neither is `other`, counted in points.
    """
    deal, sources = world.copy(), Counter[PointSource]()
    deal.sources = sources
    before = deal.points[:]
    do_choice(deal, choice)
    play_out(deal)
    brisques = deal.rules.sheet.brisques
    found = dict(sources)
    for seat in range(2):
        known = sum(
            number * source.worth for source, number in found.items() if source.seat == seat
        )
        if worth := brisques.points_at_the_end:
            found[PointSource(seat, "brisques", worth)] = deal.brisques[seat]
            known += worth * deal.brisques[seat]
        found[PointSource(seat, "other", 1)] = deal.points[seat] - before[seat] - known
    return found


class Reason(NamedTuple):
    """What one source of points brings after the better choice and after the other, over so many `worlds`.

    `often` and `often_else` are how many worlds have it at all; `times` and `times_else` are how often it comes in the
    mean of all. `points` is what that difference is worth to the seat that decides.
    """

    source: PointSource
    worlds: int
    often: int
    often_else: int
    times: float
    times_else: float
    points: float


class ChoiceComparison(NamedTuple):
    """Two choices of a decision in the same worlds; `points` is by how much the better one is ahead in these."""

    points: float
    reasons: Sequence[Reason]


def compare_choices(worlds: ChoiceWorlds, better: int, other: int) -> ChoiceComparison:
    """What makes a choice better than another, the weightiest first; nothing if no source stands out."""
    choices, seat = worlds.decision.choices, worlds.decision.seat
    first, second = list[Mapping[PointSource, int]](), list[Mapping[PointSource, int]]()
    for number in range(TRACED_WORLDS):
        world = worlds.world(number)
        first.append(trace_choice(world, choices[better]))
        second.append(trace_choice(world, choices[other]))
    sources = sorted(
        {
            source
            for world in (*first, *second)
            for source in world
            if source.seat == seat or source.name not in TAKEN_BY_ONE
        }
    )
    found = [_reason(source, seat, first, second) for source in sources]
    whole = sum(reason.points for reason, _ in found)
    return ChoiceComparison(whole, choose_reasons(found))


def choose_reasons(found: Sequence[tuple[Reason, float]]) -> list[Reason]:
    """The reasons to tell, the weightiest first, of all with their standard errors; none if these say too little."""
    whole = sum(reason.points for reason, _ in found)
    told = [
        reason
        for reason, error in found
        if reason.source.name != "other"
        and reason.points >= max(ERRORS_TO_TELL * error, LEAST_PART * whole)
        and reason.points > 0
    ]
    told = sorted(told, key=lambda reason: -reason.points)[:MOST_REASONS]
    return told if sum(reason.points for reason in told) >= LEAST_SHARE * whole else []


def _reason(
    source: PointSource,
    seat: int,
    first: Sequence[Mapping[PointSource, int]],
    second: Sequence[Mapping[PointSource, int]],
) -> tuple[Reason, float]:
    """What a source brings after both choices, and the standard error of its difference in points."""
    times, others = [[world.get(source, 0) for world in worlds] for worlds in (first, second)]
    number = len(times)
    worth = source.worth if source.seat == seat else -source.worth
    worth *= 2 if source.name in TAKEN_BY_ONE else 1
    gaps = [worth * (a - b) for a, b in zip(times, others, strict=True)]
    mean = sum(gaps) / number
    error = sqrt(sum((gap - mean) ** 2 for gap in gaps) / (number - 1) / number)
    return (
        Reason(
            source,
            number,
            number - times.count(0),
            number - others.count(0),
            sum(times) / number,
            sum(others) / number,
            mean,
        ),
        error,
    )
