"""What can be wrong with a database: DuckDB's errors as errors of the store, each with its sentence."""

from pathlib import Path

import duckdb

from records.errors import StoreError

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


class StoreReopened(StoreError):
    """The database was opened again while a statement ran: run it again."""


def known_trouble(path: Path, error: duckdb.Error) -> StoreError | None:
    """An error of DuckDB as one of the store, if the disk, the machine or the file is to blame."""
    reason = str(error)
    if any(words in reason for words in NO_ROOM_WORDS):
        return no_room(path.parent)
    if any(words in reason for words in EXHAUSTION_WORDS):
        return StoreUnavailable("the server is short of open files or memory: try again later")
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreUnavailable("the question needs more memory than it may have: ask for less")
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
