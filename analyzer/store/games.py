"""Stored records as a whole: written out again as uploaded, copied, and what an import came to."""

import io
import math
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import BinaryIO, Self

from analyzer.store.durable_files import (
    SHARED_FILE,
    compressed_stream,
    make_private_folder,
    make_shared_folder,
    open_named_file,
    write_files,
)
from analyzer.store.instance import copy_database, draft_of, log_of
from analyzer.store.made_corrections import corrected_bytes, holding_corrections
from analyzer.store.packing import unpack_record
from analyzer.store.store import (
    DATABASE_FILE_NAME,
    SELECT_COMMITS_OF_UPLOAD,
    GameFilter,
    QueryTimeout,
    RejectedRecord,
    Snapshot,
    Store,
    answers_of,
)
from records.corrected import NO_CORRECTIONS
from records.errors import StoreError

# Copy the database while it is in use.

PASSING_COPY_PREFIX = "backup-"
"""How the names of folders begin that hold a copy while it is made for a download."""


def backup_store(store: Store, folder: Path) -> Path:
    """Copy the database into a folder, which becomes a data folder; returns the path of the copy.

    During the copy nothing is written to the database, but everything can be read. The database itself is only
    read, so a full disk spoils nothing but the copy. Raises StoreError if the folder has a database already,
    StoreFull if there is no room, OSError if the copy cannot be written.
    """
    target = folder / DATABASE_FILE_NAME
    if target.exists():
        raise StoreError(f"choose another folder for the copy: {target} already exists")
    make_private_folder(folder)
    with store.still() as path:
        copy_database(path, target)
    return target


@contextmanager
def passing_copy(store: Store) -> Iterator[Path]:
    """The path of a copy of the database that is deleted at the end; raises StoreFull and OSError."""
    with TemporaryDirectory(prefix=PASSING_COPY_PREFIX, dir=store.path.parent) as folder:
        yield backup_store(store, Path(folder))


def remove_passing_copies(folder: Path) -> None:
    """Delete the copies in a data folder whose process was killed; nobody may be making one."""
    for path in folder.glob(f"{PASSING_COPY_PREFIX}*"):
        if path.is_dir() and {file.name for file in path.iterdir()} <= _names_of_copy():
            rmtree(path, ignore_errors=True)


def _names_of_copy() -> set[str]:
    draft = draft_of(Path(DATABASE_FILE_NAME))
    return {DATABASE_FILE_NAME, draft.name, log_of(draft).name}


# What an upload stored.

SELECT_DIGESTS = "SELECT digest FROM stored_games AS games WHERE {where} ORDER BY digest"


def digests_of_upload(store: Store, upload: str) -> list[str]:
    """The digests of the games that an upload stored, by its public id; of none that was stored before."""
    where, parameters = GameFilter(upload=upload).where()
    return [digest for (digest,) in store.rows(SELECT_DIGESTS.format(where=where), parameters).rows]


SELECT_OF_UPLOADS = """
    SELECT 1 FROM records
    WHERE digest = $digest AND stored_at >= now() AT TIME ZONE 'UTC' - to_days($days) AND stored_at IN (
        SELECT committed_at FROM import_batches JOIN imports USING (import) WHERE list_contains($uploads, job)
    )
"""


def is_of_uploads(store: Store, digest: str, uploads: Sequence[str], days: int) -> bool:
    """Whether one of these uploads, by their public ids, stored a game in the last so many days."""
    parameters = {"digest": digest, "uploads": list(uploads), "days": days}
    return bool(store.rows(SELECT_OF_UPLOADS, parameters).rows)


# Summary of an import: games by verdict, findings by code, and the records that were not stored.

MOST_FINDING_CODES = 100

COUNT_VERDICTS = "SELECT verdict, count(*) FROM stored_games AS games WHERE {where} GROUP BY ALL ORDER BY count(*) DESC"
COUNT_FINDING_CODES = """
    SELECT code, severity, count(*) AS times, count(DISTINCT findings.game) AS held
    FROM findings JOIN games USING (game)
    WHERE {where}
    GROUP BY ALL
    ORDER BY times DESC, code
    LIMIT {most}
"""
COUNT_RETELLINGS = f"""
    WITH told AS (
        SELECT game, match, stored_at FROM other_games
        UNION ALL
        SELECT game, game, stored_at FROM games WHERE game IN (SELECT match FROM other_games)
    ), placed AS (
        SELECT told.stored_at, row_number() OVER (PARTITION BY told.match ORDER BY records.rowid) AS place
        FROM told JOIN records USING (game)
    )
    SELECT count(*) FROM placed WHERE place > 1 AND stored_at IN ({SELECT_COMMITS_OF_UPLOAD})
"""


