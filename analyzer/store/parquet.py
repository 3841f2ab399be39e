"""The tables as Parquet files: exported, and opened as a store for reading only."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import NoReturn

import duckdb
import msgspec

from analyzer.store.acknowledged import read_number, require_acknowledged
from analyzer.store.durable_files import (
    draft_of,
    errors_about,
    make_shared_folder,
    sync_folder,
    sync_tree,
)
from analyzer.store.instance import (
    NO_ROOM_WORDS,
    demand_folder_name,
    no_room,
    opening_refusal,
    quote_sql,
    require_log,
)
from analyzer.store.packing import unpack_record
from analyzer.store.schema import (
    SCHEMA_VERSION,
    VIEW_PATTERN,
    database_origin,
    require_today,
    schema_columns,
    schema_sql,
)
from analyzer.store.store import DATABASE_FILE_NAME, Store, StoreReadOnly
from analyzer.store.sums import SUM_TABLES, sums_sql
from analyzer.store.tables import EPOCH, INSTANT, MICROSECOND, columns_of, number_column, readable
from records.errors import StoreError

# The export: the tables as files for DuckDB, Polars, pandas and Spark.
#
# Files are named `FOLDER/TABLE/part-0.parquet`, and a large table has several. All their columns are inside, `sheet` and
# `month` among them, in the order of which the rows lie; integers are signed, as not every program reads others. Records are
# written exactly as they were uploaded, not compressed one by one. The manifest is written last: a folder without one is
# incomplete.

MANIFEST_FILE_NAME = "bezique.json"
EXPORTED_TABLES = (
    "games", "other_games", "former_digests", "deals", "seats", "tricks", "scores", "cards", "findings", "game_reviews",
    "reviews", "luck", "decisions", "corrections", "records",
)  # fmt: skip
WHOLE_TABLES = ("evening_steps", "rulebooks")
"""Tables about no game, each in one file."""
ORDER_COLUMNS = ("sheet", "month")
RECORDS_PER_FILE = 2_000
"""Records unpacked at a time, and rows per file of them."""

SIGNED = {"UTINYINT": "SMALLINT"}
"""The integers that are written as larger ones with a sign."""
FILE_BYTES = 256_000_000
"""A file is closed once it is larger."""

COUNT_GAMES_AND_DEALS = "SELECT count(*), coalesce(sum(deals), 0) FROM games"
SELECT_PACKED_RECORDS = """
    SELECT game, digest, name, line, size, data, stored_at
    FROM read_parquet($file, file_row_number = true)
    WHERE file_row_number BETWEEN $start AND $start + {} - 1
