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

from analyzer.db.columns import Column, Columns, coded
from analyzer.db.tables import ROWS, SCORES, TRICKS, Kind, columns_of
from analyzer.ingest.deal_tally import Row
from analyzer.ingest.examination import Examined, base_name, content_of, examine
from analyzer.ingest.rows import Part
from records import codec
from records.validate.report import Report
from records.validator import check

LEVEL = 1
"""Of zstd: a record has a tenth of its size then, and takes no longer than to hash it."""

State = Literal["stored", "known", "rejected"]
"""A record is new and stored, stored before (or earlier in the batch), or cannot be stored."""


NOT_STORABLE = (struct.error, UnicodeEncodeError)
"""What a value raises that no column can hold."""


class Outcome(msgspec.Struct, gc=False):
    """What became of one record; `report` is there where it was asked for."""

    name: str
    line: int | None
    size: int
    state: State
    verdict: str
    digest: str | None
    deals: int = 0
    events: int = 0
    findings: int = 0
    report: Report | None = None


@dataclass(slots=True)
class Batch:
    """What became of each record, and the rows of the new ones as columns by table, or in a `folder` of files."""

    outcomes: list[Outcome] = field(default_factory=list)
    tables: dict[str, Columns] = field(default_factory=dict)
    folder: str | None = None


def prepare(entries: Sequence[codec.Entry], *, reports: bool = False) -> Batch:
    """Examine records; never raises for what they hold. With `reports`, every outcome has its own."""
    with _unsearched():
        try:
            return _batch((examine(entry, reconcile=reports) for entry in entries), reports=reports)
        except Exception:  # whatever it is, it must cost one record and not all
            return _batch(map(_storable, entries), reports=reports)


@contextmanager
def _unsearched() -> Iterator[None]:
    """Nothing is searched for garbage meanwhile: a replay leaves none, and what is kept is much to search."""
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()


def _storable(entry: codec.Entry) -> Examined:
    """A record examined, and refused with a reason if no table can hold it."""
    report = Report(verdict="unreadable", line=entry.line)
    try:
        report = check(entry.data, line=entry.line, identify=True)
        one = examine(entry)
        _batch([one], reports=False)
    except NOT_STORABLE as error:
        return Examined(entry, report, None, f"a value is out of range: {error}")
    except Exception as error:
        return Examined(entry, report, None, f"the program failed at it: {error!r}")
    return one


def _batch(examined: Iterable[Examined], *, reports: bool) -> Batch:
    batch, seen = Batch(), set[str | None]()
    rows: dict[str, list[Row]] = {table: [] for table in ROWS}
    tricks: list[Part] = []
    scores: list[Part] = []
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
        batch.tables["tricks"] = joined(TRICKS, tricks)
    if scores:
        batch.tables["scores"] = joined(SCORES, scores)
    return batch


def _compressed(records: list[Row]) -> list[Row]:
    """Records with their bytes compressed: one after the other, which is faster than each at its time."""
    compress = zstandard.ZstdCompressor(level=LEVEL).compress
    return [(*row, compress(data)) for *row, data in records]


def _outcome(one: Examined, seen: set[str | None]) -> Outcome:
    entry, report = one.entry, one.report
    state: State = "known" if report.digest in seen else "stored"
    return Outcome(
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


def _rejected(one: Examined) -> Row:
    entry = one.entry
    findings = msgspec.json.encode(one.report.findings).decode()
    content, name = content_of(entry.data), base_name(entry.name)
    return (content, name, entry.line, len(entry.data), one.reason, findings)


def joined(kinds: Mapping[str, Kind], parts: list[Part]) -> Columns:
    """Parts of a table one below the other."""
    length = sum([length for length, _ in parts])
    columns = zip(*[columns for _, columns in parts], strict=True)
    return {
        name: Column(kind, length, None, (b"".join(column),))
        if isinstance(kind, str)
        else coded(b"".join(column), length, kind)
        for (name, kind), column in zip(kinds.items(), columns, strict=True)
    }
