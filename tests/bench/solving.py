"""The solver beside bridge's double-dummy solver, and a review beside the validation of the same deals."""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from analyzer.review.close_review import CloseReviewer
from records.replay import replay
from records.rules.registry import resolve_sheet
from tests.bench import subject
from tests.bench.environment import ROOT
from tests.bench.figures import Figure, median
from tests.make.whole_reviews import balances

TARGETS = {8: 1.1, 9: 1.0, 12: 0.3}
"""Cards a side, and how many times as long as the peer the solver may take."""
ENDINGS, ROUNDS = 200, 5


def review(folder: Path, games: int) -> Callable[[], int]:
    """One round: every closed decision of every deal reviewed; returns the events."""
    records = subject._records(folder, games)
    resolved = resolve_sheet(subject.SHEET)
    count = subject._events(records)

    def reviewed() -> int:
        for record in records:
            reviewer = None
            for frame in replay(record, resolved):
                if frame.index == -1 or reviewer is None:
                    reviewer = CloseReviewer(frame.table.rules, None)
                reviewer.read(frame)
                if frame.event is None and frame.index >= 0:
                    found = reviewer.review(frame.index)
                    assert found is not None
                    assert balances(found)
        return count

    return reviewed


def figures(folder: Path, peers: Path) -> list[Figure]:
    """The ratios by rounds, ours and the peer's endings one after the other in each; then both distributions."""
    found = []
    for cards, target in TARGETS.items():
        print(f"\rsolving endings of {cards} cards ", end="", file=sys.stderr, flush=True)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(_times([sys.executable, "-m", "tests.bench.endings", str(folder)], cards))
            theirs.append(_times([str(peers), "tests/bench/dds.py"], cards))
        ratios = [
            statistics.median(one) / statistics.median(other)
            for one, other in zip(ours, theirs, strict=True)
        ]
        found.append(
            median("solving, CPU time over endplay's solver", f"{cards} cards a side, medians", "x", ratios,
                   bound="at most", target=target)
        )  # fmt: skip
        means = [
            statistics.mean(one) / statistics.mean(other)
            for one, other in zip(ours, theirs, strict=True)
        ]
        found.append(
            median("solving, CPU time over endplay's solver", f"{cards} cards a side, means", "x", means)
        )  # fmt: skip
        found += [*_spread("ours", cards, ours), *_spread("endplay", cards, theirs)]
    print(file=sys.stderr)
    return sorted(found, key=lambda figure: figure.group)


def _times(command: list[str], cards: int) -> list[float]:
    done = subprocess.run(
        [*command, str(cards), str(ENDINGS)], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    seconds: list[float] = json.loads(done.stdout)
    return seconds


def _spread(who: str, cards: int, rounds: list[list[float]]) -> list[Figure]:
    """The distribution of one solver over the endings, each the median of its rounds."""
    times = sorted(1e3 * statistics.median(each) for each in zip(*rounds, strict=True))
    group = f"solving {ENDINGS} endings, ms"
    quantiles = {"median": 0.5, "nine of ten within": 0.9, "the longest": 1.0}
    return [
        Figure(group, f"{cards} cards, {who}, {words}", times[min(int(share * len(times)), len(times) - 1)], "ms")
        for words, share in quantiles.items()
    ]  # fmt: skip
