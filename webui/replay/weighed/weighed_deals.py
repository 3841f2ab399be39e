"""A deep review as the pages show it: turning points, grades, accuracy, all by the reader's own limit."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from operator import itemgetter

from msgspec.structs import replace

from analyzer.deep_review.costly_habits import HABITS
from analyzer.deep_review.deep_review import (
    ChanceSource,
    DeeplyReviewedDeal,
    DeepReview,
    Grade,
    Phase,
    ReviewedChoice,
    ReviewedDecision,
)
from analyzer.deep_review.grades import find_turning_points, grade_decision
from analyzer.deep_review.review_words import GRADE_WORDS, PHASE_WORDS
from analyzer.deep_review.seat_summaries import PhaseSummary, SeatSummary, summarize_seats
from analyzer.deep_review.winning.chance_words import chance_of, describe_chance_lost
from records.phrases import pluralize
from webui.replay.weighed.choice_words import (
    choice_faces,
    explain_loss,
    loss_words,
    name_choice,
    value_words,
)
from webui.replay.weighed.lead_chart import LeadChart, build_lead_chart

COUNTED_GRADES: tuple[Grade, ...] = (
    "best",
    "good",
    "too_close",
    "inaccuracy",
    "mistake",
    "blunder",
)
"""The grades that are counted: of decisions in which there was a choice."""
MOST_LISTED = 30
"""The most turning points listed of an unfinished review: the list is sent again and again."""


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """A choice beside a turning point: in short, its cards, and its value with the standard error.

    `chance` is its chance of winning the match, empty where that is not known.
    """

    says: str
    cards: list[str]
    value: str
    chance: str

    @classmethod
    def of(cls, choice: ReviewedChoice) -> "ShownChoice":
        """A choice of a review."""
        return cls(
            name_choice(choice), choice_faces(choice), value_words(choice), chance_of(choice)
        )


@dataclass(frozen=True, slots=True)
class ShownTurningPoint:
    """A turning point of a deal, before its `step`; `is_melding` says that it was not about a card to play.

    `says` tells what it cost and what was better, and `why` what the worlds show, and what that means for the match; that
    may be empty.
    """

    number: int
    step: int
    seat: int
    is_melding: bool
    says: str
    why: str
    grade: str
    did: ShownChoice
    better: ShownChoice


@dataclass(frozen=True, slots=True)
class WeighedDeal:
    """A deal of a deep review; `number` counts from 1, `why_not` says why decisions are missing."""

    number: int
    turning_points: list[ShownTurningPoint]
    chart: LeadChart | None
    decisions: int
    why_not: str


@dataclass(frozen=True, slots=True)
class ProvisionalDeal:
    """The turning points of a deal, as far as a review has come; deals count from 1."""

    number: int
    turning_points: list[ShownTurningPoint]


@dataclass(frozen=True, slots=True)
class ProvisionalReview:
    """What an unfinished review has found: the deals with turning points; `unlisted` others have cost less."""

    deals: list[ProvisionalDeal]
    unlisted: int

    @property
    def turning_points(self) -> int:
        """How many turning points have been found."""
        return self.unlisted + sum(len(deal.turning_points) for deal in self.deals)


@dataclass(frozen=True, slots=True)
class CountRow:
    """How many decisions of each player have a grade, or show a habit; `name` is that of the grade or habit."""

    name: str
    words: str
    counts: list[int]


@dataclass(frozen=True, slots=True)
class PhaseCell:
    """What a player decided in a phase, in words: accuracy, the decisions that it is the mean of, points lost."""

    accuracy: str
    mattered: str
    lost: str


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A phase of the deals, or all of them, with a cell for each player."""

    words: str
    cells: list[PhaseCell]


@dataclass(frozen=True, slots=True)
class WeighedGame:
    """A deep review over all deals of a game; `worlds` is how many each choice was tried in at most.

    `chances` says what the chances of winning the match rest on, None where there are none.
    """

    worlds: int
    chances: ChanceSource | None
    version: str
    why_not: str
    grades: list[CountRow]
    habits: list[CountRow]
    phases: list[PhaseRow]


