"""Export the tables as Parquet files by sheet and month, for DuckDB, Polars and Spark.

Files are named `FOLDER/TABLE/sheet=.../month=.../part-0.parquet`. The month is its first day; games without a
date are under `__HIVE_DEFAULT_PARTITION__`. Records are written exactly as they were uploaded, not compressed
one by one. The manifest is written last: a folder without one is incomplete.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

import duckdb
import msgspec

from analyzer.db.arrow import readable
from analyzer.db.columns import EPOCH, INSTANT, MICROSECOND, number_column
from analyzer.db.file.connecting import demand_utf8_name, quote_sql
from analyzer.db.file.store_errors import NO_ROOM_WORDS, no_room
from analyzer.db.packing.packed_record import unpack_record
from analyzer.db.schema import SCHEMA_VERSION
from analyzer.db.store import Store
from analyzer.db.tables import columns_of
from analyzer.durable_files import (
    draft_of,
    errors_about,
    make_shared_folder,
    sync_folder,
    sync_tree,
)
from records.errors import StoreError

MANIFEST_FILE_NAME = "bezique.json"
EXPORTED_TABLES = (
    "games", "deals", "seats", "tricks", "scores", "findings", "annotations", "reviews", "luck",
    "deep_reviews", "decisions", "records",
)  # fmt: skip
PARTITION_COLUMNS = ("sheet", "month")
RECORDS_PER_FILE = 2_000
"""Records unpacked at a time, and rows per file of them."""

COUNT_BY_SHEET = "SELECT sheet, count(*), sum(deals) FROM games GROUP BY sheet ORDER BY sheet"
SELECT_PACKED_RECORDS = """
    SELECT game, digest, name, line, size, data, stored_at
    FROM read_parquet($file, hive_partitioning = false, file_row_number = true)
    WHERE file_row_number BETWEEN $start AND $start + {} - 1
"""
COUNT_FILE_ROWS = "SELECT count(*) FROM read_parquet($file, hive_partitioning = false)"
COPY_TO_PARQUET = "COPY ({}) TO {} (FORMAT parquet, COMPRESSION {}{})"
PARTITION_OPTIONS = (
    ", PARTITION_BY (sheet, month), FILENAME_PATTERN 'part-{i}', OVERWRITE_OR_IGNORE"
)


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
    demand_utf8_name(folder)
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
    sheets = cursor.execute(COUNT_BY_SHEET).fetchall()
    total = sum(games for _, games, _ in sheets)
    done = 0.0
    for sheet, games, _ in sheets:
        for table in EXPORTED_TABLES:
            for share in _write_table(cursor, draft, table, sheet):
                progress(ExportProgress(done + games * share / len(EXPORTED_TABLES), total))
            done += games / len(EXPORTED_TABLES)
    return Manifest(SCHEMA_VERSION, total, sum(deals for *_, deals in sheets))


def _write_table(
    cursor: duckdb.DuckDBPyConnection, draft: Path, table: str, sheet: str
) -> Iterator[float]:
    """Write the rows of one sheet of a table; yields the share that is done."""
    own = [name for name, *_ in cursor.execute(f"DESCRIBE {table}").fetchall()]
    more = "".join(f", games.{key}" for key in PARTITION_COLUMNS if key not in own)
    join = "JOIN games USING (game)" if more else ""
    selected = f"SELECT it.*{more} FROM {table} AS it {join} WHERE {'it' if 'sheet' in own else 'games'}.sheet = {quote_sql(sheet)}"
    if table != "records":
        cursor.execute(
            COPY_TO_PARQUET.format(selected, quote_sql(draft / table), "zstd", PARTITION_OPTIONS)
        )
        yield 1.0
        return
    # Records are packed one by one in the database, which SQL cannot undo: they are copied first and
    # unpacked file by file, so that memory holds only some of them.
    packed = draft / "packed"
    cursor.execute(
        COPY_TO_PARQUET.format(selected, quote_sql(packed), "uncompressed", PARTITION_OPTIONS)
    )
    files = sorted(packed.rglob("*.parquet"))
    for number, file in enumerate(files, start=1):
        _unpack(cursor, file, draft / table / file.relative_to(packed).parent)
        yield number / len(files)
    rmtree(packed, ignore_errors=True)


def _unpack(cursor: duckdb.DuckDBPyConnection, file: Path, target: Path) -> None:
    """Write the records of a file again, unpacked."""
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
        path = target / f"part-{number}.parquet"
        with readable(cursor, columns):
            cursor.execute(COPY_TO_PARQUET.format("FROM incoming", quote_sql(path), "zstd", ""))
    file.unlink()


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
