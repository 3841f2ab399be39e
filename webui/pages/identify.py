"""The data of the page about a game's rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.db.store import StoredGame
from analyzer.identify.corrections import Correction
from analyzer.identify.matching_rules import RulesCandidate
from webui.display.wording import CUT_SHORT
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyPage(Page):
    """The rules that a game fits, and the corrections that would make an illegal one legal."""

    template = "identify/identify.html"
    game: StoredGame
    names: Sequence[str]
    accepted: Sequence[RulesCandidate]
    others: Sequence[RulesCandidate]
    corrections: Sequence[Correction]
    cut_short: str = CUT_SHORT
