"""Players: the list with ratings, and the page of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

from flask import Response, abort, current_app, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.ingest import renaming
from analyzer.players import directory
from analyzer.players.directory import (
    GameWithoutLuck,
    PlayerSummary,
    RatedMatch,
    RatingTrend,
    SheetSummary,
    find_rating_trend,
)
from analyzer.players.ratings import RATING_PARAMETERS, Ladder, Ratings, Standing
from analyzer.players.standings import MatchChoice, Pairing, counted_matches, pairings
from analyzer.players.strengths import Strengths, find_strengths
from analyzer.review.deep_review import DEFAULT_LEAST
from analyzer.statistics.answer import (
    OverviewQuestion,
    compare_with_everyone,
    overview_questions,
    run_ask,
)
from analyzer.statistics.ask import Ask, from_address, limit_ask
from analyzer.statistics.left_out import LeftOut, count_deals_left_out
from analyzer.statistics.questions import Answer
from analyzer.store import player_names
from analyzer.store.player_names import (
    LONGEST_LABEL,
    MadeRename,
    PlannedRename,
    RenameRefused,
    find_people,
    list_names,
    similar_people,
)
from analyzer.store.store import GameFilter, StoredGame
from records.people import read_name
from records.phrases import pluralize
from webui.display.csv import rows_as_csv
from webui.display.text_layout import without_isolates
from webui.replay.match_curve import Spark
from webui.server.access import may
from webui.server.actions import Action
from webui.server.client import client_address
from webui.server.game_jobs import MOST_READING_PER_CLIENT
from webui.server.jobs import QueueFull
from webui.server.page import Page, Views, requested_page
from webui.server.player_mistakes import (
    DescribedMistake,
    PlayerMistakes,
    describe_mistakes,
    find_player_mistakes,
    list_games_not_reviewed,
)
from webui.server.request_kinds import PAGES, QUESTIONS, REVIEWS
from webui.server.responses import csv_attachment, is_scripted, lead_to
from webui.views import game_cache, review_desk, store
from webui.views.explore import explore_address, figure_response
from webui.views.games import draw_sparks
from webui.views.reviews import ROLLOUT_CHOICES
from webui.views.statistics import PageFigure

PLAYERS_PER_PAGE = 100
OPPONENTS_QUESTION = "metric=matches_won&by=opponent"
MOST_OPPONENTS = 20
LUCK_QUESTIONS = ("metric=luck&by=sheet", "metric=skill&by=sheet")
FEWEST_DEALS_OF_LUCK = 10
"""Luck and skill over fewer deals by a sheet are not shown: they tell nothing."""
MOST_GAMES_TO_ESTIMATE = 3
"""The most games that a player's page offers for an estimate of luck and skill, where it shows none."""
MOST_RATED_MATCHES = 20
"""The most matches that a player's page lists; its JSON has all."""
MOST_MATCHES_OF_FORM = 10
FEWEST_MATCHES = 10
"""Fewer matches say little about a player."""
MOST_COMPARED_GAMES = 30
MISTAKES_PER_PAGE = 25
MOST_LOOKED_AT = 60
"""Of so many games without a review those are looked for that can have one."""
NOTHING_TO_REVIEW = "There is no further game that can be reviewed."
MOST_NAMES_OFFERED = 500
"""The most names that a form offers."""
PLAYER_COLUMNS = ("name", "deals", "deals_won", "matches", "matches_won")
RATING_COLUMNS = ("rating", "deviation", "at_least")
PLAYER_ORDERS = {
    "deals": lambda player: (-player.deals, player.name),
    "rating": lambda player: (-(player.standing.surely if player.standing else -1e9), player.name),
    "name": lambda player: player.name.lower(),
}
blueprint = Views("players", __name__)


def current_ladder() -> Ladder:
    """The ratings after all matches stored so far."""
    ratings: Ratings = current_app.extensions["ratings"]
    return ratings.ladder()


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
    parameters = RATING_PARAMETERS


