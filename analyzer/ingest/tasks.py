"""The tasks of an import: files examined in processes of this machine or on a Dask cluster."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, TypeVar

import duckdb
import msgspec

from analyzer.ingest.batch import PreparedBatch, content_digest, prepare_batch
from analyzer.store.processes import map_in_processes
from analyzer.store.tables import readable, select_list
from records.errors import StoreError
from records.format.files import Block, Entry
from records.rules.registry import know_sheets, own_sheets
from records.rules.vocabulary import RuleSheet

if TYPE_CHECKING:
    from distributed import Client, Future

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")


# Import tasks: parts of files. They need no database.


class RecordChoice(msgspec.Struct, frozen=True):
    """Which records of some files are wanted: all `but` these, or with `none` only these, by the digests of their bytes."""

    none: bool = False
    but: frozenset[str] = frozenset()

    def takes(self, content: str) -> bool:
        """Whether the record with this digest of its bytes is wanted."""
        return (content in self.but) == self.none

    def of(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The entries that are wanted, one by one."""
        if not (self.none or self.but):
            return iter(entries)
        return (entry for entry in entries if self.takes(content_digest(entry.data)))


ALL_RECORDS = RecordChoice()


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
    """A block of a file. If `unread` is not 0, the block is empty and so many bytes must be read from `path`."""

    block: Block
    path: Path | None = None
    unread: int = 0

    def entries(self) -> list[Entry]:
        """The records of the block; raises OSError if the file cannot be read."""
        block = self.block
        if self.path is not None and self.unread:
            with self.path.open("rb") as stream:
                stream.seek(block.start)
                block = replace(block, data=stream.read(self.unread))
        return list(block)


@dataclass(frozen=True, slots=True)
class ImportTask:
    """Portions whose wanted records are examined and stored together; `done` is the bytes of the whole import up to their end."""

    files: list[ImportedFile]
    portions: list[Portion]
    done: int
    wanted: RecordChoice = ALL_RECORDS

    def __str__(self) -> str:
        last = self.portions[-1].block
        return f"{last.name}, up to line {last.line + last.lines}"

    def __reduce__(self) -> tuple[object, ...]:
        # Other processes need no file list: only the importer, which keeps the task, writes the log.
        return ImportTask, ([], self.portions, self.done, self.wanted)


def examine_task(task: ImportTask) -> tuple[PreparedBatch, list[int]]:
    """The batch of a task, and the number of records in each of its portions; raises OSError."""
    entries = [list(task.wanted.of(portion.entries())) for portion in task.portions]
    batch = prepare_batch(list(chain.from_iterable(entries)))
    return batch, list(map(len, entries))


# The results of a task as Parquet files: one file per table, one folder per task.
#
# A folder gets its name only when it is complete. The same task always makes the same folder, so whoever
# finishes second leaves it as it is.


def examine_into_folder(
    task: ImportTask, folder: str, sheets: tuple[RuleSheet, ...] = ()
) -> tuple[PreparedBatch, list[int]]:
    """Examine a task by these rulebooks, too, and write its tables into a folder; raises OSError."""
    know_sheets(sheets)
    batch, sizes = examine_task(task)
    write_tables(batch, Path(folder))
    return PreparedBatch(batch.outcomes, {}, folder), sizes


