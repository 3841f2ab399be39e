"""Review a record: the work in portions, the most important first, and the review they add up to.

Every deal is read once for what is exact; a review may end there. Then each decision before the close is tried in few worlds, and those whose
grade that leaves open in as many as the width allows, the costliest first. What is found of a decision depends on nothing
but the record, the terms and the decision: neither on the order of the work nor on who does it.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

import msgspec

from analyzer.play.setting_up import ImpossiblePack
from analyzer.review.choice_worlds import (
    ChoiceWorlds,
    MeanPoints,
    PlayedWorlds,
    compare_choices,
)
from analyzer.review.decisions import KIND_OF, OpenDecisionReader
from analyzer.review.deep_review import (
    NEARLY,
    GameReview,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
    ReviewTerms,
    Stage,
    find_turning_points,
    grade_decision,
    is_played,
    is_surely_behind,
)
from analyzer.review.exact_deals import ExactDealReader
from analyzer.review.exact_values import describe_objective, reason_game_not_reviewed, why_unclear
from analyzer.review.luck import (
    ValueChange,
    luck_breakdown_of,
    play_rollout_task,
    rollout_tasks,
)
from analyzer.review.review_words import describe_loss, describe_why
from analyzer.review.winning import (
    ChoiceChances,
    DealChances,
    WinningModel,
    chance_source,
    chances_by_deal,
    scores_before,
)
from analyzer.store.processes import map_in_processes
from records.engine.copies import MOST_REVIEW_STEPS
from records.format.codec import digest as digest_of
from records.phrases import pluralize
from records.record import Record
from records.replay import Frame, Match, replay
from records.rules.registry import resolve_rules

DEFAULT_TERMS = ReviewTerms()
MOST_EVENTS_REVIEWED = 1_000
"""A deal with more events, twice those of the longest game, is not reviewed: it would have no end of decisions."""
DECISIONS_PER_TASK = 4
MOST_DEALS_AT_ONCE, POSITIONS_AT_ONCE = 4, 2_000
"""What is told at once is told of so many deals at most, the last ones, each searched to so many positions: some seconds."""
MOST_DEALS_SEARCHED_FULLY = 12
"""Where only what is exact is told, all searches of a record have together what so many closes may cost.

