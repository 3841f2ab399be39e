"""Rescue the records of a damaged data folder into a new one; everything else is computed from them again."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import msgspec

from analyzer.db.file.copying import is_log_readable, log_of
from analyzer.db.parquet_export import is_parquet_folder
from analyzer.db.store import DATABASE_FILE_NAME, Store
from analyzer.doctor.mended_copy import write_mended_copy
from analyzer.doctor.problem import CheckProgress
from analyzer.doctor.proven_record import RescuedRecord, digest_of, unpack_whole
from analyzer.doctor.raw_records import find_raw_records
from analyzer.doctor.row_reading import read_names, read_record_rows
from analyzer.ingest.loader import ingest
from records import codec
from records.errors import StoreError

SELECT_FILE_ROWS = (
    "SELECT digest, data, name, line FROM read_parquet($file, hive_partitioning = false)"
)
WHOLE_DIGEST = re.compile(r"[0-9a-f]{64}")


class RescueSummary(msgspec.Struct):
    """What a rescue came to: `rescued` records, of which `unproven` could not be compared with a digest.

    `lost` are the digests that the database names and whose records cannot be read; `damaged_blocks` counts the
    blocks of 256 KiB with a wrong byte.
    """

    rescued: int = 0
    unproven: int = 0
    lost: list[str] = []
    damaged_blocks: int = 0


@dataclass(slots=True)
class _Findings:
    """What was found so far, by digest."""

    proven: dict[str, RescuedRecord] = field(default_factory=dict)
    unproven: dict[str, RescuedRecord] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    all_named: bool = True


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
        ingest(store, map(_entry, records))
        summary.rescued = store.counts().games
    summary.unproven = len(findings.unproven)
    missing = findings.named - findings.proven.keys() - findings.unproven.keys()
    summary.lost = sorted(filter(WHOLE_DIGEST.fullmatch, missing))
    return summary


def _entry(record: RescuedRecord) -> codec.Entry:
    return codec.Entry(name=record.name, line=record.line, data=record.data)


def _search_database(
    path: Path, findings: _Findings, summary: RescueSummary, progress: CheckProgress
) -> None:
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
    if not findings.all_named or findings.named - findings.proven.keys():
        for source, blocks in ((path, True), (log_of(path), False)):
            if source.exists():
                _take_raw(find_raw_records(source, blocks=blocks), findings)


def _take_rows(rows: list[tuple[str, bytes, str, int | None]], findings: _Findings) -> None:
    for _, packed, name, line in rows:
        data = unpack_whole(packed)
        digest = digest_of(data)
        if data is not None and digest is not None and digest in findings.named:
            findings.proven[digest] = RescuedRecord(digest, data, name or "rescued.jsonl", line)


def _take_raw(found: Iterator[bytes], findings: _Findings) -> None:
    for data in found:
        digest = digest_of(data)
        if digest is None or digest in findings.proven:
            continue
        if digest in findings.named:
            findings.proven[digest] = RescuedRecord(digest, data)
        elif not findings.all_named:
            findings.unproven[digest] = RescuedRecord(digest, data)


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
