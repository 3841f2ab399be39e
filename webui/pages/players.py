"""The data of the list of players and of the page of one."""

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.db.store import StoredGame
from analyzer.players.directory import PlayerSummary, RatedMatch, SheetSummary
from analyzer.players.rating_method import RATING_PARAMETERS, RatingParameter, Standing
from analyzer.players.ratings import Ladder
from analyzer.players.standings import Pairing
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
    parameters: Sequence[RatingParameter] = RATING_PARAMETERS


@dataclass(frozen=True, slots=True)
class PairedSheet:
    """What each of two players has played by one sheet, None where one has not."""

    sheet: str
    played: Sequence[SheetSummary | None]

    @property
    def deals(self) -> int:
        """The deals of both."""
        return sum(each.deals for each in self.played if each)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersComparedPage(Page):
    """Two players side by side; `pair` is what each made of the `total` matches against the other."""

    template = "players/compare.html"
    names: tuple[str, str]
    sheets: list[PairedSheet]
    standings: Sequence[Standing | None]
    pair: Sequence[Pairing]
    games: list[StoredGame]
    total: int
    players: list[str]


@dataclass(frozen=True, slots=True)
class LuckAndSkill:
    """What the cards and the own decisions brought a player in a deal by one sheet, on average, in points.

    Both with the ends of their 95 % intervals, which are None where only one match is known.
    """

    sheet: str
    deals: int
    luck: tuple[float, float | None, float | None]
    skill: tuple[float, float | None, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage(Page):
    """One player, by all rule sheets or by one; `rated` are the last matches rated, latest first.

    `rated_before` counts those that are not listed.
    """

    template = "players/player.html"
    name: str
    sheet: str | None
    sheets: list[SheetSummary]
    standing: Standing | None
    rated: list[RatedMatch]
    rated_before: int
    luck: list[LuckAndSkill]
    luck_address: str
    fewest_deals: int
    opponents: Answer
    opponents_address: str
    most_opponents: int
    figures: list[PageFigure]
    rating_figure: str
