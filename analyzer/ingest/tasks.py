"""Parts of files, as they are handed out to processes that examine them; they need no database."""

from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from analyzer.ingest.batch import PreparedBatch, prepare_batch
from records import codec


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file that is imported; its key stands for its path, size and time of change."""

    key: int
    name: str
    path: str | None
    size: int | None
    modified_ns: int | None
    job: str | None


@dataclass(frozen=True, slots=True)
class Portion:
    """A block of a file. With `unread` bytes its lines are not in the block but still to be read from `path`."""

    block: codec.Block
    path: Path | None = None
    unread: int = 0

    def entries(self) -> list[codec.Entry]:
        """The records of the block; raises OSError as reading does."""
        block = self.block
        if self.path is not None and self.unread:
            with self.path.open("rb") as stream:
                stream.seek(block.start)
                block = replace(block, data=stream.read(self.unread))
        return list(block)


@dataclass(frozen=True, slots=True)
class ImportTask:
    """Portions that are examined and stored together; `done` counts the bytes read up to their end."""

    files: list[ImportedFile]
    portions: list[Portion]
    done: int

    def __str__(self) -> str:
        last = self.portions[-1].block
        return f"{last.name}, up to line {last.line + last.lines}"

    def __reduce__(self) -> tuple[object, ...]:
        return ImportTask, ([], self.portions, self.done)


def examine_task(task: ImportTask) -> tuple[PreparedBatch, list[int]]:
    """What is to be stored of a task, and the number of records in each portion; raises OSError."""
    entries = [portion.entries() for portion in task.portions]
    return prepare_batch(list(chain.from_iterable(entries))), list(map(len, entries))
