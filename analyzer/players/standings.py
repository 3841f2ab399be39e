"""Events and seasons of a club: what was played or stated, who stands where, and who beat whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from analyzer.players import players_sql
from analyzer.store.made_corrections import corrected_bytes, corrections_of
from analyzer.store.packing import unpack_record
from analyzer.store.store import Store, StoredGame
from records.corrected import NO_CORRECTIONS
from records.format import codec
from records.record import Record

# Results as records state them, of matches whose play is not written down: a club keeps them in pencil, with the scores.

MOST_STATED = 5_000
"""So many such matches count, the latest of a choice: their records are read."""


class StatedOutcome(NamedTuple):
    """What a record says that a match came to, by side; a `winner` of None is a draw."""

    scores: list[int]
    settlement: list[int] | None
    winner: int | None


class StatedResult(NamedTuple):
    """What only the record of a game, with this key and digest, says of its match."""

    game: int
    digest: str
    outcome: StatedOutcome


def read_stated_results(store: Store, choice: dict[str, object]) -> list[StatedResult]:
    """The results that only the records know, of the matches chosen, the latest first, at most `MOST_STATED`.

    A record that does not say who won, and with how many points, has none.
    """
    sql = players_sql("stated_matches")
    rows = store.rows(sql, {**choice, "most": MOST_STATED}).rows
    found = []
    for game, digest, data in rows:
        stated = stated_outcome(codec.decode(unpack_record(data)).record)
        if stated is not None:
            found.append(StatedResult(game, digest, stated))
    return found


def stated_outcome(record: Record | None) -> StatedOutcome | None:
    """The result that a record states; None where it does not say who won, and with how many points."""
    stated = record.result if record else None
    if stated is None or not stated.scores or stated.winner is msgspec.UNSET:
        return None
    return StatedOutcome(stated.scores, stated.settlement, stated.winner)


def with_stated_results(store: Store, games: Sequence[StoredGame]) -> list[StoredGame]:
    """Listed games with the results that only their records know; the records of these games are read."""
    return [
        with_outcome(
            game, stated_outcome(codec.decode(store.record_bytes(game.digest) or b"").record)
        )
        if may_state_result(game)
        else game
        for game in games
    ]


def may_state_result(game: StoredGame) -> bool:
    """Whether a game ended, by its record, and its play is not written down so that the rules could say who won."""
    return not game.complete and (game.status, game.verdict) == ("complete", "undetermined")


def with_outcome(game: StoredGame, stated: StatedOutcome | None) -> StoredGame:
    """A listed game with a result that is stated; as it is without one."""
    if stated is None:
        return game
    scores: list[int | None] = [*stated.scores]
    return replace(
        game, scores=scores, settlement=stated.settlement, winner=stated.winner, complete=True
    )


def as_parameters(results: Sequence[StatedResult]) -> dict[str, object]:
    """Results as the parameters of `chosen_matches.sql`: a list for each column."""
    return {
        "stated_games": [each.game for each in results],
        "stated_scores": [each.outcome.scores for each in results],
        "stated_settlements": [each.outcome.settlement for each in results],
        "stated_winners": [each.outcome.winner for each in results],
    }


@dataclass(frozen=True, slots=True)
class TypedMatch:
    """A match of which only a typed result is known: the two players, and their points if they were typed too.

    The `winner` is a place among the names, None for a draw.
    """

    names: tuple[str, str]
    winner: int | None
    points: tuple[int, int] | None


def typed_parameters(matches: Sequence[TypedMatch]) -> dict[str, object]:
    """Typed matches as the parameters of `match_points.sql`: a row for each player, games numbered below zero."""
    rows = [(-number, side, each) for number, each in enumerate(matches, 1) for side in (0, 1)]
    return {
        "typed_games": [game for game, _, _ in rows],
        "typed_sides": [side for _, side, _ in rows],
        "typed_players": [each.names[side] for _, side, each in rows],
        "typed_points": [
            0.5 if each.winner is None else float(each.winner == side) for _, side, each in rows
        ],
        "typed_made": [each.points[side] if each.points else None for _, side, each in rows],
    }


# What was played, who stands where, and who beat whom.

MOST_EVENTS = 500
MOST_PLAYERS_STANDING = 1_000
LONGEST_ROUND = 60
"""So many letters of a round's name are shown."""


class _Occasion(msgspec.Struct):
    """What a record says of its occasion; the rest of it is not read."""

    meta: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChoice:
    """Which matches count: those of an event, of a season (a year), by a sheet; None does not restrict them."""

    event: str | None = None
    season: int | None = None
    sheet: str | None = None

    def values(self) -> dict[str, object]:
        """The choice as parameters of a statement."""
        return {"event": self.event, "season": self.season, "sheet": self.sheet}


