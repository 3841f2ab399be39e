"""The players of the stored games: who they are, and how much they played."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from analyzer.players import players_sql
from analyzer.players.ratings import Ladder, RatingChange, Standing
from analyzer.statistics.intervals import DEVIATIONS_FOR_95_PERCENT
from analyzer.statistics.questions import Answer, Chart, Question, QuestionFilters
from analyzer.store.store import QueryResult, Store, by_clock_of_place
from records.people import read_name
from records.phrases import join_words

MOST_PLAYERS = 5_000
SELECT_PLAYERS = "SELECT DISTINCT player FROM seats WHERE player IN (SELECT unnest($names::VARCHAR[])) LIMIT $most"


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player in the list: percentages of deals and matches won, and the standing if there is one."""

    name: str
    matches: int
    deals: int
    deals_won: float
    matches_won: float | None
    standing: Standing | None


@dataclass(frozen=True, slots=True)
class SheetSummary:
    """What a player did by one rule sheet; `has_tricks` says whether tricks are taken in its game."""

    sheet: str
    matches: int
    deals: int
    deals_won: float
    matches_won: float | None
    points: float
    has_tricks: bool
    since: date | None
    until: date | None


def list_players(
    store: Store, ladder: Ladder, part: str = "", *, every: bool = False
) -> list[PlayerSummary]:
    """The players whose names contain `part`, those with most deals first; at most `MOST_PLAYERS`."""
    found = store.rows(
        players_sql("directory"), {"part": read_name(part), "every": every, "most": MOST_PLAYERS}
    )
    return [
        PlayerSummary(standing=ladder.standings.get(row["name"]), **row) for row in found.dicts()
    ]


def list_sheet_summaries(store: Store, name: str, *, every: bool = False) -> list[SheetSummary]:
    """What a player has played, sheet by sheet, most deals first; empty if nobody has that name."""
    found = store.rows(players_sql("sheets"), {"player": name, "every": every})
    return [SheetSummary(**row) for row in found.dicts()]


def find_players(store: Store, names: Sequence[str]) -> list[str]:
    """Those of these names that are players of a deal, at most two of them; in no order."""
    found = store.rows(SELECT_PLAYERS, {"names": list(names), "most": 2})
    return [str(player) for (player,) in found.rows]


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that moved a player's rating: from `before` to `rating`, with the new deviation.

    `others` are the names of all others in it by seat, and `partners` of those on the player's side; `outcome` is 1, 0.5
    or 0. `started` is by the clock of the place, None
    if the record gives no time, and `month` the first day of its month.
    """

    digest: str
    sheet: str
    started: datetime | None
    month: date | None
    others: list[str]
    partners: list[str]
    outcome: float
    before: float
    rating: float
    deviation: float

    @property
    def between(self) -> str:
        """Who played with the player, if anybody did, and against whom: `with Bob against Cleo and Dora`."""
        opponents = list((Counter(self.others) - Counter(self.partners)).elements())
        sides = [("with", self.partners), ("against", opponents)]
        return " ".join(f"{word} {join_words(names)}" for word, names in sides if names)

    @property
    def change(self) -> float:
        """By how much the match moved the rating."""
        return self.rating - self.before


def list_rated_matches(store: Store, ladder: Ladder, name: str) -> list[RatedMatch]:
    """The matches that moved a player's rating, in the order of rating."""
    changes = ladder.changes_of(name)
    rows = store.rows(players_sql("rated_matches"), {"player": name}).rows if changes else []
    games = {game: rest for game, *rest in rows}
    # A game that was deleted since the ladder was made has no row.
    return [_rated_match(change, games[change.game]) for change in changes if change.game in games]


def _rated_match(change: RatingChange, row: Sequence[Any]) -> RatedMatch:
    digest, sheet, started, utc_offset, month, names, sides, seat, outcome = row
    others = [(other, name) for other, name in enumerate(names) if other != seat]
    return RatedMatch(
        digest=digest,
        sheet=sheet,
        started=by_clock_of_place(started, utc_offset),
        month=month,
        others=[name for _, name in others],
        partners=[name for other, name in others if sides and sides[other] == sides[seat]],
        outcome=outcome,
        before=change.before.rating,
        rating=change.after.rating,
        deviation=change.after.deviation,
    )


