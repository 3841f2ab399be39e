"""How often confidence intervals are right: `python -m tests.soak --intervals`.

Thousands of matches are played once. From these, whole matches are drawn with replacement, again and again; every
measure is asked of every draw by the ten most used dimensions, within each rule sheet, and its intervals are compared
with the value in all matches. For a nominal 95 percent, 93 to 97 must be right. What `EXCEPTIONS` lists may differ,
and the table says why.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from analyzer.statistics.catalogue import Metric, metrics
from analyzer.store.store import Store
from tests.analyzer.statistics.population import SHEETS, fill
from tests.analyzer.statistics.resampling import Coverage, ask, coverage, draw

POPULATION, ANNOTATED = 3200, 600
"""Matches played, and how many of them are annotated."""
DRAWS, MATCHES = 150, 320
"""Draws of a round, and matches of a draw: eighty of each sheet."""
ROUNDS = 4
FEWEST_MATCHES = 10
"""Groups are measured that so many matches of a draw are to be expected in."""
FEWEST_INTERVALS = 500
"""With fewer intervals, chance alone would leave the range."""
RANGE = (93, 97)
DIMENSIONS = (
    "", "sheet", "player", "role", "month", "strength", "meld", "source", "trick", "program", "option.target",
)  # fmt: skip
PATIENCE_MS = 300_000
NEVER = "Greedy players take what they can: none is let go in any match, and an interval from 0 contains 0 always."
SAFE = "With yes or no from each of ten to thirty matches, Wilson's interval with Student's t is on the safe side."
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("brisques_let_go", "player"): NEVER,
    ("brisques_let_go", "program"): NEVER,
    (
        "royal_melds",
        "meld",
    ): "Some melds are all trumps in some sheets: 100 percent, and always right.",
    ("deals_won", "player"): SAFE,
    ("legal_records", "player"): SAFE,
    ("legal_records", "month"): SAFE,
    ("matches_won", "player"): SAFE,
    ("matches_won_from", "player"): SAFE,
}
"""Measure and dimension (`*` is any) whose intervals are right more or less often, and why."""


class Cell(NamedTuple):
    """A measure by a dimension, and how often its intervals were right; `sheets` that have any."""

    metric: str
    by: str
    found: Coverage

    @property
    def reason(self) -> str:
        """Why it may leave the range."""
        pairs = ((self.metric, self.by), (self.metric, "*"), ("*", self.by))
        return next((EXCEPTIONS[pair] for pair in pairs if pair in EXCEPTIONS), "")

    @property
    def wrong(self) -> bool:
        """Whether it leaves the range."""
        low, high = RANGE
        return not low <= round(self.found.percent, 1) <= high


def main(population: Path | None = None, rounds: int = ROUNDS, draws: int = DRAWS) -> int:
    """Play, draw and ask; the exit status is 1 if intervals are right too rarely or too often."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, start = population or Path(temporary) / "population", time.monotonic()
        if not folder.exists():
            fill(folder, POPULATION, annotated=ANNOTATED)
            print(f"{POPULATION:,} matches played, {time.monotonic() - start:.0f} s", flush=True)
        cells: dict[tuple[str, str], Cell] = {}
        for number in range(rounds):
            for cell in measure(folder, Path(temporary) / f"round {number}", number, draws):
                before = cells.get((cell.metric, cell.by))
                found = cell.found.plus(before.found) if before else cell.found
                cells[cell.metric, cell.by] = cell._replace(found=found)
            print(f"round {number + 1}, {time.monotonic() - start:.0f} s", flush=True)
    return report(list(cells.values()))


def measure(population: Path, folder: Path, number: int, draws: int) -> Iterator[Cell]:
    """One round: the collections drawn, and every question asked of all of them."""
    seed = 0.1 + number / 10
    reviewed = "game IN (SELECT game FROM source.reviews)"
    draw(population, folder / "all", draws=draws, matches=MATCHES, seed=seed)
    draw(population, folder / "reviewed", draws=draws, matches=MATCHES, seed=seed, fits=reviewed)
    for name, fits in (("all", False), ("reviewed", True)):
        with (
            Store(population, reading_ms=PATIENCE_MS) as every,
            Store(folder / name, reading_ms=PATIENCE_MS) as drawn,
        ):
            for metric in metrics().values():
                if (metric.grain.name == "review") == fits:
                    yield from cells_of(metric, every, drawn, draws)
                    print(f"  {metric.name} asked", flush=True)


def cells_of(metric: Metric, every: Store, drawn: Store, draws: int) -> Iterator[Cell]:
    """A measure by each dimension, those within a sheet added up."""
    for by in DIMENSIONS:
        found = Coverage(0, 0, 0)
        for sheet in [""] if by == "sheet" else SHEETS:
            asked = ask(metric.name, by, sheet)
            if asked is not None and (asked.by or metric.kind != "spread"):
                found = found.plus(
                    coverage(every, drawn, asked, fewest=FEWEST_MATCHES, draws=draws)
                )
        if found.intervals >= FEWEST_INTERVALS:
            yield Cell(metric.name, by, found)


def report(cells: list[Cell]) -> int:
    """Print the table, one row for each measure, and what is not as it must be."""
    for metric in metrics():
        own = [cell for cell in cells if cell.metric == metric]
        parts = (
            f"{cell.by or 'all'} {cell.found.percent:.1f}{'*' if cell.wrong else ''}"
            for cell in own
        )
        print(f"{metric:18}{'  '.join(parts) or 'no intervals'}")
    inside = sum(not cell.wrong for cell in cells)
    print(f"{inside} of {len(cells)} within {RANGE[0]} to {RANGE[1]} percent")
    for cell in (cell for cell in cells if cell.wrong):
        sides = f"{cell.found.below} below the value, {cell.found.above} above, of {cell.found.intervals}"
        print(f"  {cell.metric} by {cell.by or 'nothing'}: {cell.found.percent:.1f}; {sides}; {cell.reason or 'WRONG'}")  # fmt: skip
    return int(any(cell.wrong and not cell.reason for cell in cells))


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2]), *map(int, sys.argv[2:])))
