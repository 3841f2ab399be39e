"""The data of the list of players and of the page of one."""

from dataclasses import dataclass

from analyzer.players.directory import PlayerSummary, SheetSummary
from analyzer.players.ratings import Ladder, Standing
from analyzer.questions import Answer
from webui.pages.page import Page
from webui.pages.statistics import PageFigure


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersPage(Page):
    """The list of players."""

    template = "players/players.html"
    players: list[PlayerSummary]
    total: int
    number: int
    last: int
    order: str
    name_part: str
    ladder: Ladder


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage(Page):
    """One player, by all rule sheets or by one."""

    template = "players/player.html"
    name: str
    sheet: str | None
    sheets: list[SheetSummary]
    standing: Standing | None
    opponents: Answer
    opponents_address: str
    most_opponents: int
    figures: list[PageFigure]
    rating_figure: str