@dataclass(frozen=True, slots=True)
class GameWithoutLuck:
    """A game of a player: when it began by the clock of the place, None if the record gives no time, and against whom."""

    digest: str
    started: datetime | None
    others: list[str]


def list_games_without_luck(
    store: Store, name: str, sheet: str | None, most: int
) -> list[GameWithoutLuck]:
    """The latest games of a player, by one sheet or all, whose luck and skill can be estimated and were not."""
    values = {"player": name, "sheet": sheet, "most": most}
    return [
        GameWithoutLuck(
            digest, by_clock_of_place(started, utc_offset), names[:seat] + names[seat + 1 :]
        )
        for digest, started, utc_offset, names, seat in store.rows(
            players_sql("games_without_luck"), values
        ).rows
    ]


@dataclass(frozen=True, slots=True)
class MonthRating:
    """A player's rating at the end of a month, after so many matches, with the ends of its 95 % range."""

    month: date
    rating: float
    low: float
    high: float
    matches: int

    @property
    def words(self) -> str:
        """The rating with its range, and when: `25.1 (17.0 to 33.2) at the end of January 2026`."""
        numbers = f"{self.rating:.1f} ({self.low:.1f} to {self.high:.1f})".replace("-", "−")
        return f"{numbers} at the end of {self.month:%B %Y}"


def list_month_ratings(matches: Sequence[RatedMatch]) -> list[MonthRating]:
    """A player's rating at the end of each month with a match, of these in their order; those without a time are in none."""
    months = {
        match.month: (match, number)
        for number, match in enumerate(matches, 1)
        if match.month is not None
    }
    return [
        MonthRating(month, last.rating, last.rating - reach, last.rating + reach, number)
        for month, (last, number) in sorted(months.items())
        for reach in [DEVIATIONS_FOR_95_PERCENT * last.deviation]
    ]


@dataclass(frozen=True, slots=True)
class RatingTrend:
    """A player's rating at the end of the first month and of the last, and in a sentence whether it changed.

    A change is clear if the two 95 % ranges have nothing in common.
    """

    first: MonthRating
    last: MonthRating
    says: str


def find_rating_trend(name: str, matches: Sequence[RatedMatch]) -> RatingTrend | None:
    """Whether a player gets better, by the rating after these matches in their order; None if none has a time."""
    months = list_month_ratings(matches)
    if not months:
        return None
    first, last = months[0], months[-1]
    if first is last:
        says = f"The rating of {name} is {first.words}; one month tells no change."
        return RatingTrend(first, last, says)
    change = "no clear change, as the two 95 % ranges overlap"
    if last.low > first.high or last.high < first.low:
        way = "rise" if last.rating > first.rating else "fall"
        change = f"a clear {way}, as the two 95 % ranges do not overlap"
    says = f"The rating of {name} was {first.words} and {last.words}: {change}."
    return RatingTrend(first, last, says)


def rating_history(name: str, matches: Sequence[RatedMatch]) -> Answer:
    """A player's rating at the end of each month, with its deviation; matches without a time are in none."""
    rows = [
        (f"{each.month:%Y-%m}", round(each.rating, 2), round(each.low, 2), round(each.high, 2), each.matches)
        for each in list_month_ratings(matches)
    ]  # fmt: skip
    columns = {"x": "month", "y": "rating", "low": "low", "high": "high"}
    question = Question(
        name="rating",
        title=f"Rating of {name}, month by month",
        answers="How strong is a player?",
        over="rated matches",
        over_one="rated match",
        chart=Chart("scatter", columns, (), frozenset()),
        unit="rating",
        x="month",
        caveat="Weng and Lin's method; from low to high: the 95 % interval.",
        sql="",
    )
    result = QueryResult((*columns.values(), "n"), rows)
    return Answer(question, QuestionFilters(), result.columns, result.rows, len(matches), 0.0, "")
