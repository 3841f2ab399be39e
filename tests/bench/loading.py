"""The cost of loading, compared with validating and with a raw insert; space, memory and pace.

`python -m tests.bench.loading` is the part of `make bench`; `--once 1000000` loads so many deals once, with two
processes, and tells whether the cost of a deal grows from the first tenth to the last.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.ingest.importer import Importer
from analyzer.store.store import Store
from tests.bench import corpus, environment
from tests.bench.figures import Figure, median, table
from tests.bench.loaders import source
from tests.bench.memory import peak_mib
from tests.bench.rounds import Contestant, Lap, race

DEALS, ROUNDS = 12_000, 7
NAMES = ("validate", "load", "load_by_two", "insert", "raw")
COSTS, INSERTS, TWO, BYTES, MEMORY = 1.2, 0.8, 0.9, 1500.0, 1024.0
MILLION, MINUTES, FLAT = 1_000_000, 4.5, 1.1
LARGE, PARTS = 100_000, 10
"""So many deals can be looked at in parts, and tell the space of a deal: in a smaller database the tables of sums and
samples, which hardly grow, weigh more.
"""
TICKS = os.sysconf("SC_CLK_TCK")


def figures(deals: int = DEALS, rounds: int = ROUNDS) -> list[Figure]:
    """Ratios by round, then pace, space and memory of one large load by two processes."""
    folder = environment.inputs(environment.folder())
    print(f"writing {deals:,} deals", file=sys.stderr)
    corpus.file(folder, deals)
    own = [Contestant(name, f"tests.bench.loaders:{name}", Path(sys.executable)) for name in NAMES]
    laps = race(own, rounds=rounds, folder=folder, games=deals)
    return [*_ratios(laps), *_once(LARGE)]


def _ratios(laps: dict[str, list[Lap]]) -> list[Figure]:
    def over(name: str, other: str) -> list[float]:
        return [a.ns / b.ns for a, b in zip(laps[name], laps[other], strict=True)]

    def row(text: str, name: str) -> Figure:
        return median(
            "loading, microseconds a deal", text, "us", [lap.ns / 1000 for lap in laps[name]]
        )

    group = "loading"
    return [
        row("validate, with the digest", "validate"),
        row("load, one process", "load"),
        row("load, examined by two more", "load_by_two"),
        median(group, "time of loading over validating", "x", over("load", "validate"), bound="at most", target=COSTS),
        median(group, "insert over raw columnar insert, speed", "x", over("raw", "insert"), bound="at least", target=INSERTS),
        median(group, "efficiency of two processes", "x", over("load", "load_by_two"), bound="at least", target=TWO),
    ]  # fmt: skip


@dataclass(slots=True)
class Pace:
    """CPU and wall seconds of an import, this process and its children together, by deals done."""

    deals: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def note(self, deals: int) -> None:
        """Note where the import is."""
        if not self.deals or deals > self.deals[-1]:
            self.deals.append(deals)
            self.cpu.append(_cpu())
            self.wall.append(time.monotonic())

    def cost(self, start: float, stop: float) -> float:
        """CPU microseconds a deal between two shares of the import."""
        first, last = (self._at(share * self.deals[-1]) for share in (start, stop))
        return 1e6 * (self.cpu[last] - self.cpu[first]) / (self.deals[last] - self.deals[first])

    def _at(self, deals: float) -> int:
        return min(range(len(self.deals)), key=lambda place: abs(self.deals[place] - deals))


def _cpu() -> float:
    """CPU seconds of this process and the children that it has now."""
    return time.process_time() + sum(map(_cpu_of, _children()))


def _children() -> list[str]:
    me = os.getpid()
    return Path(f"/proc/{me}/task/{me}/children").read_text().split()


def _cpu_of(process: str) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measure(path: Path) -> dict[str, float]:
    """Load a file once by two processes, into a new database."""
    pace, start, peaks = Pace(), time.monotonic(), dict[str, float]()

    def note(done: int) -> None:
        pace.note(importer.summary.deals)
        peaks.update({child: peak_mib(child) for child in _children()})

    with tempfile.TemporaryDirectory() as folder:
        with Store(Path(folder), loading=True) as store:
            importer = Importer(store, 2, progress=note)
            deals = importer.run([source(path)]).deals
        found = {
            "deals": deals,
            "seconds": time.monotonic() - start,
            "bytes": store.path.stat().st_size / deals,
            "peak": peak_mib() + sum(peaks.values()),
        }
    if deals >= LARGE:
        found["first"], found["last"] = pace.cost(0, 1 / PARTS), pace.cost(1 - 1 / PARTS, 1)
    return found


def _once(deals: int) -> list[Figure]:
    """The figures of one load, in a process of its own."""
    print(f"loading {deals:,} deals", file=sys.stderr)
    command = [sys.executable, "-m", "tests.bench.loading", "--measure", str(deals)]
    done = subprocess.run(command, cwd=environment.ROOT, check=True, stdout=subprocess.PIPE)
    found = json.loads(done.stdout.splitlines()[-1])
    group = f"loading {found['deals']:,} deals once, by two processes"
    return [
        *(_pace(group, found) if deals >= LARGE else ()),
        Figure(group, "database, a deal", found["bytes"], "bytes", bound="at most", target=BYTES),
        Figure(group, "memory, all three processes", found["peak"], "MiB", bound="at most", target=MEMORY),
    ]  # fmt: skip


def _pace(group: str, found: dict[str, float]) -> list[Figure]:
    first, last, seconds = found["first"], found["last"], found["seconds"]
    million = seconds / 60 * MILLION / found["deals"]
    return [
        Figure(group, "speed", found["deals"] / seconds, "deals/s"),
        Figure(group, "time of a million", million, "min", bound="at most", target=MINUTES),
        Figure(group, "CPU time of the first tenth, a deal", first, "us"),
        Figure(group, "the last tenth over the first", last / first, "x", bound="at most", target=FLAT),
    ]  # fmt: skip


def main() -> None:
    """Measure what is asked for and print it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.loading", description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS, help="of the rounds (%(default)s)")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help="of every contestant (%(default)s)"
    )
    parser.add_argument(
        "--once", type=int, metavar="DEALS", help="load so many once, and nothing else"
    )
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        folder = environment.inputs(environment.folder())
        print(json.dumps(measure(corpus.file(folder, options.measure))))
    elif options.once:
        print(table(_once(options.once)))
    else:
        print(table(figures(options.deals, options.rounds)))


if __name__ == "__main__":
    main()