Few records take a tenth of it. With the limit of a page they take 5 CPU seconds where four packs are played, and 8 in Polish
Bezique.
"""
ALL_WORK = 1_000
READING_WORK, FIRST_WORK = 100, 400
"""Of all the work, the parts that are done once the deals are read, and once every decision has been tried."""

IMPOSSIBLE_CARDS = "The record names cards that the pack does not have."
BROKEN_RULE = "Choices before the close are weighed only up to where a rule was broken."
MISDEAL = "The deal was declared a misdeal."
NOT_AT_ONCE = f"At once only the last {MOST_DEALS_AT_ONCE} deals are reviewed."
TOO_LONG = f"The deal has more than {MOST_EVENTS_REVIEWED:,} events."
LEFT_OUT = "{decisions} left out: the record leaves open which of like cards was meant."


class DealTask(NamedTuple):
    """A deal to be read: a record of it alone, its number in the game, and the digest of the whole game.

    With `chances`, choices are valued in chance of winning the match, too. `before` are the match points before the deal, as
    far as they are known.
    """

    record: Record
    deal: int
    digest: str
    terms: ReviewTerms
    chances: DealChances | None = None
    before: tuple[int, int] | None = None

    def __repr__(self) -> str:
        return f"deal {self.deal + 1} of {self.digest[:12]}"

    def __hash__(self) -> int:
        return hash((self.digest, self.deal))


class DealReading(NamedTuple):
    """What reading a deal finds: what is exact in it, from so many positions, and the places of the `open` decisions."""

    exact: ReviewedDeal
    open: Sequence[int]
    searched: int = 0


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


class ReviewWork:
    """The review of one record in the making: `run` does the work, `review` is what has been found so far.

    A race to a target needs a `model` for chances of winning the match; a deal that is settled by itself needs none.

    Raises RulesError if the rules of the record cannot be resolved.
    """

    def __init__(
        self,
        record: Record,
        *,
        digest: str | None = None,
        terms: ReviewTerms = DEFAULT_TERMS,
        model: WinningModel | None = None,
    ) -> None:
        resolved = resolve_rules(record.rules)
        why_not = reason_game_not_reviewed(record, resolved.sheet)
        # What both have before a deal is known only once all deals before it have been replayed.
        is_read = not why_not and all(
            len(deal.events) <= MOST_EVENTS_REVIEWED for deal in record.deals
        )
        before = scores_before(record, resolved) if is_read else {}
        chances = chances_by_deal(record, resolved, model, before)
        self._head = GameReview(
            digest=digest or digest_of(record),
            sheet=resolved.sheet.id,
            options=dict(resolved.options),
            terms=terms,
            names=Match(record, resolved).names,
            maximises=describe_objective(resolved.sheet),
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
                before.get(number),
            )
            for number, deal in enumerate([] if why_not else record.deals)
        ]
        self._readings: list[DealReading] = []
        self._read_deals = 0
        self._weighed: dict[tuple[int, int], WeighedDecision] = {}

    def read_last_deals(self, number: int) -> None:
        """Find what is exact in so many last deals, and leave the others out."""
        left_out = max(0, len(self._tasks) - number)
        skipped = (
            ReviewedDeal(task.deal, [], why_not=NOT_AT_ONCE) for task in self._tasks[:left_out]
        )
        self._readings = [DealReading(deal, ()) for deal in skipped]
        self._readings += [read_deal(task) for task in self._tasks[left_out:]]
        self._read_deals = len(self._tasks)

    def read_closes(
        self, call: Callable[..., DealReading] | None = None
    ) -> Iterator[tuple[int, int]]:
        """Find the exact choices after the close, and what was missed: that takes a moment for each deal.

        Yields how many deals are done, and how many there are. `call` reads a deal elsewhere: it is given the function and
        the deal.
        """
        return self._read(call, last_trick=False)

    def take_closes(self, other: "ReviewWork") -> None:
        """Begin with what another work on the same record has found, until it is found again."""
        self._readings = [*other._readings]

    def read_deals(
        self, call: Callable[..., DealReading] | None = None
    ) -> Iterator[tuple[int, int]]:
        """Find all that is exact in every deal, likewise: the last trick before the close takes longest."""
        for done, parts in self._read(call, last_trick=self._head.terms.last_trick):
            self._read_deals = done
            yield done, parts

    def _read(
        self, call: Callable[..., DealReading] | None, *, last_trick: bool
    ) -> Iterator[tuple[int, int]]:
        """Read every deal; long searches of the first ones leave less for the others."""
        left = MOST_DEALS_SEARCHED_FULLY * self._head.terms.positions
        for done, task in enumerate(self._tasks, 1):
            positions = min(task.terms.positions, max(0, left))
            terms = msgspec.structs.replace(task.terms, positions=positions, last_trick=last_trick)
            limited = task._replace(terms=terms)
            reading = call(read_deal, limited) if call else read_deal(limited)
            left -= reading.searched
            self._readings[done - 1 : done] = [reading]
            yield done, len(self._tasks)

    def run(self, processes: int = 0) -> Iterator[tuple[int, int]]:
        """Do the work in `processes` other processes; yields how much is done, and how much there is.

        Raises StoreError if a process keeps dying.
        """
        found = map_in_processes(read_deal, self._tasks, min(processes, len(self._tasks)))
        for done, (_, reading) in enumerate(found, 1):
            self._readings.append(reading)
            self._read_deals = done
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
        exact = sum(len(reading.exact.decisions) for reading in self._readings)
        left = sum(len(reading.open) for reading in self._readings)
        return DecisionCount(
            exact + len(self._weighed),
            sum(each.played is not None for each in self._weighed.values()),
            exact + left if self._read_deals == len(self._tasks) else 0,
        )

    @property
    def stage(self) -> Stage:
        """How far the work has gone."""
        if self._read_deals < len(self._tasks):
            return "reading"
        if not self._head.terms.worlds:
            return "exact"
        is_whole = all(
            (task.deal, place) in self._weighed
            for task, reading in zip(self._tasks, self._readings, strict=True)
            for place in reading.open
        )
        is_settled = all(each.played is None for each in self._weighed.values())
        return "weighed" if is_whole and is_settled else "weighing"

    def review(self) -> GameReview:
        """The review, as far as the work has gone; another thread may ask for it meanwhile."""
        deals = [
            self._deal(task, reading)
            for task, reading in zip(self._tasks, self._readings, strict=False)
        ]
        return msgspec.structs.replace(self._head, deals=deals, stage=self.stage)

    def _deal(self, task: DealTask, reading: DealReading) -> ReviewedDeal:
        weighed = [
            self._weighed[task.deal, place].decision
            for place in reading.open
            if (task.deal, place) in self._weighed
        ]
        decisions = [*reading.exact.decisions, *weighed]
        # Whoever melds nothing, and then plays where the draws are not written, decides twice before one event.
        decisions.sort(key=lambda decision: (decision.event, is_played(decision)))
        # A last trick before the close that comes later has no reason yet why it has no values.
        is_read = task.deal < self._read_deals
        return msgspec.structs.replace(
            reading.exact,
            deal=task.deal,
            gaps=reading.exact.gaps if is_read else [],
            decisions=decisions,
            turning_points=find_turning_points(decisions, task.terms.least),
            to_weigh=len(reading.open) - len(weighed),
        )


def review_record(
    record: Record,
    *,
    digest: str | None = None,
    terms: ReviewTerms = DEFAULT_TERMS,
    model: WinningModel | None = None,
) -> GameReview:
    """The review of a record, in this process; raises RulesError if its rules cannot be resolved."""
    work = ReviewWork(record, digest=digest, terms=terms, model=model)
    for _ in work.run() if terms.worlds else work.read_deals():
        pass
    review = work.review()
    for _ in estimate_luck(review, record, terms.rollouts):
        pass
    return review


def estimate_luck(
    review: GameReview, record: Record, rollouts: int, processes: int = 0
) -> Iterator[tuple[int, int]]:
    """Estimate luck and skill in every deal of a review, by roll-outs in `processes` other processes.

    Yields after each task how many are done and how many there are. The review changes only at the end.
    Raises StoreError if a process keeps dying.
    """
    if review.why_not or rollouts < 2:
        return
    tasks = rollout_tasks(record, rollouts)
    changes_by_deal: dict[int, list[list[ValueChange]]] = {}
    results = map_in_processes(play_rollout_task, tasks, processes)
    for done, (task, changes) in enumerate(results, 1):
        changes_by_deal.setdefault(task.deal, []).append(changes)
        yield done, len(tasks)
    for deal in review.deals:
        deal.luck = luck_breakdown_of(changes_by_deal.get(deal.deal, []))
    review.terms = msgspec.structs.replace(review.terms, rollouts=rollouts)


def review_exactly(record: Record) -> GameReview:
    """The choices in the last deals of a record that have exact values, at once; none is tried in worlds.

    Raises RulesError if the rules of the record cannot be resolved.
    """
    work = ReviewWork(record, terms=ReviewTerms(worlds=0, positions=POSITIONS_AT_ONCE))
    work.read_last_deals(MOST_DEALS_AT_ONCE)
    return work.review()


def read_deal(task: DealTask) -> DealReading:
    """What is exact in a deal, and which decisions are not."""
    reader = _DealReader(task)
    found = reader.exact.end(task.deal)
    decisions = [_graded(decision, task.terms) for decision in found.decisions]
    for decision in decisions:
        decision.why = describe_loss(decision, reader.names) if decision.lost else ""
    valued = {decision.event for decision in decisions}
    left = [
        place
        for place, decision in enumerate(reader.open.decisions)
        if decision.event not in valued or decision.choices[decision.chosen].what != "play"
    ]
    why_not = reader.why_not
    if not why_not and reader.open.unlisted:
        number = reader.open.unlisted
        words = f"{pluralize(number, 'decision')} {'is' if number == 1 else 'are'}"
        why_not = LEFT_OUT.format(decisions=words)
    found = msgspec.structs.replace(found, decisions=decisions, why_not=why_not)
    return DealReading(found, left, reader.exact.searched)


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
        least = NEARLY if choice in worlds.base.refused else 0.0
        base, simple = worlds.base.behind(choice, best), worlds.simple.behind(choice, simple_best)
        _add_losses(found, base, simple, least)
    if chances is not None:
        chances.add_to(found, choice, is_best=is_best)
    return found


def _add_losses(found: ReviewedChoice, base: MeanPoints, simple: MeanPoints, least: float) -> None:
    """Say how far a choice is behind: by as much as is true whoever goes on.

    Nothing is better than the best: where the measure says so, the two are as good, or the choice is behind by the `least`.
    """
    found.behind_base = max(least, round(base.points, 2))
    found.behind_base_error = round(base.error, 2)
    found.behind_simple = max(least, round(simple.points, 2))
    found.behind_simple_error = round(simple.error, 2)
    smaller = min(base, simple)
    found.behind = min(found.behind_base, found.behind_simple)
    apart = (found.behind_base - found.behind_simple) / 2
    found.behind_error = round(hypot(smaller.error, apart), 2)


def _graded(decision: ReviewedDecision, terms: ReviewTerms) -> ReviewedDecision:
    return msgspec.structs.replace(decision, grade=grade_decision(decision, terms.least))


class _DealReader:
    """Reads a deal for its open decisions, and unless `only_open` for what is exact.

    `why_not` says what ended the reading of open decisions before the deal.
    """

    def __init__(self, task: DealTask, *, only_open: bool = False) -> None:
        record, terms = task.record, task.terms
        match = Match(record, resolve_rules(record.rules))
        match.reading_budget.allow_readers(MOST_REVIEW_STEPS)
        events = record.deals[0].events
        self.names = match.names
        self.open = OpenDecisionReader(events)
        self.exact = ExactDealReader(
            match.rules,
            terms.positions,
            task.chances,
            before=task.before,
            last_trick=terms.last_trick,
        )
        self.why_not = TOO_LONG if len(events) > MOST_EVENTS_REVIEWED else ""
        for frame in replay(record, match=match):
            if not only_open:
                self.exact.read(frame)
            self._read_open(frame)
            if self.why_not and only_open:
                return

    def _read_open(self, frame: Frame) -> None:
        self.why_not = self.why_not or _why_ended(frame)
        if self.why_not:
            return
        try:
            self.open.read(frame)
        except ImpossiblePack:
            self.why_not = IMPOSSIBLE_CARDS


def _why_ended(frame: Frame) -> str:
    """Why a deal is not reviewed from this frame on; empty if it is."""
    if frame.tainted:
        return BROKEN_RULE
    return MISDEAL if frame.table.misdealt else why_unclear(frame.table)


def _portions(places: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(places), DECISIONS_PER_TASK):
        yield places[first : first + DECISIONS_PER_TASK]
