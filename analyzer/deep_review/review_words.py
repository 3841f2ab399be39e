"""The sentences of a deep review, for the pages, the terminal and the readable text alike."""

from collections.abc import Mapping, Sequence

from analyzer.deep_review.deep_review import Grade, ReviewedChoice, ReviewedDecision
from analyzer.deep_review.grades import ERRORS_TO_TELL
from analyzer.deep_review.reasons import ChoiceComparison, Reason
from analyzer.deep_review.winning.chance_words import describe_chance_lost
from records.cards import FACE_OF
from records.phrases import name_card, name_cards, name_meld

GRADE_WORDS: Mapping[Grade, str] = {
    "only": "only choice",
    "best": "best",
    "good": "good",
    "inaccuracy": "inaccuracy",
    "mistake": "mistake",
    "blunder": "blunder",
    "too_close": "too close to tell",
}
BONUS_WORDS = {
    "last_trick": "scores the last trick",
    "last_stock_trick": "scores the last trick before the close",
    "all_closed_tricks": "scores all tricks after the close",
}
LEAST_ERROR_WRITTEN = 0.05
"""A smaller standard error is not written."""
MOSTLY_OFTEN = 0.5
"""How often it comes is told in worlds if that accounts for so much of the difference, or else as a mean."""


def name_grade(grade: Grade) -> str:
    """A grade in words."""
    return GRADE_WORDS[grade]


def describe_decision(decision: ReviewedDecision) -> str:
    """What a decision cost, in points and in chance of winning the match, and why, in sentences."""
    return f"{_describe_points(decision)} {describe_chance_lost(decision)}".rstrip()


def _describe_points(decision: ReviewedDecision) -> str:
    if decision.why:
        return decision.why
    made = decision.choices[decision.chosen]
    done = describe_choice(made)
    done = f"{done[:1].upper()}{done[1:]}"
    if not decision.lost:
        return f"{done} is the best choice{'' if decision.certain else f', as far as {made.worlds} worlds tell'}."
    lost = (
        f"{decision.lost:g}" if decision.certain else describe_mean(decision.lost, decision.error)
    )
    better = describe_better(decision.choices[0], made)
    if decision.lost < ERRORS_TO_TELL * decision.error:
        return f"{done} may lose {lost} points; {better} may be better."
    return f"{done} loses {lost} points; {better} is better."


def describe_choice(choice: ReviewedChoice) -> str:
    """A choice as the subject of a sentence: `playing the ten of hearts`, `melding four aces`, `holding back`."""
    cards = [FACE_OF.get(card, card) for card in choice.cards]
    match choice.kind:
        case "play":
            return f"playing {name_card(cards[0])}"
        case "meld":
            return f"melding {name_meld(choice.meld)} ({name_cards(cards)})"
        case "exchange":
            return f"exchanging {name_card(cards[0])}"
        case "show":
            return f"showing {name_card(cards[0])}"
        case "hold_back":
            return "melding nothing"


def describe_better(best: ReviewedChoice, made: ReviewedChoice) -> str:
    """The best choice as the subject of a sentence, told from what was made where both have the same faces."""
    words = describe_choice(best)
    return f"{words} with other copies" if words == describe_choice(made) else words


def describe_mean(points: float, error: float) -> str:
    """A mean with its standard error, to whole points where the error is one or more: `34 ± 5`, `12.5 ± 0.4`, `20`."""
    if error < LEAST_ERROR_WRITTEN:
        return f"{points:g}".replace("-", "−")
    digits = 0 if error >= 1 else 1
    return f"{points:.{digits}f} ± {error:.{digits}f}".replace("-", "−")


def describe_why(
    decision: ReviewedDecision, comparison: ChoiceComparison, names: Sequence[str]
) -> str:
    """What speaks for the best choice and against the one made: what comes after both, or else their means."""
    best, made = decision.choices[0], decision.choices[decision.chosen]
    better = describe_better(best, made)
    text = (
        f"{better[:1].upper()}{better[1:]} is better by {describe_mean(decision.lost, decision.error)} points "
        f"than {describe_choice(made)}"
    )
    if comparison.reasons:
        reasons = [_describe_reason(reason, names) for reason in comparison.reasons]
        return f"{text}. {' '.join(reasons)}"
    return (
        f"{text}: on average over {made.worlds} worlds {names[decision.seat]} ends with a lead of "
        f"{describe_mean(best.value, best.error)}, not of {describe_mean(made.value, made.error)}."
    )


def _describe_reason(reason: Reason, names: Sequence[str]) -> str:
    source, worlds = reason.source, reason.worlds
    who = names[source.seat]
    if source.name == "brisques":
        return (
            f"{who} then takes {reason.times:.1f} brisques on average over {worlds} worlds, "
            f"and otherwise {reason.times_else:.1f}."
        )
    does = BONUS_WORDS.get(source.name) or f"makes {name_meld(source.name)} ({source.worth})"
    by_often = (reason.often - reason.often_else) / worlds
    if abs(by_often) >= MOSTLY_OFTEN * abs(reason.times - reason.times_else):
        return f"In {reason.often} of {worlds} worlds {who} then {does}, otherwise in {reason.often_else}."
    return (
        f"{who} then {does} {reason.times:.1f} times on average over {worlds} worlds, "
        f"and otherwise {reason.times_else:.1f} times."
    )
