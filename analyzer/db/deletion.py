"""Taking games away: every row that is about one of them, in every table, or none."""

from collections.abc import Sequence

import duckdb

from analyzer.db.store import Store, StoreReadOnly

SELECT_GAME_KEYS = "SELECT game FROM games WHERE list_contains($digests, digest)"
SELECT_GAME_TABLES = """
    SELECT tables.table_name
    FROM duckdb_tables() AS tables
    JOIN duckdb_columns() AS columns USING (table_oid)
    WHERE columns.column_name = 'game'
"""
DELETE_IMPORT_LOG = (
    "DELETE FROM import_batches WHERE import IN (SELECT import FROM imports WHERE job IS NULL)"
)
"""A file that is imported again has to be read again: a game of it may be missing."""


def delete_games(store: Store, digests: Sequence[str]) -> int:
    """Take stored games away; returns how many of them there were.

    A record that is offered again is stored again.
    """
    if store.read_only:
        raise StoreReadOnly(f"{store.path} can only be read: nothing can be deleted there")
    with store.writing() as cursor:
        keys = [key for (key,) in cursor.execute(SELECT_GAME_KEYS, {"digests": digests}).fetchall()]
        if keys:
            for table in list_game_tables(cursor):
                cursor.execute(
                    f"DELETE FROM {table} WHERE game IN (SELECT unnest($keys))", {"keys": keys}
                )
            cursor.execute(DELETE_IMPORT_LOG)
    return len(keys)


def list_game_tables(cursor: duckdb.DuckDBPyConnection) -> list[str]:
    """Every table that has rows about single games."""
    return sorted(name for (name,) in cursor.execute(SELECT_GAME_TABLES).fetchall())
