"""Many games, and much damage: `python -m tests.soak` plays every sheet at every table.

Every game must be legal with every number in it true. Some are followed by the slow referee; of some every
prefix must be clean; some are damaged in every way there is.

A damaged game counts as wrong only where no assignment of the copies of the pack to its cards saves it.
That is not the validator's word: `tests.playouts.referee` plays the record with real cards, follows
every copy that a card of the record can mean, a world each, and never drops a world unless another
differs from it by the names of twins alone; it uses nothing of the replay and the checks. If a world
survives to the end with every number true, the mutant is another way to write a legal game, and the
validator must find nothing; if none does, it must find something. Either difference fails the run.

Then come the records that do not tell everything, as `tests.soak_knowledge` describes: views of legal deals, small
deals with hidden cards and all their completions, and damaged games that no completion saves.

The exit status is 1 if anything was not as it must be, or less was examined than was asked for; what is
printed says how to play that game again.
"""

import argparse
import math
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from tests import (
    soak_chances,
    soak_choices,
    soak_costs,
    soak_crowd,
    soak_deep_review,
    soak_expert,
    soak_interface,
    soak_intervals,
    soak_kills,
    soak_kit,
    soak_knowledge,
    soak_last_tricks,
    soak_laws,
    soak_loading,
    soak_luck,
)
from tests.all_readings import assert_few_readings_tell_the_same
from tests.fuzz import __main__ as fuzz
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
from tests.tallies import Asked, Board, Outcome

WAYS = [*STANDARD, *OPTIONED]
BATCH = 20
FEW_WORLDS = 24
"""Games with more readings than this are not followed by the referee, who is slow."""
FUZZ_MINUTES = 60.0
"""How long the fuzzer searches unless `--minutes` says otherwise."""
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
    labels = bool(seed & 2) and (way.sheet.pack.copies > 1 or bool(way.sheet.pack.doubled_suits))
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


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    number = "{} of every sheet at every table (%(default)s)"
    add = parser.add_argument
    add("--games", type=int, default=2000, help=number.format("games"))
    add("--prefixes", type=int, default=50, help=number.format("games cut at every event,"))
    add("--referee", type=int, default=100, help=number.format("games for the referee,"))
    add("--mutants", type=int, default=300, help="mutants that are wrong, of every sheet (300)")
    add("--sheet", action="append", default=[], help="only this sheet; may be repeated")
    add("--minutes", type=float, default=0, help="stop after so many minutes")
    add("--views", type=int, default=300, help="deals of every sheet seen in every way (300)")
    add("--completions", type=int, default=5000, help="small deals with hidden cards (5000)")
    add("--knowledge", action="store_true", help="only the records that do not tell everything")
    add("--costs", type=int, default=0, help="only what so many games of every sheet cost")
    add("--choices", type=int, default=0, help="only whether the melds listed in so many deals of every sheet, with "
        "labels and without, are all there are: see tests/soak_choices.py")  # fmt: skip
    add("--loading", action="store_true", help="the loader instead: see tests/soak_loading.py")
    add("--fuzz", action="store_true", help="inputs that cost too much instead: see tests/fuzz")
    add("--seed", type=int, default=1, help="of the inputs that cost too much (%(default)s)")
    add(
        "--intervals", action="store_true", help="confidence intervals: see tests/soak_intervals.py"
    )
    add("--crowd", action="store_true", help="the server instead: see tests/soak_crowd.py")
    add("--greedy", action="store_true", help="with --crowd: five who ask for all that is slow")
    add("--interface", type=int, nargs="?", const=300, metavar="REQUESTS",
        help="ask every operation of the interface so often, rightly and wrongly, instead (300)")  # fmt: skip
    add("--kills", type=int, nargs="?", const=200, metavar="TIMES",
        help="kill a process at work so often instead (200): see tests/soak_kills.py")  # fmt: skip
    add("--chances", type=int, nargs="?", const=6000, metavar="MATCHES",
        help="calibrate the chance of winning on so many matches of four sheets instead (6000): see tests/soak_chances.py")  # fmt: skip
    add("--skill", type=int, nargs="?", const=200, metavar="DEALS",
        help="estimate the skill of experts against simple players in so many deals of every sheet instead (200), in each seat")  # fmt: skip
    add("--luck", type=int, nargs="?", const=2000, metavar="DEALS",
        help="estimate luck in so many deals of every sheet instead (2000): see tests/soak_luck.py")  # fmt: skip
    add("--last-tricks", type=int, nargs="?", const=soak_last_tricks.DECISIONS, metavar="DECISIONS",
        help="compare the trick before the close instead (%(const)s): see tests/soak_last_tricks.py")  # fmt: skip
    add("--expert", type=int, nargs="?", const=200, metavar="DEALS",
        help="measure the expert on so many deals of every sheet instead (200): see tests/soak_expert.py")  # fmt: skip
    add("--matches", type=int, default=soak_expert.MATCHES,
        help="seeds of matches that the expert plays, each twice, with --expert (%(default)s)")  # fmt: skip
    add("--first", type=int, default=0, metavar="SEED",
        help="of the deals and matches of --expert (%(default)s)")  # fmt: skip
    add("--deep", type=int, nargs="?", const=200, metavar="DECISIONS",
        help="review so many decisions in few worlds and in many, and look for blunders, instead (200): see tests/soak_deep_review.py")  # fmt: skip
    add(
        "--worlds",
        type=int,
        help="with --deep, how many worlds the few are (as many as the default width of the sheet)",
    )
    add(
        "--kit",
        action="store_true",
        help="every case of the conformance kit and every planted error: see tests/soak_kit.py",
    )
    add(
        "--laws",
        action="store_true",
        help="changes of what implements the laws: see tests/soak_laws.py",
    )
    add("--workers", type=int, default=multiprocessing.cpu_count())
    return parser.parse_args()


