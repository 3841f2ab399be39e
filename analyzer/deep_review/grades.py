"""Grades: how much a choice must be behind the best to be called a mistake, and how sure that must be.

They are computed from what a review holds: whoever sets another limit needs no world played again.
"""

from collections.abc import Iterable, Sequence

from analyzer.deep_review.deep_review import (
    DEFAULT_LEAST,
    Grade,
    ReviewedChoice,
    ReviewedDecision,
)

BLUNDER_FACTOR, INACCURACY_FACTOR = 3.0, 0.5
"""A blunder is behind by so many times the limit, an inaccuracy by this part of it."""
ERRORS_TO_TELL = 2.0
"""A choice is called worse only if it is behind by so many standard errors."""
MOST_TURNING_POINTS = 3
"""Turning points in a deal."""
MISTAKES: frozenset[Grade] = frozenset({"mistake", "blunder"})


def grade_choice(choice: ReviewedChoice, least: float = DEFAULT_LEAST) -> Grade:
    """The grade of a choice that was not the only one, with a limit of `least` points."""
    return grade_loss(choice.behind, choice.behind_error, least)


def grade_loss(behind: float, error: float, least: float) -> Grade:
    """The grade of what is so many points behind the best, with this standard error."""
    if behind <= 0:
        return "best"
    if behind < INACCURACY_FACTOR * least:
        return "good"
    if behind < ERRORS_TO_TELL * error:
        return "too_close"
    if behind >= BLUNDER_FACTOR * least:
        return "blunder"
    return "mistake" if behind >= least else "inaccuracy"


def grade_decision(decision: ReviewedDecision, least: float = DEFAULT_LEAST) -> Grade:
    """The grade of what was done."""
    if len(decision.choices) < 2:
        return "only"
    return grade_choice(decision.choices[decision.chosen], least)


def find_turning_points(
    decisions: Sequence[ReviewedDecision], least: float = DEFAULT_LEAST
) -> list[int]:
    """The places of at most three mistakes that cost most, the costliest first."""
    mistakes = [
        place
        for place, decision in enumerate(decisions)
        if grade_decision(decision, least) in MISTAKES
    ]
    mistakes.sort(key=lambda place: -decisions[place].lost)
    return mistakes[:MOST_TURNING_POINTS]


def is_settled(lowest: float, highest: float, least: float) -> bool:
    """Whether a loss between these two has one grade, whatever it is."""
    edges = (INACCURACY_FACTOR * least, least, BLUNDER_FACTOR * least)
    return not any(lowest < edge <= highest for edge in edges)


def count_grades(
    decisions: Iterable[ReviewedDecision], least: float = DEFAULT_LEAST
) -> dict[Grade, int]:
    """How many decisions have each grade; those that occur."""
    found: dict[Grade, int] = {}
    for decision in decisions:
        grade = grade_decision(decision, least)
        found[grade] = found.get(grade, 0) + 1
    return found
