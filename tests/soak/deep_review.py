"""Does a deep review tell how sure it is? `python -m tests.soak --deep 200`.

It tries so many decisions of casual games before the close in 31 times as many worlds as a review does at the default
width, and takes every 31st part in turn for a review, and the other thirty for the run that is 30 times as long. Of the
intervals of 95 %, 92 to 98 in 100 must cover what the long run finds: that of the value of what was done, and that of
how far it is behind the best, where it is not the best itself. It is also told how many mistakes of the reviews are none by
the long run, and how many of its mistakes a review is sure are none. The intervals are taken as the reader sees them. What the
long run does not know itself makes them cover 94.6 in 100 where they should cover 95, so they are not widened by it. The
31 reviews of a decision are alike in how hard it is, so the error of a share is taken over the decisions.

Where all worlds of a decision can be played, in the last three tricks before the close, the same is asked of the exact
mean (`exact` below). And where the last trick before the close has exact values, which count with the best play of both,
it is told what the choice that is best in the worlds loses by these: that is the part of the error that no ± tells, since
simple players play the worlds to their end.

`--worlds 64` sets another width, `--sheet` other sheets. Each deal is told as soon as it is done.
"""

import multiprocessing
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

from analyzer.review.choice_worlds import ChoiceWorlds, LeadsByChoice, MeanPoints
from analyzer.review.decisions import OpenDecision, OpenDecisionReader
from analyzer.review.deep_review import (
    DEFAULT_LEAST,
    ERRORS_TO_TELL,
    ReviewTerms,
    worlds_of_width,
)
from analyzer.review.exact_deals import ExactDealReader
from records.record import Record
from records.replay import Match, replay
from records.rules.registry import get_sheet, resolve_rules
from records.selfplay import play_game
from tests.analyzer.review.enumerated_worlds import count_worlds, exact_means

SHEETS = ("bezique", "zique", "marjolet", "polish-bezique", "rubicon-bezique")
TIMES_AS_LONG = 30
ERRORS_OF_INTERVAL = 1.96
TRULY_LOST = 1.5
"""A mistake that should be told of loses so many times the limit."""
COVERED = (0.92, 0.98)
POSITIONS_IN_A_DEAL = 4
MOST_ENUMERATED = 3_000
"""All worlds of a decision are played if there are so many at most."""


class Coverage(NamedTuple):
    """How many of the intervals of a decision covered the long run, or the exact mean: of its value, of its loss.

    `called_best` of the `runs` found nothing better than what was done; then no loss is told. `mistakes` told of one;
    `false_ones` are those of them that lose less than half the limit in the long run, whoever goes on. `true_ones` are the
    runs of a choice that loses `TRULY_LOST` times the limit in the long run, and `missed` are those of them that surely find
    less than the limit.
    """

    runs: int
    values: int
    called_best: int
    losses: int
    mistakes: int = 0
    false_ones: int = 0
    true_ones: int = 0
    missed: int = 0


class JudgedChoice(NamedTuple):
    """What the best choice in the worlds loses by the exact values, and what a choice at random loses."""

    lost: float
    at_random: float


class MeasuredDeal(NamedTuple):
    """What was found in a deal of a sheet: by long runs, by all worlds, and by the solver."""

    sheet: str
    by_runs: list[Coverage]
    by_all_worlds: list[Coverage]
    by_solver: list[JudgedChoice]


class PartOfRun(ChoiceWorlds):
    """Takes its worlds from a longer run, from number `first` on."""

    def __init__(self, run: ChoiceWorlds, first: int) -> None:
        super().__init__(run.decision, "")
        self._run, self._first = run, first

    def widen(self, players: LeadsByChoice, worlds: int) -> None:
        """Take over so many worlds of the choices that are kept."""
        run = self._run.base if players is self.base else self._run.simple
        for place in players.kept:
            leads = run.leads[place]
            players.leads[place][:] = leads[self._first : self._first + worlds]


def open_decisions(record: Record) -> list[OpenDecision]:
    """The decisions of a record's deal before its close."""
    reader = OpenDecisionReader(record.deals[0].events)
    for frame in replay(record):
        reader.read(frame)
    return reader.decisions


