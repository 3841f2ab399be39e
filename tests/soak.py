"""Many games, and much damage: `python -m tests.soak` plays every sheet at every table.

Every game must be legal with every number in it true; some are followed by the slow referee, of some
every prefix must be clean, and of some every kind of damage is examined. The exit status is 1 if
anything was not as it must be; what is printed says how to play that game again.
"""

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from tests import soak_loading
from tests.playouts.asserts import (
    assert_as_refereed,
    assert_clean,
    assert_prefix_clean,
    prefix,
)
from tests.playouts.examine import examine
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.playouts.mutants import KINDS
from tests.playouts.referee import judge

WAYS = [*STANDARD, *OPTIONED]
BATCH = 20
REFEREED, PREFIXED, DAMAGED = 21, 39, 41
"""One game in so many is followed by the referee, cut everywhere, damaged in every way; odd numbers, so
that every way to play comes round."""
FEW_WORLDS = 24


class Task(NamedTuple):
    """Some games of one way: its place in `WAYS`, and the seeds."""

    way: int
    seeds: range


class Outcome(NamedTuple):
    """What became of them: counts, the most readings seen, what went wrong."""

    way: int
    counts: Counter[str]
    largest: int
    wrong: list[str]


def run(task: Task) -> Outcome:
    """Play the games of a task."""
    way, counts, largest, wrong = WAYS[task.way], Counter[str](), 1, list[str]()
    for seed in task.seeds:
        try:
            largest = max(largest, play(way, seed, counts))
        except Exception as failure:  # an assertion, or a crash: both are what is looked for
            told = f"{type(failure).__name__}: {failure}"
            wrong.append(f"{way}, seed {seed} ({how(way, seed)}): {told[:2000]}")
    return Outcome(task.way, counts, largest, wrong)


def how(way: Way, seed: int) -> dict[str, object]:
    """How the game of a seed is played: every combination comes round in eight seeds."""
    labels = bool(seed & 2) and (way.sheet.pack.copies > 1 or bool(way.sheet.pack.doubled_suits))
    return {"style": ("greedy", "random")[seed & 1], "labels": labels, "where": bool(seed & 4)}


def play(way: Way, seed: int, counts: Counter[str]) -> int:
    """Play one game and ask everything of it; the most readings it had."""
    told = how(way, seed)
    style, labels = str(told["style"]), bool(told["labels"])
    record = way.play(seed, style, labels=labels, where=bool(told["where"]))
    report = assert_clean(record)
    assert report.assignments is not None
    counts["games"] += 1
    counts["deals"] += report.deals
    counts["events"] += report.events
    counts["capped"] += report.assignments.capped
    if seed % PREFIXED == 0:
        for events in range(len(record.deals[-1].events) + 1):
            assert_prefix_clean(prefix(record, events))
            counts["prefixes"] += 1
    if report.assignments.largest <= FEW_WORLDS:
        if seed % REFEREED == 0:
            assert_as_refereed(record)
            counts["refereed"] += 1
        if seed % DAMAGED == 0:
            damage(way, seed, counts)
    return report.assignments.largest


def damage(way: Way, seed: int, counts: Counter[str]) -> None:
    """Damage a short game of the seed in every way."""
    told = how(way, seed)
    style, labels = str(told["style"]), bool(told["labels"])
    record = way.play(seed, style, deals=2, labels=labels, where=bool(told["where"]))
    known = judge(record)
    for name, change in KINDS.items():
        mutant = change(record, Random(f"{way} {seed} {name}"))
        if mutant is not None:
            like = known if mutant.record.rules is record.rules else None
            tally = Counter[str]()
            differs = examine(name, mutant, like, tally)
            assert differs is None, differs
            counts["mutants"] += tally["wrong"]


def tasks(games: int) -> Iterator[Task]:
    """Round by round, so that a run that is stopped has seen all sheets alike."""
    for start in range(0, games, BATCH):
        for number, _ in enumerate(WAYS):
            # The standard tables get all the games, the option sets a hundredth.
            share = games if number < len(STANDARD) else max(1, games // 100)
            seeds = range(start, min(start + BATCH, share))
            if seeds:
                yield Task(number, seeds)


def main() -> int:
    """Run until all games are played or the time is up."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="per sheet and table (2000)")
    parser.add_argument("--minutes", type=float, default=0, help="stop after so many minutes")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument(
        "--loading", action="store_true", help="the loader instead, see soak_loading"
    )
    asked = parser.parse_args()
    if asked.loading:
        return soak_loading.main(asked.games)
    started = time.monotonic()
    todo = sum(len(task.seeds) for task in tasks(asked.games))
    board = Board(todo, started)
    with multiprocessing.Pool(asked.workers) as pool:
        for outcome in pool.imap_unordered(run, tasks(asked.games)):
            board.add(outcome)
            if asked.minutes and time.monotonic() - started > 60 * asked.minutes:
                pool.terminate()
                break
    board.close()
    return 1 if board.wrong else 0


class Board:
    """Adds up outcomes and shows how far it has come."""

    def __init__(self, todo: int, started: float) -> None:
        self.todo, self.started = todo, started
        self.counts = [Counter[str]() for _ in WAYS]
        self.largest = [1] * len(WAYS)
        self.wrong: list[str] = []

    def add(self, outcome: Outcome) -> None:
        self.counts[outcome.way] += outcome.counts
        self.largest[outcome.way] = max(self.largest[outcome.way], outcome.largest)
        self.wrong += outcome.wrong
        for line in outcome.wrong:
            sys.stderr.write(f"\r{line}\n")
        done = sum(self.counts, Counter[str]())["games"] + len(self.wrong)
        spent = time.monotonic() - self.started
        left = spent / max(1, done) * (self.todo - done)
        sys.stderr.write(
            f"\r{done:,} of {self.todo:,} games, {len(self.wrong)} wrong,"
            f" {spent / 60:.1f} minutes gone, about {left / 60:.1f} to go "
        )
        sys.stderr.flush()

    def close(self) -> None:
        """The table at the end: a line a sheet and table, the option sets of a sheet together."""
        names = ("games", "deals", "events", "prefixes", "refereed", "mutants", "capped")
        sys.stderr.write("\n")
        print(f"{'':32}{'readings':>9}" + "".join(f"{name:>11}" for name in names))
        rows: dict[str, tuple[int, Counter[str]]] = {}
        for number, way in enumerate(WAYS):
            label = str(way) if number < len(STANDARD) else f"{way.sheet.id}, options"
            largest, counts = rows.get(label, (1, Counter[str]()))
            rows[label] = max(largest, self.largest[number]), counts + self.counts[number]
        for label, (largest, counts) in rows.items():
            print(f"{label:32}{largest:9,}" + "".join(f"{counts[name]:11,}" for name in names))
        print(f"{len(self.wrong)} games were not as they must be.")


if __name__ == "__main__":
    sys.exit(main())
