"""The chance of winning the match in words."""

from analyzer.deep_review.deep_review import ReviewedChoice, ReviewedDecision
from analyzer.deep_review.grades import ERRORS_TO_TELL

PERCENT = "\u00a0%"
LEAST_PERCENT_IN_WHOLE = 0.95
"""Chances with a smaller standard error are told to a tenth of a percent."""
LEAST_ERROR_WRITTEN = 0.05


def describe_chance(chance: float, error: float) -> str:
    """A chance in percent with its standard error: `62 ± 2 %`, `61.6 ± 0.4 %`, and `100 %` where the match is decided."""
    percent, error = 100 * chance, 100 * error
    if not error:
        return f"{percent:.0f}{PERCENT}" if percent == round(percent) else f"{percent:.1f}{PERCENT}"
    if error >= LEAST_PERCENT_IN_WHOLE:
        return f"{percent:.0f} ±\u00a0{error:.0f}{PERCENT}"
    return f"{percent:.1f} ±\u00a0{max(error, 2 * LEAST_ERROR_WRITTEN):.1f}{PERCENT}"


def chance_of(choice: ReviewedChoice) -> str:
    """The chance after a choice; empty where it is not known."""
    return "" if choice.chance is None else describe_chance(choice.chance, choice.chance_error)


def describe_chance_lost(decision: ReviewedDecision) -> str:
    """What a decision changed in the chance of winning the match, in a sentence; empty where that is not known."""
    best, made = decision.choices[0], decision.choices[decision.chosen]
    if best.chance is None or made.chance is None or best is made:
        return ""
    sure = best.chance_error == made.chance_error == 0
    if sure and best.chance == made.chance in (0.0, 1.0):
        return f"The match is {'won' if best.chance else 'lost'} either way."
    was, became, by = chance_of(best), chance_of(made), made.chance_behind
    if abs(by) < ERRORS_TO_TELL * made.chance_behind_error or not by:
        return (
            f"The chance of winning the match is {became}, and {was} with the better choice: "
            "a difference too small to be sure of."
        )
    change = describe_chance(abs(by), made.chance_behind_error).removesuffix(PERCENT)
    points = f"{change} percentage {'point' if change == '1' else 'points'}"
    if by > 0:
        return f"This lowers the chance of winning the match by {points}, from {was} to {became}."
    return f"Yet it raises the chance of winning the match by {points}, from {was} to {became}."