@dataclass(frozen=True, slots=True)
class FindingCount:
    """A finding code: how many times it was found, and in how many games."""

    code: str
    severity: str
    times: int
    games: int


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """The number of games by verdict, the findings by code, and the records that were not stored."""

    verdicts: dict[str, int]
    findings: list[FindingCount]
    rejected: list[RejectedRecord]


def import_summary(store: Store, upload: str, most_rejected: int) -> ImportSummary:
    """The summary of what an upload stored, by its public id, and of its records that were not stored."""
    where, parameters = GameFilter(upload=upload).where()
    verdicts = store.rows(COUNT_VERDICTS.format(where=where), parameters).rows
    findings = store.rows(
        COUNT_FINDING_CODES.format(where=where, most=MOST_FINDING_CODES), parameters
    ).rows
    return ImportSummary(
        {verdict: int(count) for verdict, count in verdicts},
        [FindingCount(*row) for row in findings],
        store.rejected(most_rejected, upload),
    )


def count_retellings(store: Store, upload: str) -> int:
    """How many records of an upload tell of a match of which another record was stored before; by its public id."""
    ((number,),) = store.rows(COUNT_RETELLINGS, {"upload": upload}).rows
    return int(number)


def is_logged_upload(store: Store, upload: str) -> bool:
    """Whether the import log knows an upload with this public id."""
    return bool(store.rows("SELECT 1 FROM imports WHERE job = ? LIMIT 1", [upload]).rows)


# Write stored records out again, each exactly as it was uploaded.

