"""How often intervals are right: whole matches are drawn again and again from a population whose values are known.

Each draw is a small collection of its own. All draws lie in one database, side by side, and the tournament of a game
is its draw: one question, split by tournament, gives the intervals of all draws at once.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from analyzer.statistics.ask import Ask, Refused, from_address
from analyzer.statistics.catalogue import dimensions
from analyzer.statistics.compose import MOST_ANSWER_ROWS, compose
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.store.sums import SUM_TABLES, sums_sql

DRAW = "event"
"""The dimension that tells the draws apart."""
COPIED = ("games", "deals", "seats", "tricks", "scores", "cards", "findings", "reviews")
DRAWN = """
    CREATE TEMP TABLE drawn AS
    SELECT row_number() OVER (ORDER BY draw) AS number, draw, old
    FROM (
        SELECT draw, floor(random() * $population)::BIGINT AS place
        FROM range($draws) AS draws (draw), range($matches)
    )
    JOIN places USING (place)
"""
ROUNDING = 1e-7
"""What two sums of the same numbers may differ by."""
Key = tuple[Any, ...]


class Coverage(NamedTuple):
    """How many intervals hold the true value, lie below it, and lie above it."""

    right: int
    below: int
    above: int

    @property
    def intervals(self) -> int:
        return sum(self)

    @property
    def percent(self) -> float:
        return 100 * self.right / self.intervals

    def plus(self, other: "Coverage") -> "Coverage":
        return Coverage(*(a + b for a, b in zip(self, other, strict=True)))


def draw(
    population: Path,
    folder: Path,
    *,
    draws: int,
    matches: int,
    seed: float = 0.5,
    fits: str = "true",
) -> None:
    """Fill a folder with so many draws of so many matches each, with replacement, from those that fit."""
    folder.mkdir(parents=True)
    with Store(folder):
        pass
    with duckdb.connect(str(folder / DATABASE_FILE_NAME), config={"threads": 1}) as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"ATTACH '{population / DATABASE_FILE_NAME}' AS source (READ_ONLY)")
        connection.execute(
            "CREATE TEMP TABLE places AS SELECT game AS old, row_number() OVER (ORDER BY game) - 1 AS place "
            f"FROM source.games WHERE {fits}"
        )
        ((size,),) = connection.execute("SELECT count(*) FROM places").fetchall()
        connection.execute("SELECT setseed($seed)", {"seed": seed})
        connection.execute(DRAWN, {"population": size, "draws": draws, "matches": matches})
        for table in COPIED:
            named = ", drawn.draw::VARCHAR AS event" if table == "games" else ""
            connection.execute(
                f"INSERT INTO {table} BY NAME SELECT it.* REPLACE (drawn.number AS game{named}) "
                f"FROM source.{table} AS it JOIN drawn ON drawn.old = it.game ORDER BY drawn.number"
            )
        for sums, table in SUM_TABLES.items():
            connection.execute(f"INSERT INTO {sums} BY NAME {sums_sql(sums, table)}")


def ask(metric: str, by: str = "", sheet: str = "") -> Ask | None:
    """A metric by a dimension, of one sheet if it is given, or None if that cannot be asked."""
    try:
        return from_address(f"metric={metric}&by={by}&sheet={sheet}")
    except Refused:
        return None


def every_row(store: Store, asked: Ask) -> list[dict[str, Any]]:
    """The answer with all its rows."""
    composed = compose(asked)
    sql = composed.sql.removesuffix(f"LIMIT {MOST_ANSWER_ROWS}")
    # Two digits are enough to read, but too few to see on which side of an end a small value lies.
    return store.rows(sql.replace(", 2) AS", ", 9) AS"), composed.parameters).dicts()


def coverage(
    population: Store,
    drawn: Store,
    asked: Ask,
    *,
    fewest: float,
    draws: int,
    most: float = float("inf"),
) -> Coverage:
    """How often the intervals of a question are right.

    Groups count that are to be expected in at least `fewest` matches of a draw, and less than `most`: smaller ones are
    missing in many draws, and are seen only where there is too much of them.
    """
    metric, names = asked.metric.name, [dimension.name for dimension in asked.split_by]
    truth = {
        tuple(row[name] for name in names): row[metric] for row in every_row(population, asked)
    }
    of_draw = dimensions()[DRAW]
    split = replace(asked, by=asked.by or of_draw, split=of_draw if asked.by else None)
    found: dict[Key, list[dict[str, Any]]] = defaultdict(list)
    for row in every_row(drawn, split):
        found[tuple(row[name] for name in names)].append(row)
    right = below = above = 0
    for key, rows in found.items():
        if not fewest * draws <= sum(map(basis, rows)) < most * draws:
            continue
        for row in rows:
            if row["low"] is not None:
                below += truth[key] > row["high"] + ROUNDING
                above += truth[key] < row["low"] - ROUNDING
                right += row["low"] - ROUNDING <= truth[key] <= row["high"] + ROUNDING
    return Coverage(right, below, above)


def basis(row: Mapping[str, Any]) -> float:
    """The matches that a value rests on; of what is counted, at most as many as it was counted."""
    return min(row["matches"], row.get("times", row["matches"]), row["n"])
