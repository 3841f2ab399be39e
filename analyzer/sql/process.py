"""A process that runs readers' statements, and what it reads: the database as it is now.

The limits of the process are the operating system's, so that they hold whatever DuckDB does: planning a hostile
statement takes gigabytes and minutes, and looks at no limit of DuckDB. The process has a pipe to the server and nothing
else of it: no files, no variables of its environment, no secrets.

The database is read in place, while the server writes to it: a copy of a large one would cost seconds and gigabytes after
every upload. DuckDB lets one process open a database for writing, and then no other, not even for reading; so the file is
opened without its lock. That is safe because of how DuckDB survives a power cut: one of two headers leads to every block of
the current state, and a block is not used again before the next header is on the disk. As long as the headers are the same
as before, everything read is one state of the database. What the log beside the file adds to it, up to the last complete
transaction, is read when the database is opened. If the headers have changed, what was read is thrown away and read again
(`LiveDatabase.is_current`).
"""

import gc
import os
import resource
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Any

import duckdb
import msgspec
from fsspec import AbstractFileSystem  # type: ignore[import-untyped]

from analyzer.sql.guard import (
    IDLE_SECONDS,
    MOST_ANSWER_CHARACTERS,
    MOST_COLUMNS,
    MOST_NESTING,
    MOST_SQL_ROWS,
    PROCESS_BYTES,
    RETIREMENT_BYTES,
    STATEMENT_MEMORY,
    STATEMENT_THREADS,
    ForbiddenStatement,
    check_statement,
)
from analyzer.sql.pool import (
    SCALAR_TYPES,
    STOPPED,
    Outcome,
    SqlAnswer,
    StatementQuestion,
    StatementReply,
    pack_reply,
)
from analyzer.store.instance import HEADER_BYTES, is_log_readable, log_of, quote_sql
from analyzer.store.lake_store import SECONDS_TO_LOOK, LakeStore
from analyzer.store.processes import BEGUN, READY, limit, limit_cpu
from analyzer.store.store import DATABASE_FILE_NAME, QueryResult, QueryTimeout, Store
from analyzer.store.store_folders import holds_tables, open_store
from records.errors import StoreError

MOST_READINGS = 3
"""How many times a statement is run if the database changes meanwhile."""
CHANGES_TOO_OFTEN = "the games changed while it ran, as they do during an import"
CPU_SECONDS_TO_SPARE = 1
BYTES_PER_MAXRSS = 1 if sys.platform == "darwin" else 1024
"""The unit in which the system gives the largest memory."""

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

ROWS_AT_A_TIME = 20
"""Rows that are fetched before their size is looked at."""
NUMBER_CHARACTERS = 16
"""What a number counts as."""
ANSWER_TOO_LONG = "The answer is too long: select fewer rows or fewer columns."
TOO_MUCH_MEMORY = (
    "The statement needs more memory than is allowed here (Out of Memory Error). Ask for less."
)

PROTOCOL = "unlocked"
"""What addresses of such files begin with, before `://`."""


def serve_statements(connection: Connection, folder: str, look_every: str) -> None:
    """Answer statements until the server closes the connection, or the process should make way for a new one.

    A lake is looked at for changes as often as `look_every` says, in seconds.
    """
    limit(resource.RLIMIT_AS, PROCESS_BYTES)
    limit(resource.RLIMIT_FSIZE, 0)
    database = LiveDatabase(Path(folder), float(look_every))
    gc.freeze()
    _warm_up(database)
    goes_on = True
    while goes_on:
        connection.send_bytes(READY)
        goes_on = _serve_one(connection, database) and not _has_grown()


def _warm_up(database: "LiveDatabase") -> None:
    """Do what the first statement would otherwise wait for; it would also tell what is wrong."""
    with suppress(OSError, StoreError, duckdb.Error, ForbiddenStatement, QueryTimeout):
        _answer(database, StatementQuestion("SELECT count(*) FROM games WHERE sheet IS NULL", 3))


def _serve_one(connection: Connection, database: "LiveDatabase") -> bool:
    """Wait for a statement and reply to it; returns whether the process can go on."""
    if not connection.poll(IDLE_SECONDS):
        database.close()
    question = msgspec.json.decode(connection.recv_bytes(), type=StatementQuestion)
    connection.send_bytes(BEGUN)
    limit_cpu(question.seconds * STATEMENT_THREADS + CPU_SECONDS_TO_SPARE)
    try:
        reply, is_whole = _answer(database, question), True
    except MemoryError:
        reply, is_whole = StatementReply(Outcome.FORBIDDEN, TOO_MUCH_MEMORY), False
    except (OSError, StoreError, duckdb.Error) as error:
        reply, is_whole = StatementReply(Outcome.FAILED, str(error)), False
    connection.send_bytes(pack_reply(reply))
    return is_whole


