"""Events and seasons of a club: standings, crosstables, results by round, and all of it as CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from flask import Response, abort, request

from analyzer.players.evening_report import EveningEntry
from analyzer.players.evening_results import event_matches
from analyzer.players.evenings import Evening, PairingSystem, list_evenings
from analyzer.players.standings import (
    ClubEvent,
    CountedMatches,
    MatchChoice,
    Pairing,
    StandingLine,
    list_events,
    list_places,
    list_seasons,
    pairings,
    read_rounds,
    standing,
    with_outcome,
)
from analyzer.store.store import GameFilter, StoredGame
from webui.display.csv import rows_as_csv
from webui.display.words import date_words
from webui.server.actions import Action
from webui.server.page import Page, Views, requested_sheet
from webui.server.request_kinds import QUESTIONS
from webui.server.responses import csv_attachment
from webui.views import store

SYSTEMS: Mapping[PairingSystem, str] = {
    "round-robin": "Round robin: everybody meets everybody once",
    "swiss": "Swiss: players with equal points meet",
}
"""How the rounds of an evening are paired, in words."""
MOST_IN_CROSSTABLE = 16
"""So many players fit into a table of everybody against everybody."""
MOST_RESULTS = 300
"""The most matches listed by round."""
blueprint = Views("events", __name__)


class EventsPage(Page):
    """The events and the seasons; of a form that began no evening, the `refusal` and what was typed."""

    template = "events/events.html"
    events: list[ClubEvent]
    seasons: list[int]
    evenings: list[Evening]
    today: date
    refusal: str = ""
    systems = SYSTEMS

    def typed(self, field: str) -> str:
        """What was typed in a field of the form that was refused."""
        return request.form.get(field, "") if self.refusal else ""

    @property
    def data(self) -> object:
        """The same as JSON."""
        evenings = [EveningEntry.of(each) for each in self.evenings]
        return {"events": self.events, "seasons": self.seasons, "evenings": evenings}


@blueprint.page("/events", Action.READ, QUESTIONS)
def list_club_events() -> EventsPage:
    """The events and seasons that games name."""
    return events_page()


def events_page(refusal: str = "") -> EventsPage:
    """The page with the form that begins an evening, and why that was refused."""
    return EventsPage(
        events=list_events(store()),
        seasons=list_seasons(store()),
        evenings=list_evenings(store()),
        today=date.today(),
        refusal=refusal,
    )


@dataclass(frozen=True, slots=True)
class ResultRound:
    """The matches of a round, or of a day."""

    title: str
    games: list[StoredGame]


class StandingsPage(Page):
    """A standing; the crosstable has the players `names`, and the rounds have the first `shown` of `total` matches.

    Of `stated` matches only the record knows the result; `typed` ones have no record.
    """

    template = "events/standings.html"
    choice: MatchChoice
    lines: list[StandingLine]
    names: list[str]
    stated: int
    typed: int
    pairings: Mapping[tuple[str, str], Pairing]
    rounds: list[ResultRound]
    shown: int
    total: int
    events: Sequence[str]
    seasons: Sequence[int]
    evenings: Sequence[Evening]

    @property
    def has_settlements(self) -> bool:
        """Whether some match was settled as one deal."""
        return any(line.received is not None for line in self.lines)

    @property
    def places(self) -> list[int]:
        """The place of each line."""
        return list_places(self.lines)

    @property
    def typed_only(self) -> set[str]:
        """Who has no record in this standing, and perhaps no page."""
        return {line.name for line in self.lines if line.typed == line.matches}

    @property
    def values(self) -> dict[str, str]:
        """The choice as parts of an address."""
        return {name: str(value) for name, value in self.choice.values().items() if value}


def _standings_data() -> object:
    """The standing as JSON, with what everybody made against everybody."""
    choice = _requested_choice()
    chosen = event_matches(store(), choice)
    lines = standing(store(), chosen)
    found = pairings(store(), chosen, [line.name for line in lines[:MOST_IN_CROSSTABLE]])
    crosstable = [
        {"name": own, "opponent": other, "points": pair.points, "matches": pair.matches}
        for (own, other), pair in found.items()
    ]
    return {"choice": choice, "standing": lines, "crosstable": crosstable}


@blueprint.page("/standings", Action.READ, QUESTIONS, about_query=True, data=_standings_data)
def standings() -> StandingsPage:
    """A standing with its crosstable and the results by round."""
    choice = _requested_choice()
    chosen = event_matches(store(), choice)
    lines = standing(store(), chosen)
    names = [line.name for line in lines[:MOST_IN_CROSSTABLE]]
    games, total = _games(chosen)
    return StandingsPage(
        choice=choice,
        lines=lines,
        names=names,
        stated=len(chosen.stated),
        typed=len(chosen.typed),
        pairings=pairings(store(), chosen, names),
        rounds=_rounds(games),
        shown=len(games),
        total=total,
        events=_known_events(choice),
        seasons=list_seasons(store()),
        evenings=[each for each in list_evenings(store()) if each.event == choice.event],
    )


def _known_events(choice: MatchChoice) -> list[str]:
    """The events of games, and that which is chosen: of one that only evenings name, there may be typed results."""
    named = [event.event for event in list_events(store())]
    return list(dict.fromkeys([*named, *([choice.event] if choice.event else [])]))


@blueprint.address("/standings.csv", Action.READ, QUESTIONS)
def standings_csv() -> Response:
    """The standing as CSV."""
    columns = StandingLine.__slots__
    rows = (
        [getattr(line, column) for column in columns]
        for line in standing(store(), event_matches(store(), _requested_choice()))
    )
    return csv_attachment(rows_as_csv(columns, rows), "standings.csv")


@blueprint.address("/crosstable.csv", Action.READ, QUESTIONS)
def crosstable_csv() -> Response:
    """The points of everybody against everybody as CSV, as the page shows them; empty where two have not met."""
    chosen = event_matches(store(), _requested_choice())
    names = [line.name for line in standing(store(), chosen)[:MOST_IN_CROSSTABLE]]
    found = pairings(store(), chosen, names)
    rows = (
        [own, *(pair.points if (pair := found.get((own, other))) else "" for other in names)]
        for own in names
    )
    return csv_attachment(rows_as_csv(["player", *names], rows), "crosstable.csv")


def _requested_choice() -> MatchChoice:
    """The matches that the address chooses; answers 404 for a sheet or a season that cannot be."""
    sheet = requested_sheet()
    season = request.args.get("season") or None
    if season is not None and not (season.isascii() and season.isdigit() and len(season) <= 4):
        abort(404)
    event = request.args.get("event", "")[:200] or None
    return MatchChoice(event=event, season=int(season) if season else None, sheet=sheet)


def _games(chosen: CountedMatches) -> tuple[list[StoredGame], int]:
    """The first matches of a choice, as they were played, and how many there are; results may be those stated."""
    choice = chosen.choice
    of_choice = GameFilter(sheet=choice.sheet, event=choice.event, season=choice.season)
    listing = store().games(of_choice, limit=MOST_RESULTS, order="earliest")
    stated = {each.digest: each.outcome for each in chosen.stated}
    return [with_outcome(game, stated.get(game.digest)) for game in listing.games], listing.total


def _rounds(games: list[StoredGame]) -> list[ResultRound]:
    """The matches by the round that their records name, or else by the day."""
    named = read_rounds(store(), [game.digest for game in games])
    rounds: dict[str, list[StoredGame]] = {}
    for game in games:
        title = named.get(game.digest) or date_words(game.started) or "No date"
        rounds.setdefault(title, []).append(game)
    return [ResultRound(title, played) for title, played in rounds.items()]