"""
UNPACKED_RECORDS = "SELECT incoming.*, games.sheet, games.month FROM incoming JOIN stored_games AS games USING (game)"
COUNT_FILE_ROWS = "SELECT count(*) FROM read_parquet($file)"
COPY_TO_PARQUET = "COPY ({}) TO {} (FORMAT parquet, COMPRESSION {}{})"
SEVERAL_FILES = f", FILE_SIZE_BYTES {FILE_BYTES}, FILENAME_PATTERN 'part-{{i}}'"


class Manifest(msgspec.Struct, frozen=True):
    """The contents of a folder: its schema version, and how many games and deals it has."""

    schema: int
    games: int
    deals: int


@dataclass(frozen=True, slots=True)
class ExportProgress:
    """How many games are written, out of how many; each table written counts as a share of a game."""

    done: float
    games: int


def export_parquet(
    store: Store, folder: Path, progress: Callable[[ExportProgress], None] | None = None
) -> Manifest:
    """Write all tables into a new folder; raises OSError, and StoreError if the folder is not empty.

    The store must have been opened with `files` set to a folder that contains the new one.
    """
    demand_folder_name(folder)
    if folder.exists() and any(folder.iterdir()):
        raise StoreError(f"choose another folder: {folder} is not empty")
    draft = draft_of(folder)
    make_shared_folder(draft)
    try:
        with store.writing() as cursor, _full_disk_of(folder.parent):
            manifest = _write(cursor, draft, progress or (lambda _: None))
        with errors_about(folder / MANIFEST_FILE_NAME):
            (draft / MANIFEST_FILE_NAME).write_bytes(msgspec.json.encode(manifest))
        sync_tree(draft)
        if folder.exists():
            folder.rmdir()
        draft.rename(folder)
        sync_folder(folder.parent)
    finally:
        rmtree(draft, ignore_errors=True)
    return manifest


@contextmanager
def _full_disk_of(folder: Path) -> Iterator[None]:
    """Let an error of a full disk name the one that is written to, which may not be that of the database."""
    try:
        yield
    except duckdb.Error as error:
        if any(words in str(error) for words in NO_ROOM_WORDS):
            raise no_room(folder) from error
        raise


def _write(
    cursor: duckdb.DuckDBPyConnection, draft: Path, progress: Callable[[ExportProgress], None]
) -> Manifest:
    ((games, deals),) = cursor.execute(COUNT_GAMES_AND_DEALS).fetchall()
    for number, table in enumerate(EXPORTED_TABLES):
        for share in _write_table(cursor, draft, table):
            progress(ExportProgress(games * (number + share) / len(EXPORTED_TABLES), games))
    for table in WHOLE_TABLES:
        cursor.execute(_copy(_selected(cursor, table), draft / table, "zstd", SEVERAL_FILES))
    return Manifest(SCHEMA_VERSION, games, deals)


def _copy(selected: str, target: Path, compression: str, options: str = "") -> str:
    return COPY_TO_PARQUET.format(selected, quote_sql(target), compression, options)


def _selected(cursor: duckdb.DuckDBPyConnection, table: str, more: str = "") -> str:
    """The rows of a table, integers with a sign."""
    described = cursor.execute(f"DESCRIBE {table}").fetchall()
    columns = [
        f"it.{name}::{SIGNED[kind]} AS {name}" if kind in SIGNED else f"it.{name}"
        for name, kind, *_ in described
    ]
    return f"SELECT {', '.join(columns)}{more} FROM {table} AS it"


def _write_table(cursor: duckdb.DuckDBPyConnection, draft: Path, table: str) -> Iterator[float]:
    """Write the rows of a table, those of a sheet together; yields the share that is done."""
    own = [name for name, *_ in cursor.execute(f"DESCRIBE {table}").fetchall()]
    lacking = [name for name in ORDER_COLUMNS if name not in own]
    selected = _selected(cursor, table, "".join(f", games.{name}" for name in lacking))
    selected += " JOIN stored_games AS games USING (game)" if lacking else ""
    selected += f" ORDER BY {', '.join(ORDER_COLUMNS)}, it.game"
    if table != "records":
        cursor.execute(_copy(selected, draft / table, "zstd", SEVERAL_FILES))
        yield 1.0
        return
    # Records are packed one by one in the database, which SQL cannot undo: they are copied first and
    # unpacked part by part, so that memory holds only some of them.
    packed = draft / "packed.parquet"
    cursor.execute(_copy(selected, packed, "uncompressed"))
    yield from _unpack(cursor, packed, draft / table)
    packed.unlink()


def _unpack(cursor: duckdb.DuckDBPyConnection, file: Path, target: Path) -> Iterator[float]:
    """Write the records of a file again, unpacked, in files of so many; yields the share that is done."""
    target.mkdir(parents=True)
    ((length,),) = cursor.execute(COUNT_FILE_ROWS, {"file": str(file)}).fetchall()
    for number, start in enumerate(range(0, length, RECORDS_PER_FILE)):
        found = cursor.execute(
            SELECT_PACKED_RECORDS.format(RECORDS_PER_FILE), {"file": str(file), "start": start}
        )
        *rows, times = zip(*found.fetchall(), strict=True)
        rows[-1] = tuple(map(unpack_record, rows[-1]))
        columns = columns_of("records", list(zip(*rows, strict=True)))
        columns["stored_at"] = number_column(
            INSTANT, [(time - EPOCH) // MICROSECOND for time in times]
        )
        with readable(cursor, columns):
            cursor.execute(_copy(UNPACKED_RECORDS, target / f"part-{number}.parquet", "zstd"))
        yield min(1.0, (start + RECORDS_PER_FILE) / length)


def is_parquet_folder(folder: Path) -> bool:
    """Whether a folder holds a complete Parquet export."""
    return (folder / MANIFEST_FILE_NAME).is_file()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder; raises OSError, and StoreError if this program cannot read the folder."""
    manifest = msgspec.json.decode((folder / MANIFEST_FILE_NAME).read_bytes(), type=Manifest)
    if manifest.schema != SCHEMA_VERSION:
        raise StoreError(
            f"the Parquet files in {folder} have schema {manifest.schema}, but this program reads schema {SCHEMA_VERSION}: "
            "export them again"
        )
    return manifest