def weigh_game(review: DeepReview, least: float) -> WeighedGame:
    """The deep review of a game, graded by a limit of `least` points; nothing is weighed again."""
    seats = summarize_seats(review, least=least)
    return WeighedGame(
        worlds=review.terms.worlds,
        chances=review.chances,
        version=review.version,
        why_not=review.why_not,
        grades=[
            CountRow(grade, GRADE_WORDS[grade], [seat.grades.get(grade, 0) for seat in seats])
            for grade in COUNTED_GRADES
        ],
        habits=[
            CountRow(habit, words, [seat.habits.get(habit, 0) for seat in seats])
            for habit, (_, words) in HABITS.items()
        ],
        phases=list(_phase_rows(review, seats)),
    )


def grade_review(review: DeepReview, least: float | None) -> DeepReview:
    """The deep review, graded by another limit; unchanged for None."""
    if least is None:
        return review
    return replace(
        review,
        deals=[
            replace(
                deal,
                decisions=[
                    replace(each, grade=grade_decision(each, least)) for each in deal.decisions
                ],
                turning_points=find_turning_points(deal.decisions, least),
            )
            for deal in review.deals
        ],
    )


def weigh_deal(deal: DeeplyReviewedDeal, names: Sequence[str], least: float) -> WeighedDeal:
    """The turning points of a deal, and the lead that was expected through it."""
    places = find_turning_points(deal.decisions, least)
    return WeighedDeal(
        number=deal.deal + 1,
        turning_points=[
            _turning_point(number, deal.decisions[place], names, least)
            for number, place in enumerate(places, start=1)
        ],
        chart=build_lead_chart(deal.decisions, places),
        decisions=len(deal.decisions),
        why_not=deal.why_not,
    )


def list_found(review: DeepReview, least: float) -> ProvisionalReview:
    """The costliest turning points that a review has found so far, by a limit of `least` points."""
    found = [
        (deal.deal, number, deal.decisions[place])
        for deal in review.deals
        for number, place in enumerate(find_turning_points(deal.decisions, least), start=1)
    ]
    listed = sorted(found, key=lambda each: -each[2].lost)[:MOST_LISTED]
    listed.sort(key=lambda each: each[:2])
    return ProvisionalReview(
        [
            ProvisionalDeal(
                deal + 1,
                [_turning_point(number, each, review.names, least) for _, number, each in group],
            )
            for deal, group in groupby(listed, key=itemgetter(0))
        ],
        unlisted=len(found) - len(listed),
    )


def _turning_point(
    number: int, decision: ReviewedDecision, names: Sequence[str], least: float
) -> ShownTurningPoint:
    best, chosen = decision.choices[0], decision.choices[decision.chosen]
    told = explain_loss(decision, names)
    return ShownTurningPoint(
        number=number,
        step=decision.event,
        seat=decision.seat,
        is_melding=chosen.kind != "play",
        says=told.says,
        why=f"{told.why} {describe_chance_lost(decision)}".strip(),
        grade=GRADE_WORDS[grade_decision(decision, least)],
        did=ShownChoice.of(chosen),
        better=ShownChoice.of(best),
    )


def _phase_rows(review: DeepReview, seats: Sequence[SeatSummary]) -> Iterator[PhaseRow]:
    """A row for each phase that has decisions, and one for all."""
    for phase, words in PHASE_WORDS.items():
        if any(phase in seat.phases for seat in seats):
            found = [seat.phases.get(phase, PhaseSummary()) for seat in seats]
            errors = [_error_of_loss(review, seat.seat, {phase}) for seat in seats]
            yield PhaseRow(words, list(map(_phase_cell, found, errors)))
    whole = [
        PhaseSummary(each.decisions, each.mattered, each.accuracy, each.lost) for each in seats
    ]
    errors = [_error_of_loss(review, seat.seat, {*PHASE_WORDS}) for seat in seats]
    yield PhaseRow("in all", list(map(_phase_cell, whole, errors)))


def _phase_cell(found: PhaseSummary, error: float) -> PhaseCell:
    return PhaseCell(
        accuracy="–" if found.accuracy is None else f"{100 * found.accuracy:.0f} %",
        mattered=f"{pluralize(found.mattered, 'decision')} that mattered",
        lost=f"{loss_words(found.lost, error)} lost",
    )


def _error_of_loss(review: DeepReview, seat: int, phases: Container[Phase]) -> float:
    """The standard error of all that a seat lost in these phases; the decisions err independently."""
    errors = [
        decision.error
        for deal in review.deals
        for decision in deal.decisions
        if decision.seat == seat and decision.phase in phases
    ]
    return sqrt(sum(error**2 for error in errors))
