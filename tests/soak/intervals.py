"""How often confidence intervals are right: `python -m tests.soak --intervals`.

Thousands of matches are played once. From these, whole matches are drawn with replacement, again and again; every
measure is asked of every draw by the most used dimensions, and its intervals are compared with the value in all matches:
within each rule sheet, of 30, 60 and 120 matches of it on average, and of as many matches of all sheets together, where a
measure that differs from sheet to sheet must have no interval. For a nominal 95 percent, 93 to 97 must be right, and of
groups with fewer than ten matches at least 93, but for what chance alone explains. What `EXCEPTIONS` lists may differ,
and the table says why. `python -m tests.soak.intervals POPULATION ROUNDS DRAWS` takes a folder with a population, made
first if it is missing, and measures less.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from analyzer.statistics.catalogue import Metric, metrics
from analyzer.store.store import Store
from tests.analyzer.statistics.population import SHEETS, fill
from tests.analyzer.statistics.resampling import Coverage, ask, coverage, draw

POPULATION, ANNOTATED = 3200, 600
"""Matches played, and how many of them are annotated."""
DRAWS = 150
"""Draws of a round."""
SIZES = (30, 60, 120)
"""Matches of a draw: of each sheet on average, or of all sheets together."""
ROUNDS = 4
FEW, ENOUGH = 2, 10
"""Groups are measured that at least so many matches of a draw are to be expected in; fewer than enough by themselves."""
FEWEST_INTERVALS = 500
"""With fewer intervals, chance alone would leave the range."""
RANGE = (93, 97)
DIMENSIONS = (
    "", "sheet", "player", "role", "month", "strength", "meld", "source", "trick", "program", "option.target",
    "phase", "trump", "scored_after",
)  # fmt: skip
PATIENCE_MS = 300_000
NEVER = "Greedy players take what they can: none is let go in any match, and an interval from 0 contains 0 always."
SAFE = "With yes or no from each of few matches, Wilson's interval with Student's t is on the safe side."
SELDOM = (
    "A double bezique is worth ten marriages, and comes so seldom that small collections have none."
)
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("brisques_let_go", "player"): NEVER,
    ("brisques_let_go", "program"): NEVER,
    (
        "royal_melds",
        "*",
    ): "Some melds are all trumps in some sheets, or none: 100 percent or 0, and always right.",
    ("deals_won", "*"): SAFE,
    ("last_tricks_won", "*"): SAFE,
    ("legal_records", "*"): SAFE,
    ("matches_won", "*"): SAFE,
    ("matches_won_from", "*"): SAFE,
    ("share_of_records", "*"): SAFE,
    ("meld_worth", "strength"): SELDOM,
    ("meld_worth", "trump"): SELDOM,
}
"""Measure and dimension (`*` is any) whose intervals are right more or less often, and why."""


class Place(NamedTuple):
    """What is measured together: a measure by a dimension, of so many matches, of a sheet each or `mixed`.

    `few` are the groups with fewer than ten matches.
    """

    metric: str
    by: str
    size: int
    mixed: bool
    few: bool

    def __str__(self) -> str:
        of = "of all sheets" if self.mixed else "of a sheet"
        few = ", groups of fewer than ten" if self.few else ""
        return f"{self.metric} by {self.by or 'nothing'}, {self.size} matches {of}{few}"


class Cell(NamedTuple):
    """How often the intervals of a place were right, in so many draws."""

    place: Place
    found: Coverage
    draws: int

    @property
    def reason(self) -> str:
        """Why it may leave the range."""
        metric, by = self.place.metric, self.place.by
        pairs = ((metric, by), (metric, "*"), ("*", by))
        return next((EXCEPTIONS[pair] for pair in pairs if pair in EXCEPTIONS), "")

    @property
    def error(self) -> float:
        """Two standard errors in percent; intervals of one draw may agree, so a draw counts once."""
        share = min(max(self.found.percent / 100, 0.01), 0.99)
        return float(200 * (share * (1 - share) / min(self.draws, self.found.intervals)) ** 0.5)

    @property
    def wrong(self) -> bool:
        """Whether it leaves the range by more than its error."""
        low, high = RANGE
        above = not self.place.few and self.found.percent - self.error > high
        return above or self.found.percent + self.error < low


def main(population: Path | None = None, rounds: int = ROUNDS, draws: int = DRAWS) -> int:
    """Play, draw and ask; the exit status is 1 if intervals are right too rarely or too often."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, start = population or Path(temporary) / "population", time.monotonic()
        if not folder.exists():
            fill(folder, POPULATION, annotated=ANNOTATED)
            print(f"{POPULATION:,} matches played, {time.monotonic() - start:.0f} s", flush=True)
        found: dict[Place, Coverage] = {}
        for number in range(rounds):
            for size, mixed in product(SIZES, (False, True)):
                into = Path(temporary) / f"{number} {size} {mixed}"
                for place, more in measure(folder, into, number, draws, size, mixed=mixed):
                    found[place] = more.plus(found.get(place, Coverage(0, 0, 0)))
                print(
                    f"round {number + 1}, {size} matches, {time.monotonic() - start:.0f} s",
                    flush=True,
                )
    cells = [Cell(place, each, rounds * draws) for place, each in found.items()]
    return report([cell for cell in cells if cell.found.intervals >= FEWEST_INTERVALS])


