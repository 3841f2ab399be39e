"""Rescue the records, the renames, the corrections, the evenings, the studies and the rulebooks of a damaged data folder; all else is computed from them again."""

import math
import mmap
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import duckdb
import msgspec
import zstandard

from analyzer.ingest.batch import prepare_batch
from analyzer.ingest.correcting import SELECT_CORRECTIONS, take_corrections
from analyzer.ingest.loader import store_batches
from analyzer.ingest.renaming import rejoin_matches
from analyzer.store.acknowledged import read_note
from analyzer.store.durable_files import PRIVATE_FILE, errors_about
from analyzer.store.instance import is_log_readable, log_of, logs_set_aside
from analyzer.store.packing import MOST_RECORD_BYTES, RecordDamaged, decode_events, unpack_record
from analyzer.store.parquet import is_parquet_folder
from analyzer.store.player_names import INSERT_RENAME, settle_people
from analyzer.store.processes import map_in_processes
from analyzer.store.sealed_files import FileBroken
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.store.studies import INSERT_STUDY_ROW, SELECT_STUDY_ROWS
from records.errors import StoreError
from records.format import codec
from records.format.files import Entry

# A copy of a damaged database that DuckDB agrees to read: every checksum is computed again.
#
# DuckDB refuses a block of 256 KiB when one byte of it is wrong, and with it hundreds of whole records. With the
# checksum of the damaged bytes it reads the block; what is wrong in it is told by the digests of the records.

HEADER_BYTES = 4096
HEADERS = 3
BLOCK_BYTES = 256 * 1024
FIRST_BLOCK = HEADERS * HEADER_BYTES
CHECKSUM = struct.Struct("<Q")
CHECKSUM_FACTOR, CHECKSUM_START = 0xBF58476D1CE4E5B9, 5381
"""How DuckDB sums a block: the factor times each word of eight bytes, all of them combined with exclusive or."""
WORD_MASK = (1 << 64) - 1


def write_mended_copy(source: Path, target: Path) -> list[int]:
    """Copy a database and mend its checksums; the numbers of the damaged blocks, headers being negative.

    A file that was cut short is filled with zeros up to the end of its last block. Raises OSError.
    """
    damaged = []
    with errors_about(target), source.open("rb") as original, target.open("wb") as copy:
        target.chmod(PRIVATE_FILE)
        for number in range(-HEADERS, 1 << 40):
            length = HEADER_BYTES if number < 0 else BLOCK_BYTES
            block = original.read(length)
            if not block:
                break
            whole = block.ljust(length, b"\0")
            checksum = CHECKSUM.pack(_checksum(whole[CHECKSUM.size :]))
            if checksum != whole[: CHECKSUM.size] or len(block) < length:
                damaged.append(number)
            copy.write(checksum + whole[CHECKSUM.size :])
    return damaged


def _checksum(data: bytes) -> int:
    total = CHECKSUM_START
    for (word,) in CHECKSUM.iter_unpack(data):
        total ^= word * CHECKSUM_FACTOR & WORD_MASK
    return total


# What is wrong with a data folder.

ProblemSeverity = Literal["note", "wrong", "lost"]
"""Good to know; something is wrong and no record is lost; something that was stored cannot be read."""

CheckProgress = Callable[[int, int], None]
"""Called with how much is done, of how much."""


