"""A folder of Parquet files as a store: the same tables under the same names, for reading only."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import duckdb

from analyzer.db.file.connecting import demand_utf8_name, quote_sql
from analyzer.db.parquet_export import EXPORTED_TABLES, is_parquet_folder, read_manifest
from analyzer.db.read_only_store import AttachedStore, ReadOnlyStore
from analyzer.db.store import DATABASE_FILE_NAME, READ_LIMIT_MS, Store, StoreReadOnly
from analyzer.db.sums import SUM_TABLES, sums_sql

PARQUET_SOURCE = (
    "read_parquet({}, hive_partitioning = true, hive_types = {{'sheet': VARCHAR, 'month': DATE}})"
)


class ParquetStore(ReadOnlyStore):
    """The store of a folder that `export_parquet` has written; raises StoreError."""

    caches_answers = False
    """Anybody may put other files there."""

    def __init__(
        self,
        folder: Path,
        *,
        reading_ms: int = READ_LIMIT_MS,
        settings: Mapping[str, str | int] | None = None,
    ) -> None:
        demand_utf8_name(Path(folder))
        read_manifest(Path(folder))
        super().__init__(folder, reading_ms=reading_ms, settings=settings)

    def still(self) -> NoReturn:
        """There is no file of a database; raises StoreReadOnly."""
        raise StoreReadOnly(
            f"there are Parquet files and no database in {self.folder}: copy the folder itself"
        )

    def _fill_tables(self, writer: duckdb.DuckDBPyConnection) -> None:
        for table in EXPORTED_TABLES:
            files = self.folder / table
            if any(files.rglob("*.parquet")):
                source = PARQUET_SOURCE.format(quote_sql(f"{files}/**/*.parquet"))
                self._show_table(writer, table, source, "game")
        for table, sums in SUM_TABLES.items():
            self._show_table(writer, sums, f"({sums_sql(table, table)})", "game")


def open_store(folder: Path, *, read_only: bool = False) -> Store:
    """The store of a folder: a database, or Parquet files if it holds those; raises StoreError.

    A database is only read if that is asked for, and if it cannot be written to.
    """
    if is_parquet_folder(folder):
        return ParquetStore(folder)
    return AttachedStore(folder) if read_only or _is_protected(folder) else Store(folder)


def _is_protected(folder: Path) -> bool:
    """Whether a folder has a database and nobody lets us write to it."""
    path = folder / DATABASE_FILE_NAME
    return path.is_file() and not (os.access(path, os.W_OK) and os.access(folder, os.W_OK))
