"""How far the chances of a sheet can be trusted: where its model comes from, and how it is calibrated."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from analyzer.players.chances.chance_calibration import CalibrationTenth, calibrate, cross_validated
from analyzer.players.chances.chance_model import SIMULATED_WORTH, ChanceModel, ChanceModels
from analyzer.players.chances.simulated_matches import ShippedModel
from records.rules.registry import resolve_sheet

FEWEST_MATCHES_TO_CALIBRATE = 30
"""With fewer stored matches the calibration on simulated ones is shown."""


@dataclass(frozen=True, slots=True)
class ChanceTrust:
    """A model and its calibration, on so many `judged` matches; `on_stored` says whether these are stored ones."""

    model: ChanceModel
    on_stored: bool
    judged: int
    calibration: list[CalibrationTenth]

    def as_data(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "target": self.model.terms.target,
            "matches": self.model.matches,
            "simulated": self.model.simulated,
            "shape": self.model.shape,
            "weights": msgspec.to_builtins(self.model.weights),
            "on_stored": self.on_stored,
            "judged": self.judged,
            "calibration": self.calibration,
        }


def judge_model(model: ChanceModel, shipped: ShippedModel) -> ChanceTrust:
    """The calibration of a model, each match judged by a model that was fitted without it."""
    if model.matches < FEWEST_MATCHES_TO_CALIBRATE:
        return ChanceTrust(
            model, on_stored=False, judged=shipped.held_out, calibration=shipped.calibration
        )
    predictions = cross_validated(model.sample, shipped.weights, SIMULATED_WORTH)
    return ChanceTrust(
        model, on_stored=True, judged=model.matches, calibration=calibrate(predictions)
    )


class ChanceTrusts:
    """How far the models of a store can be trusted. A model is judged once, by five fits; its page asks three times."""

    def __init__(self, models: ChanceModels, shipped: Mapping[str, ShippedModel]) -> None:
        self._models, self._shipped = models, shipped
        self._judged: dict[str, ChanceTrust] = {}
        self._lock = threading.Lock()

    def trust(self, sheet: str) -> ChanceTrust:
        """The model of a sheet with its own target, and its calibration; raises QueryTimeout."""
        model = self._models.model(resolve_sheet(sheet))
        with self._lock:
            judged = self._judged.get(sheet)
            if judged is None or judged.model is not model:
                judged = self._judged[sheet] = judge_model(model, self._shipped[sheet])
        return judged
