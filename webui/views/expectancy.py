"""Win expectancy: beside the replay of a deal, as far as the deal is visible, and how far it can be trusted."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import abort, current_app
from flask.typing import ResponseReturnValue

from analyzer.charts import figures
from analyzer.players.chances.chance_calibration import calibration_answer
from analyzer.players.chances.chance_features import FEATURE_NAMES
from analyzer.players.chances.chance_fit import BROWNIAN_WEIGHTS
from analyzer.players.chances.chance_model import SIMULATED_WORTH, ChanceModels
from analyzer.players.chances.chance_trust import (
    FEWEST_MATCHES_TO_CALIBRATE,
    ChanceTrust,
    ChanceTrusts,
)
from analyzer.players.expectancy import DealPoints, match_expectancy
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from webui.access.actions import Action
from webui.http.page import Page, Views
from webui.http.request_kinds import QUESTIONS
from webui.http.responses import json_response
from webui.replay.steps import DealSteps, ReplayStep
from webui.views import game_cache, store
from webui.views.deals import requested_visibility

CHANCE_CAVEAT = (
    "Estimated by a model of the lead and of what is left to play, fitted to stored matches by this rulebook and "
    f"target; simulated matches count as {SIMULATED_WORTH} stored ones. The band is the 95 % interval of the "
    "estimate. The players' strength is not considered."
)
CALIBRATION_CAVEAT = "The bars are 95 % intervals of the share won; all predictions in one match count as one observation."
blueprint = Views("expectancy", __name__)


def _models() -> ChanceModels:
    """The models of the store's matches."""
    models: ChanceModels = current_app.extensions["chance_models"]
    return models


@blueprint.address("/games/<digest>/deals/<int:deal>/expectancy.json", Action.READ, QUESTIONS)
def expectancy_json(digest: str, deal: int) -> ResponseReturnValue:
    """The first side's win expectancy at the end of every trick, by step, with its 95 % interval."""
    game = game_cache().game(digest)
    steps = game.deal(deal - 1, requested_visibility(len(game.record.players))).deal
    expectancy = match_expectancy(store(), _models(), digest, deal - 1, _points(steps))
    return json_response(
        {
            "who": steps.names[steps.sides.index(0)],
            "sheet": expectancy.sheet,
            "matches": expectancy.matches,
            "simulated": expectancy.simulated,
            "chances": [
                {
                    "step": chance.at,
                    "chance": round(chance.chance, 4),
                    "low": round(chance.low, 4),
                    "high": round(chance.high, 4),
                    "decided": chance.decided,
                }
                for chance in expectancy.chances
            ],
            "caveat": CHANCE_CAVEAT,
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectancyPage(Page):
    """How the chances are estimated, and how far they can be trusted; simulated matches count as `worth` stored ones.

    `features` name the weights of the model, in their order.
    """

    template = "statistics/expectancy.html"
    sheet: RuleSheet
    trust: ChanceTrust
    worth: int
    features: Sequence[str] = FEATURE_NAMES
    brownian_weight: float = BROWNIAN_WEIGHTS[0]
    fewest: int = FEWEST_MATCHES_TO_CALIBRATE

    @property
    def data(self) -> object:
        """The same as JSON."""
        return {"sheet": self.sheet.id, "worth": self.worth, **self.trust.as_data()}


@blueprint.page("/statistics/expectancy/<sheet_id>", Action.READ, QUESTIONS)
def calibration(sheet_id: str) -> ExpectancyPage:
    """How the chances of a rulebook are estimated, and how far they can be trusted."""
    sheet, trust = _requested_trust(sheet_id)
    return ExpectancyPage(sheet=sheet, trust=trust, worth=SIMULATED_WORTH)


@blueprint.address("/statistics/expectancy/<sheet_id>/figure.json", Action.READ, QUESTIONS)
def calibration_figure(sheet_id: str) -> ResponseReturnValue:
    """The figure of the calibration."""
    sheet, trust = _requested_trust(sheet_id)
    answer = calibration_answer(store(), trust.calibration, sheet.name, CALIBRATION_CAVEAT)
    return current_app.response_class(
        figures.figure_as_json(answer) or "null", mimetype="application/json"
    )


def _requested_trust(sheet_id: str) -> tuple[RuleSheet, ChanceTrust]:
    sheet = next((known for known in ALL_SHEETS if known.id == sheet_id), None) or abort(404)
    trusts: ChanceTrusts = current_app.extensions["chance_trusts"]
    return sheet, trusts.trust(sheet.id)


def _points(deal: DealSteps) -> dict[int, tuple[int, DealPoints]]:
    """The points at the last step of every trick that is over, by that step; what comes before the first is trick 0.

    Of a trick that goes on the viewer may not see who takes it, so it has no chance yet.
    """
    ends = {step.trick: number for number, step in enumerate(deal.steps) if not _goes_on(step)}
    if not any(step.centre for step in deal.steps):
        # A game without tricks: its start, and what is visible of its end.
        ends = {0: 0, 1: len(deal.steps) - 1} if not deal.more else {0: 0}
    found = {}
    for trick, number in ends.items():
        scored = _scored(deal, number, over=not deal.more and number == len(deal.steps) - 1)
        if scored is not None:
            found[number] = (trick, scored)
    return found


def _goes_on(step: ReplayStep) -> bool:
    """Whether cards of a trick lie in the middle that nobody has won yet."""
    return bool(step.centre) and not any("won" in card for _, card in step.centre)


def _scored(deal: DealSteps, step: int, *, over: bool) -> DealPoints | None:
    """The points of both sides in the deal; None where the record leaves them open."""
    points = [0, 0]
    for seat, side in zip(deal.steps[step].seats, deal.sides, strict=True):
        if seat.points is None:
            return None
        points[min(side, 1)] += seat.points
    return DealPoints(points[0], points[1], over)
