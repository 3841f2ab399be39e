"""Complete games of every sheet at every table, true in every number, and what becomes of them when they are damaged."""

import math
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from tests.playouts.asserts import (
    assert_as_refereed,
    assert_clean_report,
    assert_prefix_clean,
    prefixes,
)
from tests.playouts.examine import examine
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.playouts.mutants import KINDS
from tests.playouts.referee import judge
from tests.records.engine.all_readings import assert_few_readings_tell_the_same
from tests.soak.tallies import Asked, Board, Outcome

WAYS = [*STANDARD, *OPTIONED]
BATCH = 20
FEW_WORLDS = 24
"""Games with more readings than this are not followed by the referee, who is slow."""
WRONG_A_GAME = 6
"""So many kinds of damage at least are really wrong in most games."""


class Task(NamedTuple):
    """Some games of one way: its place in `WAYS`, the seeds, and how much is asked in all."""

    way: int
    seeds: range
    asked: Asked


def every(games: int, wanted: int) -> int:
    """Every so many-th game, to have as many as wanted; odd, so that every way to play comes round."""
    step = max(1, games // wanted) if wanted else games + 1
    return step if step % 2 else max(1, step - 1)


def run(task: Task) -> Outcome:
    """Play the games of a task."""
    way, outcome = WAYS[task.way], Outcome(task.way)
    for seed in task.seeds:
        try:
            play(way, seed, task.asked, outcome)
        except Exception as failure:  # an assertion, or a crash: both are what is looked for
            told = f"{type(failure).__name__}: {failure}"
            outcome.wrong.append(f"{way}, seed {seed} ({how(way, seed)}): {told[:2000]}")
    return outcome


def how(way: Way, seed: int) -> dict[str, object]:
    """How the game of a seed is played: every combination comes round in eight seeds."""
    labels = bool(seed & 2) and (
        way.sheet.rules.pack.packs > 1 or bool(way.sheet.rules.pack.doubled_suits)
    )
    return {"style": ("greedy", "random")[seed & 1], "labels": labels, "where": bool(seed & 4)}


def play(way: Way, seed: int, asked: Asked, outcome: Outcome) -> None:
    """Play one game and ask everything of it."""
    told, counts = how(way, seed), outcome.counts
    style, labels = str(told["style"]), bool(told["labels"])
    record = way.play(seed, style, labels=labels, where=bool(told["where"]))
    report = assert_few_readings_tell_the_same(record)
    assert report.assignments is not None
    outcome.largest = max(outcome.largest, report.assignments.largest)
    counts["games"] += 1
    counts["deals"] += report.deals
    counts["events"] += report.events
    counts["capped"] += report.assignments.capped
    counts["undetermined"] += report.verdict == "undetermined"
    assert_clean_report(record, report)
    if seed % every(asked.games, asked.prefixed) == 0:
        for part in prefixes(record):
            assert_prefix_clean(part)
        counts["cut"] += 1
    if report.assignments.largest <= FEW_WORLDS:
        if seed % every(asked.games, asked.refereed) == 0:
            assert_as_refereed(record)
            counts["refereed"] += 1
        if seed % every(asked.games, math.ceil(asked.mutants / WRONG_A_GAME)) == 0:
            damage(way, seed, outcome)


def damage(way: Way, seed: int, outcome: Outcome) -> None:
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
            outcome.note(name, tally)
            if differs is not None:
                outcome.wrong.append(f"{way}, seed {seed} ({told}): {differs}")


def tasks(asked: Asked) -> Iterator[Task]:
    """Round by round, so that a run that is stopped has seen all sheets alike."""
    for start in range(0, asked.games, BATCH):
        for number, way in enumerate(WAYS):
            if asked.sheets and way.sheet.id not in asked.sheets:
                continue
            # The standard tables get all the games, the option sets a hundredth.
            share = asked.games if number < len(STANDARD) else asked.games // 100
            seeds = range(start, min(start + BATCH, share))
            if seeds:
                yield Task(number, seeds, asked)


def main(asked: Asked, *, workers: int, minutes: float) -> int:
    """Play until all games are played or the time is up; the exit status is 1 if anything was not as it must be."""
    todo = list(tasks(asked))
    if not todo:
        sys.exit(f"No such sheet: {', '.join(asked.sheets)}.")
    started = time.monotonic()
    board = Board(WAYS, len(STANDARD), sum(len(task.seeds) for task in todo))
    whole = True
    with multiprocessing.Pool(workers) as pool:
        for outcome in pool.imap_unordered(run, todo):
            board.add(outcome)
            if minutes and time.monotonic() - started > 60 * minutes:
                whole = board.done >= board.todo
                pool.terminate()
                break
    board.close(asked if whole else None)
    return 1 if board.wrong else 0
