"""The choices at a step with their values, for the script of the table: exact ones and estimates on one scale."""

from collections.abc import Sequence

import msgspec

from analyzer.deep_review.deep_review import ReviewedChoice, ReviewedDecision
from analyzer.deep_review.grades import grade_choice, grade_decision
from analyzer.deep_review.review_words import GRADE_WORDS
from analyzer.deep_review.winning.chance_words import chance_of, describe_chance_lost
from webui.replay.weighed.choice_words import (
    ExplainedLoss,
    choice_faces,
    explain_loss,
    loss_words,
    name_choice,
    value_words,
)


class ValuedChoice(msgspec.Struct, kw_only=True):
    """A choice: in short, its value, and its card if it plays one.

    `best` says that no choice is better; `did` that it was chosen. `grade` is that of a weighed choice, in words, and
    `chance` its chance of winning the match, empty where that is not known.
    """

    says: str
    worth: str
    card: str | None
    best: bool
    did: bool
    grade: str = ""
    chance: str = ""


class BestChoices(msgspec.Struct, kw_only=True):
    """The choices of `seat` at a step, the best first, with the best line and what the choice made lost.

    `says` tells that in a sentence, and `why` what speaks for the best. Before the close, values and loss are means, and
    there is no line. With `ends` a value is the lead at the end of the deal, and otherwise what is still to come.
    """

    seat: int
    offers: list[ValuedChoice]
    line: str
    lost: float
    says: str
    why: str = ""
    ends: bool = False


def weighed_choices(
    decision: ReviewedDecision, names: Sequence[str], least: float, line: str = ""
) -> BestChoices:
    """The choices at a weighed decision, with grades by a limit of `least` points; `line` is the best one, if known."""
    told = explain_grade(decision, names, least)
    return BestChoices(
        seat=decision.seat,
        offers=[
            _weighed_choice(choice, place, decision, least)
            for place, choice in enumerate(decision.choices)
        ],
        line=line,
        lost=decision.lost,
        says=told.says,
        why=f"{told.why} {describe_chance_lost(decision)}".strip(),
        ends=True,
    )


def explain_grade(decision: ReviewedDecision, names: Sequence[str], least: float) -> ExplainedLoss:
    """What was done at a decision, by its grade."""
    match grade_decision(decision, least):
        case "only":
            return ExplainedLoss("Nothing else was allowed.", "")
        case "best":
            if decision.certain:
                return ExplainedLoss("This was the best choice.", "")
            return ExplainedLoss("This was the best choice, as far as the worlds tell.", "")
        case "too_close":
            lost = loss_words(decision.lost, decision.error)
            better = name_choice(decision.choices[0])
            return ExplainedLoss(f"Too close to tell: {better} may be better by {lost}.", "")
        case _:
            return explain_loss(decision, names)


def graded_loss(decision: ReviewedDecision, least: float) -> str:
    """The grade of a decision, and what it cost: `mistake −23 ± 6`."""
    grade = GRADE_WORDS[grade_decision(decision, least)]
    lost = loss_words(decision.lost, decision.error)
    return f"{grade} −{lost}"


def _weighed_choice(
    choice: ReviewedChoice, place: int, decision: ReviewedDecision, least: float
) -> ValuedChoice:
    is_best = place == 0
    return ValuedChoice(
        says=name_choice(choice),
        worth=value_words(choice),
        card=choice_faces(choice)[0] if choice.kind == "play" else None,
        best=is_best or choice.behind == 0,
        did=place == decision.chosen,
        grade="best" if is_best else GRADE_WORDS[grade_choice(choice, least)],
        chance=chance_of(choice),
    )