def measure(
    population: Path, folder: Path, number: int, draws: int, size: int, *, mixed: bool
) -> Iterator[tuple[Place, Coverage]]:
    """One round: the collections drawn, and every question asked of all of them."""
    seed, matches = 0.1 + number / 10, size if mixed else size * len(SHEETS)
    reviewed = "game IN (SELECT game FROM source.reviews)"
    draw(population, folder / "all", draws=draws, matches=matches, seed=seed)
    draw(population, folder / "reviewed", draws=draws, matches=matches, seed=seed, fits=reviewed)
    for name, fits in (("all", False), ("reviewed", True)):
        with (
            Store(population, reading_ms=PATIENCE_MS) as every,
            Store(folder / name, reading_ms=PATIENCE_MS) as drawn,
        ):
            for metric, by in product(metrics().values(), DIMENSIONS):
                if (metric.grain.name == "review") == fits:
                    yield from measured(metric, by, every, drawn, draws, size, mixed=mixed)


def measured(
    metric: Metric, by: str, every: Store, drawn: Store, draws: int, size: int, *, mixed: bool
) -> Iterator[tuple[Place, Coverage]]:
    """A measure by a dimension, that of every sheet added up."""
    for few, (fewest, most) in {False: (ENOUGH, float("inf")), True: (FEW, ENOUGH)}.items():
        found = Coverage(0, 0, 0)
        for sheet in [""] if mixed or by == "sheet" else SHEETS:
            asked = ask(metric.name, by, sheet)
            if asked is not None and (asked.by or metric.kind != "spread"):
                found = found.plus(
                    coverage(every, drawn, asked, fewest=fewest, most=most, draws=draws)
                )
        yield Place(metric.name, by, size, mixed, few), found


def report(cells: list[Cell]) -> int:
    """Print the table, one row for each measure and size, and what is not as it must be."""
    for metric, size, mixed, few in product(metrics(), SIZES, (False, True), (False, True)):
        own = [
            cell for cell in cells if cell.place == Place(metric, cell.place.by, size, mixed, few)
        ]
        parts = (
            f"{cell.place.by or 'all'} {cell.found.percent:.1f}{'*' if cell.wrong else ''}"
            for cell in own
        )
        if own:
            told = f"{metric} {size}{' mixed' if mixed else ''}{' few' if few else ''}"
            print(f"{told:32}{'  '.join(parts)}")
    low, high = RANGE
    inside = sum(low <= cell.found.percent <= (100 if cell.place.few else high) for cell in cells)
    print(
        f"{inside} of {len(cells)} within {low} to {high} percent, or at least {low} with few matches"
    )
    for cell in (cell for cell in cells if cell.wrong):
        sides = f"{cell.found.below} below the value, {cell.found.above} above, of {cell.found.intervals}"
        print(f"  {cell.place}: {cell.found.percent:.1f} ± {cell.error:.1f}; {sides}; {cell.reason or 'WRONG'}")  # fmt: skip
    return int(any(cell.wrong and not cell.reason for cell in cells))


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2]), *map(int, sys.argv[2:])))
