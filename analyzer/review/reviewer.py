"""Review every choice of a record: its work in portions, the most important first, and the review they add up to.

Every deal is read once for what is exact. Then each decision before the close is tried in few worlds, and those whose
grade that leaves open in as many as the width allows, the costliest first. What is found of a decision depends on nothing
but the record, the terms and the decision: neither on the order of the work nor on who does it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

import msgspec

from analyzer.play.setting_up import ImpossiblePack
from analyzer.review.annotator import reason_not_annotated, why_unclear
from analyzer.review.choice_worlds import (
    ChoiceWorlds,
    MeanPoints,
    PlayedWorlds,
    compare_choices,
)
from analyzer.review.decisions import KIND_OF, ExactDecisionReader, OpenDecisionReader
from analyzer.review.deep_review import (
    DeeplyReviewedDeal,
    DeepReview,
    DeepReviewTerms,
    ReviewedChoice,
    ReviewedDecision,
    find_turning_points,
    grade_decision,
    is_surely_behind,
)
from analyzer.review.deep_review_words import describe_why
from analyzer.review.winning import (
    ChoiceChances,
    DealChances,
    WinningModel,
    chance_source,
    chances_by_deal,
)
from analyzer.store.processes import map_in_processes
from records.engine.copies import MOST_REVIEW_STEPS
from records.format.codec import digest as digest_of
from records.phrases import pluralize
from records.record import Record
from records.replay import Frame, Match, replay
from records.rules.registry import resolve_rules

DEFAULT_TERMS = DeepReviewTerms()
MOST_EVENTS_REVIEWED = 1_000
"""A deal with more events, twice those of the longest game, is not reviewed: it would have no end of decisions."""
DECISIONS_PER_TASK = 4
MOST_DEALS_AT_ONCE, POSITIONS_AT_ONCE = 4, 2_000
"""What is told at once is told of so many deals at most, the last ones, each searched to so many positions: some seconds."""
ALL_WORK = 1_000
READING_WORK, FIRST_WORK = 100, 400
"""Of all the work, the parts that are done once the deals are read, and once every decision has been tried."""

IMPOSSIBLE_CARDS = "The record names cards that the pack does not have."
BROKEN_RULE = "A rule is broken in this deal. The review ends there."
MISDEAL = "The deal was declared a misdeal."
NOT_AT_ONCE = f"At once only the last {MOST_DEALS_AT_ONCE} deals are reviewed."
TOO_LONG = f"The deal has more than {MOST_EVENTS_REVIEWED:,} events."
LEFT_OUT = "{decisions} left out: the record leaves open which of like cards was meant."


class DealTask(NamedTuple):
    """A deal to be read: a record of it alone, its number in the game, and the digest of the whole game.

    With `chances`, choices are valued in chance of winning the match, too.
    """

    record: Record
    deal: int
    digest: str
    terms: DeepReviewTerms
    chances: DealChances | None = None

    def __repr__(self) -> str:
        return f"deal {self.deal + 1} of {self.digest[:12]}"

    def __hash__(self) -> int:
        return hash((self.digest, self.deal))


class DealReading(NamedTuple):
    """What reading a deal finds: its exact decisions, the places of the `open` ones, and why some are missing."""

    exact: Sequence[ReviewedDecision]
    open: Sequence[int]
    why_not: str


class DecisionsTask(NamedTuple):
    """Some open decisions of a deal, by their places: to be tried in few worlds, or on from those already `played`."""

    deal: DealTask
    places: Sequence[int]
    played: Sequence[PlayedWorlds] = ()

    def __repr__(self) -> str:
        return f"decisions {[*self.places]} of {self.deal!r}"


class WeighedDecision(NamedTuple):
    """An open decision reviewed, and the worlds `played`; None if more would not change its grade."""

    decision: ReviewedDecision
    played: PlayedWorlds | None


class DecisionCount(NamedTuple):
    """How many decisions have been weighed, of how many; more worlds will be tried for those that are `unsettled`.

    Of how many is not known before all deals have been read: until then it is 0.
    """

    weighed: int = 0
    unsettled: int = 0
    decisions: int = 0


class DeepReviewWork:
    """The review of one record in the making: `run` does the work, `review` is what has been found so far.

    A race to a target needs a `model` for chances of winning the match; a deal that is settled by itself needs none.

    Raises RulesError if the rules of the record cannot be resolved.
    """

    def __init__(
        self,
        record: Record,
        *,
        digest: str | None = None,
        terms: DeepReviewTerms = DEFAULT_TERMS,
        model: WinningModel | None = None,
    ) -> None:
        resolved = resolve_rules(record.rules)
        match = Match(record, resolved)
        why_not = reason_not_annotated(resolved.sheet, len(record.players))
        # What both have before a deal is known only once all deals before it have been replayed.
        is_read = not why_not and all(
            len(deal.events) <= MOST_EVENTS_REVIEWED for deal in record.deals
        )
        chances = chances_by_deal(record, resolved, model) if is_read else {}
        self._head = DeepReview(
            digest=digest or digest_of(record),
            sheet=resolved.sheet.id,
            options=dict(resolved.options),
            terms=terms,
            names=match.names,
            why_not=why_not,
            chances=chance_source(chances, model),
            deals=[],
        )
        self._tasks = [
            DealTask(
                msgspec.structs.replace(record, deals=[deal], lines=None, result=None),
                number,
                self._head.digest,
                terms,
                chances.get(number),
            )
            for number, deal in enumerate([] if self._head.why_not else record.deals)
        ]
        self._readings: list[DealReading] = []
        self._weighed: dict[tuple[int, int], WeighedDecision] = {}

    def read_last_deals(self, number: int) -> None:
        """Find what is exact in so many last deals: the choices after the close and in the last trick before it."""
        left_out = max(0, len(self._tasks) - number)
        self._readings = [DealReading((), (), NOT_AT_ONCE)] * left_out
        self._readings += [read_deal(task) for task in self._tasks[left_out:]]

    def run(self, processes: int = 0) -> Iterator[tuple[int, int]]:
        """Do the work in `processes` other processes; yields how much is done, and how much there is.

        Raises StoreError if a process keeps dying.
        """
        found = map_in_processes(read_deal, self._tasks, min(processes, len(self._tasks)))
        for done, (_, reading) in enumerate(found, 1):
            self._readings.append(reading)
            yield READING_WORK * done // len(self._tasks), ALL_WORK
        yield from self._weigh(self._first_tasks(), READING_WORK, FIRST_WORK, processes)
        yield from self._weigh(self._further_tasks(), FIRST_WORK, ALL_WORK, processes)
        yield ALL_WORK, ALL_WORK

    def _weigh(
        self, tasks: Sequence[DecisionsTask], start: int, end: int, processes: int
    ) -> Iterator[tuple[int, int]]:
        found = map_in_processes(weigh_decisions, tasks, min(processes, len(tasks)))
        for done, (task, weighed) in enumerate(found, 1):
            for place, decision in zip(task.places, weighed, strict=True):
                self._weighed[task.deal.deal, place] = decision
            yield start + (end - start) * done // len(tasks), ALL_WORK

    def _first_tasks(self) -> list[DecisionsTask]:
        """Every open decision, with few worlds."""
        return [
            DecisionsTask(task, places)
            for task, reading in zip(self._tasks, self._readings, strict=True)
            for places in _portions(reading.open)
        ]

    def _further_tasks(self) -> list[DecisionsTask]:
        """The decisions that few worlds leave open, to be tried in more, those first that seem to cost most."""
        left = {place: each.played for place, each in self._weighed.items() if each.played}
        order = sorted(left, key=lambda place: -self._weighed[place].decision.lost)
        # Those of one task are of one deal, which is read anew for each task.
        by_deal: dict[int, list[int]] = {}
        for deal, place in order:
            by_deal.setdefault(deal, []).append(place)
        tasks = [
            DecisionsTask(self._tasks[deal], places, [left[deal, place] for place in places])
            for deal, all_places in by_deal.items()
            for places in _portions(all_places)
        ]
        rank = {place: number for number, place in enumerate(order)}
        return sorted(tasks, key=lambda task: rank[task.deal.deal, task.places[0]])

    def count(self) -> DecisionCount:
        """How many decisions have been weighed so far."""
        exact = sum(len(reading.exact) for reading in self._readings)
        left = sum(len(reading.open) for reading in self._readings)
        return DecisionCount(
            exact + len(self._weighed),
            sum(each.played is not None for each in self._weighed.values()),
            exact + left if len(self._readings) == len(self._tasks) else 0,
        )

    def review(self) -> DeepReview:
        """The review, as far as the work has gone; another thread may ask for it meanwhile."""
        deals = [
            self._deal(task, reading)
            for task, reading in zip(self._tasks, self._readings, strict=False)
        ]
        return msgspec.structs.replace(self._head, deals=deals)

    def _deal(self, task: DealTask, reading: DealReading) -> DeeplyReviewedDeal:
        weighed = [
            self._weighed[task.deal, place].decision
            for place in reading.open
            if (task.deal, place) in self._weighed
        ]
        decisions = [*reading.exact, *weighed]
        # Whoever melds nothing, and then plays where the draws are not written, decides twice before one event.
        decisions.sort(key=lambda decision: (decision.event, _is_played(decision)))
        turning_points = find_turning_points(decisions, task.terms.least)
        return DeeplyReviewedDeal(task.deal, decisions, turning_points, reading.why_not)


def review_exactly(record: Record) -> DeepReview:
    """The choices in the last deals of a record that have exact values, at once; none is tried in worlds.

    Raises RulesError if the rules of the record cannot be resolved.
    """
    work = DeepReviewWork(record, terms=DeepReviewTerms(positions=POSITIONS_AT_ONCE))
    work.read_last_deals(MOST_DEALS_AT_ONCE)
    return work.review()


def read_deal(task: DealTask) -> DealReading:
    """What is exact in a deal, and which decisions are not."""
    reader = _DealReader(task)
    exact, why_not = reader.exact.end(reader.names)
    valued = {decision.event for decision in exact}
    left = [
        place
        for place, decision in enumerate(reader.open.decisions)
        if decision.event not in valued or decision.choices[decision.chosen].what != "play"
    ]
    if reader.why_not:
        return DealReading(exact, left, reader.why_not)
    reasons = [why_not]
    if reader.open.unlisted:
        number = reader.open.unlisted
        decisions = f"{pluralize(number, 'decision')} {'is' if number == 1 else 'are'}"
        reasons.append(LEFT_OUT.format(decisions=decisions))
    return DealReading(
        [_graded(decision, task.terms) for decision in exact],
        left,
        " ".join(filter(None, reasons)),
    )


def weigh_decisions(task: DecisionsTask) -> list[WeighedDecision]:
    """Try some decisions of a deal in worlds, with the reason where much was lost."""
    reader, deal = _read_open(task.deal), task.deal
    found = list[WeighedDecision]()
    for number, place in enumerate(task.places):
        key = f"{deal.terms.seed} {deal.digest} {deal.deal} {place}"
        worlds = ChoiceWorlds(reader.open.decisions[place], key)
        if task.played:
            worlds.take_up(task.played[number])
            worlds.widen_until_settled(deal.terms.worlds, deal.terms.least)
        else:
            worlds.begin(deal.terms.worlds)
        found.append(_weigh(worlds, reader.names, deal, is_last=bool(task.played)))
    return found


@lru_cache(maxsize=1)  # the tasks of a deal come one after the other
def _read_open(task: DealTask) -> "_DealReader":
    return _DealReader(task, only_open=True)


def _weigh(
    worlds: ChoiceWorlds, names: Sequence[str], task: DealTask, *, is_last: bool
) -> WeighedDecision:
    terms, decision = task.terms, worlds.decision
    settled = is_last or worlds.is_done(terms.worlds, terms.least)
    best = worlds.best()
    order = sorted(
        range(len(decision.choices)),
        key=lambda choice: (choice != best, -worlds.base.value_of(choice, best).points),
    )
    chances = None
    if task.chances is not None:
        compared = [worlds.base.best_by_world(choice) for choice in range(len(decision.choices))]
        chances = ChoiceChances(worlds.ends, decision.seat, best, compared, task.chances)
    choices = [_reviewed_choice(worlds, choice, best, chances) for choice in order]
    chosen = order.index(decision.chosen)
    reviewed = ReviewedDecision(
        event=decision.event,
        seat=decision.seat,
        phase=decision.phase,
        choices=choices,
        chosen=chosen,
        grade="best",
        lost=choices[chosen].behind,
        error=choices[chosen].behind_error,
        trump=decision.knowledge.deal.view.trump or "",
    )
    reviewed = _graded(reviewed, terms)
    if settled and reviewed.lost and is_surely_behind(choices[chosen]):
        comparison = compare_choices(worlds, best, decision.chosen)
        reviewed.why = describe_why(reviewed, comparison, names)
    return WeighedDecision(reviewed, None if settled else worlds.played)


def _reviewed_choice(
    worlds: ChoiceWorlds, choice: int, best: int, chances: ChoiceChances | None
) -> ReviewedChoice:
    decision = worlds.decision
    mean = worlds.base.value_of(choice, best)
    found = ReviewedChoice(
        KIND_OF[decision.choices[choice].what],
        decision.cards_of(decision.choices[choice]),
        round(mean.points, 2),
        round(mean.error, 2),
        worlds=len(worlds.base.leads[choice]),
        meld=decision.choices[choice].name,
    )
    is_best = choice == best
    if not is_best:
        simple_best = worlds.simple.best(decision.chosen)
        _add_losses(
            found, worlds.base.behind(choice, best), worlds.simple.behind(choice, simple_best)
        )
    if chances is not None:
        chances.add_to(found, choice, is_best=is_best)
    return found


def _add_losses(found: ReviewedChoice, base: MeanPoints, simple: MeanPoints) -> None:
    """Say how far a choice is behind: by as much as is true whoever goes on.

    Nothing is better than the best: where the measure says so, the two are as good.
    """
    found.behind_base = max(0.0, round(base.points, 2))
    found.behind_base_error = round(base.error, 2)
    found.behind_simple = max(0.0, round(simple.points, 2))
    found.behind_simple_error = round(simple.error, 2)
    smaller = min(base, simple)
    found.behind = min(found.behind_base, found.behind_simple)
    apart = (found.behind_base - found.behind_simple) / 2
    found.behind_error = round(hypot(smaller.error, apart), 2)


def _graded(decision: ReviewedDecision, terms: DeepReviewTerms) -> ReviewedDecision:
    return msgspec.structs.replace(decision, grade=grade_decision(decision, terms.least))


class _DealReader:
    """Reads a deal for its open decisions, and unless `only_open` for its exact ones.

    `why_not` says what ended the reading before the deal.
    """

    def __init__(self, task: DealTask, *, only_open: bool = False) -> None:
        record = task.record
        match = Match(record, resolve_rules(record.rules))
        match.reading_budget.allow_readers(MOST_REVIEW_STEPS)
        events = record.deals[0].events
        self.names = match.names
        self.open = OpenDecisionReader(events)
        self.exact = ExactDecisionReader(match.rules, task.terms.positions, task.chances)
        self.why_not = TOO_LONG if len(events) > MOST_EVENTS_REVIEWED else ""
        if self.why_not:
            return
        for frame in replay(record, match=match):
            self.why_not = _why_ended(frame)
            if self.why_not:
                return
            try:
                self.open.read(frame)
            except ImpossiblePack:
                self.why_not = IMPOSSIBLE_CARDS
                return
            if not only_open:
                self.exact.read(frame)


def _why_ended(frame: Frame) -> str:
    """Why a deal is not reviewed from this frame on; empty if it is."""
    if frame.tainted:
        return BROKEN_RULE
    return MISDEAL if frame.table.misdealt else why_unclear(frame.table)


def _is_played(decision: ReviewedDecision) -> bool:
    return decision.choices[decision.chosen].kind == "play"


def _portions(places: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(places), DECISIONS_PER_TASK):
        yield places[first : first + DECISIONS_PER_TASK]
