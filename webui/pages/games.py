"""The data of the list of games and of the page of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from analyzer.db.store import StoredGame
from records.record import Deal
from records.rules.vocabulary import RuleSheet
from records.validate.report import Claim, Report
from webui.games.turning_points import TurningPoint
from webui.pages.deals import LAST_STEP
from webui.pages.findings import ShownDiagnosis, ShownGroup
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesPage(Page):
    """The list of games, in an `order`; `events` are those that can be chosen."""

    template = "games/games.html"
    games: list[StoredGame]
    total: int
    number: int
    last: int
    sheets: Sequence[RuleSheet]
    filters: Mapping[str, str]
    order: str
    events: Sequence[str]

    @property
    def address_values(self) -> dict[str, str]:
        """What addresses of this list need: the filters that are set, and the order."""
        order = {} if self.order == "stored" else {"order": self.order}
        return {name: text for name, text in self.filters.items() if text} | order


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal in the list of a game; `scores` are computed, and None for a deal not played out or left `open`.

    `totals` are the scores of all deals up to it, None from the first that has none.
    """

    number: int
    deal: Deal
    scores: list[int] | None
    totals: list[int] | None
    findings: int
    tone: str
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage(Page):
    """One game; `mismatches` are the claims that differ from what the rules give.

    `result` tells in sentences who won and how the match was settled. A game with findings has a `diagnosis` if there
    is something to explain, and one that breaks no rule may have `turning_points`.
    The mistakes of a game that `is_weighed` can be tried again.
    """

    template = "games/game.html"
    game: StoredGame
    report: Report
    sheet: RuleSheet
    sides: list[str]
    changed: Mapping[str, Any]
    deals: list[DealLine]
    groups: list[ShownGroup]
    mismatches: list[Claim]
    reviewable: bool
    result: list[str]
    diagnosis: ShownDiagnosis | None
    turning_points: list[TurningPoint]
    is_weighed: bool

    last_step: ClassVar[int] = LAST_STEP

    @property
    def is_broken(self) -> bool:
        """Whether what is wrong comes before all else."""
        return self.report.verdict in ("illegal", "legal_with_mismatches")

    @property
    def preview_moment(self) -> tuple[int, int]:
        """The deal, from 1, and the step whose picture stands beside links to the game: its largest turning point."""
        largest = max(self.turning_points, key=lambda each: each.points, default=None)
        return (largest.deal, largest.step) if largest else (1, 0)
