"""What all tricks, scores and cards come to, by rulebook and a few columns more: thousands of rows in place of millions.

With a million deals, the sums of tricks answer a question by trick or phase ten times as quickly as the tricks do, in
100 milliseconds of CPU time in place of 920; those of scores answer one by meld or source 2.6 times as quickly, in 130
milliseconds in place of 345; those of cards played answer what took seconds. Sums of all deals of players, and the rows of some matches in tables of their own, were
tried: neither made a typical question even 1.5 times as quick.

The sums are kept in the transaction that adds or deletes the rows they sum, so that a question never finds them
behind. Every batch adds rows of its own, and what is deleted is added with a minus: a question sums them. The columns of
those of tricks and scores have the names that the sums by seat have in `seats`.
"""

from functools import cache
from importlib.resources import files

import duckdb

from analyzer.store.schema import schema_columns

SUM_TABLES = {
    "trick_sums": "tricks",
    "play_sums": "tricks",
    "score_sums": "scores",
    "card_sums": "cards",
}
"""The tables of sums, and those whose rows they sum."""
SUM_KEYS = {
    "trick_sums": ("sheet", "clean", "trick", "closed", "decided", "players"),
    "play_sums": ("sheet", "clean", "trick", "closed", "place", "card", "trump", "took", "forced"),
    "score_sums": ("sheet", "clean", "source", "meld"),
    "card_sums": ("sheet", "clean", "use", "card"),
}
"""The columns that tell the rows of sums apart."""
ROWS_SUMMED = {
    "trick_sums": "tricks_led",
    "play_sums": "cards",
    "score_sums": "scorings",
    "card_sums": "cards",
}
"""The column that says how many rows a row of sums has summed: none, if all of them were deleted."""
ROWS_OF_GAMES = "(SELECT * FROM {} WHERE game IN (SELECT unnest($keys)))"
MOST_SUMS = 20_000
"""Each time that a table of sums has grown by so many rows, they are summed if half would do."""


def sums_of(table: str) -> list[str]:
    """The tables of the sums that are kept of a table."""
    return [name for name, summed in SUM_TABLES.items() if summed == table]


@cache
def sums_sql(name: str, rows: str) -> str:
    """The statement that sums rows, which are a table or a subquery, as a table of sums keeps them."""
    file = files("analyzer.store") / f"{name}.sql"
    return file.read_text(encoding="utf-8").format(rows=rows)


def count_wrong_sums_sql(name: str) -> str:
    """The statement that counts the rows of a table of sums that are not what the rows of theirs come to."""
    columns = _selected(name, "{0}")
    rows = ROWS_SUMMED[name]
    kept = f"{total_sums_sql(name, name)} HAVING sum({rows}) <> 0"
    found = f"SELECT {columns} FROM ({sums_sql(name, SUM_TABLES[name])})"
    return f"""
        WITH kept AS ({kept}), found AS ({found})
        SELECT count(*) FROM (
            (FROM kept EXCEPT ALL FROM found) UNION ALL (FROM found EXCEPT ALL FROM kept)
        )
    """


def negative_sums_sql(name: str, rows: str) -> str:
    """The statement that sums rows, which are a table or a subquery, to be taken away."""
    return f"SELECT {_selected(name, '-{0} AS {0}')} FROM ({sums_sql(name, rows)})"


def total_sums_sql(name: str, sums: str) -> str:
    """The statement that makes one row of all rows of sums that have the same keys."""
    return f"SELECT {_selected(name, 'sum({0})::BIGINT AS {0}')} FROM {sums} GROUP BY ALL"


def add_to_sums(
    cursor: duckdb.DuckDBPyConnection, name: str, rows: str, parameters: dict[str, object]
) -> None:
    """Add rows of a table, which are a subquery, to a table of its sums."""
    _add(cursor, name, sums_sql(name, rows), parameters)


def take_games_from_sums(cursor: duckdb.DuckDBPyConnection, keys: list[int]) -> None:
    """Take the rows of games out of all sums, before they are deleted."""
    for name, table in SUM_TABLES.items():
        _add(cursor, name, negative_sums_sql(name, ROWS_OF_GAMES.format(table)), {"keys": keys})


def _add(
    cursor: duckdb.DuckDBPyConnection, name: str, sums: str, parameters: dict[str, object]
) -> None:
    """Add rows to a table of sums, and sum it once that makes it half as long."""
    before = _count(cursor, name)
    cursor.execute(f"INSERT INTO {name} BY NAME {sums}", parameters or None)
    kept = _count(cursor, name)
    # To count those that differ takes reading all: not for every batch, and less often the more there are.
    if kept // MOST_SUMS == before // MOST_SUMS:
        return
    keys = ", ".join(SUM_KEYS[name])
    if kept > 2 * _count(cursor, f"(SELECT DISTINCT {keys} FROM {name})"):
        _sum(cursor, name)


def _count(cursor: duckdb.DuckDBPyConnection, rows: str) -> int:
    ((count,),) = cursor.execute(f"SELECT count(*) FROM {rows}").fetchall()
    return int(count)


def _sum(cursor: duckdb.DuckDBPyConnection, name: str) -> None:
    """Make one row of all that have the same keys."""
    # DuckDB would write no checkpoint beside a reader if rows were changed in their place.
    cursor.execute(f"CREATE TEMP TABLE summed AS {total_sums_sql(name, name)}")
    cursor.execute(f"DELETE FROM {name}")
    cursor.execute(f"INSERT INTO {name} BY NAME FROM summed")
    cursor.execute("DROP TABLE summed")


def _selected(name: str, summed: str) -> str:
    """The keys of sums, and the sums in another form."""
    sums = sorted(schema_columns()[name] - {*SUM_KEYS[name]})
    return ", ".join((*SUM_KEYS[name], *map(summed.format, sums)))
