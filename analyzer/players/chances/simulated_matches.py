"""The models of winning that are shipped: fitted to matches that simple players simulated.

`python -m analyzer.players.chances.simulation` makes the file anew (see `simulation`). It holds no matches, only models, how they were
calibrated on other matches, and a print of the first matches: a test plays those again, so that a file that no longer
fits the rules or the players is found.
"""

from importlib.resources import files

import msgspec

from analyzer.players.chances.chance_calibration import CalibrationTenth
from analyzer.players.chances.chance_model import SimulatedModel

FILE_NAME = "simulated_matches.json"


class ShippedModel(SimulatedModel, frozen=True, kw_only=True):
    """A model with its calibration on `held_out` matches, and the print of the first matches it was fitted to."""

    held_out: int
    first_matches: str
    calibration: list[CalibrationTenth]


def shipped_models() -> dict[str, ShippedModel]:
    """The models that are shipped, by sheet."""
    data = (files("analyzer.players.chances") / FILE_NAME).read_bytes()
    return {model.sheet: model for model in msgspec.json.decode(data, type=list[ShippedModel])}