def measure(task: tuple[str, int], worlds: int | None) -> MeasuredDeal:
    """Review some decisions of one deal in few worlds and in many; and those that allow it in all."""
    sheet, seed = task
    most = worlds or worlds_of_width("default", get_sheet(sheet))
    record = play_game(sheet, seed=seed, style="casual", deals=1)
    decisions = open_decisions(record)
    chosen = Random(f"{sheet} {seed}").sample(decisions, min(POSITIONS_IN_A_DEAL, len(decisions)))
    exact = [each for each in decisions if count_worlds(each) <= MOST_ENUMERATED]
    return MeasuredDeal(
        sheet,
        [cover_run(_run(each, most), most) for each in chosen],
        [_meet(each) for each in exact],
        [*_judge(record, exact)],
    )


def _run(decision: OpenDecision, most: int) -> ChoiceWorlds:
    run = ChoiceWorlds(decision, "run")
    run.widen(run.base, (TIMES_AS_LONG + 1) * most)
    run.widen(run.simple, (TIMES_AS_LONG + 1) * most)
    return run


def cover_run(run: ChoiceWorlds, most: int) -> Coverage:
    """Take every part of a run for a review with at most so many worlds, and compare it with all other parts."""
    done, reviews = run.decision.chosen, list[Coverage]()
    for first in range(0, len(run.base.leads[0]), most):
        part = PartOfRun(run, first)
        part.widen_until_settled(most, DEFAULT_LEAST)
        base, simple = (_other_means(each, first, most) for each in (run.base, run.simple))
        lost = min(max(base) - base[done], max(simple) - simple[done])
        reviews.append(_with_mistake(_compare(part.base, done, base), part, lost))
    return _add(reviews)


def _other_means(players: LeadsByChoice, first: int, most: int) -> list[float]:
    """The mean lead after every choice in all worlds but those of one part."""
    return [mean([*leads[:first], *leads[first + most :]]) for leads in players.leads]


def _with_mistake(found: Coverage, part: ChoiceWorlds, lost: float) -> Coverage:
    """With what is told of a choice that truly loses so many points, whoever goes on."""
    done = part.decision.chosen
    losses = [each.behind(done, each.best(done)) for each in (part.base, part.simple)]
    told = all(loss.points >= max(DEFAULT_LEAST, ERRORS_TO_TELL * loss.error) for loss in losses)
    highest = min(loss.points + ERRORS_TO_TELL * loss.error for loss in losses)
    true = lost >= TRULY_LOST * DEFAULT_LEAST
    return found._replace(
        mistakes=int(told),
        false_ones=int(told and lost < DEFAULT_LEAST / 2),
        true_ones=int(true),
        missed=int(true and highest < DEFAULT_LEAST),
    )


def _meet(decision: OpenDecision) -> Coverage:
    worlds = ChoiceWorlds(decision, f"exact {decision.event}")
    worlds.widen(worlds.simple, worlds_of_width("default", get_sheet("bezique")))
    exact = [each.points for each in exact_means(decision)]
    return _compare(worlds.simple, decision.chosen, exact)


def _judge(record: Record, decisions: Sequence[OpenDecision]) -> Iterator[JudgedChoice]:
    """What the worlds say of the last trick before the close, by its exact values; no sampling is left in either."""
    match = Match(record, resolve_rules(record.rules))
    reader = ExactDealReader(match.rules, ReviewTerms().positions)
    for frame in replay(record, match=match):
        reader.read(frame)
    solved = {each.event: each for each in reader.end().decisions}
    for decision in decisions:
        exact = solved.get(decision.event)
        if exact and exact.phase == "last_trick" and decision.choices[0].what == "play":
            means = [each.points for each in exact_means(decision)]
            (best,) = decision.cards_of(decision.choices[means.index(max(means))])
            lost = {choice.cards[0][:2]: choice.behind for choice in exact.choices}
            yield JudgedChoice(lost[best[:2]], mean(lost.values()))


