"""Win expectancy beside the replay of a deal, as far as the deal is visible."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from analyzer.players.expectancy import (
    FEWEST_MATCHES,
    LEAD_BANDWIDTH,
    POINTS_BANDWIDTH,
    match_expectancy,
)
from webui.http.responses import json_response
from webui.replay.steps import DealSteps
from webui.views import game_cache, store
from webui.views.deals import requested_visibility

CHANCE_CAVEAT = (
    f"Estimated from stored matches by the same rules in similar positions. The more the lead differs, the less "
    f"a match counts (a bell curve, {LEAD_BANDWIDTH:.0%} of a winner's points wide; {POINTS_BANDWIDTH:.0%} for the points of "
    f"both before the deal). One match won and one lost are added. The players' strength is not considered."
)
blueprint = Blueprint("expectancy", __name__)


@blueprint.get("/games/<digest>/deals/<int:deal>/expectancy.json")
def expectancy_json(digest: str, deal: int) -> ResponseReturnValue:
    """The first side's win expectancy at the end of every trick, by step; none if too few matches are stored."""
    game = game_cache().game(digest)
    steps = game.deal(deal - 1, requested_visibility(len(game.record.players))).deal
    ends = _ends(steps)
    leads = {trick: _lead(steps, step) for trick, step in ends.items()}
    known = {trick: lead for trick, lead in leads.items() if lead is not None}
    expectancy = match_expectancy(store(), digest, deal - 1, known)
    return json_response(
        {
            "who": steps.names[steps.sides.index(0)],
            "matches": expectancy.matches,
            "enough": FEWEST_MATCHES,
            "chances": [
                {
                    "step": ends[chance.trick],
                    "chance": round(chance.chance, 4),
                    "near": round(chance.weight, 1),
                }
                for chance in expectancy.chances
            ],
            "caveat": CHANCE_CAVEAT,
        }
    )


def _ends(deal: DealSteps) -> dict[int, int]:
    """The last step of every trick; trick 0 is what comes before the first."""
    return {step.trick: number for number, step in enumerate(deal.steps)}


def _lead(deal: DealSteps, step: int) -> int | None:
    """The first side's lead in this deal, in points; None where the record leaves points open."""
    lead = 0
    for seat, side in zip(deal.steps[step].seats, deal.sides, strict=True):
        if seat.points is None:
            return None
        lead += seat.points if side == 0 else -seat.points
    return lead