@dataclass(frozen=True, slots=True)
class CountedMatches:
    """The matches that count for a choice; `stated` are those of which only the record knows the result.

    `typed` matches have no record; they count in a standing, and nowhere else.
    """

    choice: MatchChoice
    stated: list[StatedResult]
    typed: Sequence[TypedMatch] = ()

    def values(self) -> dict[str, object]:
        """The choice and the stated results as parameters of a statement."""
        return {**self.choice.values(), **as_parameters(self.stated)}

    def point_values(self) -> dict[str, object]:
        """All of it as parameters of a statement on points."""
        return {**self.values(), **typed_parameters(self.typed)}


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """An event in one year, with how much of it is stored; `season` is None for games without a date."""

    event: str
    season: int | None
    games: int
    sheets: list[str]
    since: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A player in a standing: `points` count matches, `made` what was scored, `received` what was settled.

    Of the matches, `typed` have no record.
    """

    name: str
    matches: int
    won: int
    drawn: int
    lost: int
    points: float
    made: int | None
    received: int | None
    typed: int = 0


class RankedLine(Protocol):
    """What decides a place in a standing."""

    @property
    def points(self) -> float: ...  # noqa: D102
    @property
    def won(self) -> int: ...  # noqa: D102
    @property
    def made(self) -> int | None: ...  # noqa: D102


def list_places(lines: Sequence[RankedLine]) -> list[int]:
    """The place of each line of a standing, from 1: who is equal in points, wins and points scored shares one."""
    places: dict[object, int] = {}
    return [
        places.setdefault((line.points, line.won, line.made), place)
        for place, line in enumerate(lines, start=1)
    ]


@dataclass(frozen=True, slots=True)
class Pairing:
    """What a player made of the matches against another."""

    points: float
    matches: int


def list_events(store: Store) -> list[ClubEvent]:
    """The events that games name, the latest first, at most `MOST_EVENTS`."""
    found = store.answer(players_sql("events"), {"most": MOST_EVENTS})
    return [ClubEvent(*row) for row in found.rows]


def list_seasons(store: Store) -> list[int]:
    """The years in which games were played, the latest first."""
    sql = "SELECT DISTINCT year(started) AS season FROM games WHERE started IS NOT NULL ORDER BY season DESC"
    return [int(season) for (season,) in store.rows(sql).rows]


def counted_matches(store: Store, choice: MatchChoice) -> CountedMatches:
    """The matches that count for a choice."""
    return CountedMatches(choice, read_stated_results(store, choice.values()))


def standing(store: Store, chosen: CountedMatches) -> list[StandingLine]:
    """The players by their points in the matches chosen; draws count half."""
    found = store.rows(
        _statement("standings"), {**chosen.point_values(), "most": MOST_PLAYERS_STANDING}
    )
    return [StandingLine(*row) for row in found.rows]


def pairings(
    store: Store, chosen: CountedMatches, names: Sequence[str]
) -> Mapping[tuple[str, str], Pairing]:
    """What each of these players made against each other of them, in the matches chosen."""
    found = store.rows(_statement("pairings"), {**chosen.point_values(), "names": list(names)})
    return {(own, other): Pairing(points, matches) for own, other, points, matches in found.rows}


def read_rounds(store: Store, digests: Sequence[str]) -> dict[str, str]:
    """The rounds that the records of these games name in `meta.round`, by digest: `Round 3`, or their own words."""
    sql = "SELECT digest, data FROM records WHERE list_contains($digests, digest)"
    rounds = {}
    corrected = corrections_of(store, digests)
    for digest, data in store.rows(sql, {"digests": list(digests)}).rows:
        text = corrected_bytes(unpack_record(data), corrected.get(digest, NO_CORRECTIONS))
        title = _round_of(codec.without_marks(text))
        if title:
            rounds[digest] = title
    return rounds


def _round_of(data: bytes) -> str:
    try:
        named = (msgspec.json.decode(data, type=_Occasion).meta or {}).get("round")
    except msgspec.DecodeError:
        return ""
    if isinstance(named, bool) or not isinstance(named, int | str):
        return ""
    text = str(named).strip()[:LONGEST_ROUND]
    return f"Round {text}" if text.isdigit() else text


def _statement(name: str) -> str:
    """A statement on the points of the matches chosen."""
    parts = [f"{part} AS (\n{players_sql(part)})" for part in ("chosen_matches", "match_points")]
    return f"WITH {', '.join(parts)}\n{players_sql(name)}"
