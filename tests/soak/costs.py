"""What complete games cost to validate: random ones of every sheet, and ones that hoard cards, in CPU seconds and steps.

`python -m tests.soak --costs 10000` plays so many of each kind and prints, for every sheet, the slowest and the
99.9th percentile. It fails if a game is not found legal, if one is left undetermined, or if one takes a CPU second.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

from records.record import Record
from records.replay import replay
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from records.validator import Validator
from tests.playouts.hoarding import HOARDED_SHEETS, play_hoarding_game

MOST_SECONDS = 1.0
KINDS = ("random", "random, labelled", "hoarding")


class Cost(NamedTuple):
    """What one game took to validate: CPU seconds, steps spent on telling copies apart; the verdict, and the seed."""

    seconds: float
    steps: int
    verdict: str
    seed: int


def cost_of(record: Record, seed: int) -> Cost:
    """Validate a game and measure it."""
    started = time.process_time()
    validator = Validator(record)
    assert validator.match is not None
    for frame in replay(record, match=validator.match, findings_only=True):
        validator.see(frame)
    verdict = validator.report().verdict
    budget = validator.match.reading_budget
    return Cost(time.process_time() - started, budget.steps - budget.left, verdict, seed)


def games_of(sheet: str, kind: str, games: int) -> Iterator[tuple[int, Record]]:
    """So many games of a sheet; nobody hoards where no meld stays on the table."""
    for seed in range(games):
        if kind == "hoarding":
            if sheet in HOARDED_SHEETS:
                yield seed, play_hoarding_game(sheet, seed)
        else:
            labels = kind == "random, labelled"
            yield seed, play_game(sheet, seed=seed, style="random", labels=labels)


def measure(sheet: str, kind: str, games: int) -> list[str]:
    """Print what the games of one kind cost; returns what was wrong with them."""
    costs = sorted(cost_of(record, seed) for seed, record in games_of(sheet, kind, games))
    if not costs:
        return []
    slowest, usual = costs[-1], costs[-1 - len(costs) // 1000]
    dearest = max(cost.steps for cost in costs)
    print(
        f"{sheet}, {kind}: {len(costs)} games, slowest {slowest.seconds:.3f} s (seed {slowest.seed}), "
        f"99.9 % within {usual.seconds:.3f} s, at most {dearest} steps",
        flush=True,
    )
    return [
        f"{sheet}, {kind}, seed {cost.seed}: {cost.verdict}, {cost.seconds:.2f} s"
        for cost in costs
        if cost.verdict not in ("legal", "incomplete") or cost.seconds >= MOST_SECONDS
    ]


def main(games: int, sheets: tuple[str, ...] = ()) -> int:
    """Measure every sheet, or these; 1 if anything was wrong."""
    wrong = [
        line
        for sheet in ALL_SHEETS
        if not sheets or sheet.id in sheets
        for kind in KINDS
        for line in measure(sheet.id, kind, games)
    ]
    print(*wrong, sep="\n")
    return 1 if wrong else 0
