"""A folder of Parquet files as a store: the same tables under the same names, for reading only."""

from pathlib import Path

import duckdb

from analyzer.db.parquet_export import EXPORTED_TABLES, is_parquet_folder, quote_sql, read_manifest
from analyzer.db.store import READ_LIMIT_MS, Store

IN_MEMORY_TABLES = ("annotations", "reviews")
"""Made when they are asked for: they are kept in memory, with those of the folder."""
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
    """The store of a folder that `analyzer.db.parquet_export.export` has written."""

    read_only = True

    def __init__(self, folder: Path, *, reading_ms: int = READ_LIMIT_MS) -> None:
        whole = Path(folder).resolve()
        read_manifest(whole)
        super().__init__(whole, reading_ms=reading_ms, files=whole)

    def _place(self, folder: Path) -> Path:
        return Path(":memory:")

    def _fill(self, writer: duckdb.DuckDBPyConnection) -> None:
        for table in EXPORTED_TABLES:
            if self.files is not None and any((self.files / table).rglob("*.parquet")):
                _add_table(writer, table, self.files / table)


def open_store(folder: Path) -> Store:
    """The store of a folder: a database, or Parquet files if it holds those; raises StoreError."""
    return ParquetStore(folder) if is_parquet_folder(folder) else Store(folder)


def _add_table(cursor: duckdb.DuckDBPyConnection, table: str, files: Path) -> None:
    """Put a view of the files, or what is in them, in the place of an empty table."""
    columns = cursor.execute(SELECT_COLUMNS, {"table": table}).fetchall()
    ((says,),) = cursor.execute(SELECT_TABLE_COMMENT, {"table": table}).fetchall()
    chosen = ", ".join(f"{name}::{kind} AS {name}" for name, kind, _ in columns)
    if table == "records":
        chosen += ", game AS rowid"
    sql = SELECT_FROM_PARQUET.format(chosen, quote_sql(f"{files}/**/*.parquet"))
    if table in IN_MEMORY_TABLES:
        cursor.execute(f"INSERT INTO {table} BY NAME {sql}")
        return
    cursor.execute(f"DROP TABLE {table}")
    cursor.execute(f"CREATE VIEW {table} AS {sql}")
    cursor.execute(f"COMMENT ON VIEW {table} IS {quote_sql(says or '')}")
    for name, _, comment in columns:
        cursor.execute(f"COMMENT ON COLUMN {table}.{name} IS {quote_sql(comment or '')}")