RECORDS_PER_QUERY, BYTES_PER_QUERY = 200, 8 * 1024 * 1024
"""The most records read at a time, and their most bytes, unless one has more."""
ROWS_PER_LIST = 20_000
"""The most rows that are listed at a time."""
BYTES_PER_PIECE = 256 * 1024
COUNT_ROWS = """
    SELECT count(*)
    FROM records JOIN stored_games AS games USING (game)
    WHERE {where}
"""
SELECT_ROWS = """
    SELECT records.rowid, records.size
    FROM records JOIN stored_games AS games USING (game)
    WHERE {where} AND records.rowid > $after
    ORDER BY records.rowid
    LIMIT $most
"""
SELECT_RECORDS = """
    SELECT game, digest, data
    FROM records
    WHERE rowid BETWEEN $low AND $high AND rowid IN (SELECT unnest($rows))
    ORDER BY rowid
"""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record exactly as it was uploaded, or as it is corrected."""

    digest: str
    data: bytes

    @property
    def is_one_line(self) -> bool:
        """Whether it fits unchanged into a file of one record per line."""
        return b"\n" not in self.data

    @property
    def line(self) -> bytes:
        """The record on one line: JSON has line breaks only between values, where a blank means the same."""
        return (
            self.data
            if self.is_one_line
            else self.data.replace(b"\r\n", b" ").replace(b"\n", b" ").strip()
        )


def count_records(store: Store, game_filter: GameFilter) -> int:
    """How many records the games have that fit."""
    where, parameters = game_filter.where()
    ((count,),) = store.rows(COUNT_ROWS.format(where=where), parameters).rows
    return int(count)


def read_records(
    store: Store, game_filter: GameFilter, *, seconds: float | None = None, corrected: bool = False
) -> "RecordReader":
    """The records of the games that fit, in the order in which they were stored, as uploaded or as `corrected`.

    Few of them are in memory at a time, however many there are. They are the records of this moment: what is deleted or
    stored in the meantime changes nothing. Taking them may last so many `seconds`, if that is given: rows that are
    deleted keep their room in the database until then. Raises StoreError, and so does the iterator: QueryTimeout
    after that time, and StoreReopened if the database was opened again.
    """
    return RecordReader(store.snapshot(), game_filter, seconds, corrected=corrected)


class RecordReader:
    """An iterator over stored records, and the snapshot of the database that it reads.

    The snapshot is closed after the last record, at an error, by `close`, and when the reader is dropped: at once, as
    nothing in the reader refers back to it.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        game_filter: GameFilter,
        seconds: float | None = None,
        *,
        corrected: bool = False,
    ) -> None:
        self._snapshot, self._seconds = snapshot, seconds
        self._deadline = math.inf if seconds is None else time.monotonic() + seconds
        # The first rows are listed at once, so that whoever asks in vain learns it before the first byte is sent.
        rows = _list_rows(snapshot, game_filter, -1)
        self._records = _read_pages(snapshot, game_filter, rows, corrected=corrected)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> StoredRecord:
        try:
            if time.monotonic() > self._deadline:
                raise QueryTimeout(f"taking the records took longer than {self._seconds:g} seconds")
            return next(self._records)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the snapshot; no record comes after it."""
        self._records.close()
        self._snapshot.close()


def _list_rows(snapshot: Snapshot, game_filter: GameFilter, after: int) -> list[tuple[int, int]]:
    """The next row ids, each with the bytes of its record."""
    where, parameters = game_filter.where()
    span = {"after": after, "most": ROWS_PER_LIST}
    return snapshot.rows(SELECT_ROWS.format(where=where), {**parameters, **span}).rows


def _read_pages(
    snapshot: Snapshot, game_filter: GameFilter, rows: list[tuple[int, int]], *, corrected: bool
) -> Generator[StoredRecord]:
    while rows:
        for batch in batch_rows(rows):
            # The range lets DuckDB skip the blocks outside it; the list alone would read the whole table.
            parameters = {"low": batch[0], "high": batch[-1], "rows": batch}
            found = snapshot.rows(SELECT_RECORDS, parameters).rows
            keys, answer = [game for game, *_ in found], answers_of(snapshot)
            holding = holding_corrections(answer, keys) if corrected else {}
            for game, digest, data in found:
                text = corrected_bytes(unpack_record(data), holding.get(game, NO_CORRECTIONS))
                yield StoredRecord(digest, text)
        rows = _list_rows(snapshot, game_filter, rows[-1][0])


def batch_rows(rows: list[tuple[int, int]]) -> Iterator[list[int]]:
    """The row ids in lists of records that may be in memory together; each row comes with the bytes of its record."""
    batch: list[int] = []
    size = 0
    for row, of_row in rows:
        if batch and (len(batch) >= RECORDS_PER_QUERY or size + of_row > BYTES_PER_QUERY):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += of_row
    if batch:
        yield batch


def write_records(records: Iterable[StoredRecord], path: Path) -> tuple[int, int]:
    """Write records into a folder, one per file, or into one file, compressed as its name says.

    A `.json` file takes exactly one record; any other file has one record per line. Returns how many records
    there were, and how many had to be put on one line. A file is written as a whole or not at all, but for a device
    or pipe; raises OSError.
    """
    if not path.suffix or path.is_dir():
        return _write_folder(records, path), 0
    with open_named_file(path) as out:
        return (_write_single if ".json" in path.suffixes else write_lines)(records, out)


def write_lines(records: Iterable[StoredRecord], out: BinaryIO) -> tuple[int, int]:
    """Write records one per line; returns how many, and how many of them spanned several lines."""
    count = joined = 0
    for record in records:
        out.write(record.line + b"\n")
        count += 1
        joined += not record.is_one_line
    return count, joined


def stream_pieces(records: Iterable[StoredRecord], name: str) -> Iterator[bytes]:
    """The bytes of a file of this name with one record per line, piece by piece."""
    buffer = io.BytesIO()
    with compressed_stream(buffer, Path(name).suffix) as out:
        for record in records:
            out.write(record.line + b"\n")
            if buffer.tell() >= BYTES_PER_PIECE:
                yield buffer.getvalue()
                buffer.seek(0)
                buffer.truncate()
    yield buffer.getvalue()


def _write_single(records: Iterable[StoredRecord], out: BinaryIO) -> tuple[int, int]:
    """Write a single record unchanged."""
    (record,) = records
    out.write(record.data)
    return 1, 0


def _write_folder(records: Iterable[StoredRecord], folder: Path) -> int:
    make_shared_folder(folder)
    files = ((f"{record.digest[:20]}.json", record.data) for record in records)
    return write_files(folder, files, mode=SHARED_FILE)
