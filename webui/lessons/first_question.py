"""What would you play? The question of the first page, and what the server answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from analyzer.annotate.annotation import AnalysisTerms, DealAnnotation
from analyzer.annotate.annotator import annotate
from analyzer.annotate.close_review import CloseDecision
from analyzer.annotate.signed_points import signed_points
from analyzer.annotate.words import describe_line
from records.phrases import capitalize_first, name_card, pluralize
from webui.lessons.example_games import FIRST_PAGE_EXAMPLE, open_example
from webui.replay.review import review_deal
from webui.replay.steps import DealSteps

QUESTION_STEP = 128
"""The step of the last deal of `FIRST_PAGE_EXAMPLE` that the question is about."""
QUESTION_TERMS = AnalysisTerms(brink=False)


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """A card that may be played: its value in points still to come, and what comes of it, in words."""

    card: str
    value: str
    is_best: bool
    was_played: bool
    says: str


@dataclass(frozen=True, slots=True)
class FirstQuestion:
    """A position after the close, with a card to find: `seat` leads at `step` of a deal.

    `answers` begin with the best. `line` is how the deal goes on after the best card, and `played` says what happened.
    `review_json` has the values of every decision of the deal, for the script.
    """

    deal: DealSteps
    step: int
    seat: int
    answers: Sequence[CardAnswer]
    line: str
    played: str
    review_json: str

    def answer_to(self, card: str | None) -> CardAnswer | None:
        """The answer to a card, or None if nobody may play it there."""
        return next((answer for answer in self.answers if answer.card == card), None)

    @property
    def answers_json(self) -> str:
        """The answers for the script, as JSON that may stand inside a page."""
        answers = {answer.card: answer for answer in self.answers}
        return msgspec.json.encode(answers).decode().replace("<", "\\u003c")


@cache
def first_question() -> FirstQuestion:
    """The question, with exact values by the solver; they take some hundredths of a second, once."""
    game = open_example(FIRST_PAGE_EXAMPLE)
    number = len(game.record.deals) - 1
    deal = game.deal(number).deal
    notes = annotate(game.record, terms=QUESTION_TERMS)
    played = game.record.deals[number].events
    review = review_deal(notes, number, played)
    decision = _decision(notes.deals[number])
    if review is None or decision is None:
        raise ValueError(f"Step {QUESTION_STEP} of {FIRST_PAGE_EXAMPLE} has no exact values.")
    return FirstQuestion(
        deal=deal,
        step=QUESTION_STEP,
        seat=decision.seat,
        answers=list(_answers(decision, deal, _lead_at_end(deal, decision))),
        line=describe_line(decision.line, deal.names),
        played=deal.steps[QUESTION_STEP + 1].say,
        review_json=review.json,
    )


def _decision(deal: DealAnnotation) -> CloseDecision | None:
    decisions = deal.close.decisions if deal.close else []
    return next((each for each in decisions if each.event == QUESTION_STEP), None)


def _lead_at_end(deal: DealSteps, decision: CloseDecision) -> int:
    """By how much the player wins the match with the best card, if both play their best from there.

    What was played lost so many points less, and nobody lost any after it.
    """
    totals = [seat.total or 0 for seat in deal.steps[-1].seats]
    return totals[decision.seat] - totals[1 - decision.seat] + decision.lost


def _answers(decision: CloseDecision, deal: DealSteps, margin: int) -> Iterator[CardAnswer]:
    best, names = decision.ways[0].value, deal.names
    player, other = names[decision.seat], names[1 - decision.seat]
    for way in decision.ways:
        card = way.ply.card or ""
        yield CardAnswer(
            card=card,
            value=signed_points(way.value),
            is_best=way.value == best,
            was_played=way.ply == decision.did,
            says=_outcome(card, player, other, margin - (best - way.value)),
        )


def _outcome(card: str, player: str, other: str, margin: int) -> str:
    """What comes of a card if both play their best after it."""
    if margin == 0:
        end = "the match is tied, and another deal decides it"
    else:
        end = (
            f"{player if margin > 0 else other} wins the match by {pluralize(abs(margin), 'point')}"
        )
    said = name_card(card)
    return f"{capitalize_first(said)}: if both play their best from there, {end}."