def severity_in(table: str) -> ProblemSeverity:
    """How bad it is that a table cannot be read: all others are computed from `records`."""
    return "lost" if table == "records" else "wrong"


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong, or good to know, in a sentence."""

    severity: ProblemSeverity
    message: str


class FolderReport(msgspec.Struct):
    """What a check of a data folder found; `records` of them were read whole and fit their digests.

    `judged_by` is the program that gave the verdicts of a database, and empty if that cannot be told.
    """

    folder: str
    kind: str = "database"
    problems: list[Problem] = []
    records: int = 0
    judged_by: str = ""

    def add(self, severity: ProblemSeverity, message: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(severity, message))

    @property
    def is_lossy(self) -> bool:
        """Whether something that was stored cannot be read."""
        return any(problem.severity == "lost" for problem in self.problems)

    @property
    def is_wrong(self) -> bool:
        """Whether anything is wrong."""
        return any(problem.severity != "note" for problem in self.problems)


# A record and the proof that it is whole: its digest.


@dataclass(frozen=True, slots=True)
class RescuedRecord:
    """A record as it was uploaded; `name` and `line` are those of its file, where they could be read.

    `place` is that in the order of storing: of two records of one match that tell as much, the first stands for it.
    """

    digest: str
    data: bytes
    name: str = "rescued.jsonl"
    line: int | None = None
    place: float = math.inf


def unpack_whole(data: bytes) -> bytes | None:
    """Stored bytes as they were uploaded; None if they are damaged."""
    try:
        return unpack_record(data)
    except (RecordDamaged, MemoryError):
        return None


def digests_of(data: bytes | None) -> Iterator[str]:
    """The digests that a record may be stored with; none if the bytes are no record.

    Its own comes first, then the one that keeps it apart from a record with the same, and the one that it had once.
    """
    decoded = None if data is None else codec.decode(data)
    if decoded is not None and decoded.record is not None:
        yield decoded.digest() or ""
        yield codec.digest_with_occasion(decoded.record)
        if former := codec.former_digest(decoded.record):
            yield former


# Records found in the bytes of a database without DuckDB: each is a frame of zstd, which begins with a mark.
#
# A short record lies in one piece. A long one continues in another block, whose number stands in the last eight
# bytes of the block before.

BLOCK_NUMBER = struct.Struct("<q")
PIECE_BYTES = 64 * 1024
MOST_BLOCKS = 1024
"""The most blocks that one record may go through."""


def find_raw_records(path: Path, *, blocks: bool) -> Iterator[bytes]:
    """The record in every whole frame of a file; with `blocks` the file is a database, else a log.

    Raises OSError.
    """
    if path.stat().st_size == 0:
        return
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = data.find(zstandard.FRAME_HEADER)
        while at >= 0:
            whole = _unpack(_pieces(data, at, blocks=blocks))
            if whole is None and blocks:
                whole = _unpack(_chained_pieces(data, at))
            if whole is not None:
                yield whole
            at = data.find(zstandard.FRAME_HEADER, at + 1)


def _unpack(pieces: Iterator[bytes]) -> bytes | None:
    """The record in a frame; None if it is damaged or does not end."""
    decompressor = zstandard.ZstdDecompressor().decompressobj()
    found, size = [], 0
    for piece in pieces:
        try:
            found.append(decompressor.decompress(piece))
            if decompressor.eof:
                return decode_events(b"".join(found))
        except (zstandard.ZstdError, RecordDamaged):
            return None
        size += len(found[-1])
        if size > MOST_RECORD_BYTES:
            return None
    return None


def _pieces(data: mmap.mmap, at: int, *, blocks: bool) -> Iterator[bytes]:
    """The bytes from a place to the end of its block, or of the file."""
    end = _end_of_block(at) if blocks else len(data)
    for start in range(at, min(end, len(data)), PIECE_BYTES):
        yield data[start : min(start + PIECE_BYTES, end)]


def _chained_pieces(data: mmap.mmap, at: int) -> Iterator[bytes]:
    """The bytes from a place on through the blocks that continue them."""
    for _ in range(MOST_BLOCKS):
        end = _end_of_block(at) - BLOCK_NUMBER.size
        if end + BLOCK_NUMBER.size > len(data) or at >= end:
            return
        yield data[at:end]
        (number,) = BLOCK_NUMBER.unpack(data[end : end + BLOCK_NUMBER.size])
        at = FIRST_BLOCK + number * BLOCK_BYTES + CHECKSUM.size
        if number < 0 or at >= len(data):
            return


def _end_of_block(at: int) -> int:
    return at + BLOCK_BYTES - (at - FIRST_BLOCK) % BLOCK_BYTES


# Rows of a damaged database, read in another process: DuckDB may crash on what it reads there.

ROWS_PER_TASK = 512
COUNT_ROWS = "SELECT coalesce(max(rowid), -1) + 1 FROM records"
SELECT_ROWS = (
    "SELECT digest, data, name, line, rowid FROM records WHERE rowid >= $low AND rowid < $high"
)
SELECT_EVENING_STEPS = "SELECT evening, number, content, made_by, epoch_us(made_at) FROM evening_steps ORDER BY evening, number"
INSERT_EVENING_STEP = "INSERT INTO evening_steps VALUES (?, ?, ?, ?, make_timestamp(?))"
SELECT_RULEBOOKS = "SELECT rulebook, content, made_by, epoch_us(made_at) FROM rulebooks"
INSERT_RULEBOOK = "INSERT INTO rulebooks VALUES (?, ?, ?, make_timestamp(?))"
SELECT_WAITING = (
    "SELECT content, rulebook, name, line, size, data, epoch_us(seen_at) FROM waiting_records"
)
INSERT_WAITING = "INSERT INTO waiting_records VALUES (?, ?, ?, ?, ?, ?, make_timestamp(?))"
SELECT_RENAMES = "SELECT person, same_as, name FROM renames ORDER BY made_at"
SELECT_DIGESTS = ("SELECT DISTINCT digest FROM records", "SELECT DISTINCT digest FROM games")
RecordRow = tuple[str, bytes, str, int | None, float]
"""Digest, stored bytes, name and line of a record, and its place in the order of storing."""


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """A statement on the file at `path`."""

    path: str
    sql: str
    low: int | None = None
    high: int | None = None


def read_task(task: ReadingTask) -> list[tuple[Any, ...]] | None:
    """The rows of a statement; None if DuckDB cannot read them."""
    parameters = None if task.low is None else {"low": task.low, "high": task.high}
    try:
        with duckdb.connect(task.path, read_only=True, config={"threads": 1, "memory_limit": "1GB"}) as connection:  # fmt: skip
            rows = connection.execute(task.sql, parameters).fetchall()
    except (duckdb.Error, RuntimeError, ValueError, MemoryError):
        return None
    return [tuple(bytes(cell) if isinstance(cell, memoryview) else cell for cell in row) for row in rows]  # fmt: skip


def read_tasks(
    tasks: list[ReadingTask],
) -> Iterator[tuple[ReadingTask, list[tuple[Any, ...]] | None]]:
    """Each task with its rows; None if DuckDB cannot read them or dies at them."""
    left = tasks
    while left:
        done = 0
        try:
            for task, rows in map_in_processes(read_task, left, 1):
                done += 1
                yield task, rows
        except StoreError:
            yield left[done], None
            done += 1
        left = left[done:]


def read_record_rows(
    path: str, total: int, progress: Callable[[int, int], None]
) -> Iterator[list[RecordRow]]:
    """All records that can be read, some at a time; `total` is how many rows there are at most."""
    ranges = [(low, min(low + ROWS_PER_TASK, total)) for low in range(0, total, ROWS_PER_TASK)]
    while ranges:
        again = []
        for task, rows in read_tasks([ReadingTask(path, SELECT_ROWS, *each) for each in ranges]):
            low, high = task.low or 0, task.high or 0
            if rows is not None:
                yield rows
                progress(high, total)
            elif high - low > 1:  # something in it cannot be read: perhaps not in both halves
                again += [(low, (low + high) // 2), ((low + high) // 2, high)]
        ranges = again


def read_names(path: str) -> tuple[set[str], bool, int]:
    """The digests that a database names, whether they could all be read, and how many rows `records` has at most."""
    tasks = [ReadingTask(path, sql) for sql in (*SELECT_DIGESTS, COUNT_ROWS)]
    *answers, counted = [rows for _, rows in read_tasks(tasks)]
    named = {str(digest) for rows in answers for (digest,) in rows or ()}
    return named, None not in answers, int(counted[0][0]) if counted else 0


# The rescue: from all that can be read into a new folder.

SELECT_FILE_ROWS = "SELECT digest, data, name, line, epoch_us(stored_at) FROM read_parquet($file, hive_partitioning = false)"
WHOLE_DIGEST = re.compile(r"[0-9a-f]{64}")


class RescueSummary(msgspec.Struct):
    """What a rescue came to: `rescued` records, of which `unproven` could not be compared with a digest.

    `lost` are the digests that the database names and whose records cannot be read, and `missing` counts games that
    were acknowledged and that nothing names any more. `is_complete` if no record is lost, and only where that is proven:
    as many are rescued as were acknowledged, or Parquet files name all records. `damaged_blocks` counts the blocks of
    256 KiB with a wrong byte.
    """

    rescued: int = 0
    unproven: int = 0
    lost: list[str] = []
    missing: int = 0
    is_complete: bool = False
    damaged_blocks: int = 0


@dataclass(slots=True)
class _Findings:
    """What was found so far, by digest."""

    proven: dict[str, RescuedRecord] = field(default_factory=dict)
    unproven: dict[str, RescuedRecord] = field(default_factory=dict)
    renames: list[tuple[str, str, str]] = field(default_factory=list)
    corrections: list[tuple[Any, ...]] = field(default_factory=list)
    evening_steps: list[tuple[Any, ...]] = field(default_factory=list)
    studies: list[tuple[Any, ...]] = field(default_factory=list)
    rulebooks: list[tuple[Any, ...]] = field(default_factory=list)
    waiting: list[tuple[Any, ...]] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    all_named: bool = True
    acknowledged: int | None = None
    has_no_note: bool = False


def rescue_records(folder: Path, target: Path, progress: CheckProgress) -> RescueSummary:
    """Write every record that can be read into a new data folder; raises StoreError and OSError.

    A record is rescued only if it fits a digest that the database names. Where those cannot be read, every whole
    record counts, also one that was deleted and not yet overwritten. The damaged folder is not changed.
    """
    if target.exists() and any(target.iterdir()):
        raise StoreError(f"choose another folder for what is rescued: {target} is not empty")
    findings, summary = _Findings(), RescueSummary()
    if is_parquet_folder(folder) or (folder / "records").is_dir():
        _search_parquet(folder, findings, progress)
    else:
        _search_database(folder / DATABASE_FILE_NAME, findings, summary, progress)
    records = [*findings.proven.values(), *findings.unproven.values()]
    with Store(target, loading=True) as store:
        _store(store, sorted(records, key=attrgetter("place")), findings)
        ((summary.rescued,),) = store.rows("SELECT count(*) FROM records").rows
    summary.unproven = len(findings.unproven)
    missing = findings.named - findings.proven.keys() - findings.unproven.keys()
    summary.lost = sorted(filter(WHOLE_DIGEST.fullmatch, missing))
    if findings.acknowledged is not None:
        summary.missing = max(0, findings.acknowledged - summary.rescued - len(summary.lost))
        is_proven = len(findings.proven) >= findings.acknowledged
    else:
        is_proven = findings.all_named and not findings.unproven and not summary.damaged_blocks
    is_proven = is_proven and not findings.has_no_note
    summary.is_complete = is_proven and not missing and not summary.missing
    return summary


def _store(store: Store, records: Sequence[RescuedRecord], findings: _Findings) -> None:
    store.change_rulebooks(partial(_insert, INSERT_RULEBOOK, findings.rulebooks))
    for start in range(0, len(records), ROWS_PER_TASK):
        some = records[start : start + ROWS_PER_TASK]
        entries = [Entry(name=one.name, line=one.line, data=one.data) for one in some]
        store_batches(store, [prepare_batch(entries, digests=[one.digest for one in some])])
    with store.writing() as cursor:
        for person, same_as, name in findings.renames:
            cursor.execute(INSERT_RENAME, {"person": person, "same_as": same_as, "name": name})
        take_corrections(cursor, findings.corrections)
        _insert(INSERT_EVENING_STEP, findings.evening_steps, cursor)
        _insert(INSERT_WAITING, findings.waiting, cursor)
        _insert(INSERT_STUDY_ROW, findings.studies, cursor)
        rejoin_matches(cursor)
        settle_people(cursor)


def _insert(sql: str, rows: Sequence[tuple[Any, ...]], cursor: duckdb.DuckDBPyConnection) -> None:
    for row in rows:
        cursor.execute(sql, row)


def _search_database(
    path: Path, findings: _Findings, summary: RescueSummary, progress: CheckProgress
) -> None:
    try:
        noted = read_note(path)
        findings.acknowledged = noted.records if noted else None
        findings.has_no_note = noted is None
    except FileBroken:
        findings.has_no_note = True
    with TemporaryDirectory(prefix="rescue-") as folder:
        copy = Path(folder) / DATABASE_FILE_NAME
        summary.damaged_blocks = len(write_mended_copy(path, copy))
        if log_of(path).exists():
            log_of(copy).write_bytes(log_of(path).read_bytes())
        findings.named, findings.all_named, total = read_names(str(copy))
        if not findings.all_named and log_of(copy).exists():
            log_of(copy).unlink()  # it may be the damaged one of the two
            more, _, total = read_names(str(copy))
            findings.named |= more
        # Otherwise nobody knows what the log names.
        findings.all_named = findings.all_named and is_log_readable(path)
        for rows in read_record_rows(str(copy), total, progress):
            _take_rows(rows, findings)
        ((_, renames),) = read_tasks([ReadingTask(str(copy), SELECT_RENAMES)])
        findings.renames = [(str(p), str(s), str(n)) for p, s, n in renames or ()]
        ((_, corrections),) = read_tasks([ReadingTask(str(copy), SELECT_CORRECTIONS)])
        findings.corrections = corrections or []
        whole = (SELECT_EVENING_STEPS, SELECT_STUDY_ROWS, SELECT_RULEBOOKS, SELECT_WAITING)
        read = read_tasks([ReadingTask(str(copy), sql) for sql in whole])
        steps, studies, rulebooks, waiting = [rows or [] for _, rows in read]
        findings.evening_steps, findings.studies = steps, studies
        findings.rulebooks, findings.waiting = rulebooks, waiting
    # Of a log that was cut, nobody knows what it named.
    if findings.acknowledged is not None and len(findings.named) < findings.acknowledged:
        findings.all_named = False
    if not findings.all_named or findings.named - findings.proven.keys():
        logs = (log_of(path), *logs_set_aside(path))
        for source, blocks in ((path, True), *((each, False) for each in logs)):
            if source.exists():
                _take_raw(find_raw_records(source, blocks=blocks), findings)


def _take_rows(rows: list[RecordRow], findings: _Findings) -> None:
    for own, packed, name, line, place in rows:
        data = unpack_whole(packed)
        # Its row names it, unless the name is damaged.
        wanted = {own} if own in findings.named else findings.named
        digest = next((each for each in digests_of(data) if each in wanted), None)
        if data is not None and digest is not None:
            found = RescuedRecord(digest, data, name or "rescued.jsonl", line, place)
            findings.proven[digest] = found


def _take_raw(found: Iterator[bytes], findings: _Findings) -> None:
    for data in found:
        digests = list(digests_of(data))
        named = [digest for digest in digests if digest in findings.named]
        if missing := [digest for digest in named if digest not in findings.proven]:
            findings.proven[missing[0]] = RescuedRecord(missing[0], data)
        elif digests and not named and not findings.all_named:
            findings.unproven[digests[0]] = RescuedRecord(digests[0], data)


def _search_parquet(folder: Path, findings: _Findings, progress: CheckProgress) -> None:
    files = sorted((folder / "records").rglob("*.parquet"))
    for number, file in enumerate(files, start=1):
        try:
            rows = duckdb.execute(SELECT_FILE_ROWS, {"file": str(file)}).fetchall()
        except duckdb.Error:
            findings.all_named = False
            continue
        findings.named |= {digest for digest, *_ in rows}
        _take_rows(rows, findings)
        progress(number, len(files))
