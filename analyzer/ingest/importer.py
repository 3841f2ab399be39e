"""Files into the database: block by block, in several processes, and logged, so that an import can go on."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from analyzer.db.columns import Columns
from analyzer.db.store import Store
from analyzer.ingest.batch import PreparedBatch
from analyzer.ingest.import_log import committed_blocks, imported_file, log_columns
from analyzer.ingest.loader import IngestCounts, share_no_game, store_batches
from analyzer.ingest.task_files import delete_folders
from analyzer.ingest.tasks import ImportedFile, ImportTask, Portion, examine_task
from analyzer.process_pool import map_in_processes
from records import codec

TASKS_PER_COMMIT, COMMIT_SECONDS = 128, 5.0
"""So many tasks are committed together, or those of so many seconds: a transaction has its price."""

TaskResults = Iterator[tuple[ImportTask, tuple[PreparedBatch, list[int]]]]
TaskExaminer = Callable[[Iterator[ImportTask]], TaskResults]
"""Who makes of each task a batch, with the number of records in each of its portions; in order."""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """A file, or a stream without a `path`; `size` is in bytes, None where it cannot be known."""

    name: str
    path: Path | None
    size: int | None
    opened: Callable[[], AbstractContextManager[BinaryIO]]


class FinishedTask(NamedTuple):
    """A task with its batch, and the number of records in each of its portions."""

    task: ImportTask
    batch: PreparedBatch
    sizes: list[int]


@dataclass(slots=True)
class Importer:
    """One import of many files; `summary` grows with every transaction.

    With `processes` the records are examined in so many; without, in this one; with an `examiner`, by that, who
    makes of tasks what `map_in_processes` makes of them. `progress` is called with the
    bytes read after every task, and may raise to stop the import: what was committed stays.
    """

    store: Store
    processes: int = 0
    job: str | None = None
    progress: Callable[[int], None] | None = None
    task_bytes: int = codec.BLOCK_BYTES
    summary: IngestCounts = field(default_factory=IngestCounts)
    examiner: TaskExaminer | None = None
    _done: list[FinishedTask] = field(default_factory=list, init=False)
    _since: float = field(default_factory=time.monotonic, init=False)

    def run(self, sources: list[ImportSource]) -> IngestCounts:
        """Import these files, but for the blocks that are logged; raises OSError and StoreError."""
        gc.freeze()  # or all that is loaded would be searched for garbage again and again
        try:
            for task, (batch, sizes) in self._examined(self._tasks(sources)):
                self._done.append(FinishedTask(task, batch, sizes))
                if (
                    len(self._done) >= TASKS_PER_COMMIT
                    or time.monotonic() - self._since > COMMIT_SECONDS
                ):
                    self._commit()
                if self.progress is not None:
                    self.progress(task.done)
        finally:
            gc.unfreeze()
            self._commit()
        return self.summary

    def _examined(self, tasks: Iterator[ImportTask]) -> TaskResults:
        return (
            self.examiner(tasks)
            if self.examiner
            else map_in_processes(examine_task, tasks, self.processes)
        )

    def _commit(self) -> None:
        """Store what was done since the last time, together if that can be."""
        done, self._done, self._since = self._done, [], time.monotonic()
        if done:
            together = share_no_game([one.batch for one in done])
            for group in [done] if together else [[one] for one in done]:
                self._store(group)

    def _store(self, done: list[FinishedTask]) -> None:
        store_batches(self.store, [one.batch for one in done], partial(_logged, done))
        for outcome in chain.from_iterable([one.batch.outcomes for one in done]):
            self.summary.add(outcome)
        delete_folders([one.batch for one in done])

    def _tasks(self, sources: list[ImportSource]) -> Iterator[ImportTask]:
        """The portions that are not in the database yet, put together to tasks of about one size."""
        files: list[ImportedFile] = []
        portions: list[Portion] = []
        size = before = done = 0
        for source in sources:
            for file, block in self._blocks(source):
                done = before + block.position
                files.append(file)
                portions.append(self._portion(source, block))
                size += len(block.data) + sum([len(entry.data) for entry in block.entries])
                if size >= self.task_bytes:
                    yield ImportTask(files, portions, done)
                    files, portions, size = [], [], 0
            before += source.size or 0
        if portions:
            yield ImportTask(files, portions, done)

    def _portion(self, source: ImportSource, block: codec.Block) -> Portion:
        elsewhere = self.processes or self.examiner
        if not elsewhere or not block.plain or source.path is None:
            return Portion(block)
        return Portion(replace(block, data=b""), source.path.resolve(), len(block.data))

    def _blocks(self, source: ImportSource) -> Iterator[tuple[ImportedFile, codec.Block]]:
        file = imported_file(source.path, source.name, self.job)
        known = committed_blocks(self.store, file.key) if source.path else {}
        with source.opened() as stream:
            for block in codec.read_blocks(stream, name=source.name, size=self.task_bytes):
                logged = known.get((block.start, block.stop))
                if logged is None:
                    yield file, block
                else:
                    self.summary.add_committed(logged)


def _logged(group: list[FinishedTask]) -> dict[str, Columns]:
    """The rows of the log for what was done, block by block."""
    blocks = []
    for one in group:
        outcomes = iter(one.batch.outcomes)
        for file, portion, size in zip(one.task.files, one.task.portions, one.sizes, strict=True):
            blocks.append((file, portion.block, list(islice(outcomes, size))))
    return log_columns(blocks)
