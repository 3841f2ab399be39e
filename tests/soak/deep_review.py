"""Does a deep review tell how sure it is, and does it find blunders? `python -m tests.soak --deep 200`.

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

Then half as many deals are played by experts, one of whom once makes its worst choice of a card, at least sixty points
behind the best by a long run. In 95 of 100 the review must have it among the turning points of the deal.

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

from analyzer.play.base_player import play_out
from analyzer.play.expert import ExpertPlayer
from analyzer.play.halving import WeighedChoice, compare_with
from analyzer.play.worlds import choices_of, do_choice
from analyzer.review.choice_worlds import ChoiceWorlds, LeadsByChoice, MeanPoints
from analyzer.review.decisions import OpenDecision, OpenDecisionReader
from analyzer.review.deep_review import (
    DEFAULT_LEAST,
    ERRORS_TO_TELL,
    ReviewTerms,
    worlds_of_width,
)
from analyzer.review.exact_deals import ExactDealReader
from records.engine.table import Table
from records.events import AnyEvent
from records.record import Deal, Record
from records.replay import Match, replay
from records.rules.registry import get_sheet, resolve_rules
from records.selfplay import SeatPlayer, play_game
from tests.analyzer.review.enumerated_worlds import count_worlds, exact_means
from tests.make.whole_reviews import review_deeply

SHEETS = ("bezique", "zique", "marjolet", "polish-bezique", "rubicon-bezique")
BLUNDER_SHEETS = ("bezique", "zique")
TIMES_AS_LONG = 30
ERRORS_OF_INTERVAL = 1.96
TRULY_LOST = 1.5
"""A mistake that should be told of loses so many times the limit."""
COVERED, FOUND = (0.92, 0.98), 0.95
LEAST_BLUNDER, LONG_RUN = 60, 2_000
"""A blunder must be so many points behind in a run of so many worlds."""
BLUNDER_WORLDS = 200
"""In so many worlds whoever is to blunder looks for a choice that is bad enough."""
POSITIONS_IN_A_DEAL = 4
DEALS_A_BLUNDER = 4
"""At most so many deals are played for every blunder: in many no choice is bad enough."""
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


class BlunderingExpert(ExpertPlayer):
    """Makes its worst choice of a card once, as soon as it is bad enough, from a trick on that the seed tells.

    `blundered` is the event then, -1 before.
    """

    first = events = 0
    blundered = -1

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Count the events."""
        super().see(event, table)
        self.events += event is not None

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to play, of these."""
        best = super().choose_card(table, cards)
        if (
            self.blundered >= 0
            or table.tricks < self.first
            or len(cards) < 2
            or not table.phase.draws
        ):
            return best
        deal, values = self._weigh(table)
        if values[-1].behind < LEAST_BLUNDER:
            return best
        worst = self._weigh_all(table)[-1]
        if worst.behind < LEAST_BLUNDER + 2 * worst.behind_error:
            return best
        self.blundered = self.events
        (name,) = deal.view.cards.names_of(worst.choice.cards)
        return next(card for card in cards if card[:2] == name[:2])

    def _weigh_all(self, table: Table) -> list[WeighedChoice]:
        """All choices to the end of the deal: what only seems bad is soon given up by an expert."""
        _, knowledge = self._knowledge(table)
        choices, sign = choices_of(knowledge.deal), -1 if self.seat else 1
        leads: list[list[int]] = [[] for _ in choices]
        for _ in range(BLUNDER_WORLDS):
            world = knowledge.world(self._random)
            for choice, of_choice in zip(choices, leads, strict=True):
                after = world.copy()
                do_choice(after, choice)
                of_choice.append(sign * play_out(after))
        best = max(range(len(choices)), key=lambda place: sum(leads[place]))
        return compare_with(best, choices, leads)


class Blunder(NamedTuple):
    """A deal with a blunder planted: what was lost by a long run, and whether it is among the turning points."""

    sheet: str
    seed: int
    event: int
    lost: float
    found: bool

    def __str__(self) -> str:
        where = "among" if self.found else "NOT among"
        return (
            f"{self.sheet}, seed {self.seed}, event {self.event}, {self.lost:.0f} points lost: "
            f"{where} the turning points"
        )


def blundered_game(sheet: str, seed: int) -> tuple[Record, int]:
    """A deal of experts, and the event at which one of them blundered; -1 if it did not."""
    blunderer = BlunderingExpert(0, Deal(0), 0)

    def sit_down(seat: int, deal: Deal, player_seed: int) -> SeatPlayer:
        nonlocal blunderer
        blunderer = BlunderingExpert(seat, deal, player_seed)
        blunderer.first = Random(f"{sheet} {seed}").randrange(len(deal.stock or "123") // 3)
        return blunderer

    players = {0: sit_down, 1: ExpertPlayer}
    record = play_game(sheet, seed=seed, deals=1, seat_players=players)
    return record, blunderer.blundered


def find_blunder(task: tuple[str, int], worlds: int | None) -> Blunder | None:
    """Whether the review of a deal has the blunder among its turning points; None if none was made, or none so bad."""
    sheet, seed = task
    record, event = blundered_game(sheet, seed)
    planted = [each for each in open_decisions(record) if each.event == event and each.seat == 0]
    # What the last trick before the close costs is exact in a review, and not what simple players make of it.
    planted = [each for each in planted if each.phase == "stock"]
    if not planted or (lost := _long_loss(planted[-1])) < LEAST_BLUNDER:
        return None
    most = worlds or worlds_of_width("default", get_sheet(sheet))
    (deal,) = review_deeply(record, terms=ReviewTerms(worlds=most)).deals
    found = event in [deal.decisions[place].event for place in deal.turning_points]
    return Blunder(sheet, seed, event, lost, found)


def _long_loss(decision: OpenDecision) -> float:
    worlds = ChoiceWorlds(decision, "planted long")
    base = worlds.base
    worlds.widen(base, LONG_RUN)
    return base.mean_of(worlds.best()).points - base.mean_of(decision.chosen).points


def tasks(sheets: Sequence[str], number: int) -> list[tuple[str, int]]:
    """So many deals of these sheets in turn."""
    return [(sheets[place % len(sheets)], place // len(sheets)) for place in range(number)]


def main(positions: int, worlds: int | None, sheets: Sequence[str], workers: int) -> int:
    """Review so many decisions, and half as many deals with a blunder; 1 if either is not as it must be."""
    honest = _check_intervals(
        tasks(sheets or SHEETS, -(-positions // POSITIONS_IN_A_DEAL)), worlds, workers
    )
    found = list[Blunder]()
    with multiprocessing.Pool(workers) as pool:
        deals = tasks(sheets or BLUNDER_SHEETS, DEALS_A_BLUNDER * positions)
        for blunder in pool.imap(partial(find_blunder, worlds=worlds), deals):
            if blunder is not None:
                found.append(blunder)
                print(blunder, flush=True)
            if len(found) >= positions // 2:
                break
        pool.terminate()
    number = sum(blunder.found for blunder in found)
    print(f"{number} of {len(found)} blunders among the turning points")
    return 0 if honest and number >= FOUND * len(found) else 1


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
