"""The import log: which blocks of which files are in the database. It is committed together with their games."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from analyzer.db.columns import Columns
from analyzer.db.store import Store
from analyzer.db.tables import columns_of
from analyzer.ingest.batch import RecordOutcome
from analyzer.ingest.tasks import ImportedFile
from records import codec
from records.safe_text import path_text

SELECT_COMMITTED_BLOCKS = """
    SELECT start, stop, records, stored + known AS known, rejected, deals, events, findings
    FROM import_batches
    WHERE import = ?
"""


@dataclass(frozen=True, slots=True)
class CommittedBlock:
    """A block that an earlier import committed: its numbers of records, deals, events and findings."""

    start: int
    stop: int
    records: int
    known: int
    rejected: int
    deals: int
    events: int
    findings: int


def imported_file(path: Path | None, name: str, job: str | None = None) -> ImportedFile:
    """A file in its present state, or a stream, which is new every time; raises OSError."""
    if path is None:
        return ImportedFile(secrets.randbits(60), name, None, None, None, job)
    status, full_path = path.stat(), str(path.resolve())
    text = f"{full_path}\0{status.st_size}\0{status.st_mtime_ns}"
    key = int(hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:15], 16)
    name, stored_path = path_text(path.name), path_text(full_path)
    return ImportedFile(key, name, stored_path, status.st_size, status.st_mtime_ns, job)


def committed_blocks(store: Store, key: int) -> dict[tuple[int, int], CommittedBlock]:
    """The blocks of a file that are in the database, by their offsets.

    Blocks with rejected records are left out: a newer program may be able to read them.
    """
    blocks = [CommittedBlock(*row) for row in store.rows(SELECT_COMMITTED_BLOCKS, [key]).rows]
    return {(block.start, block.stop): block for block in blocks if not block.rejected}


def log_columns(
    blocks: list[tuple[ImportedFile, codec.Block, list[RecordOutcome]]],
) -> dict[str, Columns]:
    """The rows of the log for these blocks, each with the outcomes of its records."""
    files = {file.key: file for file, _, _ in blocks}
    return {
        "imports": columns_of("imports", [_file(file) for file in files.values()]),
        "import_batches": columns_of("import_batches", [_batch(*block) for block in blocks]),
    }


def log_upload(
    number: int, files: Iterable[tuple[ImportedFile, list[RecordOutcome]]]
) -> dict[str, Columns]:
    """The rows of the log for the batch with this number of files that came with a request, each with its outcomes."""
    return log_columns([(file, _block_of_batch(file, number), own) for file, own in files])


def _block_of_batch(file: ImportedFile, number: int) -> codec.Block:
    return codec.Block(
        file.name,
        number,
        number + 1,
        line=1,
        lines=0,
        final=False,
        position=0,
        plain=False,
        data=b"",
    )


def _file(file: ImportedFile) -> tuple[object, ...]:
    return (file.key, file.name, file.path, file.size, file.modified_ns, file.job)


def _batch(
    file: ImportedFile, block: codec.Block, outcomes: list[RecordOutcome]
) -> tuple[object, ...]:
    states = [outcome.state for outcome in outcomes]
    return (
        file.key, block.start, block.stop, block.line, block.lines, block.final, len(outcomes),
        states.count("stored"), states.count("known"), states.count("rejected"),
        sum([outcome.deals for outcome in outcomes]), sum([outcome.events for outcome in outcomes]),
        sum([outcome.findings for outcome in outcomes]),
    )  # fmt: skip
