"""One import of uploaded files: its state, progress and counts, saved beside the files."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from analyzer.db.store import Store
from analyzer.durable_files import write_file

STATE_FILE_NAME = "import.json"
IMPORT_COUNTS_SQL = """
    SELECT sum(records), sum(stored), sum(known), sum(rejected), sum(deals), sum(findings)
    FROM import_batches JOIN imports USING (import)
    WHERE job = ?
"""
ImportStateName: TypeAlias = Literal[
    "waiting", "running", "done", "stopped", "interrupted", "failed"
]
RESUMABLE_STATES = ("stopped", "interrupted", "failed")
GIVING_WAY_STATES = ("stopped", "failed")
"""The states in which an import's files are not kept for ever: somebody ended it, or was told that it failed."""


def utc_now() -> datetime:
    """The time as the database stores it: UTC, without a zone."""
    return datetime.now(UTC).replace(tzinfo=None)


class UploadedFile(msgspec.Struct, frozen=True):
    """An uploaded file: its name, its name in the folder, its size in bytes."""

    name: str
    kept: str
    size: int


class ImportCounts(msgspec.Struct, frozen=True):
    """What an import has committed so far."""

    records: int = 0
    stored: int = 0
    known: int = 0
    rejected: int = 0
    deals: int = 0
    findings: int = 0


class ImportJob(msgspec.Struct, kw_only=True, eq=False):
    """An import of uploaded files.

    `done` of `size` bytes are read. The last run started at `began` bytes and `began_deals` deals, and has taken
    `seconds` so far.
    """

    id: str
    files: list[UploadedFile]
    created_at: datetime
    queued_at: datetime
    ended_at: datetime | None = None
    state: ImportStateName = "waiting"
    reason: str = ""
    stopping: bool = False
    done: int = 0
    began: int = 0
    began_deals: int = 0
    seconds: float = 0.0
    counts: ImportCounts = ImportCounts()
    clock: float = 0.0

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def names(self) -> list[str]:
        """The names of the files as uploaded."""
        return [file.name for file in self.files]

    @property
    def is_active(self) -> bool:
        """Whether the import is waiting or running."""
        return self.state in ("waiting", "running")

    @property
    def can_resume(self) -> bool:
        """Whether the import ended early and can be resumed."""
        return self.state in RESUMABLE_STATES

    @property
    def may_give_way(self) -> bool:
        """Whether its files may be deleted when their room is needed."""
        return self.state in GIVING_WAY_STATES

    def end_or_beginning(self) -> datetime:
        """When it ended, or if it has not, when it began."""
        return self.ended_at or self.created_at

    @property
    def share(self) -> float:
        """The share of bytes read, from 0 to 1."""
        return 1.0 if self.state == "done" else min(self.done / max(self.size, 1), 1.0)

    @property
    def pace(self) -> float:
        """Deals per second in this run."""
        return (self.counts.deals - self.began_deals) / max(self.seconds, 0.001)

    @property
    def seconds_left(self) -> float | None:
        """The estimated seconds left; None while there is nothing to estimate from."""
        if self.state != "running" or self.done <= self.began:
            return None
        return self.seconds * (self.size - self.done) / (self.done - self.began)

    def start(self) -> None:
        """Begin a run where the last one ended."""
        self.state, self.clock, self.seconds = "running", time.monotonic(), 0.0
        self.began, self.began_deals = self.done, self.counts.deals

    def progress(self, done: int, counts: ImportCounts) -> None:
        """Note a committed batch."""
        self.done, self.counts = done, counts
        self.seconds = time.monotonic() - self.clock

    def end(self, state: ImportStateName, reason: str) -> None:
        """Note the end of a run."""
        self.state, self.reason, self.stopping, self.ended_at = state, reason, False, utc_now()

    def save(self, folder: Path) -> None:
        """Write the state beside the files, whole or not at all; raises OSError."""
        write_file(folder / self.id / STATE_FILE_NAME, msgspec.json.encode(self))

    @classmethod
    def load(cls, folder: Path) -> "ImportJob | None":
        """The import saved in a folder; None if there is none."""
        try:
            return msgspec.json.decode((folder / STATE_FILE_NAME).read_bytes(), type=cls)
        except (OSError, msgspec.DecodeError):
            return None


def import_counts(store: Store, key: str) -> ImportCounts:
    """What an import has committed, from the import log."""
    (row,) = store.rows(IMPORT_COUNTS_SQL, [key]).rows
    return ImportCounts(*(int(number or 0) for number in row))