def write_tables(batch: PreparedBatch, folder: Path) -> None:
    """Write the tables of a batch into a folder, as a whole or not at all; raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f"{folder.name}.", suffix=".draft", dir=folder.parent))
    try:
        with _engine().cursor() as connection:
            for table, columns in batch.tables.items():
                path = str(draft / f"{table}.parquet").replace("'", "''")
                rows = f"SELECT {select_list(table, columns)} FROM incoming"
                copy = f"COPY ({rows}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)"
                with readable(connection, columns):
                    connection.execute(copy)
        _publish(draft, folder)
    finally:
        rmtree(draft, ignore_errors=True)


@cache
def _engine() -> duckdb.DuckDBPyConnection:
    """One DuckDB for the life of a process: making one takes as long as examining a hundred deals."""
    return duckdb.connect(config={"threads": 1})


def _publish(draft: Path, folder: Path) -> None:
    """Give a draft its name; a folder that is already there has the same contents and stays."""
    try:
        draft.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def list_parquet_files(batches: list[PreparedBatch]) -> dict[str, list[str]]:
    """The Parquet files of some batches, by table."""
    found: dict[str, list[str]] = {}
    for batch in batches:
        for file in sorted(Path(batch.folder).glob("*.parquet")) if batch.folder else ():
            found.setdefault(file.stem, []).append(str(file))
    return found


def delete_folders(batches: list[PreparedBatch]) -> None:
    """Delete the folders of batches that are stored."""
    for batch in batches:
        if batch.folder:
            rmtree(batch.folder, ignore_errors=True)


# Import with a Dask cluster: its workers examine the records, this process stores them.
#
# Every task is the same pure function of some lines of a file. Outcomes travel over the network, rows through a
# folder that all machines share. If a worker dies, another repeats its task; log and digests make sure that
# every game is stored once, however often it was examined.

CLUSTER_FOLDER_NAME = "parts"
TASKS_PER_THREAD = 4
"""Tasks submitted per thread of the cluster, so that no thread waits for work."""
CLUSTER_TASK_BYTES = 8 * 1024 * 1024
"""Size of a task on a cluster: large enough to be worth its messages and files."""
CONNECT_SECONDS = 15
"""How long to look for the scheduler, and then for a worker."""
WORKERLESS_SECONDS = 60
"""How long to wait for another worker once the last one is gone."""
SECONDS_BETWEEN_LOOKS = 1.0


class Cluster:
    """A Dask cluster that examines the tasks of an import; `parts` is a folder that its workers share."""

    def __init__(self, client: "Client", parts: Path) -> None:
        self.client = client
        self.parts = parts

    def examined(
        self, tasks: Iterator[ImportTask]
    ) -> Iterator[tuple[ImportTask, tuple[PreparedBatch, list[int]]]]:
        """Each task with its result, in order; raises what examining it raises."""
        return map_on_cluster(self.client, tasks, self._submit)

    def _submit(self, task: ImportTask) -> "Future":
        first = task.portions[0].block
        folder = self.parts / f"{task.files[0].key:015x}-{first.start}"
        return self.client.submit(examine_into_folder, task, str(folder), own_sheets(), pure=False)


def map_tasks(
    function: Callable[[_Task], _Answer],
    tasks: Iterable[_Task],
    processes: int,
    client: "Client | None",
    telling: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[_Task, _Answer]]:
    """Each task with the function's answer, in order, by the cluster of a client; without one, as `map_in_processes` says.

    For what is raised, and for `telling`, see `map_on_cluster`.
    """
    if client is None:
        return map_in_processes(function, tasks, processes)
    return map_on_cluster(
        client, tasks, lambda task: client.submit(function, task, pure=False), telling
    )


def map_on_cluster(
    client: "Client",
    tasks: Iterable[_Task],
    submit: "Callable[[_Task], Future]",
    telling: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[_Task, Any]]:
    """Each task with its answer, in order, as `submit` asks the cluster for it; raises StoreError and what a task raises.

    Only few tasks are with the cluster at a time. `telling` is called with what is waited for, if it is not an answer.
    """
    waiting: deque[tuple[_Task, Future]] = deque()
    for task in tasks:
        waiting.append((task, submit(task)))
        if len(waiting) >= TASKS_PER_THREAD * max(1, count_threads(client)):
            yield _wait_for(client, *waiting.popleft(), telling)
    while waiting:
        yield _wait_for(client, *waiting.popleft(), telling)


def _wait_for(
    client: "Client", task: _Task, future: "Future", telling: Callable[[str], None]
) -> tuple[_Task, Any]:
    from distributed import KilledWorker

    last_seen = time.monotonic()
    try:
        while not _is_done(client, future):
            if count_threads(client):
                last_seen = time.monotonic()
            elif time.monotonic() - last_seen < WORKERLESS_SECONDS:
                telling("no worker is left: waiting for one")
            else:
                raise StoreError(
                    f"no worker is left at {client.scheduler.address}: start one, and run this again"
                )
        return task, future.result()
    except KilledWorker as error:
        raise StoreError(f"workers kept dying at {task}") from error
    except CancelledError as error:
        raise _lost_scheduler(client) from error


def _is_done(client: "Client", future: "Future") -> bool:
    """Whether a task is done, or is after a while; raises CancelledError if the scheduler is gone."""
    from distributed import wait

    with suppress(TimeoutError), client.as_current():
        wait(future, timeout=SECONDS_BETWEEN_LOOKS)
    return bool(future.done())


def count_threads(client: "Client") -> int:
    """How many threads the workers of a cluster have; raises StoreError if its scheduler is gone."""
    try:
        if client.status == "running":
            return sum(client.nthreads().values())
    except OSError as error:
        raise _lost_scheduler(client) from error
    raise _lost_scheduler(client)


def _lost_scheduler(client: "Client") -> StoreError:
    return StoreError(f"the scheduler at {client.scheduler.address} is gone: start one, and run this again")  # fmt: skip


@contextmanager
def connect_cluster(address: str, data: Path) -> Iterator[Cluster]:
    """The cluster at an address, for an import into a data folder; raises StoreError if it cannot be reached."""
    with connect_client(address) as client:
        parts = data.resolve() / CLUSTER_FOLDER_NAME
        rmtree(parts, ignore_errors=True)
        parts.mkdir(parents=True)
        try:
            yield Cluster(client, parts)
        finally:
            rmtree(parts, ignore_errors=True)


def connect_client(address: str) -> "Client":
    """A client of the cluster at an address, which has workers; raises StoreError if it cannot be reached."""
    try:
        from distributed import Client
    except ImportError as error:
        raise StoreError("a cluster needs Dask: install bezique[cluster]") from error
    _silence_dask()
    client = None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        if client is not None:
            client.close()
        raise StoreError(f"no worker can be reached at {address}: {error}") from error
    return client


def _silence_dask() -> None:
    """Let Dask write nothing to the terminal: whoever calls is told what is wrong, in words."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.split(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
