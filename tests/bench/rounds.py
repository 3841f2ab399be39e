"""Interleaved rounds: every contestant waits in its own process and does one round when asked."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.environment import ROOT


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who takes part: a name, the function that prepares it, the Python it runs in, and the folder of the sources."""

    name: str
    entry: str
    python: Path
    sources: Path = ROOT


@dataclass(frozen=True, slots=True)
class Lap:
    """One round of one contestant: how much it handled, in CPU seconds."""

    count: int
    seconds: float

    @property
    def rate(self) -> float:
        """Events (plies, actions) a CPU second."""
        return self.count / self.seconds

    @property
    def ns(self) -> float:
        """Nanoseconds an event."""
        return 1e9 * self.seconds / self.count


def race(
    contestants: list[Contestant], *, rounds: int, folder: Path, games: int
) -> dict[str, list[Lap]]:
    """Every contestant's laps; in each round all run once, one after the other."""
    laps: dict[str, list[Lap]] = {contestant.name: [] for contestant in contestants}
    with ExitStack() as stack:
        workers = {c.name: stack.enter_context(_worker(c, folder, games)) for c in contestants}
        for number in range(rounds):
            print(f"\rround {number + 1} of {rounds} ", end="", file=sys.stderr, flush=True)
            for name, worker in workers.items():
                laps[name].append(Lap(*json.loads(_ask(worker, "round"))))
    print(file=sys.stderr)
    return laps


@contextmanager
def _worker(contestant: Contestant, folder: Path, games: int) -> Iterator[subprocess.Popen[str]]:
    """A waiting worker; one that could not get ready ends the benchmark."""
    print(f"\rpreparing {contestant.name:<20}", end="", file=sys.stderr, flush=True)
    worker = subprocess.Popen(
        [contestant.python, "-m", "tests.bench.worker", contestant.entry, folder, str(games)],
        cwd=contestant.sources,
        env={**os.environ, "PYTHONPATH": str(contestant.sources), "PYTHONHASHSEED": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        if _line(worker) != "ready":
            raise SystemExit(f"{contestant.name} cannot run")
        yield worker
    finally:
        assert worker.stdin is not None
        worker.stdin.close()
        worker.wait()


def _ask(worker: subprocess.Popen[str], request: str) -> str:
    assert worker.stdin is not None
    print(request, file=worker.stdin, flush=True)
    return _line(worker)


def _line(worker: subprocess.Popen[str]) -> str:
    assert worker.stdout is not None
    return worker.stdout.readline().strip()
