"""The worst costs: what the costliest inputs of the fuzzer's shapes take, and a statement made to be slow.

`python -m tests.bench.worst_costs` searches every shape for some CPU seconds with a fixed seed. Every input has at
most 64 KiB. The costliest is run again; of its times the shortest counts, since what else the machine does is not its
cost, and of its memory the most, since a later run finds memory that an earlier one has taken.
"""

import json
import sys

from tests.bench.environment import apart
from tests.bench.figures import Figure
from tests.fuzz.bounds import Bound, bound_of
from tests.fuzz.hunt import Input, Runners, hunt
from tests.fuzz.measuring import Cost
from tests.fuzz.plans import write
from tests.fuzz.shapes import SHAPES

CPU_SECONDS = 15.0
"""What the inputs of a shape may cost together."""
SEED, RUNS = 1, 3
BOMB = "SELECT row({row}) s FROM ("
LAYERS, WIDTH = 24, 4
"""Each layer of the statement says the one inside it so many times: it grows while it is planned."""
BOMB_SECONDS = 5.0
"""A statement has its time, and the process that runs it must be ended and another one started."""

Row = tuple[str, str, float, float]


def figures() -> list[Figure]:
    """The costs, measured in a process of its own."""
    print("searching for the costliest inputs", file=sys.stderr)
    found: list[Row] = apart("tests.bench.worst_costs") or []
    units = {"CPU time": "s", "time": "s", "memory over rest": "MiB"}
    return [
        Figure(
            f"worst {what} of an input of up to 64 KiB",
            name,
            value,
            units[what],
            bound="at most",
            target=target,
        )
        for what, name, value, target in sorted(found, key=lambda row: row[0])
    ]


def measure() -> list[Row]:
    """By what is measured and by shape: the cost, and what it may be."""
    tallies = hunt(list(SHAPES), seed=SEED, cpu_seconds=CPU_SECONDS, minimise_seconds=0.0)
    rows: list[Row] = []
    runners = Runners()
    for name, tally in tallies.items():
        if tally.slowest is not None:
            bound, costs = _bound(tally.slowest), _again(runners, tally.slowest)
            rows.append(("CPU time", name, min(cost.cpu for cost in costs), bound.cpu))
        if tally.largest is not None:
            bound, costs = _bound(tally.largest), _again(runners, tally.largest)
            rows.append(("memory over rest", name, max(cost.mib for cost in costs), bound.mib))
    bomb = [runners.of("sql").run("sql", statement_bomb()) for _ in range(RUNS)]
    rows.append(("time", "a statement bomb", min(cost.wall for cost in bomb), BOMB_SECONDS))
    rows.append(("memory over rest", "a statement bomb", max(cost.mib for cost in bomb), bound_of("sql", 0).mib))  # fmt: skip
    runners.close()
    return rows


def _bound(tried: Input) -> Bound:
    return bound_of(tried.door, tried.size)


def _again(runners: Runners, tried: Input) -> list[Cost]:
    data = write(tried.plan)
    runner = runners.of(tried.door)
    return [runner.run(tried.door, data, size=tried.size) for _ in range(RUNS)]


def statement_bomb() -> bytes:
    """A short statement whose answer would have more values than there is memory."""
    layer = BOMB.format(row=",".join(["s"] * WIDTH))
    return f"{layer * LAYERS}SELECT 1 s{')' * LAYERS}".encode()


if __name__ == "__main__":
    print(json.dumps(measure()))
