"""The data of the page about the chances of winning by a rule sheet."""

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.players.chances.chance_features import FEATURE_NAMES
from analyzer.players.chances.chance_fit import BROWNIAN_WEIGHTS
from analyzer.players.chances.chance_trust import FEWEST_MATCHES_TO_CALIBRATE, ChanceTrust
from records.rules.vocabulary import RuleSheet
from webui.pages.page import Page


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