def _answer(database: "LiveDatabase", question: StatementQuestion) -> StatementReply:
    try:
        for _ in range(MOST_READINGS):
            with suppress(ChangedMeanwhile):
                answer = answer_statement(database, question.sql, question.seconds)
                return StatementReply(Outcome.ANSWERED, answer=answer)
    except ForbiddenStatement as why:
        return StatementReply(Outcome.FORBIDDEN, str(why))
    except QueryTimeout as why:
        return StatementReply(Outcome.STOPPED, str(why))
    return StatementReply(Outcome.STOPPED, CHANGES_TOO_OFTEN)


def _has_grown() -> bool:
    """Whether this process has used so much memory that it should make way for a new one."""
    return _most_memory() > RETIREMENT_BYTES or _address_space() > PROCESS_BYTES * 3 // 4


def _most_memory() -> int:
    """The most bytes that this process has used so far.

    Linux begins `ru_maxrss` with what the server used when it started this process, so its own mark goes before.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_PER_MAXRSS


def _address_space() -> int:
    """The bytes that are reserved now; 0 where the system does not tell."""
    try:
        pages, *_ = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()


class ChangedMeanwhile(Exception):
    """The database changed while the statement ran: its answer may be of no single state."""


def answer_statement(database: "LiveDatabase", sql: str, seconds: float) -> SqlAnswer:
    """Check and run a statement.

    Raises ForbiddenStatement with a sentence, QueryTimeout, ChangedMeanwhile, and what `LiveDatabase` raises.
    """
    connection = database.connection()
    try:
        check_statement(connection, sql)
        answer = run_unchecked(connection, sql, seconds)
    except (duckdb.Error, ForbiddenStatement, QueryTimeout) as error:
        if not database.is_current():
            raise ChangedMeanwhile from error
        if isinstance(error, duckdb.FatalException | duckdb.InternalException):
            database.close()  # nothing can be read through this connection any more
        if isinstance(error, duckdb.IOException):
            raise  # the file, whose path concerns nobody
        if isinstance(error, duckdb.Error):
            raise ForbiddenStatement(_sentence(error)) from error
        raise
    except MemoryError as error:
        raise ForbiddenStatement(TOO_MUCH_MEMORY) from error
    if not database.is_current():
        raise ChangedMeanwhile
    return answer


def run_unchecked(connection: duckdb.DuckDBPyConnection, sql: str, seconds: float) -> SqlAnswer:
    """Run a checked statement in a read-only transaction; raises as `answer_statement`, and duckdb.Error."""
    start = perf_counter()
    try:
        with _reading(connection, seconds):
            connection.execute(sql)
            names = tuple(column[0] for column in connection.description or ())
            if len(names) > MOST_COLUMNS:
                raise ForbiddenStatement(
                    f"The answer has {len(names):,} columns; at most {MOST_COLUMNS:,} are allowed."
                )
            rows, more = _fetch(connection, names)
    except duckdb.InterruptException as error:
        raise QueryTimeout(STOPPED.format(seconds)) from error
    ms = round((perf_counter() - start) * 1000, 1)
    return SqlAnswer(sql, QueryResult(names, rows), more, ms)


@contextmanager
def _reading(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """A read-only transaction, interrupted when the time is up."""
    timer = threading.Timer(seconds, connection.interrupt)
    connection.execute("BEGIN TRANSACTION READ ONLY")
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        with suppress(duckdb.Error):
            connection.execute("ROLLBACK")


def _fetch(
    connection: duckdb.DuckDBPyConnection, names: Sequence[str]
) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows, and whether there are more than these; raises ForbiddenStatement if they are too long."""
    rows: list[tuple[Any, ...]] = []
    room = MOST_ANSWER_CHARACTERS - sum(map(len, names))
    while len(rows) <= MOST_SQL_ROWS and (fetched := connection.fetchmany(ROWS_AT_A_TIME)):
        for row in fetched:
            rows.append(tuple(_plain(cell) for cell in row))
            room -= sum(_size(cell) for cell in rows[-1])
            if room < 0:
                raise ForbiddenStatement(ANSWER_TOO_LONG)
    return rows[:MOST_SQL_ROWS], len(rows) > MOST_SQL_ROWS


def _plain(cell: Any, levels: int = MOST_NESTING) -> Any:
    """The cell, made of types that a reply may hold; the names of its parts are text."""
    if cell is None or type(cell) in SCALAR_TYPES:
        return cell
    if levels == 0:
        raise ForbiddenStatement(f"A cell has more than {MOST_NESTING} levels of lists or structs.")
    if isinstance(cell, dict):
        return {
            key if type(key) is str else str(key): _plain(part, levels - 1)
            for key, part in cell.items()
        }
    if isinstance(cell, list | tuple):
        return [_plain(part, levels - 1) for part in cell]
    return str(cell)


def _size(cell: Any) -> int:
    if isinstance(cell, str | bytes):
        return len(cell)
    if isinstance(cell, dict):
        return sum(len(key) + _size(part) for key, part in cell.items())
    if isinstance(cell, list):
        return sum(map(_size, cell)) + NUMBER_CHARACTERS
    return NUMBER_CHARACTERS


