"""The positions of a drill: where mistakes were made, in one game or in all weighed games of a player."""

from typing import NamedTuple

from analyzer.db.store import Store
from analyzer.deep_review.deep_review import DeepReview, ReviewedDecision
from analyzer.deep_review.grades import ERRORS_TO_TELL, MISTAKES, grade_decision

MOST_POSITIONS = 200
"""The most positions of a player's drill, of the games stored last."""
SELECT_POSITIONS = """
    SELECT games.digest, decisions.deal, decisions.event, decisions.kind <> 'play' AS melding
    FROM decisions JOIN seats USING (game, deal, seat) JOIN games USING (game)
    WHERE seats.player = $player AND decisions.lost >= $least
      AND decisions.lost >= $errors * decisions.error
    ORDER BY games.stored_at DESC, games.game, decisions.deal, decisions.event, melding DESC
    LIMIT $most
"""

SELECT_IS_WEIGHED = "SELECT 1 FROM deep_reviews WHERE digest = ?"


class DrillPosition(NamedTuple):
    """A decision of a stored game: its deal and its event, both from 0; `melding` if it was not about a card to play."""

    digest: str
    deal: int
    event: int
    melding: bool


def is_weighed(store: Store, digest: str) -> bool:
    """Whether the choices of a game were weighed, so that it has a drill."""
    return bool(store.rows(SELECT_IS_WEIGHED, [digest]).rows)


def positions_of_player(store: Store, name: str, least: float) -> list[DrillPosition]:
    """Where a player surely lost so many points, in games whose choices were weighed; the game stored last first."""
    values = {"player": name, "least": least, "errors": ERRORS_TO_TELL, "most": MOST_POSITIONS}
    return [DrillPosition(*row) for row in store.rows(SELECT_POSITIONS, values).rows]


def positions_of_game(review: DeepReview, least: float) -> list[DrillPosition]:
    """Where either player surely lost so many points, in the order of play."""
    return [
        DrillPosition(review.digest, deal.deal, decision.event, is_melding(decision))
        for deal in review.deals
        for decision in deal.decisions
        if grade_decision(decision, least) in MISTAKES
    ]


def find_decision(review: DeepReview, position: DrillPosition) -> ReviewedDecision | None:
    """The decision at a position, if it was weighed and there was a choice."""
    for deal in review.deals:
        if deal.deal == position.deal:
            for decision in deal.decisions:
                is_there = decision.event == position.event
                if is_there and is_melding(decision) == position.melding:
                    return decision if len(decision.choices) > 1 else None
    return None


def is_melding(decision: ReviewedDecision) -> bool:
    """Whether a decision was about something else than a card to play."""
    return decision.choices[decision.chosen].kind != "play"