def _compare(worlds: LeadsByChoice, done: int, true: Sequence[float]) -> Coverage:
    """Whether the intervals of what was done cover the true means, if the same players go on."""
    best = worlds.best(done)
    lost = worlds.behind(done, best)
    told = MeanPoints(max(lost.points, 0), lost.error)
    return Coverage(
        1,
        _covers(worlds.mean_of(done), true[done]),
        best == done,
        best != done and _covers(told, max(true) - true[done]),
    )


def _covers(found: MeanPoints, true: float) -> bool:
    # Where all worlds of the sample are alike there is no error, and a rare one may be left out.
    return abs(found.points - true) <= ERRORS_OF_INTERVAL * found.error + 1e-9


def _add(found: Sequence[Coverage]) -> Coverage:
    return Coverage(*map(sum, zip(*found, strict=True)))


def describe_coverage(found: Sequence[Coverage]) -> str:
    """The shares of values and of losses covered, each with half the width of its interval of 95 %."""
    values = _share([(each.values, each.runs) for each in found])
    losses = _share([(each.losses, each.runs - each.called_best) for each in found])
    whole = _add(found)
    best = whole.called_best
    return (
        f"{len(found)} decisions, {sum(each.runs for each in found)} reviews: "
        f"{values} of values and {losses} of losses covered; {best} told of none; "
        f"{whole.false_ones} of {whole.mistakes} mistakes told are none, "
        f"{whole.missed} of {whole.true_ones} are not told"
    )


def _share(found: Iterable[tuple[int, int]]) -> str:
    """The share of so many of so many, and its error over decisions."""
    some = [(part, whole) for part, whole in found if whole]
    if len(some) < 2:
        return "none"
    share = sum(part for part, _ in some) / sum(whole for _, whole in some)
    each = mean(whole for _, whole in some)
    error = stdev([(part - share * whole) / each for part, whole in some]) / sqrt(len(some))
    return f"{share:.1%} ± {ERRORS_OF_INTERVAL * error:.1%}"


def tasks(sheets: Sequence[str], number: int) -> list[tuple[str, int]]:
    """So many deals of these sheets in turn."""
    return [(sheets[place % len(sheets)], place // len(sheets)) for place in range(number)]


def main(positions: int, worlds: int | None, sheets: Sequence[str], workers: int) -> int:
    """Review so many decisions; 1 if the intervals do not cover as often as they must."""
    deals = tasks(sheets or SHEETS, -(-positions // POSITIONS_IN_A_DEAL))
    return 0 if _check_intervals(deals, worlds, workers) else 1


def _check_intervals(deals: Sequence[tuple[str, int]], worlds: int | None, workers: int) -> bool:
    """Whether the intervals of the decisions of these deals cover as often as they must."""
    by_sheet, found = defaultdict[str, list[Coverage]](list), list[MeasuredDeal]()
    with multiprocessing.Pool(workers) as pool:
        for deal in pool.imap_unordered(partial(measure, worlds=worlds), deals):
            found.append(deal)
            by_sheet[deal.sheet] += deal.by_runs
            print(f"{deal.sheet}: {describe_coverage(by_sheet[deal.sheet])}", flush=True)
    covered = [each for deal in found for each in deal.by_runs]
    print(f"all sheets: {describe_coverage(covered)}")
    print(f"exact: {describe_coverage([each for deal in found for each in deal.by_all_worlds])}")
    print(_describe_judged([each for deal in found for each in deal.by_solver]), flush=True)
    whole = _add(covered)
    shares = whole.values / whole.runs, whole.losses / max(whole.runs - whole.called_best, 1)
    return all(COVERED[0] <= share <= COVERED[1] for share in shares)


def _describe_judged(judged: Sequence[JudgedChoice]) -> str:
    if len(judged) < 2:
        return "no last trick before the close has exact values"
    lost, at_random = (
        f"{mean(values):.1f} ± {ERRORS_OF_INTERVAL * stdev(values) / sqrt(len(values)):.1f}"
        for values in zip(*judged, strict=True)
    )
    return (
        f"{len(judged)} choices in the last trick before the close: the best in the worlds loses {lost} points, "
        f"one at random {at_random}"
    )
