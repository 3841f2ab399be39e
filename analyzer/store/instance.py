"""The open instance of DuckDB: opened, watched, copied, and what its errors say about the file."""

import errno
import hashlib
import logging
import os
import re
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from shutil import disk_usage

import duckdb

from analyzer.store.durable_files import (
    NO_ROOM_ERRORS,
    make_private,
    make_private_folder,
    remove_file,
    sync_folder,
    write_file,
)
from analyzer.store.trouble_log import TroubleLog
from records.errors import StoreError
from records.phrases import address_refusal, is_address, path_text, system_reason

log = logging.getLogger(__name__)

# What can be wrong with a database: DuckDB's errors as errors of the store, each with its sentence.

LOCK_REFUSAL = "IO Error: Could not set lock on file"
"""How DuckDB's error begins where another process has the file open."""
NO_ROOM_WORDS = ("No space left on device", "Disk quota exceeded", "File too large")
"""What the operating system says of a full disk, as DuckDB repeats it."""
EXHAUSTION_WORDS = ("Too many open files", "Cannot allocate memory")
DAMAGE_WORDS = ("Corrupt", "corrupt", "checksum", "Failure while replaying WAL")
"""What DuckDB says while it reads a damaged file, beside all errors of reading that name the file."""


class StoreInUse(StoreError):
    """Another process uses the database at `used_database`."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"the database {path} is in use by another process, and only one can use it at a time: "
            "stop the server or the import that has this data folder open, use the server's pages, or ask the server "
            "with `bezique --server ADDRESS`"
        )
        self.used_database = path


class StoreDamaged(StoreError):
    """The database is not as this program wrote it."""


class StoreFull(StoreError):
    """There is no room on the disk; what was to be written is not stored, everything else is."""


class StoreUnavailable(StoreError):
    """The database cannot be used at the moment; nothing is wrong with what is stored."""


class StoreExhausted(StoreUnavailable):
    """The machine has too little of something; the text is for whoever asked, and names nothing of the server."""


class StoreReopened(StoreError):
    """The database was opened again while a statement ran: run it again."""


def known_trouble(path: Path, error: duckdb.Error) -> StoreError | None:
    """An error of DuckDB as one of the store, if the disk, the machine or the file is to blame."""
    reason = str(error)
    if any(words in reason for words in NO_ROOM_WORDS):
        return no_room(path.parent)
    if any(words in reason for words in EXHAUSTION_WORDS):
        return StoreExhausted("the server is short of open files or memory: try again later")
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreExhausted("the question needs more memory than it may have: ask for less")
    unread = isinstance(error, duckdb.IOException) and str(path) in reason
    nonsense = isinstance(error, duckdb.SerializationException | duckdb.InternalException)
    if unread or nonsense or any(words in reason for words in DAMAGE_WORDS):
        return damaged(path, first_line(reason))
    return None


def damaged(path: Path, reason: str) -> StoreDamaged:
    """The error for a damaged database."""
    return StoreDamaged(
        f"the database {path} is damaged ({reason.rstrip('.')}): `bezique doctor` says what can be rescued"
    )


def no_room(folder: Path) -> StoreFull:
    """The error for a full disk."""
    return StoreFull(
        f"there is no room left on the disk of {folder}: nothing was stored, and what was stored before is safe"
    )


def first_line(reason: str) -> str:
    """The first line of an error that is not empty."""
    return next((line for line in reason.splitlines() if line), "no reason given")


# Copy a database that is in use.

COPY_SCRIPT = """
import os, shutil, sys
try:
    with open(sys.argv[1], "rb") as source:
        with os.fdopen(os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            shutil.copyfileobj(source, target, 1024 * 1024)
            target.flush()
            os.fsync(target.fileno())
except OSError as error:
    sys.exit(str(error.errno or 5))
"""

_NUMBER = rb"[\x80-\xff]*[\x00-\x7f]"
LOG_START = re.compile(
    rb"d\0be\0(?:\x01|\x02f\0\x10(?:%b){16}g\0%b)\xff\xff" % (_NUMBER, _NUMBER), re.DOTALL
)
"""How DuckDB's logs begin: their version, and from version 2 on the 16 bytes that tell databases apart and the number of
the checkpoint."""
LONGEST_LOG_START = 64
LOG_ASIDE_ENDING = ".kept"
"""How the names of logs end that were set aside."""


def log_of(path: Path) -> Path:
    """DuckDB's log of a database: what it has not yet written into the file itself."""
    return path.with_name(f"{path.name}.wal")


def is_log_readable(path: Path) -> bool:
    """Whether the log of a database, if there is one, begins as DuckDB writes it; raises OSError.

    DuckDB takes one that does not for an empty one, and deletes it. What is shorter than that holds no transaction.
    """
    try:
        with log_of(path).open("rb") as file:
            start = file.read(LONGEST_LOG_START)
    except FileNotFoundError:
        return True
    return len(start) < LONGEST_LOG_START or LOG_START.match(start) is not None


def set_log_aside(path: Path) -> Path | None:
    """Keep a copy of a database's log, so that nothing that opens the database overwrites it; None if there is none.

    The name tells what is in it, so that a log is kept once. Raises OSError.
    """
    place = log_of(path)
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        return None
    kept = place.with_name(
        f"{place.name}.{hashlib.sha256(data).hexdigest()[:12]}{LOG_ASIDE_ENDING}"
    )
    if data and not kept.exists():
        write_file(kept, data)
    return kept if data else None


def logs_set_aside(path: Path) -> list[Path]:
    """The logs of a database that were set aside."""
    return sorted(path.parent.glob(f"{log_of(path).name}.*{LOG_ASIDE_ENDING}"))


def copy_database(path: Path, target: Path) -> None:
    """Copy a database that nothing writes to, with its log, into one file; the copy is on the disk at the end.

    The file must not be there. Raises StoreFull, and OSError if the copy cannot be written.
    """
    sources = [source for source in (path, log_of(path)) if source.exists()]
    needed = sum(source.stat().st_size for source in sources)
    free = disk_usage(target.parent).free
    if free < needed:
        raise StoreFull(
            f"there is no room for a copy in {target.parent}: it needs {needed / 1e6:,.1f} MB, "
            f"and {free / 1e6:,.1f} MB are free"
        )
    draft = draft_of(target)
    try:
        for file in (draft, log_of(draft)):
            remove_file(file)
        for source in sources:
            _copy_file(source, draft if source is path else log_of(draft))
        _merge_log(draft)
        os.link(draft, target)
    finally:
        for file in (draft, log_of(draft)):
            with suppress(OSError):
                remove_file(file)


def draft_of(target: Path) -> Path:
    """The name of a copy while it is made."""
    return target.with_name(f".{target.name}.draft")


def _copy_file(source: Path, target: Path) -> None:
    """Copy a file in another process.

    In this one, closing the file would release DuckDB's lock on it: POSIX drops all of a process's locks then.
    """
    done = subprocess.run(
        [sys.executable, "-c", COPY_SCRIPT, str(source), str(target)],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        code = done.stderr.strip()
        number = int(code) if code.isdigit() else errno.EIO
        if number in NO_ROOM_ERRORS:
            raise no_room(target.parent)
        raise OSError(number, os.strerror(number), str(target))


def _merge_log(path: Path) -> None:
    """Write what is in the log of a database into its file."""
    if not log_of(path).exists():
        return
    try:
        with duckdb.connect(str(path), config={"threads": 1}) as connection:
            connection.execute("CHECKPOINT")
    except duckdb.Error as error:
        known = known_trouble(path, error)
        if known is None:
            raise
        raise known from error


# Open the file of a database, and say why it cannot be opened.

HEADER_BYTES = 3 * 4096
"""The three headers that every DuckDB file begins with; a shorter file is damaged."""


def connect_database(
    path: Path, settings: Mapping[str, str | bool | int | float | list[str]]
) -> duckdb.DuckDBPyConnection:
    """Open the file of a database, or make it; raises StoreError with the reason in words."""
    demand_folder_name(path.parent)
    try:
        make_private_folder(path.parent)
        if path.is_file() and 0 < path.stat().st_size < HEADER_BYTES:
            raise damaged(path, "it ends in its first lines")
        require_log(path)
        return duckdb.connect(str(path), config=dict(settings))
    except OSError as error:
        raise StoreError(
            f"the database {path} cannot be opened: {error.strerror or error}"
        ) from error
    except duckdb.Error as error:
        raise opening_refusal(path, error) from error
    except (RuntimeError, UnicodeDecodeError) as error:  # DuckDB's own, while it reads nonsense
        raise damaged(path, str(error)) from error


def require_log(path: Path) -> None:
    """Raise StoreDamaged if the log of a database would be taken for an empty one, with all that is only there; and OSError."""
    if not is_log_readable(path):
        raise damaged(path, f"{log_of(path).name}, which has what was stored last, does not begin as it was written")  # fmt: skip


def demand_folder_name(folder: Path) -> None:
    """Raise StoreError for a folder that cannot be used.

    DuckDB takes no name that is not UTF-8, and an address such as `s3://bucket/games` would become a folder called `s3:`.
    """
    if is_address(folder) and not folder.exists():
        raise StoreError(address_refusal(str(folder).replace(":/", "://", 1)))
    if path_text(folder) != str(folder):
        raise StoreError(
            f"the database cannot use the folder {path_text(folder)}: its name is not valid UTF-8"
        )


def opening_refusal(path: Path, error: duckdb.Error) -> StoreError:
    """Why DuckDB did not open the file of a database, in words."""
    reason = str(error)
    if reason.startswith(LOCK_REFUSAL):
        return StoreInUse(path)
    known = known_trouble(path, error)
    if known is not None:
        return known
    if path.is_file() and os.access(path, os.R_OK | os.W_OK) and os.access(path.parent, os.W_OK):
        return damaged(path, first_line(reason))
    return StoreError(f"the database {path} cannot be opened: {first_line(reason)}")


def quote_sql(text: object) -> str:
    """A text as an SQL literal."""
    return "'" + str(text).replace("'", "''") + "'"


# The open instance of DuckDB: its cursors, and how it is replaced when it has become useless.
#
# DuckDB gives an instance up after a fatal error; every statement fails from then on, and a new instance can be
# opened only once every cursor of the old one is closed. The same is done if the file was replaced by another.

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
        self._log_size = 0
        self._troubles = TroubleLog()

    def open(self) -> None:
        """Open the database; raises StoreError. Of a damaged one the log is set aside."""
        try:
            self._open()
        except StoreDamaged:
            with suppress(OSError):
                if not self._in_memory and (kept := set_log_aside(self.path)):
                    log.error("%s is kept as %s", log_of(self.path), kept.name)
            raise

    def _open(self) -> None:
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

    def renew(self) -> None:
        """Open the database again beside what is open: statements at work end there, and new ones are asked here.

        Raises StoreError, and leaves all as it was.
        """
        self._open()
        with self._lock:
            self._cursors.clear()  # whoever uses one of them closes it

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

    def require_log(self) -> None:
        """Raise StoreDamaged if the log is not as it was after the last transaction; nothing may be writing."""
        if self._in_memory or self._log is None:
            return
        here = _identity(log_of(self.path))
        if here is None or here != self._log:
            raise damaged(self.path, f"{log_of(self.path).name}, which has what was stored last, is not there any more")  # fmt: skip
        require_log(self.path)
        if log_of(self.path).stat().st_size < self._log_size:
            raise damaged(self.path, f"{log_of(self.path).name}, which has what was stored last, is shorter than it was")  # fmt: skip

    def require_durable_names(self) -> None:
        """Send the names of the file and its log to the disk if they are new; raises StoreUnavailable.

        Where there is no log after a transaction, DuckDB has written it into the file; or somebody has deleted it, and it
        is written into the file now.
        """
        if self._in_memory:
            return
        self.require_file()
        place = log_of(self.path)
        found = _identity(place)
        if found is None and self._writer is not None:
            self._writer.execute("CHECKPOINT")  # does nothing where the file has everything
        self._log_size = place.stat().st_size if found else 0
        if found != self._log or found is None:
            make_private(place)
            try:
                sync_folder(self.path.parent)
            except OSError as error:
                raise StoreUnavailable(
                    f"the folder {self.path.parent} cannot be used: {system_reason(error)}"
                ) from error
            self._log = found

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
