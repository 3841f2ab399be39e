"""What the choices of a decision bring in the worlds in which they are tried, and why one is better than another."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import hypot, isqrt, sqrt
from random import Random
from typing import NamedTuple

from analyzer.play import base_player, greedy
from analyzer.play.fast_deal import FastDeal, PointSource
from analyzer.play.greedy import Choice
from analyzer.play.shared_ends import play_out_together
from analyzer.play.worlds import do_choice
from analyzer.review.decisions import OpenDecision
from analyzer.review.deep_review import ERRORS_TO_TELL, INACCURACY_FACTOR
from analyzer.review.winning import DealEnd

# All choices are made in the same worlds, and in each of them every seat draws the same cards whoever takes the tricks
# (`FastDeal.paired`): so two choices differ by what they bring, and little by luck.
#
# Worlds are asked for only where they can change what is said. Every choice is tried in few; then all but what was done and
# the likeliest to be best are given up, by base players and by simple players each for themselves. The rest are tried in
# twice as many, and so on, until it is clear whether what was done seems a mistake, or until more would hardly tell. The same
# is asked of base players alone: what costs much with them is where a deal may have turned, even if simple players, who play
# the worse, would lose it all the same.
#
# The best of many means is partly the luckiest. So a choice is never compared in the worlds that chose the best. The first
# worlds, which chose what is kept, have no part in comparing it. The others are divided into folds, and in each the best is
# the one that was best in all others.
#
# Of many decisions, too, those that seem mistakes are partly the unluckiest, the more so as their worlds end when they seem
# mistakes. So a part of the worlds allowed tells which decisions these are, and has no part in what they are said to lose.
# That is measured in all other worlds, against one choice: the one that seems better by most whoever goes on.
#
# Which choice is best stays uncertain, too, and the spread of these differences does not tell how much: the error has a
# second part, by how much the worlds that choose the best themselves say otherwise.

CHOOSING_PART = 4
"""One in so many of the worlds allowed, at most, tells which choices seem mistakes; the others tell what these lose."""
MOST_RIVALS = 3
"""So many choices, the likeliest to be best, are then tried on beside what was done."""
ERRORS_TO_GIVE_UP = 2.5
"""Later a choice is given up once it is so many standard errors behind the best."""
MORE_SIMPLE_WORLDS = 2
"""Simple players are quick, so they try so many times the worlds of base players next."""
FOLDS = 4
"""Each fold is compared with the best choice of the others."""
HOPE = 2.0
"""More worlds would tell a mistake from none if they did should the means move by so many standard errors."""

PlayOut = Callable[[FastDeal, int], int]
"""Plays a deal on for at most so many tricks before the close; returns the lead of seat 0 in points."""


def first_worlds(most: int) -> int:
    """In how many worlds every choice is tried, if `most` are allowed: the root of half of them, but enough for all folds."""
    return min(most, max(FOLDS, isqrt(most // 2)))


class MeanPoints(NamedTuple):
    """A mean in points, and its standard error."""

    points: float
    error: float


class LeadsByChoice:
    """Who plays a world to its end after a choice: the leads by choice and world, in points for the seat that decides.

    Those of `kept` choices are tried in all worlds; the others were given up after the first `chose` worlds. `refused`
    choices are such as no player would believe: none of them is called the best.
    """

    __slots__ = ("chose", "kept", "leads", "play_out", "refused")

    def __init__(
        self, play_out: PlayOut, leads: list[list[int]], refused: frozenset[int] = frozenset()
    ) -> None:
        self.play_out, self.leads, self.refused = play_out, leads, refused
        most = max(map(len, leads))
        self.kept = [place for place, each in enumerate(leads) if len(each) == most]
        self.chose = 0 if len(self.kept) == len(leads) else min(map(len, leads))

    def give_up(self, chosen: int) -> None:
        """Keep what was `chosen` and, beside it, the highest means; later, what is not surely behind the best."""
        if not self.chose and len(self.kept) > MOST_RIVALS + 1:
            rivals = [place for place in self.believed if place != chosen]
            rivals.sort(key=lambda place: -sum(self.leads[place]))
            self.kept = sorted([chosen, *rivals[:MOST_RIVALS]])
            self.chose = len(self.leads[chosen])
        best = self.leads[self.best(chosen)]
        gaps = {place: mean_difference(best, self.leads[place]) for place in self.kept}
        self.kept = [
            place
            for place, gap in gaps.items()
            if place == chosen or gap.points <= ERRORS_TO_GIVE_UP * gap.error
        ]

    def sure_gain(self, choice: int, other: int) -> float:
        """By how many points a choice is better than another in the worlds of both, less one standard error."""
        worlds = min(len(self.leads[choice]), len(self.leads[other]))
        gap = mean_difference(self.leads[choice][:worlds], self.leads[other][:worlds])
        return gap.points - gap.error

    def compare_anew(self, kept: Sequence[int]) -> None:
        """Keep these choices, and compare them only in worlds to come."""
        self.kept, self.chose = sorted({*kept}), max(map(len, self.leads))

    @property
    def believed(self) -> list[int]:
        """The choices that are kept and may be called the best."""
        return [place for place in self.kept if place not in self.refused]

    def best(self, chosen: int) -> int:
        """The choice with the highest mean of those kept; what was `chosen`, if that is as good."""
        sums = {place: sum(self.leads[place]) for place in self.believed}
        return chosen if sums.get(chosen) == max(sums.values()) else max(sums, key=sums.__getitem__)

    def mean_of(self, choice: int) -> MeanPoints:
        """The mean lead after a choice, in its own worlds."""
        return _mean(self.leads[choice])

    def value_of(self, choice: int, best: int) -> MeanPoints:
        """The mean lead after a choice in all worlds.

        That of a choice given up is by as much lower than that of the best as in the worlds of both, but not higher.
        """
        of_best = self.mean_of(best)
        if choice in self.believed:
            return self.mean_of(choice)
        own = self.leads[choice]
        gap = mean_difference(self.leads[best][: len(own)], own)
        return MeanPoints(of_best.points - max(0.0, gap.points), hypot(of_best.error, gap.error))

    def behind(self, choice: int, best_of_all: int) -> MeanPoints:
        """By how much the best is better than a choice, measured in worlds that had no part in choosing the best.

        Its error also holds what the best gains or loses by being chosen in the same worlds, and one world more in which the
        two are alike: however often they differed by as much, the next world may be another.
        """
        first, best_by_world = self.best_by_world(choice)
        own = self.leads[choice][first:]
        differences = [
            self.leads[place][world] - lead
            for world, (place, lead) in enumerate(zip(best_by_world, own, strict=True), first)
        ]
        found = _mean(differences)
        of_best = self.leads[best_of_all][first : first + len(own)]
        flattery = mean_difference(of_best, own).points - found.points
        return MeanPoints(found.points, hypot(found.error, flattery, found.points / len(own)))

    def best_by_world(self, choice: int) -> tuple[int, list[int]]:
        """With what a choice is compared: the first world of the comparison, and for each from there the best of other folds.

        The worlds that chose what is kept count only where a choice given up has no others: there the best is that of all
        later worlds.
        """
        if choice not in self.kept:
            later = {place: sum(self.leads[place][self.chose :]) for place in self.believed}
            return 0, [max(later, key=later.__getitem__)] * len(self.leads[choice])
        leads = {place: self.leads[place][self.chose :] for place in self.believed}
        sums = {place: sum(each) for place, each in leads.items()}
        best = [
            max(leads, key=lambda place: sums[place] - sum(leads[place][fold::FOLDS]))
            for fold in range(FOLDS)
        ]
        return self.chose, [
            best[number % FOLDS] for number in range(len(self.leads[choice]) - self.chose)
        ]

    def loss_range(self, choice: int, below: float, above: float) -> tuple[float, float]:
        """Between what two numbers of points a kept choice is behind the best: from so many standard errors to so many."""
        lost, own = self.behind(choice, self.best(choice)), self.leads[choice]
        gaps = [
            mean_difference(self.leads[place], own) for place in self.believed if place != choice
        ]
        return (
            max(0.0, lost.points + below * lost.error),
            max((gap.points + above * gap.error for gap in gaps), default=0.0),
        )


class PlayedWorlds(NamedTuple):
    """The leads by choice and world if base players go on and if simple players do, and the ends of the deal with the former."""

    base: list[list[int]]
    simple: list[list[int]]
    ends: list[list[DealEnd]]


class ChoiceWorlds:
    """The worlds of a decision, each played on after every choice by base players and by simple players.

    `ends` are the ends of the deal by choice and world, if base players go on. World n of a decision is the same in every run
    with the same `key`, whatever else is reviewed.
    """

    def __init__(self, decision: OpenDecision, key: str) -> None:
        self.decision = decision
        choices = range(len(decision.choices))
        refused = decision.refused
        self.base = LeadsByChoice(base_player.play_out, [[] for _ in choices], refused)
        self.simple = LeadsByChoice(greedy.play_out, [[] for _ in choices], refused)
        self.ends: list[list[DealEnd]] = [[] for _ in choices]
        self._key = key

    def world(self, number: int) -> FastDeal:
        """World `number` of this decision, before its choices."""
        world = self.decision.knowledge.world(Random(f"{self._key} {number}"))
        world.paired = True
        return world

    def widen(self, players: LeadsByChoice, worlds: int) -> None:
        """Let these players go on after the choices that they keep, in more worlds, until there are so many."""
        sign, leads = -1 if self.decision.seat else 1, players.leads
        for number in range(min(len(leads[place]) for place in players.kept), worlds):
            world = self.world(number)
            places = [place for place in players.kept if len(leads[place]) == number]
            deals = [world.copy() for _ in places]
            for place, after in zip(places, deals, strict=True):
                do_choice(after, self.decision.choices[place])
            play_out_together(deals, players.play_out)
            for place, after in zip(places, deals, strict=True):
                leads[place].append(sign * (after.points[0] - after.points[1]))
                if players is self.base:
                    self.ends[place].append(DealEnd.of(after))

    @property
    def played(self) -> PlayedWorlds:
        """What has been found so far, as long as nothing was given up."""
        return PlayedWorlds(self.base.leads, self.simple.leads, self.ends)

    def take_up(self, played: PlayedWorlds) -> None:
        """Go on from what was found in the first worlds."""
        self.base.leads, self.simple.leads, self.ends = played

    def begin(self, most: int) -> None:
        """Try every choice in the first worlds, if `most` are allowed."""
        for players in (self.base, self.simple):
            self.widen(players, first_worlds(most))

    def widen_until_settled(self, most: int, least: float) -> None:
        """Try as many worlds as the grade of what was done needs with a limit of `least` points, at most `most`."""
        self.begin(most)
        self._widen_until_clear(most, least)
        if self._is_to_compare_anew(most, least):
            self._compare_anew(most, least)

    def is_done(self, most: int, least: float) -> bool:
        """Whether what was done surely costs little, or as many as `most` worlds would hardly tell."""
        return self._is_clear(most, least) and not self._is_to_compare_anew(most, least)

    def _widen_until_clear(self, most: int, least: float) -> None:
        """Try choices in more worlds, but not in those that are to tell what is lost, until it is clear what seems so."""
        to_choose, chosen = most // CHOOSING_PART, self.decision.chosen
        worlds = max(map(self._tried, (self.base, self.simple)))
        while not self._is_clear(most, least):
            worlds = min(2 * worlds, to_choose)
            self.simple.give_up(chosen)
            self.widen(self.simple, min(MORE_SIMPLE_WORLDS * worlds, to_choose))
            if not self._is_clear(most, least):
                self.base.give_up(chosen)
                self.widen(self.base, worlds)

    def _is_clear(self, most: int, least: float) -> bool:
        """Whether it is clear if what was done costs as much as a mistake whoever goes on, and if it does with base players."""
        return all(
            self._is_clear_with(players, most, least)
            for players in ((self.base, self.simple), (self.base,))
        )

    def _is_clear_with(self, players: Sequence[LeadsByChoice], most: int, least: float) -> bool:
        """Whether what was done surely costs as much with all these players, or surely not, or even `most` worlds would hardly tell."""
        tried = [self._tried(each) for each in players]
        lowest, highest = self._range_of_loss(players, [1] * len(players))
        if min(tried) >= most // CHOOSING_PART or highest < least or lowest >= least:
            return True
        shrunk = [sqrt(worlds * CHOOSING_PART / most) for worlds in tried]
        in_most = [self._range_of_loss(players, shrunk, moved) for moved in (-HOPE, HOPE)]
        return all(lowest < least <= highest for lowest, highest in in_most)

    def _is_to_compare_anew(self, most: int, least: float) -> bool:
        """Whether there is a loss to measure, and there are worlds left to measure it in."""
        has_worlds = max(map(self._tried, (self.base, self.simple))) + FOLDS <= most
        return has_worlds and (self._seems_worse(least) or self._seems_costly(least))

    def _seems_worse(self, least: float) -> bool:
        """Whether what was done may be an inaccuracy at least, whoever goes on."""
        edge = INACCURACY_FACTOR * least
        return all(self._lost(each) >= edge for each in (self.base, self.simple))

    def _seems_costly(self, least: float) -> bool:
        """Whether what was done may cost as much as a mistake if base players go on."""
        return self._lost(self.base) >= least

    def _lost(self, players: LeadsByChoice) -> float:
        """By how many points what was done seems behind the best, if these players go on."""
        chosen = self.decision.chosen
        return players.behind(chosen, players.best(chosen)).points

    def _compare_anew(self, most: int, least: float) -> None:
        """Try what was done and what seems best in all worlds, and compare them only in those to come.

        The best is what seems so whoever goes on. Where nothing does, it is what seems so if base players go on, who alone
        measure it then. What costs little after all is left as it is.
        """
        chosen, both = self.decision.chosen, (self.base, self.simple)
        for players in both:
            if self._tried(players) < most // CHOOSING_PART:
                players.give_up(chosen)
                self.widen(players, most // CHOOSING_PART)
        if self._seems_worse(least):
            best, judges = self._best_whoever_goes_on(), [*both]
        elif self._seems_costly(least):
            best, judges = self.base.best(chosen), [self.base]
        else:
            return
        for players in judges:
            players.compare_anew([chosen, best])
            self.widen(players, most)

    def _best_whoever_goes_on(self) -> int:
        """What is better than what was done by most points, counted by the players with whom it is less surely so."""
        chosen, players = self.decision.chosen, (self.base, self.simple)
        rivals = {*self.base.believed, *self.simple.believed} - {chosen}
        return max(
            sorted(rivals),
            key=lambda place: min(each.sure_gain(place, chosen) for each in players),
            default=chosen,
        )

    def _tried(self, players: LeadsByChoice) -> int:
        """In how many worlds these players have tried what was done."""
        return len(players.leads[self.decision.chosen])

    def _range_of_loss(
        self, players: Sequence[LeadsByChoice], shrunk: Sequence[float], moved: float = 0
    ) -> tuple[float, float]:
        """Between what two numbers of points the loss lies with all these players, if errors shrink to these parts and means move by so many errors."""
        chosen = self.decision.chosen
        ranges = [
            each.loss_range(chosen, moved - ERRORS_TO_TELL * part, moved + ERRORS_TO_TELL * part)
            for each, part in zip(players, shrunk, strict=True)
        ]
        lowest, highest = map(min, zip(*ranges, strict=True))
        return lowest, highest

    def best(self) -> int:
        """The choice with the highest mean if base players go on; what was done, if that is as good."""
        return self.base.best(self.decision.chosen)


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
    worth = deal.rules.written.brisques.points_at_the_end
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

    A reason is told only if it holds whoever goes on; its figures are those of base players, in worlds that did not choose
    what is compared.
    """
    found = _compare(worlds, better, other, worlds.base.play_out)
    whole = sum(reason.points for reason, _ in found)
    reasons = choose_reasons(found, worlds.base.behind(other, better).points)
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
    for number in range(worlds.base.chose, worlds.base.chose + TRACED_WORLDS):
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


def choose_reasons(found: Sequence[tuple[Reason, float]], lost: float = 0.0) -> list[Reason]:
    """The reasons to tell, the weightiest first, of all with their standard errors; none if these say too little.

    They must explain their share of what comes soon, and of what is `lost` in the whole deal if that is more.
    """
    whole = max(lost, sum(reason.points for reason, _ in found))
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