def _sentence(error: duckdb.Error) -> str:
    if isinstance(error, duckdb.OutOfMemoryException):
        return TOO_MUCH_MEMORY
    lines = [line for line in str(error).splitlines() if line][:2]
    return "DuckDB says: " + (" ".join(lines) or type(error).__name__)


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """What tells two states of a database apart: its headers, and the file, size and time of its log."""

    headers: bytes
    log: tuple[int, int, int] | None


class LiveDatabase:
    """A data folder's database, or tables that are only read; opened at the first use, a database after every change."""

    def __init__(self, folder: Path, look_every: float = SECONDS_TO_LOOK) -> None:
        self._look_every = look_every
        self._path = folder.resolve() / DATABASE_FILE_NAME
        self._tables = folder if holds_tables(folder) else None
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._store: Store | None = None
        self._state: DatabaseState | None = None

    def connection(self) -> duckdb.DuckDBPyConnection:
        """The one connection, to the current state; raises OSError, StoreError or duckdb.Error."""
        if self._tables is not None:
            if self._store is None:
                self._store = open_store(self._tables, settings=STATEMENT_SETTINGS)
                if isinstance(self._store, LakeStore):
                    self._store.look_every = self._look_every
            if self._store.look_for_changes() or self._connection is None:
                self._connection = self._store.cursor()
        elif self._connection is None or read_state(self._path) != self._state:
            self.close()
            self._connection, self._state = _open(self._path)
        return self._connection

    def is_current(self) -> bool:
        """Whether everything read since `connection` was called belongs to one state of the database."""
        return self._tables is not None or (
            self._state is not None and read_headers(self._path) == self._state.headers
        )

    def close(self) -> None:
        """Close the files and free the memory; they are opened again when they are needed."""
        opened, self._connection, self._state = self._connection, None, None
        if opened is not None:
            with suppress(duckdb.Error):
                opened.close()
        if self._store is not None:
            self._store.close()
            self._store = None


def read_headers(path: Path) -> bytes:
    """The headers of a database file: what kind of file it is, and two that are written in turns; raises OSError."""
    with path.open("rb", buffering=0) as file:
        return file.read(HEADER_BYTES)


def read_state(path: Path) -> DatabaseState:
    """The state of a database file and its log; raises OSError."""
    headers, log = read_headers(path), None
    with suppress(FileNotFoundError):
        found = log_of(path).stat()
        log = (found.st_ino, found.st_size, found.st_mtime_ns)
    return DatabaseState(headers, log)


def _open(path: Path) -> tuple[duckdb.DuckDBPyConnection, DatabaseState]:
    """The database with its state; rows that are added to the log meanwhile are read now or the next time."""
    end = time.monotonic() + OPENING_SECONDS
    while True:
        state = read_state(path)
        failure: duckdb.Error = duckdb.IOException("the database changes all the time")
        try:
            if not is_log_readable(path):  # DuckDB would take it for an empty one
                raise duckdb.IOException(f"{log_of(path)} does not begin as it was written")
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


class UnlockedFile:
    """A file for reading; every thread has its own position in it, because DuckDB's threads share the file."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._positions: dict[int, int] = {}
        self.closed = False

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a position, which is returned."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self._size()}[whence]
        self._positions[threading.get_ident()] = base + offset
        return base + offset

    def tell(self) -> int:
        """The position of this thread."""
        return self._positions.get(threading.get_ident(), 0)

    def read(self, size: int = -1) -> bytes:
        """The next bytes: as many as asked for, fewer only at the end of the file."""
        start = position = self.tell()
        end = self._size() if size < 0 else start + size
        parts = []
        while position < end:
            part = os.pread(self._descriptor, end - position, position)
            if not part:
                break
            parts.append(part)
            position += len(part)
        self._positions[threading.get_ident()] = position
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self.closed = True
            os.close(self._descriptor)

    def _size(self) -> int:
        return os.fstat(self._descriptor).st_size


class UnlockedFileSystem(AbstractFileSystem):  # type: ignore[misc]
    """The files of this machine, for reading only, under addresses like `unlocked:///folder/file`."""

    protocol = PROTOCOL
    cachable = False

    def open(self, path: str, mode: str = "rb", **_: Any) -> UnlockedFile:
        """Open a file for reading; raises OSError."""
        if mode != "rb":
            raise PermissionError(f"{path} can only be read")
        return UnlockedFile(_local_path(path))

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """The size and the time of a file; raises OSError."""
        found = os.stat(_local_path(path))  # noqa: PTH116
        return {"name": path, "size": found.st_size, "type": "file", "mtime": found.st_mtime}

    def exists(self, path: str, **_: Any) -> bool:
        """Whether there is such a file."""
        return os.path.exists(_local_path(path))  # noqa: PTH110

    def modified(self, path: str) -> datetime:
        """When the file was written last."""
        return datetime.fromtimestamp(self.info(path)["mtime"], UTC)


def _local_path(address: str) -> str:
    return "/" + address.removeprefix(f"{PROTOCOL}://").lstrip("/")
