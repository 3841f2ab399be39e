"""A folder of Parquet files as a store: the same tables under the same names, for reading only."""

from pathlib import Path

import duckdb

from analyzer.db.parquet_export import TABLES, is_parquet, manifest_of, quoted
from analyzer.db.store import READING_MS, Store

MADE_HERE = ("annotations", "reviews")
"""Made when they are asked for: they are kept in memory, with those of the folder."""
COLUMNS = """
    SELECT column_name, data_type, comment FROM duckdb_columns()
    WHERE table_name = $table AND database_name = current_database() ORDER BY column_index
"""
SAYS = "SELECT comment FROM duckdb_tables() WHERE table_name = $table"
READ = (
    "SELECT {} FROM read_parquet({}, hive_partitioning = true, "
    "hive_types = {{'sheet': VARCHAR, 'month': DATE}})"
)


class ParquetFolder(Store):
    """The store of a folder that `analyzer.db.parquet_export.export` has written."""

    read_only = True

    def __init__(self, folder: Path, *, reading_ms: int = READING_MS) -> None:
        whole = Path(folder).resolve()
        manifest_of(whole)
        super().__init__(whole, reading_ms=reading_ms, files=whole)

    def _place(self, folder: Path) -> Path:
        return Path(":memory:")

    def _fill(self, writer: duckdb.DuckDBPyConnection) -> None:
        for table in TABLES:
            if self.files is not None and any((self.files / table).rglob("*.parquet")):
                _show(writer, table, self.files / table)


def opened(folder: Path) -> Store:
    """The store of a folder: a database, or Parquet files if it holds those; raises StoreError."""
    return ParquetFolder(folder) if is_parquet(folder) else Store(folder)


def _show(cursor: duckdb.DuckDBPyConnection, table: str, files: Path) -> None:
    """Put a view of the files, or what is in them, in the place of an empty table."""
    columns = cursor.execute(COLUMNS, {"table": table}).fetchall()
    ((says,),) = cursor.execute(SAYS, {"table": table}).fetchall()
    chosen = ", ".join(f"{name}::{kind} AS {name}" for name, kind, _ in columns)
    if table == "records":
        chosen += ", game AS rowid"
    sql = READ.format(chosen, quoted(f"{files}/**/*.parquet"))
    if table in MADE_HERE:
        cursor.execute(f"INSERT INTO {table} BY NAME {sql}")
        return
    cursor.execute(f"DROP TABLE {table}")
    cursor.execute(f"CREATE VIEW {table} AS {sql}")
    cursor.execute(f"COMMENT ON VIEW {table} IS {quoted(says or '')}")
    for name, _, comment in columns:
        cursor.execute(f"COMMENT ON COLUMN {table}.{name} IS {quoted(comment or '')}")
