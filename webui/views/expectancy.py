"""The chance of winning the match, beside the replay of a deal: as far as the deal is to be seen."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from analyzer.players.expectancy import ENOUGH, FAR, NEAR, expectancy
from webui.http.responses import json_response
from webui.replay.steps import DealSteps
from webui.views import shelf, store
from webui.views.deals import asked_sight

CAVEAT = (
    f"Judged by what became of other matches by the same rules with about as many points: a lead counts "
    f"less the farther it is away (a bell curve, {NEAR:.0%} of a winner's points wide; {FAR:.0%} for what "
    f"both had before the deal), and one match won and one lost are added. How well the players play is left out."
)
blueprint = Blueprint("expectancy", __name__)


@blueprint.get("/games/<digest>/deals/<int:deal>/expectancy.json")
def expectancy_json(digest: str, deal: int) -> ResponseReturnValue:
    """The chances of the first side at the end of every trick, by step; none where too little is stored."""
    book = shelf().book(digest)
    steps = book.deal(deal - 1, asked_sight(len(book.record.players))).deal
    ends = _ends(steps)
    found = expectancy(
        store(), digest, deal - 1, {t: _lead(steps, step) for t, step in ends.items()}
    )
    return json_response(
        {
            "who": steps.names[steps.sides.index(0)],
            "matches": found.matches,
            "enough": ENOUGH,
            "chances": [
                {
                    "step": ends[one.trick],
                    "chance": round(one.chance, 4),
                    "near": round(one.weight, 1),
                }
                for one in found.chances
            ],
            "caveat": CAVEAT,
        }
    )


def _ends(deal: DealSteps) -> dict[int, int]:
    """The last step of every trick, with all that it allowed; 0 is what comes before the first."""
    return {step.trick: number for number, step in enumerate(deal.steps)}


def _lead(deal: DealSteps, step: int) -> int:
    """By how many points of the deal the first side is ahead."""
    return sum(
        seat.points if side == 0 else -seat.points
        for seat, side in zip(deal.steps[step].seats, deal.sides, strict=True)
    )
