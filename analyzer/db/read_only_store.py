"""A store that is only read: the tables of a folder under their own names, beside a database in memory."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb

from analyzer.db.file.connecting import (
    demand_utf8_name,
    opening_refusal,
    quote_sql,
    require_log,
)
from analyzer.db.schema import (
    VIEW_PATTERN,
    database_origin,
    require_today,
    schema_columns,
    schema_sql,
)
from analyzer.db.store import DATABASE_FILE_NAME, READ_LIMIT_MS, Store
from records.errors import StoreError

IN_MEMORY_TABLES = ("annotations", "reviews", "luck", "deep_reviews", "decisions")
"""Tables that grow while a folder is open: their rows are loaded into memory and new ones added there."""
ATTACHED_NAME = "attached"
"""What DuckDB calls the file of a database that is only read."""
SELECT_COLUMNS = """
    SELECT column_name, data_type, comment FROM duckdb_columns()
    WHERE table_name = $table AND database_name = current_database() ORDER BY column_index
"""
SELECT_TABLE_COMMENT = "SELECT comment FROM duckdb_tables() WHERE table_name = $table AND database_name = current_database()"
SELECT_ATTACHED_NAMES = """
    SELECT table_name, list(column_name) FROM duckdb_columns() WHERE database_name = $name GROUP BY table_name
"""


class ReadOnlyStore(Store):
    """A store whose tables lie elsewhere and are only read; nothing is written into the folder."""

    read_only = True

    def __init__(
        self,
        folder: Path,
        *,
        reading_ms: int = READ_LIMIT_MS,
        settings: Mapping[str, str | int] | None = None,
    ) -> None:
        self.folder = Path(folder).resolve()
        # Otherwise what does not fit into memory would be written to the folder that the process runs in.
        super().__init__(
            self.folder,
            reading_ms=reading_ms,
            files=self.folder,
            settings={"temp_directory": "", **(settings or {})},
        )

    def _database_path(self, folder: Path) -> Path:
        return Path(":memory:")

    def _show_table(
        self, writer: duckdb.DuckDBPyConnection, table: str, source: str, row_number: str
    ) -> None:
        """Replace an empty table by a view of its source, or fill it from there, comments included.

        `row_number` is the column that stands for the row ids of `records`: a view has none.
        """
        columns = writer.execute(SELECT_COLUMNS, {"table": table}).fetchall()
        ((table_comment,),) = writer.execute(SELECT_TABLE_COMMENT, {"table": table}).fetchall()
        selected = ", ".join(f"{name}::{kind} AS {name}" for name, kind, _ in columns)
        if table == "records":
            selected += f", {row_number} AS rowid"
        sql = f"SELECT {selected} FROM {source}"
        if table in IN_MEMORY_TABLES:
            writer.execute(f"INSERT INTO {table} BY NAME {sql}")
            return
        writer.execute(f"DROP TABLE {table}")
        writer.execute(f"CREATE VIEW {table} AS {sql}")
        writer.execute(f"COMMENT ON VIEW {table} IS {quote_sql(table_comment or '')}")
        for name, _, comment in columns:
            writer.execute(f"COMMENT ON COLUMN {table}.{name} IS {quote_sql(comment or '')}")


class AttachedStore(ReadOnlyStore):
    """The store of a folder with a database that nobody may write to; raises StoreError.

    Others may read the file at the same time, and nobody write it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        reading_ms: int = READ_LIMIT_MS,
        settings: Mapping[str, str | int] | None = None,
    ) -> None:
        self._attached_path = Path(folder).resolve() / DATABASE_FILE_NAME
        demand_utf8_name(self._attached_path.parent)
        if not self._attached_path.is_file():
            raise StoreError(f"there is no database in {folder}, and a read-only server makes none")
        super().__init__(folder, reading_ms=reading_ms, settings=settings)

    @contextmanager
    def still(self) -> Iterator[Path]:
        """The path of the file: nothing writes to it."""
        yield self._attached_path

    def _fill_tables(self, writer: duckdb.DuckDBPyConnection) -> None:
        require_log(self._attached_path)
        try:
            writer.execute(
                f"ATTACH {quote_sql(self._attached_path)} AS {ATTACHED_NAME} (READ_ONLY)"
            )
        except duckdb.Error as error:
            raise opening_refusal(self._attached_path, error) from error
        self._require_schema(writer)
        views = set(VIEW_PATTERN.findall(schema_sql()))
        for table in schema_columns().keys() - views:
            self._show_table(writer, table, f"{ATTACHED_NAME}.{table}", "rowid")

    def _require_schema(self, writer: duckdb.DuckDBPyConnection) -> None:
        """Raise StoreError unless the file is as today's program makes it."""
        found = writer.execute(SELECT_ATTACHED_NAMES, {"name": ATTACHED_NAME}).fetchall()
        tables = {name: set(columns) for name, columns in found}
        origin = database_origin(writer, tables, self._attached_path, f"{ATTACHED_NAME}.")
        require_today(origin, tables, self._attached_path)
