"""What the choices of a decision bring in the worlds in which they are tried, and why one is better than another."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import hypot, sqrt
from random import Random
from typing import NamedTuple

from analyzer.play import base_player, greedy
from analyzer.play.fast_deal import FastDeal, PointSource
from analyzer.play.greedy import WHOLE_DEAL, Choice
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
MORE_SIMPLE_WORLDS = 4
"""Simple players try so many times the worlds of base players next."""
FOLDS = 4
"""Each fold is compared with the best choice of the others."""
ERRORS_TO_SETTLE = 2.5
"""A grade is settled if so many standard errors to either side would not change it."""


PlayOut = Callable[[FastDeal, int], int]
"""Plays a deal on for at most so many tricks before the close; returns the lead of seat 0 in points."""


class MeanPoints(NamedTuple):
    """A mean in points, and its standard error."""

    points: float
    error: float


class LeadsByChoice(NamedTuple):
    """Who plays a world to its end after a choice: the leads by choice and world, in points for the seat that decides.

    A choice that was given up has fewer worlds than the others: the first ones.
    """

    play_out: PlayOut
    leads: list[list[int]]

    def best(self, chosen: int) -> int:
        """The choice with the highest mean of those not given up; what was `chosen`, if that is as good."""
        sums = self._sums()
        return chosen if sums.get(chosen) == max(sums.values()) else max(sums, key=sums.__getitem__)

    def mean_of(self, choice: int) -> MeanPoints:
        """The mean lead after a choice."""
        return _mean(self.leads[choice])

    def behind(self, choice: int, best_of_all: int) -> MeanPoints:
        """By how much the best is better than a choice, measured in worlds that had no part in choosing the best.

        Its error also holds what the best gains or loses by being chosen in the same worlds, and one world more in which the
        two are alike: however often they differed by as much, the next world may be another.
        """
        own = self.leads[choice]
        number = len(own)
        differences = [0] * number
        for fold, place in enumerate(self.best_by_fold()):
            best = self.leads[place]
            for world in range(fold, number, FOLDS):
                differences[world] = best[world] - own[world]
        found = _mean(differences)
        chosen_by_all = mean_difference(self.leads[best_of_all][:number], own).points
        flattery, one_more = chosen_by_all - found.points, found.points / number
        return MeanPoints(found.points, hypot(found.error, flattery, one_more))

    def best_by_fold(self) -> list[int]:
        """The choice with the highest mean in all worlds but those of a fold, for each fold; world n is in fold n % FOLDS."""
        found = []
        for fold in range(FOLDS):
            sums = {
                place: whole - sum(self.leads[place][fold::FOLDS])
                for place, whole in self._sums().items()
            }
            found.append(max(sums, key=sums.__getitem__))
        return found

    def gaps(self, choice: int) -> list[MeanPoints]:
        """By how much every choice not given up is better than one, in the worlds of both."""
        own = self.leads[choice]
        return [mean_difference(self.leads[place][: len(own)], own) for place in self._sums()]

    def _sums(self) -> dict[int, int]:
        """The sum of the leads of every choice that has all worlds."""
        most = max(map(len, self.leads))
        return {place: sum(leads) for place, leads in enumerate(self.leads) if len(leads) == most}


class ChoiceWorlds:
    """The worlds of a decision, each played on after every choice by base players and by simple players.

    `ends` are the ends of the deal by choice and world, if base players go on. World n of a decision is the same in every run
    with the same `key`, whatever else is reviewed. Choices that are surely worse, by a grade that more worlds would not
    change, are given up.
    """

    def __init__(self, decision: OpenDecision, key: str) -> None:
        self.decision = decision
        choices = range(len(decision.choices))
        self.base = LeadsByChoice(base_player.play_out, [[] for _ in choices])
        self.simple = LeadsByChoice(greedy.play_out, [[] for _ in choices])
        self.ends: list[list[DealEnd]] = [[] for _ in choices]
        self._kept = [*choices]
        self._key = key

    def world(self, number: int) -> FastDeal:
        """World `number` of this decision, before its choices."""
        world = self.decision.knowledge.world(Random(f"{self._key} {number}"))
        world.paired = True
        return world

    def widen(self, players: LeadsByChoice, worlds: int) -> None:
        """Let these players go on in more worlds after the choices that are left, until there are so many."""
        sign = -1 if self.decision.seat else 1
        for number in range(len(players.leads[self.decision.chosen]), worlds):
            world = self.world(number)
            for place in self._kept:
                after = world.copy()
                do_choice(after, self.decision.choices[place])
                players.leads[place].append(sign * players.play_out(after, WHOLE_DEAL))
                if players is self.base:
                    self.ends[place].append(DealEnd.of(after))

    def widen_until_settled(self, most: int, least: float) -> None:
        """Try as many worlds as the grade of what was done needs with a limit of `least` points, at most `most`.

        Simple players are quick, so they try more worlds at a time: what loses little with them is no mistake.
        """
        worlds = min(FIRST_WORLDS, most)
        self.widen(self.base, worlds)
        self.widen(self.simple, worlds)
        while worlds < most and not self.is_settled(least):
            self.widen(self.simple, min(MORE_SIMPLE_WORLDS * worlds, most))
            if self.is_settled(least):
                return
            self._kept = [place for place in self._kept if not self._may_be_given_up(place, least)]
            worlds = min(2 * worlds, most)
            self.widen(self.base, worlds)
        self.widen(self.simple, worlds)

    def _may_be_given_up(self, place: int, least: float) -> bool:
        if place == self.decision.chosen:
            return False
        bounds = [_bounds(each.gaps(place)) for each in (self.base, self.simple)]
        return all(low > 0 and is_settled(low, high, least) for low, high in bounds)

    def is_settled(self, least: float) -> bool:
        """Whether more worlds would hardly change the grade of what was done."""
        chosen = self.decision.chosen
        bounds = [_bounds(each.gaps(chosen)) for each in (self.base, self.simple)]
        lowest, highest = map(min, zip(*bounds, strict=True))
        return is_settled(max(lowest, 0.0), highest, least)

    def best(self) -> int:
        """The choice with the highest mean if base players go on; what was done, if that is as good."""
        return self.base.best(self.decision.chosen)


def _bounds(gaps: Sequence[MeanPoints]) -> tuple[float, float]:
    """Between what two numbers of points the loss of a choice lies, as far as these gaps to all others tell."""
    return (
        max(gap.points - ERRORS_TO_SETTLE * gap.error for gap in gaps),
        max(gap.points + ERRORS_TO_SETTLE * gap.error for gap in gaps),
    )


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
SOON = 6
"""A reason is looked for in so many tricks before the close: what comes later is not caused by one card."""
MOST_REASONS = 2
LEAST_SHARE, LEAST_PART = 1 / 3, 1 / 6
"""The reasons told are this share of the whole difference together, so all others together are at most twice as large; and each is this part of it."""
TAKEN_BY_ONE = ("brisques", "last_trick", "last_stock_trick")
"""What one seat gets of these the other does not, so they are told of the seat that decides, for what they are worth to both."""


def trace_choice(world: FastDeal, choice: Choice, play_out: PlayOut) -> dict[PointSource, int]:
    """How often every source brought its points in a world soon after a choice, the choice itself included.

    The brisques taken are one source, counted in brisques; what is neither is `other`, counted in points.
    """
    deal, sources = world.copy(), Counter[PointSource]()
    deal.sources = sources
    before, taken = deal.points[:], deal.brisques[:]
    do_choice(deal, choice)
    play_out(deal, SOON)
    worth = deal.rules.sheet.brisques.points_at_the_end
    found = dict(sources)
    for seat in range(2):
        known = sum(
            number * source.worth for source, number in found.items() if source.seat == seat
        )
        if worth:
            found[PointSource(seat, "brisques", worth)] = deal.brisques[seat] - taken[seat]
            known += worth * deal.brisques[seat] if deal.over else 0
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
    """What makes a choice better than another, the weightiest first; nothing if no source stands out.

    A reason is told only if it holds whoever goes on; its figures are those of base players.
    """
    found = _compare(worlds, better, other, worlds.base.play_out)
    whole = sum(reason.points for reason, _ in found)
    reasons = choose_reasons(found)
    if reasons:
        by_simple = _compare(worlds, better, other, worlds.simple.play_out)
        holds = {
            reason.source
            for reason, error in by_simple
            if reason.points > 0 and reason.points >= ERRORS_TO_TELL * error
        }
        reasons = [reason for reason in reasons if reason.source in holds]
    return ChoiceComparison(whole, reasons)


def _compare(
    worlds: ChoiceWorlds, better: int, other: int, play_out: PlayOut
) -> list[tuple[Reason, float]]:
    """What every source brings after two choices, if these players go on, with the standard errors."""
    choices, seat = worlds.decision.choices, worlds.decision.seat
    first, second = list[Mapping[PointSource, int]](), list[Mapping[PointSource, int]]()
    for number in range(TRACED_WORLDS):
        world = worlds.world(number)
        first.append(trace_choice(world, choices[better], play_out))
        second.append(trace_choice(world, choices[other], play_out))
    sources = sorted(
        {
            source
            for world in (*first, *second)
            for source in world
            if source.seat == seat or source.name not in TAKEN_BY_ONE
        }
    )
    return [_reason(source, seat, first, second) for source in sources]


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