# A store that is only read: the tables of a folder under their own names, beside a database in memory.

IN_MEMORY_TABLES = ("game_reviews", "reviews", "luck", "decisions")
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
    """A store whose tables lie elsewhere and are only read; nothing is written into the folder.

    What does not fit into memory goes to a folder for passing files of this machine.
    """

    read_only = True

    def __init__(self, folder: Path, *, settings: Mapping[str, str | int] | None = None) -> None:
        self.folder = Path(folder).resolve()
        self._passing = ExitStack()
        if "temp_directory" not in (settings or {}):
            spill = TemporaryDirectory(prefix="bezique-spill-", ignore_cleanup_errors=True)
            settings = {"temp_directory": self._passing.enter_context(spill), **(settings or {})}
        try:
            super().__init__(self.folder, files=self.folder, settings=settings)
        except BaseException:
            self._passing.close()
            raise

    def close(self) -> None:
        """Close it, and delete what did not fit into memory."""
        super().close()
        self._passing.close()

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

    def __init__(self, folder: Path, *, settings: Mapping[str, str | int] | None = None) -> None:
        self._attached_path = Path(folder).resolve() / DATABASE_FILE_NAME
        demand_folder_name(self._attached_path.parent)
        if not self._attached_path.is_file():
            raise StoreError(f"there is no database in {folder}, and a read-only server makes none")
        super().__init__(folder, settings=settings)

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
        require_acknowledged(self._attached_path, read_number(writer, f"{ATTACHED_NAME}."))


# A folder of Parquet files as a store: the same tables under the same names, for reading only.

PARQUET_SOURCE = "read_parquet({})"
BY_SHEET_AND_MONTH = "sheet=*"
HIVE_SOURCE = (
    "read_parquet({}, hive_partitioning = true, hive_types = {{'sheet': VARCHAR, 'month': DATE}})"
)
"""An export of before, whose files lie in folders by sheet and month, and tell them by the names of these alone."""


class ParquetStore(ReadOnlyStore):
    """The store of a folder that `export_parquet` has written; raises StoreError."""

    caches_answers = False
    """Anybody may put other files there."""

    def __init__(self, folder: Path, *, settings: Mapping[str, str | int] | None = None) -> None:
        demand_folder_name(Path(folder))
        read_manifest(Path(folder))
        super().__init__(folder, settings=settings)

    def still(self) -> NoReturn:
        """There is no file of a database; raises StoreReadOnly."""
        raise StoreReadOnly(
            f"there are Parquet files and no database in {self.folder}: copy the folder itself"
        )

    def _fill_tables(self, writer: duckdb.DuckDBPyConnection) -> None:
        for table in (*EXPORTED_TABLES, *WHOLE_TABLES):
            files = self.folder / table
            if any(files.rglob("*.parquet")):
                form = HIVE_SOURCE if any(files.glob(BY_SHEET_AND_MONTH)) else PARQUET_SOURCE
                source = form.format(quote_sql(f"{files}/**/*.parquet"))
                self._show_table(writer, table, source, "game")
        for sums, table in SUM_TABLES.items():
            self._show_table(writer, sums, f"({sums_sql(sums, table)})", "game")
