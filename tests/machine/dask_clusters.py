"""Dask clusters of real processes on this machine, of which any may be killed."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from distributed import Client

from tests.machine.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@dataclass
class DaskCluster:
    """A scheduler and its workers, each a process; their files are in a folder."""

    folder: Path
    running: ExitStack
    workers: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._file = self.folder / "scheduler.json"
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", 0, "--scheduler-file", self._file
        )
        while not self._file.exists():
            time.sleep(0.05)

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        return self._file.read_text().split('"address": "')[1].split('"')[0]

    def add_workers(self, number: int) -> None:
        """Start so many workers more; they are there when this returns."""
        words = ("--no-nanny", "--nthreads", 1, "--local-directory", self.folder)
        for _ in range(number):
            worker = self._start("dask_worker", "--scheduler-file", self._file, *words)
            self.workers.append(worker)
        alive = sum(worker.poll() is None for worker in self.workers)
        with Client(self.address, timeout=PATIENCE_SECONDS, set_as_default=False) as client:
            client.wait_for_workers(alive, timeout=PATIENCE_SECONDS)

    def _start(self, module: str, *words: object) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, words)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        started = subprocess.Popen(  # type: ignore[call-overload]
            [*command, "--no-dashboard"], cwd=ROOT, env=environment, **QUIET
        )
        self.running.callback(started.wait)
        self.running.callback(started.kill)
        return started  # type: ignore[no-any-return]


@contextmanager
def dask_cluster(folder: Path, *, workers: int) -> Iterator[DaskCluster]:
    """A cluster with so many workers, of one thread each."""
    with ExitStack() as running:
        cluster = DaskCluster(folder, running)
        cluster.add_workers(workers)
        yield cluster
