"""Import tasks: parts of files, handed to the processes that examine them. They need no database."""

from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from analyzer.ingest.batch import PreparedBatch, prepare_batch
from records import codec
from records.validate.shared_budget import SharedBudget


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file being imported; its key stands for its path, size and time of change."""

    key: int
    name: str
    path: str | None
    size: int | None
    modified_ns: int | None
    job: str | None


@dataclass(frozen=True, slots=True)
class Portion:
    """A block of a file. If `unread` is not 0, the block is empty and so many bytes must be read from `path`.

    Each portion has a budget of its own, however many processes there are; that of the `first` block of a file begins
    with what a record may cost if it is checked alone.
    """

    block: codec.Block
    path: Path | None = None
    unread: int = 0
    first: bool = True

    def entries(self) -> list[codec.Entry]:
        """The records of the block; raises OSError if the file cannot be read."""
        block = self.block
        if self.path is not None and self.unread:
            with self.path.open("rb") as stream:
                stream.seek(block.start)
                block = replace(block, data=stream.read(self.unread))
        return list(block)

    def budget(self) -> SharedBudget:
        """The budget that the records of the block share."""
        return SharedBudget.of_block(self.block.stop - self.block.start, first=self.first)


@dataclass(frozen=True, slots=True)
class ImportTask:
    """Portions that are examined and stored together; `done` is the bytes of the whole import up to their end."""

    files: list[ImportedFile]
    portions: list[Portion]
    done: int

    def __str__(self) -> str:
        last = self.portions[-1].block
        return f"{last.name}, up to line {last.line + last.lines}"

    def __reduce__(self) -> tuple[object, ...]:
        # Other processes need no file list: only the importer, which keeps the task, writes the log.
        return ImportTask, ([], self.portions, self.done)


def examine_task(task: ImportTask) -> tuple[PreparedBatch, list[int]]:
    """The batch of a task, and the number of records in each of its portions; raises OSError."""
    entries = [portion.entries() for portion in task.portions]
    budgets = [
        budget
        for portion, read in zip(task.portions, entries, strict=True)
        for budget in [portion.budget()] * len(read)
    ]
    batch = prepare_batch(list(chain.from_iterable(entries)), budgets=budgets)
    return batch, list(map(len, entries))