def _list_players_data() -> object:
    """The same players as JSON."""
    players, order, _ = _requested_players()
    return {"order": order, "players": players}


@blueprint.page("/players", Action.READ, QUESTIONS, data=_list_players_data)
def list_players() -> PlayersPage:
    """The players, by deals, rating or name."""
    players, order, number = _requested_players()
    standings = current_ladder()
    return PlayersPage(
        players=players[PLAYERS_PER_PAGE * (number - 1) :][:PLAYERS_PER_PAGE],
        total=len(players),
        number=number,
        last=max(1, -(-len(players) // PLAYERS_PER_PAGE)),
        order=order,
        name_part=request.args.get("q", "")[:100],
        ladder=standings,
    )


@blueprint.address("/players.csv", Action.READ, QUESTIONS)
def list_players_csv() -> Response:
    """The same players as CSV."""
    players, _, _ = _requested_players()
    rows = (
        [
            *(getattr(player, column) for column in PLAYER_COLUMNS),
            *((each.rating, each.deviation, each.surely) if each else (None, None, None)),
        ]
        for player in players
        for each in [player.standing]
    )
    columns = [*PLAYER_COLUMNS, *RATING_COLUMNS]
    return csv_attachment(rows_as_csv(columns, rows), "players.csv")


@dataclass(frozen=True, slots=True)
class PairedSheet:
    """What each of two players has played by one sheet, None where one has not."""

    sheet: str
    played: Sequence[SheetSummary | None]

    @property
    def deals(self) -> int:
        """The deals of both."""
        return sum(each.deals for each in self.played if each)


class PlayersComparedPage(Page):
    """Two players side by side; `pair` is what each made of the `total` matches against the other."""

    template = "players/compare.html"
    names: tuple[str, str]
    sheets: list[PairedSheet]
    standings: Sequence[Standing | None]
    pair: Sequence[Pairing]
    games: list[StoredGame]
    sparks: Mapping[str, Spark]
    total: int
    players: list[str]


def _compare_data() -> object:
    """The same as JSON."""
    first, second = _requested_pair()
    return {
        "players": [first, second],
        "sheets": _side_by_side(first, second),
        "matches": {first: _against(first, second), second: _against(second, first)},
    }


@blueprint.page("/players/compare", Action.READ, QUESTIONS, about_query=True, data=_compare_data)
def compare() -> PlayersComparedPage:
    """Two players side by side: what each has played, and their matches against each other."""
    first, second = _requested_pair()
    games = store().games(
        GameFilter(player=first, opponent=second), limit=MOST_COMPARED_GAMES, order="latest"
    )
    standings = current_ladder().standings
    names = (first, second)
    return PlayersComparedPage(
        names=names,
        sheets=_side_by_side(first, second),
        standings=[standings.get(name) for name in names],
        pair=[_against(own, other) for own, other in (names, names[::-1])],
        games=games.games,
        sparks=draw_sparks(games.games),
        total=games.total,
        players=[player.name for player in directory.list_players(store(), current_ladder())][
            :MOST_NAMES_OFFERED
        ],
    )


def _requested_pair() -> tuple[str, str]:
    """The two players in the address, empty where none is named; answers 404 for one who has not played."""
    first, second = (
        without_isolates(request.args.get(name, ""))[:LONGEST_LABEL] for name in ("first", "second")
    )
    _require_player("first", first)
    _require_player("second", second)
    return first, second


def _require_player(parameter: str, name: str) -> None:
    """Lead on to the one address of a player who is named in another spelling; answers 404 for one who has not played.

    Where several write the name, the list shows them.
    """
    if not name or directory.find_players(store(), [name]):
        return
    found = directory.find_players(store(), find_people(store(), name))
    if len(found) == 1:
        abort(redirect(_address_with(parameter, found[0])))
    if found:
        view = "list_players_json" if request.path.endswith(".json") else "list_players"
        abort(redirect(url_for(f"players.{view}", q=read_name(name), every=1)))
    abort(404, f"There is no player “{name[:100]}” in the stored games.")


def requested_name() -> str:
    """The name of the player whom a page is about, or an empty text."""
    name = request.args.get("name", "")[:LONGEST_LABEL]
    _require_player("name", name)
    return name


def _address_with(parameter: str, value: str) -> str:
    """The current address with another value of a parameter: to `url_for`, names in a query may mean something else."""
    query = [(name, text) for name, text in request.args.items(multi=True) if name != parameter]
    path = url_for(str(request.endpoint), **(request.view_args or {}))
    return f"{path}?{urlencode([(parameter, value), *query])}"


def _side_by_side(first: str, second: str) -> list[PairedSheet]:
    """What both have played, by sheet, what either played most first."""
    played = [
        {each.sheet: each for each in directory.list_sheet_summaries(store(), name, every=_every())}
        for name in (first, second)
    ]
    sheets = {sheet for each in played for sheet in each}
    lines = [PairedSheet(sheet, [each.get(sheet) for each in played]) for sheet in sheets]
    return sorted(lines, key=lambda line: (-line.deals, line.sheet))


def _against(own: str, other: str) -> Pairing:
    """What a player made of the matches against another."""
    chosen = counted_matches(store(), MatchChoice())
    return pairings(store(), chosen, [own, other]).get((own, other), Pairing(0, 0))


@dataclass(frozen=True, slots=True)
class LuckAndSkill:
    """What the cards and the own decisions brought a player in a deal by one sheet, on average, in points.

    Both with the ends of their 95 % intervals, which are None where only one match is known.
    """

    sheet: str
    deals: int
    luck: tuple[float, float | None, float | None]
    skill: tuple[float, float | None, float | None]


class PlayerPage(Page):
    """One player, by all rule sheets or by one; `rated` are the last matches rated, latest first, and `trend` tells of all.

    `rated_before` counts those that are not listed. Where too few deals have an estimate of luck and skill, `to_estimate`
    are the latest games without one, which its buttons estimate by so many `rollouts`. Others with `similar` names may be the same player; `names` are those that the form
    for another name offers.
    """

    template = "players/player.html"
    name: str
    sheet: str | None
    sheets: list[SheetSummary]
    left_out: LeftOut
    standing: Standing | None
    rated: list[RatedMatch]
    rated_before: int
    trend: RatingTrend | None
    luck: list[LuckAndSkill]
    luck_address: str
    fewest_deals = FEWEST_DEALS_OF_LUCK
    fewest_matches = FEWEST_MATCHES
    to_estimate: list[GameWithoutLuck]
    rollouts = ROLLOUT_CHOICES[0]
    similar: list[str]
    names: list[str]
    renamed: MadeRename | None
    opponents: Answer
    opponents_address: str
    most_opponents = MOST_OPPONENTS
    figures: list[PageFigure]
    rating_figure: str
    strengths_address: str
    mistakes_address: str

    @property
    def form(self) -> list[str]:
        """How the last matches ended, the latest last: won, lost or drawn."""
        words = {1.0: "won", 0.0: "lost"}
        last = self.rated[:MOST_MATCHES_OF_FORM][::-1]
        return [words.get(match.outcome, "drawn") for match in last]


def _player_data() -> object:
    """One player's results by rulebook, the rating, and every match that moved it."""
    name, _, played = _requested_player()
    ladder = current_ladder()
    rated = directory.list_rated_matches(store(), ladder, name)
    return {
        "name": name,
        "sheets": played,
        "left_out": count_deals_left_out(store(), every=_every(), player=name),
        "standing": ladder.standings.get(name),
        "similar": similar_people(store(), name),
        "luck": _luck_and_skill(name, None),
        "trend": find_rating_trend(name, rated),
        "rated": rated,
    }


@blueprint.page("/player", Action.READ, QUESTIONS, about_query=True, data=_player_data)
def player() -> PlayerPage:
    """One player: results, rating, opponents, melds, brisques, luck."""
    name, sheet, played = _requested_player()
    head = limit_ask(from_address(OPPONENTS_QUESTION), player=name, sheet=sheet)
    ladder = current_ladder()
    rated = directory.list_rated_matches(store(), ladder, name)
    similar = similar_people(store(), name)
    luck = _luck_and_skill(name, sheet)
    return PlayerPage(
        name=name,
        sheet=sheet,
        sheets=played,
        left_out=count_deals_left_out(store(), every=_every(), player=name, sheet=sheet),
        standing=ladder.standings.get(name),
        rated=rated[: -MOST_RATED_MATCHES - 1 : -1],
        trend=find_rating_trend(name, rated),
        rated_before=max(0, len(rated) - MOST_RATED_MATCHES),
        luck=luck,
        luck_address=explore_address(
            limit_ask(from_address(LUCK_QUESTIONS[0]), player=name, sheet=sheet)
        ),
        to_estimate=[]
        if luck
        else directory.list_games_without_luck(store(), name, sheet, MOST_GAMES_TO_ESTIMATE),
        similar=similar,
        names=_offered_names(name, similar) if may("rename") else [],
        renamed=_last_rename(name) if may("rename") else None,
        opponents=run_ask(store(), head),
        opponents_address=explore_address(head),
        figures=[_page_figure(part, name, sheet, played) for part in overview_questions("player")],
        rating_figure=url_for("players.rating_figure", name=name)
        if any(match.month for match in rated)
        else "",
        strengths_address=url_for("players.strengths", name=name, sheet=sheet),
        mistakes_address=url_for("players.mistakes", name=name, sheet=sheet),
    )


class StrengthsPart(Page):
    """What a player does better and worse than all players in so many `matches` of a rulebook, as a part of a page."""

    template = "players/_strengths.html"
    name: str
    found: Strengths
    matches: int

    @property
    def are_few(self) -> bool:
        """Whether so few matches name nothing, even if a player differs from others."""
        return self.matches < FEWEST_MATCHES

    @property
    def data(self) -> object:
        """What a player does better and worse than all players by one rulebook, with intervals."""
        return self.found


class StrengthsPage(StrengthsPart):
    """The same with a page around it."""

    template = "players/strengths.html"


@blueprint.page("/player/strengths", Action.READ, QUESTIONS, about_query=True)
def strengths() -> StrengthsPart:
    """What a player does better and worse than all players, by the chosen rulebook or the one played most."""
    name, sheet, played = _requested_player()
    sheet = sheet or _main_sheet(played)
    return (StrengthsPart if is_scripted() else StrengthsPage)(
        name=name,
        found=find_strengths(store(), name, sheet),
        matches=sum(each.matches for each in played if each.sheet == sheet),
    )


class MistakesPart(Page):
    """One page of a player's mistakes in all reviewed games, the costliest first, as a part of a page.

    A mistake loses at least `least` points. So many games `under_way` are waiting to be reviewed, or being so; nothing new
    can be stored in a `read_only` collection.
    """

    template = "players/_mistakes.html"
    name: str
    sheet: str | None
    found: PlayerMistakes
    under_way: int
    read_only: bool
    told: list[DescribedMistake]
    number: int
    least = DEFAULT_LEAST
    most_at_once = MOST_READING_PER_CLIENT

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-len(self.found.mistakes) // MISTAKES_PER_PAGE))

    @property
    def data(self) -> object:
        """The same as JSON, with how many games were reviewed, how many of those were not read, and the number of the page and of the last one."""
        return {
            "name": self.name,
            "sheet": self.sheet,
            "least": self.least,
            "games": self.found.games,
            "reviewed": self.found.reviewed,
            "unread": self.found.unread,
            "total": len(self.found.mistakes) + self.found.unlisted,
            "page": self.number,
            "last": self.last,
            "mistakes": self.told,
        }


class MistakesPage(MistakesPart):
    """The same with a page around it."""

    template = "players/mistakes.html"


@blueprint.page("/player/mistakes", Action.READ, QUESTIONS, about_query=True)
def mistakes() -> MistakesPart:
    """A player's mistakes in all games that have a stored review, by the chosen rulebook or all, the costliest first."""
    name, sheet, _ = _requested_player()
    number = requested_page()
    found = find_player_mistakes(store(), name, sheet, DEFAULT_LEAST)
    shown = found.mistakes[MISTAKES_PER_PAGE * (number - 1) :][:MISTAKES_PER_PAGE]
    return (MistakesPart if is_scripted() else MistakesPage)(
        name=name,
        sheet=sheet,
        found=found,
        under_way=sum(
            map(_is_being_reviewed, list_games_not_reviewed(store(), name, sheet, MOST_LOOKED_AT))
        ),
        read_only=store().read_only,
        told=describe_mistakes(store(), shown, DEFAULT_LEAST),
        number=number,
    )


@blueprint.form("/player/mistakes/reviews", Action.READ, REVIEWS)
def review_games() -> ResponseReturnValue:
    """Let the games of a player that were not reviewed be reviewed: as many as one may ask for at a time, the last first."""
    if store().read_only:
        abort(409, "This collection can only be read: no review can be stored in it.")
    name, sheet = request.form.get("name", "")[:LONGEST_LABEL], request.form.get("sheet") or None
    started = 0
    try:
        for digest in list_games_not_reviewed(store(), name, sheet, MOST_LOOKED_AT):
            if not (_is_being_reviewed(digest) or game_cache().game(digest).why_not_reviewed):
                review_desk().readings.start(digest, client_address())
                started += 1
    except QueueFull:
        if not started:
            raise
    flash(f"{pluralize(started, 'game')} will be reviewed now." if started else NOTHING_TO_REVIEW)
    return lead_to("players.mistakes", name=name, sheet=sheet)


def _is_being_reviewed(digest: str) -> bool:
    """Whether a game waits to be read for its review, or is being read."""
    job = review_desk().readings.job(digest)
    return job is not None and job.is_active


def _main_sheet(played: list[SheetSummary]) -> str:
    """The sheet played most, with tricks if any has."""
    return next((each for each in played if each.has_tricks), played[0]).sheet


def _last_rename(name: str) -> MadeRename | None:
    """The rename that would be taken back, if there is one."""
    made = [each for each in player_names.list_renames(store()) if each.now == name]
    return made[-1] if made else None


def _offered_names(name: str, similar: list[str]) -> list[str]:
    """Other players, first those with similar names, then those with most matches."""
    names = dict.fromkeys([*similar, *list_names(store(), MOST_NAMES_OFFERED)])
    return [other for other in names if other != name]


class MergePage(Page):
    """The question before two players are made one."""

    template = "players/merge.html"
    plan: PlannedRename


@blueprint.form("/player/rename", Action.RENAME, PAGES)
def rename() -> ResponseReturnValue:
    """Give a player another name, or make two one, which is asked first."""
    old, new = (request.form.get(field, "")[:LONGEST_LABEL] for field in ("old", "new"))
    try:
        plan = player_names.plan_rename(store(), old, new)
        if plan.new and request.form.get("sure") != "1":
            return MergePage(plan=plan).render()
        made = renaming.rename_player(store(), old, new)
    except RenameRefused as error:
        abort(409, str(error))
    game_cache().clear()
    flash(
        f"Every page now says {made.name} where it said {player_names.typed_name(made.old)}; the records are as they were.",
        "renamed",
    )
    return lead_to("players.player", name=made.name)


@blueprint.form("/player/rename/undo", Action.RENAME, PAGES)
def take_back_rename() -> ResponseReturnValue:
    """Take back the last rename of a player."""
    try:
        taken = renaming.take_back_rename(store(), request.form.get("name", "")[:LONGEST_LABEL])
    except RenameRefused as error:
        abort(409, str(error))
    game_cache().clear()
    flash(f"The rename of {player_names.typed_name(taken.old)} to {taken.name} was taken back.")
    return lead_to("players.player", name=taken.old)


def _luck_and_skill(name: str, sheet: str | None) -> list[LuckAndSkill]:
    """What cards and decisions brought a player, by sheet, where enough deals were rolled out; most deals first."""
    luck, skill = (
        {
            row["sheet"]: (row["n"], (row[metric], row["low"], row["high"]))
            for row in run_ask(
                store(), limit_ask(from_address(question), player=name, sheet=sheet)
            ).dicts()
        }
        for metric, question in zip(("luck", "skill"), LUCK_QUESTIONS, strict=True)
    )
    return [
        LuckAndSkill(played, deals, parts, skill[played][1])
        for played, (deals, parts) in luck.items()
        if deals >= FEWEST_DEALS_OF_LUCK
    ]


@blueprint.address("/player/<part>/figure.json", Action.READ, QUESTIONS)
def figure_json(part: str) -> ResponseReturnValue:
    """The figure of one chart of a player's page."""
    name, sheet, played = _requested_player()
    question = next(
        (question for question in overview_questions("player") if question.name == part), None
    ) or abort(404)
    return figure_response(_answer(question, name, _sheet_of(question, sheet, played)))


@blueprint.address("/player/rating.json", Action.READ, QUESTIONS)
def rating_figure() -> ResponseReturnValue:
    """The figure of a player's rating."""
    name, _, _ = _requested_player()
    rated = directory.list_rated_matches(store(), current_ladder(), name)
    return figure_response(directory.rating_history(name, rated)) if rated else abort(404)


def _requested_players() -> tuple[list[PlayerSummary], str, int]:
    order = request.args.get("order", "deals")
    if order not in PLAYER_ORDERS:
        abort(400, f"Players can be sorted by {', '.join(PLAYER_ORDERS)}.")
    number = requested_page(10_000)
    part = without_isolates(request.args.get("q", ""))[:100]
    players = directory.list_players(store(), current_ladder(), part, every=_every())
    return sorted(players, key=PLAYER_ORDERS[order]), order, number


def _every() -> bool:
    return request.args.get("every") == "1"


def _requested_player() -> tuple[str, str | None, list[SheetSummary]]:
    """The player's name, the sheet that limits the page, and all sheets the player has played."""
    name = requested_name()
    played = directory.list_sheet_summaries(store(), name, every=_every())
    if not played:
        abort(404, f"There is no player “{name[:100]}” in the stored games.")
    sheet = request.args.get("sheet") or None
    if sheet not in (None, *(each.sheet for each in played)):
        abort(404)
    return name, sheet, played


def _sheet_of(part: OverviewQuestion, sheet: str | None, played: list[SheetSummary]) -> str | None:
    """The sheet that a chart is limited to: the requested one, or the one played most, with tricks if any has."""
    if sheet or not part.alike:
        return sheet
    return _main_sheet(played)


def _limited_question(
    part: OverviewQuestion, name: str, sheet: str | None, whose: Literal["own", "all"]
) -> Ask:
    return limit_ask(part.ask, sheet=sheet, player=name if whose == "own" else None)


def _answer(part: OverviewQuestion, name: str, sheet: str | None) -> Answer:
    if part.beside:
        return compare_with_everyone(store(), _limited_question(part, name, sheet, "all"), name)
    return run_ask(store(), _limited_question(part, name, sheet, "own"))


def _page_figure(
    part: OverviewQuestion, name: str, sheet: str | None, played: list[SheetSummary]
) -> PageFigure:
    chosen = _sheet_of(part, sheet, played)
    return PageFigure(
        title=part.title,
        sheet=chosen,
        unit=part.ask.metric.unit,
        caveat=part.ask.metric.caveat,
        figure=url_for("players.figure_json", part=part.name, name=name, sheet=sheet),
        address=explore_address(_limited_question(part, name, chosen, "own")),
    )