def main() -> int:
    """Run until all games are played or the time is up."""
    told = options()
    if told.crowd:
        return soak_crowd.main(60 * told.minutes or 60, soak_crowd.Size(greedy=told.greedy))
    if told.intervals:
        return soak_intervals.main()
    if told.interface:
        return soak_interface.main(told.interface)
    if told.kit:
        return soak_kit.main()
    if told.laws:
        return soak_laws.main()
    if told.loading:
        return soak_loading.main(told.games)
    if told.fuzz:
        minutes = told.minutes or FUZZ_MINUTES
        return fuzz.main(list(map(str, ("--minutes", minutes, "--seed", told.seed, "--workers", told.workers))))  # fmt: skip
    if told.choices:
        return soak_choices.main(told.choices, told.sheet, told.workers)
    if told.costs:
        return soak_costs.main(told.costs, tuple(told.sheet))
    if told.chances:
        return soak_chances.main(told.chances, tuple(told.sheet))
    if told.skill:
        return soak_luck.measure_skill(told.skill, tuple(told.sheet), told.workers)
    if told.luck:
        return soak_luck.main(told.luck, tuple(told.sheet), told.workers)
    if told.expert:
        return soak_expert.main(
            told.expert, told.matches, tuple(told.sheet), told.first, told.workers
        )
    if told.deep:
        return soak_deep_review.main(told.deep, told.worlds, tuple(told.sheet), told.workers)
    if told.last_tricks:
        return soak_last_tricks.main(told.last_tricks, told.workers)
    if told.kills:
        return soak_kills.main(told.kills)
    partial = soak_knowledge.Asked(told.views, told.completions, tuple(told.sheet))
    if told.knowledge:
        return soak_knowledge.main(partial, workers=told.workers, minutes=told.minutes)
    asked = Asked(told.games, told.prefixes, told.referee, told.mutants, tuple(told.sheet))
    todo = list(tasks(asked))
    if not todo:
        sys.exit(f"No such sheet: {', '.join(asked.sheets)}.")
    started = time.monotonic()
    board = Board(WAYS, len(STANDARD), sum(len(task.seeds) for task in todo))
    whole = True
    with multiprocessing.Pool(told.workers) as pool:
        for outcome in pool.imap_unordered(run, todo):
            board.add(outcome)
            if told.minutes and time.monotonic() - started > 60 * told.minutes:
                whole = board.done >= board.todo
                pool.terminate()
                break
    board.close(asked if whole else None)
    failed = bool(board.wrong)
    left = told.minutes - (time.monotonic() - started) / 60
    if not told.minutes or left > 0:
        failed |= bool(soak_knowledge.main(partial, workers=told.workers, minutes=max(0, left)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
