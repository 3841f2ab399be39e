"""The database as it is now, read in another process than the one that writes to it.

It is read in place: a copy of a large database would cost seconds and gigabytes after every upload. The file is
opened without its lock (`unlocked_files`), which is safe because of how DuckDB survives a power cut: one of two
headers leads to every block of the current state, and a block is not used again before the next header is on the
disk. As long as the headers are the same as before, everything read is one state of the database. What the log beside the
file adds to it, up to the last complete transaction, is read when the database is opened. If the headers have
changed, what was read is thrown away and read again (`is_current`).
"""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from analyzer.db.file.connecting import quote_sql
from analyzer.db.parquet_export import is_parquet_folder
from analyzer.db.parquet_store import ParquetStore
from analyzer.db.store import DATABASE_FILE_NAME
from analyzer.sql.statement_limits import STATEMENT_MEMORY, STATEMENT_THREADS
from analyzer.sql.unlocked_files import PROTOCOL, UnlockedFileSystem

HEADER_BYTES = 3 * 4096
"""The start of a database file: what kind of file it is, and the two headers that are written in turns."""

OPENING_SECONDS = 2.0
OPENING_PAUSE_SECONDS = 0.02
"""How long opening is tried, and how often: it fails while the headers are written and the log begins anew."""

STATEMENT_SETTINGS: Mapping[str, str | int] = {
    "threads": STATEMENT_THREADS,
    "memory_limit": STATEMENT_MEMORY,
    "temp_directory": "",
}
CONNECTION_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    **STATEMENT_SETTINGS,
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """What tells two states of a database apart: its headers, and the file, size and time of its log."""

    headers: bytes
    log: tuple[int, int, int] | None


class LiveDatabase:
    """A data folder's database or Parquet files, for reading; opened at the first use and after every change."""

    def __init__(self, folder: Path) -> None:
        self._path = folder.resolve() / DATABASE_FILE_NAME
        self._parquet = folder if is_parquet_folder(folder) else None
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._state: DatabaseState | None = None

    def connection(self) -> duckdb.DuckDBPyConnection:
        """The one connection, to the current state; raises OSError, StoreError or duckdb.Error."""
        if self._parquet is not None:
            if self._connection is None:
                self._connection = ParquetStore(self._parquet, settings=STATEMENT_SETTINGS).cursor()
        elif self._connection is None or read_state(self._path) != self._state:
            self.close()
            self._connection, self._state = _open(self._path)
        return self._connection

    def is_current(self) -> bool:
        """Whether everything read since `connection` was called belongs to one state of the database."""
        return self._parquet is not None or (
            self._state is not None and read_headers(self._path) == self._state.headers
        )

    def close(self) -> None:
        """Close the files and free the memory; they are opened again when they are needed."""
        opened, self._connection, self._state = self._connection, None, None
        if opened is not None:
            with suppress(duckdb.Error):
                opened.close()


def read_headers(path: Path) -> bytes:
    """The headers of a database file; raises OSError."""
    with path.open("rb", buffering=0) as file:
        return file.read(HEADER_BYTES)


def read_state(path: Path) -> DatabaseState:
    """The state of a database file and its log; raises OSError."""
    headers, log = read_headers(path), None
    with suppress(FileNotFoundError):
        found = path.with_name(f"{path.name}.wal").stat()
        log = (found.st_ino, found.st_size, found.st_mtime_ns)
    return DatabaseState(headers, log)


def _open(path: Path) -> tuple[duckdb.DuckDBPyConnection, DatabaseState]:
    """The database with its state; rows that are added to the log meanwhile are read now or the next time."""
    end = time.monotonic() + OPENING_SECONDS
    while True:
        state = read_state(path)
        failure: duckdb.Error = duckdb.IOException("the database changes all the time")
        try:
            connection = _connect(path)
        except duckdb.Error as error:  # half of a header or of a log, perhaps
            failure = error
        else:
            if read_headers(path) == state.headers:
                return connection, state
            connection.close()
        if time.monotonic() > end:
            raise failure
        time.sleep(OPENING_PAUSE_SECONDS)


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:", config=CONNECTION_SETTINGS)
    try:
        connection.register_filesystem(UnlockedFileSystem())
        address = quote_sql(f"{PROTOCOL}://{path}")
        connection.execute(f"ATTACH {address} AS {path.stem} (READ_ONLY)")
        connection.execute(f"USE {path.stem}")
        connection.execute("DETACH memory")
        connection.execute("SET storage_block_prefetch = 'NEVER'")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except BaseException:
        connection.close()
        raise
    return connection
