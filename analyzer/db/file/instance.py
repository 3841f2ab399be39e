"""The open instance of DuckDB: its cursors, and how it is replaced when it has become useless.

DuckDB gives an instance up after a fatal error; every statement fails from then on, and a new instance can be
opened only once every cursor of the old one is closed. The same is done if the file was replaced by another.
"""

import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from analyzer.db.file.copying import log_of
from analyzer.db.file.store_errors import StoreReopened, StoreUnavailable, damaged, known_trouble
from analyzer.durable_files import make_private, sync_folder
from analyzer.trouble_log import TroubleLog
from records.errors import StoreError

CLOSING_SECONDS = 10.0
"""How long a statement may go on after it was interrupted."""
CLOSING_PAUSE_SECONDS = 0.005
Identity = tuple[int, int]
"""The device and the number of a file."""


class DatabaseInstance:
    """An instance of DuckDB on the file at `path`; `number` counts how often it was opened.

    `connect` opens it, and `prepare` makes it ready with the cursor that will write.

    `replace`, `close` and `writer` may be called by one thread at a time only.
    """

    def __init__(
        self,
        path: Path,
        connect: Callable[[], duckdb.DuckDBPyConnection],
        prepare: Callable[[duckdb.DuckDBPyConnection], None],
    ) -> None:
        self.path = path
        self.number = 0
        self._connect, self._prepare = connect, prepare
        self._in_memory = str(path) == ":memory:"
        self._closed = False
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._writer: duckdb.DuckDBPyConnection | None = None
        self._cursors: weakref.WeakSet[duckdb.DuckDBPyConnection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._file: Identity | None = None
        self._log: Identity | None = None
        self._troubles = TroubleLog()

    def open(self) -> None:
        """Open the database; raises StoreError."""
        connection = self._connect()
        writer = connection.cursor()
        try:
            self._prepare(writer)
        except BaseException as error:
            writer.close()
            connection.close()
            if isinstance(error, duckdb.Error):
                raise known_trouble(self.path, error) or damaged(self.path, str(error)) from error
            raise
        self._connection, self._writer = connection, writer
        self.number += 1
        if not self._in_memory:
            make_private(self.path)
            self._file = _identity(self.path)
            self.require_durable_names()

    def close(self) -> None:
        """Write the log into the file, if it is still this one and there is room, and close it."""
        with suppress(duckdb.Error):
            if self._writer and self._is_in_place() and log_of(self.path).exists():
                self._writer.execute("CHECKPOINT")
        self._closed = True
        self._close_cursors()

    def replace(self, number: int) -> None:
        """Open the database again, unless that was done since it had this number; raises StoreError.

        Statements at work are interrupted. A file that is not there is not made anew.
        """
        if self._closed:
            raise StoreUnavailable(f"the database {self.path} is closed")
        if number != self.number:
            return
        self._troubles.begin("instance", f"{self.path} is closed and opened again")
        self._close_cursors()
        self.number += 1
        if not self._in_memory and not self.path.exists():
            raise self._absent()
        try:
            self.open()
        except StoreError as error:
            self._troubles.begin("opening", f"the database stays closed: {error}")
            raise
        self._troubles.end("opening", f"{self.path} is open")
        self._troubles.end("instance", f"{self.path} is open again")

    def writer(self) -> duckdb.DuckDBPyConnection:
        """The writing cursor; raises StoreError."""
        if self.is_stale():
            self.replace(self.number)
        self.require_file()
        assert self._writer is not None
        return self._writer

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A new cursor; raises StoreReopened if the database is being opened again."""
        with self._lock:
            if self._connection is None:
                raise StoreReopened(f"the database {self.path} is closed")
            try:
                cursor = self._connection.cursor()
            except duckdb.ConnectionException as error:
                raise StoreReopened(f"the database {self.path} is being opened again") from error
            self._cursors.add(cursor)
            return cursor

    def is_stale(self) -> bool:
        """Whether the database has to be opened again: it is closed, or its file was replaced."""
        if self._connection is None:
            return True
        here = None if self._in_memory else _identity(self.path)
        return here is not None and here != self._file

    def require_file(self) -> None:
        """Raise StoreUnavailable if the file is not where it was: what is written to it would be lost."""
        if not self._is_in_place():
            raise self._absent()
        self._troubles.end("file", f"{self.path} is back")

    def require_durable_names(self) -> None:
        """Send the names of the file and its log to the disk if they are new; raises StoreUnavailable."""
        if self._in_memory:
            return
        self.require_file()
        log = _identity(log_of(self.path))
        if log != self._log or log is None:
            make_private(log_of(self.path))
            try:
                sync_folder(self.path.parent)
            except OSError as error:
                raise StoreUnavailable(
                    f"the folder {self.path.parent} cannot be used: {error.strerror}"
                ) from error
            self._log = log

    def _is_in_place(self) -> bool:
        return self._in_memory or _identity(self.path) == self._file

    def _absent(self) -> StoreUnavailable:
        message = f"the database {self.path} is not there any more: nothing can be stored until it is back"
        self._troubles.begin("file", message)
        return StoreUnavailable(message)

    def _close_cursors(self) -> None:
        """Close every cursor, interrupting what runs; raises StoreUnavailable if a statement does not end."""
        with self._lock:
            connections = [*self._cursors, self._writer, self._connection]
            self._cursors.clear()
            self._writer = self._connection = None
        deadline = time.monotonic() + CLOSING_SECONDS
        for connection in filter(None, connections):
            _close(connection, deadline)


def _close(connection: duckdb.DuckDBPyConnection, deadline: float) -> None:
    while True:
        try:
            connection.interrupt()
            connection.close()
        except duckdb.ConnectionException:
            return  # closed already
        except duckdb.Error:  # it is in use: a statement has not noticed the interruption yet
            if time.monotonic() > deadline:
                raise StoreUnavailable("a statement does not end") from None
            time.sleep(CLOSING_PAUSE_SECONDS)
        else:
            return


def _identity(path: Path) -> Identity | None:
    """The identity of a file; None if it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
