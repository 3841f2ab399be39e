"""Import files block by block, in several processes; a log lets an interrupted import continue."""

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from analyzer.ingest.batch import PreparedBatch
from analyzer.ingest.loader import (
    CommittedBlock,
    IngestCounts,
    committed_blocks,
    imported_file,
    log_columns,
    share_no_game,
    store_batches,
)
from analyzer.ingest.tasks import (
    ALL_RECORDS,
    ImportedFile,
    ImportTask,
    Portion,
    RecordChoice,
    delete_folders,
    examine_task,
)
from analyzer.store.processes import map_in_processes
from analyzer.store.store import Store
from analyzer.store.tables import Columns
from records.format.files import BLOCK_BYTES, Block, read_blocks

TASKS_PER_COMMIT, COMMIT_SECONDS = 128, 5.0
"""Tasks committed together at most, and seconds between commits: every transaction costs time."""

TaskResults = Iterator[tuple[ImportTask, tuple[PreparedBatch, list[int]]]]
TaskExaminer = Callable[[Iterator[ImportTask]], TaskResults]
"""Examines tasks in order: yields each with its batch and the number of records in each of its portions."""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """A file, or a stream without a `path`; `size` is in bytes, or None if unknown."""

    name: str
    path: Path | None
    size: int | None
    opened: Callable[[], AbstractContextManager[BinaryIO]]


class PlacedBlock(NamedTuple):
    """A block of a source; `done` is the bytes of all sources up to its end."""

    source: ImportSource
    file: ImportedFile
    block: Block
    done: int


class FinishedTask(NamedTuple):
    """A task with its batch and the number of records in each of its portions (`sizes`)."""

    task: ImportTask
    batch: PreparedBatch
    sizes: list[int]


@dataclass(slots=True)
class Importer:
    """One import of many files; `summary` grows with every transaction.

    Records are examined in `processes` other processes, in this one if that is 0, or by an `examiner` such as a
    cluster's. `progress` is called with the bytes read after every task; it may raise to stop the import, and
    what was committed stays. The log names the upload (`job`) that the files came with. Only the
    `wanted` records are stored.
    """

    store: Store
    processes: int = 0
    job: str | None = None
    progress: Callable[[int], None] | None = None
    task_bytes: int = BLOCK_BYTES
    summary: IngestCounts = field(default_factory=IngestCounts)
    examiner: TaskExaminer | None = None
    wanted: RecordChoice = ALL_RECORDS
    _uncommitted: list[FinishedTask] = field(default_factory=list, init=False)
    _last_commit: float = field(default_factory=time.monotonic, init=False)

    def run(self, sources: list[ImportSource]) -> IngestCounts:
        """Import these files, skipping the blocks in the log; raises OSError and StoreError."""
        gc.freeze()  # without this every collection would search all loaded modules again
        try:
            for task, (batch, sizes) in self._examine(self._tasks(sources)):
                self._uncommitted.append(FinishedTask(task, batch, sizes))
                if (
                    len(self._uncommitted) >= TASKS_PER_COMMIT
                    or time.monotonic() - self._last_commit > COMMIT_SECONDS
                ):
                    self._commit()
                if self.progress is not None:
                    self.progress(task.done)
        finally:
            gc.unfreeze()
            self._commit()
        return self.summary

    def _examine(self, tasks: Iterator[ImportTask]) -> TaskResults:
        return (
            self.examiner(tasks)
            if self.examiner
            else map_in_processes(examine_task, tasks, self.processes)
        )

    def _commit(self) -> None:
        """Store the tasks finished since the last commit: in one transaction, or one each if they share games."""
        finished, self._uncommitted = self._uncommitted, []
        self._last_commit = time.monotonic()
        if finished:
            together = share_no_game([task.batch for task in finished])
            for group in [finished] if together else [[task] for task in finished]:
                self._store(group)

    def _store(self, finished: list[FinishedTask]) -> None:
        batches = [task.batch for task in finished]
        store_batches(self.store, batches, partial(_log_rows, finished))
        for outcome in chain.from_iterable([batch.outcomes for batch in batches]):
            self.summary.add(outcome)
        delete_folders(batches)

    def _tasks(self, sources: list[ImportSource]) -> Iterator[ImportTask]:
        """The portions that are not in the database yet, grouped into tasks of about equal size."""
        sent = bool(self.processes or self.examiner)
        blocks = self._blocks(sources)
        yield from group_blocks(blocks, self.task_bytes, self.wanted, sent=sent)

    def _blocks(self, sources: list[ImportSource]) -> Iterator[PlacedBlock]:
        """The blocks that no earlier import committed; the others are only counted."""
        committed: dict[int, dict[tuple[int, int], CommittedBlock]] = {}
        for placed in read_source_blocks(sources, self.job, self.task_bytes):
            file, block = placed.file, placed.block
            if file.path is not None and file.key not in committed:
                committed = {file.key: committed_blocks(self.store, file.key)}
            logged = committed.get(file.key, {}).get((block.start, block.stop))
            if logged is None:
                yield placed
            else:
                self.summary.add_committed(logged)


def read_source_blocks(
    sources: list[ImportSource], job: str | None = None, size: int = BLOCK_BYTES
) -> Iterator[PlacedBlock]:
    """The blocks of these sources, in order; raises OSError."""
    before = 0
    for source in sources:
        file = imported_file(source.path, source.name, job)
        with source.opened() as stream:
            for block in read_blocks(stream, name=source.name, size=size):
                yield PlacedBlock(source, file, block, before + block.position)
        before += source.size or 0


def group_blocks(
    blocks: Iterable[PlacedBlock], size: int, wanted: RecordChoice, *, sent: bool
) -> Iterator[ImportTask]:
    """Blocks as tasks of about so many bytes; if they are `sent`, another process examines them."""
    files: list[ImportedFile] = []
    portions: list[Portion] = []
    length = done = 0
    for placed in blocks:
        block, done = placed.block, placed.done
        files.append(placed.file)
        portions.append(_portion(placed.source, block, sent=sent))
        length += len(block.data) + sum([len(entry.data) for entry in block.entries])
        if length >= size:
            yield ImportTask(files, portions, done, wanted)
            files, portions, length = [], [], 0
    if portions:
        yield ImportTask(files, portions, done, wanted)


def _portion(source: ImportSource, block: Block, *, sent: bool) -> Portion:
    # Another process reads a plain file itself; only compressed data and streams are sent to it.
    if not sent or not block.plain or source.path is None:
        return Portion(block)
    length = len(block.data)
    return Portion(replace(block, data=b""), source.path.resolve(), length)


def _log_rows(finished: list[FinishedTask]) -> dict[str, Columns]:
    """The rows of the log for finished tasks, one per block."""
    blocks = []
    for task, batch, sizes in finished:
        outcomes = iter(batch.outcomes)
        for file, portion, size in zip(task.files, task.portions, sizes, strict=True):
            blocks.append((file, portion.block, list(islice(outcomes, size))))
    return log_columns(blocks)
