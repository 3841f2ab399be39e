"""Weighed choices in words: what was done, what it is worth and how sure that is."""

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.annotate.signed_points import signed_points, signed_tenths
from analyzer.deep_review.deep_review import ReviewedChoice, ReviewedDecision
from analyzer.deep_review.grades import ERRORS_TO_TELL
from analyzer.deep_review.review_words import describe_better, describe_choice
from records.cards import FACE_OF
from records.phrases import list_cards

FEWEST_POINTS_TO_ROUND = 1.0
"""Values with a smaller standard error are told to one decimal, others in whole points."""


def name_choice(choice: ReviewedChoice) -> str:
    """A choice in short: `Q♠`, `royal marriage K♥ Q♥`, `no meld`."""
    cards = list_cards(choice_faces(choice))
    match choice.kind:
        case "play":
            return cards
        case "meld":
            return f"{choice.meld.replace('_', ' ')} {cards}".strip()
        case "hold_back":
            return "no meld"
        case _:
            return f"{choice.kind} {cards}".strip()


def value_words(choice: ReviewedChoice) -> str:
    """What a choice leads to, with its standard error: `+12 ± 4`, and `+40` where it is exact."""
    return points_with_error(choice.value, choice.error)


def points_with_error(points: float, error: float) -> str:
    """Points with their sign and standard error: `+12 ± 4`, `−2.5 ± 0.4`, and `+40` where they are exact.

    The error stays on the line of its sign.
    """
    if not error:
        return signed_points(round(points, 1))
    if error < FEWEST_POINTS_TO_ROUND:
        return f"{signed_tenths(points)} ±\u00a0{error:.1f}"
    whole = f"{round(points):+,}".replace("-", "−") if round(points) else "0"
    return f"{whole} ±\u00a0{error:,.0f}"


def loss_words(points: float, error: float) -> str:
    """Points that were lost, with their standard error and unit: `23 ± 6 points`, `1 point`."""
    lost = points_with_error(points, error).removeprefix("+")
    return f"{lost} {'point' if lost == '1' else 'points'}"


class ExplainedLoss(NamedTuple):
    """What a decision cost, in a sentence that says how sure that is, and `why`, as far as there is more to say."""

    says: str
    why: str


def certainty_words(decision: ReviewedDecision) -> str:
    """How sure the values of a decision are: `certainly` after the close, exact `on average` in the trick before it."""
    if not decision.certain:
        return "probably"
    return "certainly" if decision.phase == "close" else "on average"


def explain_loss(decision: ReviewedDecision, names: Sequence[str]) -> ExplainedLoss:
    """What a decision cost, and what was better."""
    best, chosen = decision.choices[0], decision.choices[decision.chosen]
    lost = loss_words(decision.lost, decision.error)
    who, did, better = names[decision.seat], describe_choice(chosen), describe_better(best, chosen)
    if decision.certain and decision.phase == "last_trick" and decision.why:
        return ExplainedLoss(decision.why, "")
    if decision.lost < ERRORS_TO_TELL * decision.error:
        return ExplainedLoss(f"{who} may lose {lost} by {did}; {better} may be better.", "")
    sure = certainty_words(decision)
    # After the close, what the review says of it counts the points to come, and not the lead at the end of the deal.
    why = "" if decision.certain else decision.why
    was = "was" if decision.certain else "was probably"
    return ExplainedLoss(f"{who} {sure} loses {lost} by {did}; {better} {was} better.", why)


def choice_faces(choice: ReviewedChoice) -> list[str]:
    """The cards of a choice, without what tells like ones apart."""
    return [FACE_OF[card] for card in choice.cards]
