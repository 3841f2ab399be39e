"""A folder of Parquet files as a store: the same tables under the same names, for reading only."""

from collections.abc import Mapping
from pathlib import Path

import duckdb

from analyzer.db.parquet_export import EXPORTED_TABLES, is_parquet_folder, quote_sql, read_manifest
from analyzer.db.store import READ_LIMIT_MS, Store

IN_MEMORY_TABLES = ("annotations", "reviews", "luck")
"""Tables that grow while a folder is open: their rows are loaded into memory and new ones added there."""
SELECT_COLUMNS = """
    SELECT column_name, data_type, comment FROM duckdb_columns()
    WHERE table_name = $table AND database_name = current_database() ORDER BY column_index
"""
SELECT_TABLE_COMMENT = "SELECT comment FROM duckdb_tables() WHERE table_name = $table"
SELECT_FROM_PARQUET = (
    "SELECT {} FROM read_parquet({}, hive_partitioning = true, "
    "hive_types = {{'sheet': VARCHAR, 'month': DATE}})"
)


class ParquetStore(Store):
    """The store of a folder that `export_parquet` has written; raises StoreError."""

    read_only = True

    def __init__(
        self,
        folder: Path,
        *,
        reading_ms: int = READ_LIMIT_MS,
        settings: Mapping[str, str | int] | None = None,
    ) -> None:
        resolved = Path(folder).resolve()
        read_manifest(resolved)
        super().__init__(resolved, reading_ms=reading_ms, files=resolved, settings=settings)

    def _database_path(self, folder: Path) -> Path:
        return Path(":memory:")

    def _fill_tables(self, writer: duckdb.DuckDBPyConnection) -> None:
        for table in EXPORTED_TABLES:
            if self.files is not None and any((self.files / table).rglob("*.parquet")):
                _add_table(writer, table, self.files / table)


def open_store(folder: Path) -> Store:
    """The store of a folder: a database, or Parquet files if it holds those; raises StoreError."""
    return ParquetStore(folder) if is_parquet_folder(folder) else Store(folder)


def _add_table(cursor: duckdb.DuckDBPyConnection, table: str, files: Path) -> None:
    """Replace an empty table by a view of its files, or fill it from them, comments included."""
    columns = cursor.execute(SELECT_COLUMNS, {"table": table}).fetchall()
    ((table_comment,),) = cursor.execute(SELECT_TABLE_COMMENT, {"table": table}).fetchall()
    selected = ", ".join(f"{name}::{kind} AS {name}" for name, kind, _ in columns)
    if table == "records":
        selected += ", game AS rowid"  # a view has no row ids, which `read_records` reads
    sql = SELECT_FROM_PARQUET.format(selected, quote_sql(f"{files}/**/*.parquet"))
    if table in IN_MEMORY_TABLES:
        cursor.execute(f"INSERT INTO {table} BY NAME {sql}")
        return
    cursor.execute(f"DROP TABLE {table}")
    cursor.execute(f"CREATE VIEW {table} AS {sql}")
    cursor.execute(f"COMMENT ON VIEW {table} IS {quote_sql(table_comment or '')}")
    for name, _, comment in columns:
        cursor.execute(f"COMMENT ON COLUMN {table}.{name} IS {quote_sql(comment or '')}")
