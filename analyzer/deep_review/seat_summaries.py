"""A deep review in numbers: for each seat its grades, its accuracy, the points it lost, its habits."""

from collections.abc import Iterable

import msgspec

from analyzer.deep_review.costly_habits import Habit, habit_of
from analyzer.deep_review.deep_review import (
    DEFAULT_LEAST,
    DeeplyReviewedDeal,
    DeepReview,
    Grade,
    Phase,
    ReviewedDecision,
)
from analyzer.deep_review.grades import count_grades

ACCURACY_WORDS = (
    "Accuracy is the share of what a decision put at stake that the choice kept: all of it with the best choice, nothing "
    "with the worst. It is the mean over the decisions that mattered: those whose choices were at least {least} points apart."
)


class PhaseSummary(msgspec.Struct):
    """What a seat decided in one phase.

    `mattered` of its `decisions` had choices at least as far apart as a mistake is behind; `accuracy` is the mean share
    kept in these, from 0 to 1, None without any. `lost` is what all decisions lost, in points.
    """

    decisions: int = 0
    mattered: int = 0
    accuracy: float | None = None
    lost: float = 0.0


class SeatSummary(msgspec.Struct):
    """What a seat decided, in one deal or several: its grades and habits with their numbers, and every phase it met."""

    seat: int
    decisions: int
    mattered: int
    accuracy: float | None
    lost: float
    grades: dict[Grade, int]
    habits: dict[Habit, int]
    phases: dict[Phase, PhaseSummary]


def summarize_seats(
    review: DeepReview,
    deals: Iterable[DeeplyReviewedDeal] | None = None,
    least: float = DEFAULT_LEAST,
) -> list[SeatSummary]:
    """The summary of every seat, over the deals given or over all, with a limit of `least` points for a mistake."""
    decisions = [
        decision
        for deal in (review.deals if deals is None else deals)
        for decision in deal.decisions
        if len(decision.choices) > 1
    ]
    return [
        _seat_summary(seat, [each for each in decisions if each.seat == seat], least)
        for seat in range(len(review.names))
    ]


def _seat_summary(seat: int, decisions: list[ReviewedDecision], least: float) -> SeatSummary:
    habits: dict[Habit, int] = {}
    by_phase: dict[Phase, list[ReviewedDecision]] = {}
    for decision in decisions:
        habit = habit_of(decision, least)
        if habit is not None:
            habits[habit] = habits.get(habit, 0) + 1
        by_phase.setdefault(decision.phase, []).append(decision)
    whole = _phase_summary(decisions, least)
    phases = {phase: _phase_summary(some, least) for phase, some in by_phase.items()}
    return SeatSummary(
        seat,
        whole.decisions,
        whole.mattered,
        whole.accuracy,
        whole.lost,
        count_grades(decisions, least),
        habits,
        phases,
    )


def _phase_summary(decisions: list[ReviewedDecision], least: float) -> PhaseSummary:
    kept = [
        1 - decision.lost / stake
        for decision in decisions
        if (stake := at_stake(decision)) >= max(least, 1)
    ]
    return PhaseSummary(
        len(decisions),
        len(kept),
        round(sum(kept) / len(kept), 4) if kept else None,
        round(sum(decision.lost for decision in decisions), 2),
    )


def at_stake(decision: ReviewedDecision) -> float:
    """By how many points the worst choice of a decision is behind the best."""
    return max(choice.behind for choice in decision.choices)
