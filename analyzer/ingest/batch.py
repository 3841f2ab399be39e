"""Many records at once: examined, told apart by their digests, and put into columns. A pure function.

What it makes can be sent from process to process, and holds all that the database is to hold.
"""

import gc
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import zstandard

from analyzer.db.columns import Column, Columns, coded_column
from analyzer.db.tables import ROW_TABLES, SCORE_COLUMNS, TRICK_COLUMNS, ColumnKind, columns_of
from analyzer.ingest.deal_tally import TableRow
from analyzer.ingest.examination import ExaminedRecord, base_name, content_digest, examine_record
from analyzer.ingest.rows import PackedRows
from records import codec
from records.validate.report import Report
from records.validator import check

RECORD_ZSTD_LEVEL = 1
"""Of zstd: a record has a tenth of its size then, and takes no longer than to hash it."""

RecordState = Literal["stored", "known", "rejected"]
"""A record is new and stored, stored before (or earlier in the batch), or cannot be stored."""


UNSTORABLE_ERRORS = (struct.error, UnicodeEncodeError)
"""What a value raises that no column can hold."""


class RecordOutcome(msgspec.Struct, gc=False):
    """What became of one record; `report` is there where it was asked for."""

    name: str
    line: int | None
    size: int
    state: RecordState
    verdict: str
    digest: str | None
    deals: int = 0
    events: int = 0
    findings: int = 0
    report: Report | None = None


@dataclass(slots=True)
class PreparedBatch:
    """What became of each record, and the rows of the new ones as columns by table, or in a `folder` of files."""

    outcomes: list[RecordOutcome] = field(default_factory=list)
    tables: dict[str, Columns] = field(default_factory=dict)
    folder: str | None = None


def prepare_batch(entries: Sequence[codec.Entry], *, reports: bool = False) -> PreparedBatch:
    """Examine records; never raises for what they hold. With `reports`, every outcome has its own."""
    with _without_gc():
        try:
            return _batch(
                (examine_record(entry, reconcile=reports) for entry in entries), reports=reports
            )
        except Exception:  # whatever it is, it must cost one record and not all
            return _batch(map(_examine_alone, entries), reports=reports)


@contextmanager
def _without_gc() -> Iterator[None]:
    """Nothing is searched for garbage meanwhile: a replay leaves none, and what is kept is much to search."""
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()


def _examine_alone(entry: codec.Entry) -> ExaminedRecord:
    """A record examined, and refused with a reason if no table can hold it."""
    report = Report(verdict="unreadable", line=entry.line)
    try:
        report = check(entry.data, line=entry.line, identify=True)
        one = examine_record(entry)
        _batch([one], reports=False)
    except UNSTORABLE_ERRORS as error:
        return ExaminedRecord(entry, report, None, f"a value is out of range: {error}")
    except Exception as error:
        return ExaminedRecord(entry, report, None, f"the program failed at it: {error!r}")
    return one


def _batch(examined: Iterable[ExaminedRecord], *, reports: bool) -> PreparedBatch:
    batch, seen = PreparedBatch(), set[str | None]()
    rows: dict[str, list[TableRow]] = {table: [] for table in ROW_TABLES}
    tricks: list[PackedRows] = []
    scores: list[PackedRows] = []
    for one in examined:
        outcome = _outcome(one, seen)
        outcome.report = one.report if reports else None
        batch.outcomes.append(outcome)
        if one.rows is None:
            rows["rejected"].append(_rejected(one))
        elif outcome.state == "stored":
            seen.add(outcome.digest)
            for table, more in one.rows.tables.items():
                rows[table] += more
            tricks += one.rows.tricks
            scores += one.rows.scores
    rows["records"] = _compressed(rows["records"])
    batch.tables = {table: columns_of(table, found) for table, found in rows.items() if found}
    if tricks:
        batch.tables["tricks"] = stack_rows(TRICK_COLUMNS, tricks)
    if scores:
        batch.tables["scores"] = stack_rows(SCORE_COLUMNS, scores)
    return batch


def _compressed(records: list[TableRow]) -> list[TableRow]:
    """Records with their bytes compressed: one after the other, which is faster than each at its time."""
    compress = zstandard.ZstdCompressor(level=RECORD_ZSTD_LEVEL).compress
    return [(*row, compress(data)) for *row, data in records]


def _outcome(one: ExaminedRecord, seen: set[str | None]) -> RecordOutcome:
    entry, report = one.entry, one.report
    state: RecordState = "known" if report.digest in seen else "stored"
    return RecordOutcome(
        name=base_name(entry.name),
        line=entry.line,
        size=len(entry.data),
        state="rejected" if one.rows is None else state,
        verdict=report.verdict,
        digest=report.digest,
        deals=report.deals,
        events=report.events,
        findings=len(report.findings),
    )


def _rejected(one: ExaminedRecord) -> TableRow:
    entry = one.entry
    findings = msgspec.json.encode(one.report.findings).decode()
    content, name = content_digest(entry.data), base_name(entry.name)
    return (content, name, entry.line, len(entry.data), one.reason, findings)


def stack_rows(kinds: Mapping[str, ColumnKind], parts: list[PackedRows]) -> Columns:
    """Parts of a table one below the other."""
    length = sum([length for length, _ in parts])
    columns = zip(*[columns for _, columns in parts], strict=True)
    return {
        name: Column(kind, length, None, (b"".join(column),))
        if isinstance(kind, str)
        else coded_column(b"".join(column), length, kind)
        for (name, kind), column in zip(kinds.items(), columns, strict=True)
    }
