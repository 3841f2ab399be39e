"""Habits that cost points: what each of them is, by one definition for the pages, the terminal and the statistics."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from analyzer.deep_review.deep_review import DEFAULT_LEAST, Grade, ReviewedDecision
from analyzer.deep_review.grades import grade_decision

Habit: TypeAlias = Literal["meld_rushed", "meld_held", "seven_kept", "trump_wasted"]

HABITS: Mapping[Habit, tuple[str, str]] = {
    "meld_rushed": ("meld rushed", "melds rushed"),
    "meld_held": ("meld held too long", "melds held too long"),
    "seven_kept": ("seven kept", "sevens kept"),
    "trump_wasted": ("trump wasted", "trumps wasted"),
}
"""Every habit in words, for one and for several."""
DEFINITIONS: Mapping[Habit, str] = {
    "meld_rushed": "A meld was made where melding nothing was better.",
    "meld_held": "A meld was not made where one was the best choice.",
    "seven_kept": "A seven was neither exchanged nor shown where that was the best choice.",
    "trump_wasted": "A trump was played where a card of another suit was better.",
}
"""What counts as each. Better means: by at least half the limit of a mistake, and by two standard errors."""
WORSE: frozenset[Grade] = frozenset({"inaccuracy", "mistake", "blunder"})


def habit_of(decision: ReviewedDecision, least: float = DEFAULT_LEAST) -> Habit | None:
    """The habit that a decision shows, if any, with a limit of `least` points."""
    if grade_decision(decision, least) not in WORSE:
        return None
    best, made = decision.choices[0], decision.choices[decision.chosen]
    passes = ("hold_back", "play")
    match made.kind, best.kind:
        case "meld", "hold_back" | "play":
            return "meld_rushed"
        case _, "meld" if made.kind in passes:
            return "meld_held"
        case _, "exchange" | "show" if made.kind in passes:
            return "seven_kept"
        case "play", "play" if decision.trump and made.cards[0][1] == decision.trump:
            return None if best.cards[0][1] == decision.trump else "trump_wasted"
    return None
