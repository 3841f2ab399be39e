"""Delete games: every row about them, in every table, in one transaction."""

from collections.abc import Sequence

import duckdb

from analyzer.db.game_filter import SELECT_COMMITS_OF_UPLOAD, GameFilter
from analyzer.db.store import Store, StoreReadOnly
from analyzer.db.sums import take_games_from_sums

SELECT_GAME_KEYS = "SELECT game FROM games WHERE list_contains($digests, digest)"
SELECT_GAME_TABLES = """
    SELECT tables.table_name
    FROM duckdb_tables() AS tables
    JOIN duckdb_columns() AS columns USING (table_oid)
    WHERE columns.column_name = 'game'
"""
SELECT_DIGESTS = "SELECT digest FROM games WHERE {where} ORDER BY digest"
DELETE_IMPORT_LOG = (
    "DELETE FROM import_batches WHERE import IN (SELECT import FROM imports WHERE job IS NULL)"
)
"""Forgets the imports from the command line: importing such a file again must read it again."""

DELETE_REJECTED = f"DELETE FROM rejected WHERE seen_at IN ({SELECT_COMMITS_OF_UPLOAD})"


def delete_games(store: Store, digests: Sequence[str]) -> int:
    """Delete stored games and return how many there were; raises StoreReadOnly.

    Importing such a record again stores it again.
    """
    if store.read_only:
        raise StoreReadOnly(
            f"the data folder {store.folder} is read-only: nothing can be deleted there"
        )
    with store.writing() as cursor:
        keys = [key for (key,) in cursor.execute(SELECT_GAME_KEYS, {"digests": digests}).fetchall()]
        if keys:
            take_games_from_sums(cursor, keys)
            for table in list_game_tables(cursor):
                cursor.execute(
                    f"DELETE FROM {table} WHERE game IN (SELECT unnest($keys))", {"keys": keys}
                )
            cursor.execute(DELETE_IMPORT_LOG)
    return len(keys)


def delete_upload(store: Store, upload: str) -> int:
    """Delete what an upload stored, by its public id, its rejected records too; returns the number of games.

    Games that were stored before it stay. Raises StoreReadOnly.
    """
    number = delete_games(store, digests_of_upload(store, upload))
    with store.writing() as cursor:
        cursor.execute(DELETE_REJECTED, {"upload": upload})
    return number


def list_game_tables(cursor: duckdb.DuckDBPyConnection) -> list[str]:
    """The tables with rows about single games."""
    return sorted(name for (name,) in cursor.execute(SELECT_GAME_TABLES).fetchall())


def digests_of_upload(store: Store, upload: str) -> list[str]:
    """The digests of the games that an upload stored, by its public id; of none that was stored before."""
    where, parameters = GameFilter(upload=upload).where()
    return [digest for (digest,) in store.rows(SELECT_DIGESTS.format(where=where), parameters).rows]
