"""The data of the list of games and of the page of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.db.store import StoredGame
from records.record import Deal
from records.rules.vocabulary import RuleSheet
from records.validate.report import Claim, Report
from webui.pages.findings import ShownFinding
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesPage(Page):
    """The list of games."""

    template = "games/games.html"
    games: list[StoredGame]
    total: int
    number: int
    last: int
    sheets: Sequence[RuleSheet]
    filters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal in the list of a game: its points as computed, none where it was not played out."""

    number: int
    deal: Deal
    scores: list[int] | None
    remarks: int
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage(Page):
    """One game."""

    template = "games/game.html"
    game: StoredGame
    report: Report
    sheet: RuleSheet
    sides: list[str]
    changed: Mapping[str, Any]
    deals: list[DealLine]
    remarks: list[ShownFinding]
    differing: list[Claim]
    may_review: bool
