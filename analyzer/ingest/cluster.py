"""An import whose records are examined on a Dask cluster, and stored by this process.

Every task is the same pure function of some lines of a file. Its outcomes travel over the network, its rows
through a folder that all machines share. A task whose worker dies is done by another; what was stored is told
by the log and by the digests, so that it is stored once, however often it was examined.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from analyzer.ingest.batch import PreparedBatch
from analyzer.ingest.task_files import examine_into_folder
from analyzer.ingest.tasks import ImportTask
from records.errors import StoreError

if TYPE_CHECKING:
    from distributed import Client, Future

CLUSTER_FOLDER_NAME = "parts"
TASKS_PER_THREAD = 4
"""Tasks handed out for each thread of the cluster, so that none waits for another."""
CLUSTER_TASK_BYTES = 8 * 1024 * 1024
"""Of an import on a cluster: a task has to be worth its way, and its files."""
CONNECT_SECONDS = 15
"""To find the scheduler, and a worker."""


class Cluster:
    """A Dask cluster that examines the tasks of an import; `parts` is a folder that its workers reach, too."""

    def __init__(self, client: "Client", parts: Path) -> None:
        self.client = client
        self.parts = parts

    def examined(
        self, tasks: Iterator[ImportTask]
    ) -> Iterator[tuple[ImportTask, tuple[PreparedBatch, list[int]]]]:
        """Each task with what became of it, in order; raises what examining it raises."""
        waiting: deque[tuple[ImportTask, Future]] = deque()
        for task in tasks:
            waiting.append((task, self._begun(task)))
            if len(waiting) >= TASKS_PER_THREAD * max(1, sum(self.client.nthreads().values())):
                yield _answer(*waiting.popleft())
        while waiting:
            yield _answer(*waiting.popleft())

    def _begun(self, task: ImportTask) -> "Future":
        first = task.portions[0].block
        folder = self.parts / f"{task.files[0].key:015x}-{first.start}"
        return self.client.submit(examine_into_folder, task, str(folder), pure=False)


def _answer(
    task: ImportTask, future: "Future"
) -> tuple[ImportTask, tuple[PreparedBatch, list[int]]]:
    from distributed import KilledWorker

    try:
        return task, future.result()
    except KilledWorker as error:
        raise StoreError(f"workers died again and again at {task}") from error


@contextmanager
def connect_cluster(address: str, data: Path) -> Iterator[Cluster]:
    """The cluster at an address, for an import into a data folder; raises StoreError if there is none."""
    with _connected(address) as client:
        parts = data.resolve() / CLUSTER_FOLDER_NAME
        rmtree(parts, ignore_errors=True)
        parts.mkdir(parents=True)
        try:
            yield Cluster(client, parts)
        finally:
            rmtree(parts, ignore_errors=True)


def _connected(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError as error:
        raise StoreError(
            "a cluster needs Dask: install bezique with its extra, as bezique[cluster]"
        ) from error
    client = None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        if client is not None:
            client.close()
        raise StoreError(f"no workers can be reached at {address}: {error}") from error
    return client
