"""Import with a Dask cluster: its workers examine the records, this process stores them.

Every task is the same pure function of some lines of a file. Outcomes travel over the network, rows through a
folder that all machines share. If a worker dies, another repeats its task; log and digests make sure that
every game is stored once, however often it was examined.
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
"""Tasks submitted per thread of the cluster, so that no thread waits for work."""
CLUSTER_TASK_BYTES = 8 * 1024 * 1024
"""Size of a task on a cluster: large enough to be worth its messages and files."""
CONNECT_SECONDS = 15
"""How long to look for the scheduler, and then for a worker."""


class Cluster:
    """A Dask cluster that examines the tasks of an import; `parts` is a folder that its workers share."""

    def __init__(self, client: "Client", parts: Path) -> None:
        self.client = client
        self.parts = parts

    def examined(
        self, tasks: Iterator[ImportTask]
    ) -> Iterator[tuple[ImportTask, tuple[PreparedBatch, list[int]]]]:
        """Each task with its result, in order; raises what examining it raises."""
        waiting: deque[tuple[ImportTask, Future]] = deque()
        for task in tasks:
            waiting.append((task, self._submit(task)))
            if len(waiting) >= TASKS_PER_THREAD * max(1, sum(self.client.nthreads().values())):
                yield _wait_for(*waiting.popleft())
        while waiting:
            yield _wait_for(*waiting.popleft())

    def _submit(self, task: ImportTask) -> "Future":
        first = task.portions[0].block
        folder = self.parts / f"{task.files[0].key:015x}-{first.start}"
        return self.client.submit(examine_into_folder, task, str(folder), pure=False)


def _wait_for(
    task: ImportTask, future: "Future"
) -> tuple[ImportTask, tuple[PreparedBatch, list[int]]]:
    from distributed import KilledWorker

    try:
        return task, future.result()
    except KilledWorker as error:
        raise StoreError(f"workers kept dying at {task}") from error


@contextmanager
def connect_cluster(address: str, data: Path) -> Iterator[Cluster]:
    """The cluster at an address, for an import into a data folder; raises StoreError if it cannot be reached."""
    with _connect_client(address) as client:
        parts = data.resolve() / CLUSTER_FOLDER_NAME
        rmtree(parts, ignore_errors=True)
        parts.mkdir(parents=True)
        try:
            yield Cluster(client, parts)
        finally:
            rmtree(parts, ignore_errors=True)


def _connect_client(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError as error:
        raise StoreError("a cluster needs Dask: install bezique[cluster]") from error
    client = None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        if client is not None:
            client.close()
        raise StoreError(f"no worker can be reached at {address}: {error}") from error
    return client
