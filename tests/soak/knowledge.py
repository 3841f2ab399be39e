"""A long test of records that do not tell everything: a part of `python -m tests.soak`, or all of it with `--knowledge`.

Views of legal deals of every sheet at every table must never be illegal, and no number in them a mismatch. Small
deals with hidden cards must get the verdict that the enumeration of all their completions gives, or a note
that they cost too much. And of damaged games seen so that no completion saves them, nine in ten must be found.
"""

import math
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from records.rules.registry import ALL_SHEETS
from records.validator import check_record
from tests.playouts.asserts import BAD
from tests.playouts.games import STANDARD, Way
from tests.playouts.left_out import KINDS_LEFT_OUT
from tests.playouts.left_out_views import wrong_in_views
from tests.playouts.tableau_games import play_any_way, ways_unsaid
from tests.playouts.views import full_game, views
from tests.records.partial.comparing import LEAST_SHARE, Tally
from tests.records.partial.refuted import LEAST_FOUND, refuted_views
from tests.records.partial.truth import MOST_STEPS

BATCH = 5
REFUTED_SHARE = 10
"""A tenth of the deals viewed are also damaged."""


class Asked(NamedTuple):
    """How much is asked: deals of every sheet to view, cases to enumerate."""

    deals: int
    cases: int
    sheets: tuple[str, ...]


class Task(NamedTuple):
    """Some seeds of one way (or, without a way, some cases)."""

    way: int | None
    seeds: range
    asked: Asked


@dataclass
class Seen:
    """What became of some tasks: deals viewed, views by kind, refuted views found or not, cases compared."""

    deals: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    refuted: Counter[tuple[str, str, str, bool]] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Seen") -> None:
        """Count another one's results too."""
        self.deals += other.deals
        self.kinds += other.kinds
        self.refuted += other.refuted
        self.tally.merge(other.tally)
        self.wrong += other.wrong


def run(task: Task) -> Seen:
    """Do a task; an exception is a thing that is not as it must be, like any other."""
    seen = Seen()
    for seed in task.seeds:
        try:
            if task.way is None:
                seen.tally.add(seed, most=MOST_STEPS)
            else:
                _view(STANDARD[task.way], seed, seen)
        except Exception as failure:
            what = "case" if task.way is None else str(STANDARD[task.way])
            seen.wrong.append(f"{what}, seed {seed}: {type(failure).__name__}: {failure}"[:2000])
    return seen


def _view(way: Way, seed: int, seen: Seen) -> None:
    record = full_game(way, seed)
    seen.deals[way.sheet.id] += len(record.deals)
    games = [record]
    if way.sheet.rules.tableau:
        told = play_any_way(way, seed)
        games += [told, ways_unsaid(told)]
    for number, game in enumerate(games):
        for view in views(game, Random(f"{way} {seed}")):
            seen.kinds[view.kind] += 1
            found = [f for f in check_record(view.record).findings if f.severity in BAD]
            if found:
                said = [(finding.code, finding.at.deal, finding.at.event) for finding in found[:3]]
                seen.wrong.append(f"{way}, seed {seed}, game {number}, {view.kind}: {said}")
    for kind in KINDS_LEFT_OUT:
        seen.kinds[f"{kind}, much shown"] += 1
        seen.wrong += wrong_in_views(way.sheet.id, _number_of(way, seed), kind)
    if seed % REFUTED_SHARE == 0:
        bare = way.play(seed, ["random", "greedy"][seed // REFUTED_SHARE % 2], deals=1)
        for refuted in refuted_views(bare, Random(f"{way} {seed}")):
            found_it = check_record(refuted.record).verdict == "illegal"
            seen.refuted[refuted.argument, refuted.view, refuted.damage, found_it] += 1


def _number_of(way: Way, seed: int) -> int:
    """Another number for every seed at every table of a sheet."""
    tables = [other for other in STANDARD if other.sheet.id == way.sheet.id]
    return seed * len(tables) + tables.index(way)


def tasks(asked: Asked) -> Iterator[Task]:
    """Round by round, so that a run that is stopped has seen all sheets alike."""
    chosen = [
        i for i, way in enumerate(STANDARD) if not asked.sheets or way.sheet.id in asked.sheets
    ]
    tables = Counter(STANDARD[i].sheet.id for i in chosen)
    most = {i: math.ceil(asked.deals / tables[STANDARD[i].sheet.id]) for i in chosen}
    for start in range(0, max(most.values(), default=0), BATCH):
        for i in chosen:
            if seeds := range(start, min(start + BATCH, most[i])):
                yield Task(i, seeds, asked)
    numbers = [
        i for i, sheet in enumerate(ALL_SHEETS) if not asked.sheets or sheet.id in asked.sheets
    ]
    for start in range(0, asked.cases, BATCH * len(numbers)):
        for number in numbers:
            # The seeds of a sheet's cases lie as far apart as there are sheets.
            first = number + len(ALL_SHEETS) * (start // len(numbers))
            yield Task(None, range(first, first + BATCH * len(ALL_SHEETS), len(ALL_SHEETS)), asked)


def main(asked: Asked, *, workers: int, minutes: float) -> int:
    """Do everything, or stop when the time is up; 1 if anything was not as it must be."""
    started, seen, whole = time.monotonic(), Seen(), True
    with multiprocessing.Pool(workers) as pool:
        for result in pool.imap_unordered(run, tasks(asked)):
            seen.add(result)
            if minutes and time.monotonic() - started > 60 * minutes:
                whole = False
                pool.terminate()
                break
    wrong = [*seen.wrong, *_short(seen, asked if whole else None)]
    _print(seen)
    for line in wrong:
        print(line)
    print(f"{len(wrong)} things about partial records were not as they must be.")
    return 1 if wrong else 0


def _print(seen: Seen) -> None:
    for sheet, deals in sorted(seen.deals.items()):
        print(f"{sheet:30}{deals:6,} deals viewed")
    for kind, number in sorted(seen.kinds.items()):
        print(f"{kind:30}{number:6,} views")
    print("\n".join(seen.tally.lines()))
    for argument, view in sorted({key[:2] for key in seen.refuted}):
        counts = Counter[bool]()
        for key, number in seen.refuted.items():
            counts[key[3]] += number if key[:2] == (argument, view) else 0
        print(f"{argument:14} {view:26} {counts[True]:6,} of {counts.total():6,} found")
    lost = Counter({key[:3]: n for key, n in seen.refuted.items() if not key[3]})
    for (argument, view, damage), number in lost.most_common():
        print(f"not found: {number:5} {argument}, {view}, {damage}")


def _short(seen: Seen, asked: Asked | None) -> list[str]:
    """What falls short of what was promised, and, in a whole run, of what was asked."""
    # A verdict that is less certain than it could be says at least that it was given up.
    short = [*seen.tally.of("unsound"), *seen.tally.of("missed")]
    if seen.tally.total()["cases"] and seen.tally.share() < LEAST_SHARE:
        short += [f"only {seen.tally.share():.2%} of the cases agree"]
    found = sum(n for key, n in seen.refuted.items() if key[3])
    if seen.refuted and found < LEAST_FOUND * seen.refuted.total():
        short.append(f"only {found / seen.refuted.total():.2%} of the refuted views are found")
    if asked is not None:
        short += [
            f"{sheet}: only {deals} deals were viewed"
            for sheet, deals in seen.deals.items() if deals < asked.deals
        ]  # fmt: skip
    return short
