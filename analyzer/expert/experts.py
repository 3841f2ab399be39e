"""Which expert plays a sheet."""

from functools import partial

from analyzer.expert.expert_player import ExpertPlayer
from analyzer.expert.tableau_expert import TableauExpert
from records.rules.vocabulary import RuleSheet
from records.selfplay import SeatPlayerMaker


def expert_for(sheet: RuleSheet, worlds: int | None = None) -> SeatPlayerMaker:
    """The maker of experts who play this sheet; they weigh each choice in so many worlds, or in as many as they mostly do."""
    player = ExpertPlayer if sheet.tableau is None else TableauExpert
    return player if worlds is None else partial(player, worlds=worlds)
