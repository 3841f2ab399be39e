"""Prepare a batch of records: examine them, find duplicates by digest, and build the columns to store.

A pure function. Its result can be sent between processes and holds everything that the database will store.
"""

import gc
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from analyzer.db.columns import Column, Columns, coded_column
from analyzer.db.packing.packed_record import record_packer
from analyzer.db.tables import ROW_TABLES, SCORE_COLUMNS, TRICK_COLUMNS, ColumnKind, columns_of
from analyzer.ingest.deal_tally import TableRow
from analyzer.ingest.examination import ExaminedRecord, base_name, content_digest, examine_record
from analyzer.ingest.occasion import describe_occasion
from analyzer.ingest.rows import GameRows, PackedRows
from records import codec
from records.validate.report import Report
from records.validate.shared_budget import SharedBudget
from records.validator import check

_NAMES = list(ROW_TABLES["games"]).index("names")
"""Where a row of `games` has the names; event, site and start follow."""

MOST_REJECTED_ROWS = 200
"""Of one batch so many rejected records are kept with their findings; the others are only counted."""

RecordState = Literal["stored", "known", "rejected"]
"""New and stored, known (stored before, or earlier in the batch), or rejected because it cannot be stored."""


UNSTORABLE_ERRORS = (struct.error, UnicodeEncodeError)
"""Errors raised by a value that no column can hold."""


class RecordOutcome(msgspec.Struct, gc=False):
    """What became of one record, with its `report` if that was asked for.

    `content` is the digest of the bytes of a rejected record, by which it is found again. `occasion` says who played, and
    `stored_as` what a known game is stored with, if that is another occasion: names and dates are not what tells games
    apart, so the record's own are lost.
    """

    name: str
    line: int | None
    size: int
    state: RecordState
    verdict: str
    digest: str | None
    deals: int = 0
    events: int = 0
    findings: int = 0
    content: str = ""
    occasion: str = ""
    stored_as: str = ""
    report: Report | None = None


@dataclass(slots=True)
class PreparedBatch:
    """The outcome of every record, and the rows of the new ones: as columns by table, or in a `folder` of files."""

    outcomes: list[RecordOutcome] = field(default_factory=list)
    tables: dict[str, Columns] = field(default_factory=dict)
    folder: str | None = None


def prepare_batch(
    entries: Sequence[codec.Entry],
    *,
    reports: bool = False,
    budgets: Sequence[SharedBudget] = (),
    names: Sequence[Sequence[str] | None] = (),
) -> PreparedBatch:
    """Examine records; never raises, whatever they hold. With `reports` every outcome has its report.

    `budgets` are those that the records share with others, one for each record; without them, each is examined alone.
    `names` are those of the players of each record, where somebody was renamed.
    """
    given = budgets or [SharedBudget() for _ in entries]
    named = names or [None for _ in entries]
    with _without_gc():
        try:
            return _build_batch(
                (
                    examine_record(entry, reconcile=reports, budget=budget, names=own)
                    for entry, budget, own in zip(entries, given, named, strict=True)
                ),
                reports=reports,
            )
        except (
            Exception
        ):  # one bad record must not cost the others: find it by examining each alone
            return _build_batch(map(_examine_alone, entries, given, named), reports=reports)


@contextmanager
def _without_gc() -> Iterator[None]:
    """Turn garbage collection off: a replay leaves no cycles, and the batch so far would be searched in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _examine_alone(
    entry: codec.Entry, budget: SharedBudget, names: Sequence[str] | None
) -> ExaminedRecord:
    """Examine a record alone; it is rejected with a reason if no table can hold it or the program fails."""
    report = Report(verdict="unreadable", line=entry.line)
    try:
        report = check(entry.data, line=entry.line, identify=True, budget=budget)
        examined = examine_record(entry, budget=budget, names=names)
        _build_batch([examined], reports=False)
    except UNSTORABLE_ERRORS as error:
        return ExaminedRecord(entry, report, None, f"a value is out of range: {error}")
    except Exception as error:
        return ExaminedRecord(entry, report, None, f"the program failed: {error!r}")
    return examined


def _build_batch(examined: Iterable[ExaminedRecord], *, reports: bool) -> PreparedBatch:
    """The outcomes and columns of examined records; of duplicates only the first is stored."""
    batch, occasions = PreparedBatch(), dict[str | None, str]()
    rows: dict[str, list[TableRow]] = {table: [] for table in ROW_TABLES}
    tricks: list[PackedRows] = []
    scores: list[PackedRows] = []
    for record in examined:
        outcome = _outcome(record, occasions)
        outcome.report = record.report if reports else None
        batch.outcomes.append(outcome)
        if record.rows is None:
            if len(rows["rejected"]) < MOST_REJECTED_ROWS:
                rows["rejected"].append(_rejected_row(record))
        elif outcome.state == "stored":
            occasions[outcome.digest] = outcome.occasion
            for table, new_rows in record.rows.tables.items():
                rows[table] += new_rows
            tricks += record.rows.tricks
            scores += record.rows.scores
    rows["records"] = _compressed(rows["records"])
    batch.tables = {
        table: columns_of(table, table_rows) for table, table_rows in rows.items() if table_rows
    }
    if tricks:
        batch.tables["tricks"] = stack_rows(TRICK_COLUMNS, tricks)
    if scores:
        batch.tables["scores"] = stack_rows(SCORE_COLUMNS, scores)
    return batch


def _compressed(records: list[TableRow]) -> list[TableRow]:
    """Records with their bytes packed."""
    pack = record_packer()
    return [(*row, pack(data)) for *row, data in records]


def _outcome(examined: ExaminedRecord, occasions: Mapping[str | None, str]) -> RecordOutcome:
    """What became of a record; `occasions` are those of the games that came before it, by digest."""
    entry, report = examined.entry, examined.report
    occasion = "" if examined.rows is None else describe_occasion(*_occasion(examined.rows))
    before = occasions.get(report.digest, occasion)
    state: RecordState = "known" if report.digest in occasions else "stored"
    return RecordOutcome(
        name=base_name(entry.name),
        line=entry.line,
        size=len(entry.data),
        state="rejected" if examined.rows is None else state,
        verdict=report.verdict,
        digest=report.digest,
        deals=report.deals,
        events=report.events,
        findings=len(report.findings),
        content=content_digest(entry.data) if examined.rows is None else "",
        occasion=occasion,
        stored_as="" if before == occasion else before,
    )


def _occasion(rows: GameRows) -> tuple[list[str], str | None, str | None, int | None]:
    (game,) = rows.tables["games"]
    names, event, site, started = game[_NAMES : _NAMES + 4]
    return names, event, site, started


def _rejected_row(examined: ExaminedRecord) -> TableRow:
    entry = examined.entry
    findings = msgspec.json.encode(examined.report.findings).decode()
    content, name = content_digest(entry.data), base_name(entry.name)
    return (content, name, entry.line, len(entry.data), examined.reason, findings)


def stack_rows(kinds: Mapping[str, ColumnKind], parts: list[PackedRows]) -> Columns:
    """Packed rows of one table as columns, one part below the other."""
    length = sum([length for length, _ in parts])
    columns = zip(*[columns for _, columns in parts], strict=True)
    return {
        name: Column(kind, length, None, (b"".join(column),))
        if isinstance(kind, str)
        else coded_column(b"".join(column), length, kind)
        for (name, kind), column in zip(kinds.items(), columns, strict=True)
    }
