"""The players: a list of them, what each has played, and a player's rating month by month."""

from dataclasses import dataclass
from datetime import date
from importlib.resources import files

from analyzer.db.store import QueryResult, Store
from analyzer.players.ratings import Ladder, Standing
from analyzer.questions import Answer, Chart, Question, QuestionFilters

MOST_PLAYERS = 5_000
DEVIATIONS_FOR_95_PERCENT = 1.96
"""Standard deviations to both sides of a rating that make a 95 % interval."""


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
    found = store.rows(_sql("directory"), {"part": part, "every": every, "most": MOST_PLAYERS})
    return [
        PlayerSummary(standing=ladder.standings.get(row["name"]), **row) for row in found.dicts()
    ]


def list_sheet_summaries(store: Store, name: str, *, every: bool = False) -> list[SheetSummary]:
    """What a player has played, sheet by sheet, most deals first; empty if nobody has that name."""
    found = store.rows(_sql("sheets"), {"player": name, "every": every})
    return [SheetSummary(**row) for row in found.dicts()]


def rating_history(name: str, standing: Standing) -> Answer:
    """A player's rating at the end of each month, with its deviation."""
    rows = [
        (f"{month:%Y-%m}", round(rating, 2), round(rating - DEVIATIONS_FOR_95_PERCENT * deviation, 2),
         round(rating + DEVIATIONS_FOR_95_PERCENT * deviation, 2), matches)
        for month, (rating, deviation, matches) in sorted(standing.months.items())
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
    return Answer(
        question, QuestionFilters(), result.columns, result.rows, standing.matches, 0.0, ""
    )


def _sql(name: str) -> str:
    return (files("analyzer.players") / f"{name}.sql").read_text(encoding="utf-8")
