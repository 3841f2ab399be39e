"""A database of a million deals, made from a small one: every clean game many times, under other keys.

It is made by INSERT ... SELECT, not by loading: the games repeat, while players, opponents and months
are drawn anew for every copy, so that groups are as many as in a large collection. Keys are random, as those of real
games are, and in no order. The records
themselves are left empty. It measures how questions are answered, and nothing about loading.
"""

import sys
import time
from pathlib import Path

import duckdb

from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.store.sums import SUM_TABLES, sums_sql

PLAYERS, MONTHS = 800, 36
COPIED = ("games", "deals", "seats", "tricks", "scores", "cards", "findings")

CHOSEN = """
    CREATE TEMP TABLE chosen AS
    SELECT (hash(mixed) >> 4)::BIGINT AS key, row_number() OVER () AS place, * FROM (
        SELECT game AS old, copy, hash(game, copy) AS mixed
        FROM source.games, range($copies) AS copies (copy)
        WHERE clean
        ORDER BY mixed
    )
"""
MONTH = f"(DATE '2023-01-01' + to_months((chosen.mixed % {MONTHS})::INTEGER))::DATE"
NAME = f"'Player ' || (hash(chosen.mixed, it.{{}}) % {PLAYERS})"
NAMES = (
    f"list_transform(it.people, lambda name: 'Player ' || (hash(chosen.mixed, name) % {PLAYERS}))"
)
CHANGED = {
    "games": f"chosen.key AS game, md5(chosen.key::VARCHAR) || md5(chosen.mixed::VARCHAR) AS digest, "
    f"{NAMES} AS names, {NAMES} AS written, {NAMES} AS people, list_transform({NAMES}, lambda name: 'name:' || name) AS persons, "
    f"{MONTH} AS month, {MONTH}::TIMESTAMP AS started, 0 AS utc_offset, {MONTH}::TIMESTAMP AS started_at",
    "seats": f"chosen.key AS game, {NAME.format('player')} AS player, {NAME.format('opponent')} AS opponent, "
    f"{MONTH} AS month",
}  # fmt: skip
RECORDS = """
    INSERT INTO records (game, digest, name, size, data)
    SELECT game, digest, 'copy.json', 0, ''::BLOB FROM games
"""


def make(source: Path, folder: Path, deals: int) -> int:
    """Fill a folder with about so many clean deals, copied from the database of another; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    with Store(folder):
        pass
    with duckdb.connect(str(folder / DATABASE_FILE_NAME), config={"threads": 2}) as connection:
        connection.execute("SET enable_progress_bar = false")  # DuckDB refuses it in `config`
        connection.execute(f"ATTACH '{source / DATABASE_FILE_NAME}' AS source (READ_ONLY)")
        ((clean,),) = connection.execute("SELECT count(*) FROM source.deals WHERE clean").fetchall()
        connection.execute(CHOSEN, {"copies": max(1, round(deals / clean))})
        for table in COPIED:
            start = time.monotonic()
            changed = CHANGED.get(table, "chosen.key AS game")
            connection.execute(
                f"INSERT INTO {table} BY NAME SELECT it.* REPLACE ({changed}) "
                f"FROM source.{table} AS it JOIN chosen ON chosen.old = it.game ORDER BY chosen.place"
            )
            print(f"  {table}: {time.monotonic() - start:.0f} s", file=sys.stderr)
        for sums, table in SUM_TABLES.items():
            connection.execute(f"INSERT INTO {sums} BY NAME {sums_sql(sums, table)}")
        connection.execute(RECORDS)
        ((made,),) = connection.execute("SELECT count(*) FROM deals").fetchall()
    return int(made)
