"""Delete games: every row about them, in every table, in one transaction."""

from collections.abc import Sequence
from functools import partial

import duckdb

from analyzer.ingest.correcting import let_others_stand
from analyzer.store.games import digests_of_upload
from analyzer.store.player_names import settle_people
from analyzer.store.reserve import delete_on_full_disk
from analyzer.store.store import SELECT_COMMITS_OF_UPLOAD, Store
from analyzer.store.sums import take_games_from_sums

SELECT_GAME_KEYS = "SELECT game FROM stored_games WHERE list_contains($digests, digest)"
SELECT_GAME_TABLES = """
    SELECT tables.table_name
    FROM duckdb_tables() AS tables
    JOIN duckdb_columns() AS columns USING (table_oid)
    WHERE columns.column_name = 'game'
"""
DELETE_IMPORT_LOG = (
    "DELETE FROM import_batches WHERE import IN (SELECT import FROM imports WHERE job IS NULL)"
)
"""Forgets the imports from the command line: importing such a file again must read it again."""

DELETE_REJECTED = f"DELETE FROM {{}} WHERE seen_at IN ({SELECT_COMMITS_OF_UPLOAD})"


def delete_games(store: Store, digests: Sequence[str]) -> int:
    """Delete stored games and return how many there were; raises StoreReadOnly.

    Importing such a record again stores it again. Where a match has another record, that one stands for it from now on.
    """
    store.require_writable()
    return delete_on_full_disk(store, partial(_delete_games, store, digests))


def _delete_games(store: Store, digests: Sequence[str]) -> int:
    with store.writing() as cursor:
        keys = [key for (key,) in cursor.execute(SELECT_GAME_KEYS, {"digests": digests}).fetchall()]
        if keys:
            delete_rows(cursor, keys)
    return len(keys)


def delete_rows(cursor: duckdb.DuckDBPyConnection, keys: Sequence[int]) -> None:
    """Delete every row about the games with these keys, of which there is at least one, in an open transaction."""
    take_games_from_sums(cursor, list(keys))
    for table in list_game_tables(cursor):
        cursor.execute(f"DELETE FROM {table} WHERE game IN (SELECT unnest($keys))", {"keys": keys})
    let_others_stand(cursor, keys)
    cursor.execute(DELETE_IMPORT_LOG)
    settle_people(cursor)


def delete_upload(store: Store, upload: str) -> int:
    """Delete what an upload stored, by its public id, its rejected and waiting records too; returns the number of games.

    Games that were stored before it stay. Raises StoreReadOnly.
    """
    number = delete_games(store, digests_of_upload(store, upload))
    delete_on_full_disk(store, partial(_delete_rejected, store, upload))
    return number


def _delete_rejected(store: Store, upload: str) -> None:
    with store.writing() as cursor:
        for table in ("rejected", "waiting_records"):
            cursor.execute(DELETE_REJECTED.format(table), {"upload": upload})


def list_game_tables(cursor: duckdb.DuckDBPyConnection) -> list[str]:
    """The tables with rows about single games."""
    return sorted(name for (name,) in cursor.execute(SELECT_GAME_TABLES).fetchall())
