"""Files into the database: block by block, in several processes, and logged, so that an import can go on."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from analyzer.batch import Batch, Outcome
from analyzer.columns import Columns
from analyzer.load import Summary, write
from analyzer.log import committed, imported, log_columns
from analyzer.pool import mapped
from analyzer.portions import Imported, Portion, Task, examined
from analyzer.store import Store
from records import codec


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a stream without a `path`; `size` is in bytes, None where it cannot be known."""

    name: str
    path: Path | None
    size: int | None
    opened: Callable[[], AbstractContextManager[BinaryIO]]


@dataclass(slots=True)
class Importer:
    """One import of many files; `summary` grows with every transaction.

    With `processes` the records are examined in so many; without, in this one. `progress` is called with the
    bytes read after every transaction, and may raise to stop the import: what was committed stays.
    """

    store: Store
    processes: int = 0
    job: str | None = None
    progress: Callable[[int], None] | None = None
    task_bytes: int = codec.BLOCK_BYTES
    summary: Summary = field(default_factory=Summary)

    def run(self, sources: list[Source]) -> Summary:
        """Import these files, but for the blocks that are logged; raises OSError and StoreError."""
        for task, (batch, sizes) in mapped(examined, self._tasks(sources), self.processes):
            self._store(task, batch, sizes)
            if self.progress is not None:
                self.progress(task.done)
        return self.summary

    def _store(self, task: Task, batch: Batch, sizes: list[int]) -> None:
        def log(outcomes: list[Outcome]) -> dict[str, Columns]:
            each = iter(outcomes)
            parts = [list(islice(each, size)) for size in sizes]
            blocks = [portion.block for portion in task.portions]
            return log_columns(list(zip(task.files, blocks, parts, strict=True)))

        for outcome in write(self.store, batch, log):
            self.summary.add(outcome)

    def _tasks(self, sources: list[Source]) -> Iterator[Task]:
        """The portions that are not in the database yet, put together to tasks of about one size."""
        files: list[Imported] = []
        portions: list[Portion] = []
        size = before = done = 0
        for source in sources:
            for file, block in self._blocks(source):
                done = before + block.position
                files.append(file)
                portions.append(self._portion(source, block))
                size += len(block.data) + sum([len(entry.data) for entry in block.entries])
                if size >= self.task_bytes:
                    yield Task(files, portions, done)
                    files, portions, size = [], [], 0
            before += source.size or 0
        if portions:
            yield Task(files, portions, done)

    def _portion(self, source: Source, block: codec.Block) -> Portion:
        if not self.processes or not block.plain or source.path is None:
            return Portion(block)
        return Portion(replace(block, data=b""), source.path, len(block.data))

    def _blocks(self, source: Source) -> Iterator[tuple[Imported, codec.Block]]:
        file = imported(source.path, source.name, self.job)
        known = committed(self.store, file.key) if source.path else {}
        with source.opened() as stream:
            for block in codec.blocks(stream, name=source.name, size=self.task_bytes):
                logged = known.get((block.start, block.stop))
                if logged is None:
                    yield file, block
                else:
                    self.summary.add_committed(logged)
