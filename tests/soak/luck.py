"""Is luck fair, and are its errors true? `python -m tests.soak --luck 2000` asks it of so many deals of every sheet.

Simple players play against themselves, so that neither is luckier or better. On average the draws must bring nothing, and
the decisions of one as much as those of the other: both means over the deals lie within two standard errors of nought.
Every deal is estimated twice, with shuffles that have nothing in common: the differences between the two estimates must be
as large as the standard errors say. Their spread, in standard errors, lies between 0.9 and 1.1.

The spread is the root of the sum of all squared differences divided by the sum of all squared errors. A deal alone
would have a Student's t, whose spread is larger than 1 by as much as its shuffles are few. The average deal is the same
for every deal by one dealer: there the estimates of different deals must lie apart as their errors say, too, or sums
over many deals would all have one error in common.
"""

import multiprocessing
from collections.abc import Iterable, Sequence
from itertools import product
from math import sqrt
from statistics import mean, stdev, variance
from typing import NamedTuple

from analyzer.play.expert import expert_for
from analyzer.play.seat_players import base_player_for
from analyzer.review.luck import (
    LuckBreakdown,
    LuckPart,
    luck_breakdown_of,
    play_rollout_task,
    rollout_tasks,
)
from records.record import Record
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import SeatPlayerMaker, play_game

SHUFFLES = 8
"""The shuffles of each of the two estimates of a deal."""
WORLDS_OF_EXPERTS = 16
"""The worlds of an expert whose skill is asked about."""
PARTS: tuple[LuckPart, ...] = ("base", "deal", "draws", "skill_0", "skill_1")
"""The parts whose errors are asked about."""
MOST_ERRORS_FROM_NOUGHT = 2.0
SPREAD_OF_DIFFERENCES = (0.9, 1.1)
LUCK_SHEETS = tuple(sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None)


class Estimate(NamedTuple):
    """A part of a result in points, seat 0's minus seat 1's, with its standard error."""

    points: float
    error: float


class DealEstimates(NamedTuple):
    """The same parts of one deal, estimated twice, and its dealer."""

    dealer: int
    one: dict[LuckPart, Estimate]
    other: dict[LuckPart, Estimate]


class LuckFigures(NamedTuple):
    """What came of many deals: what should be nought on average, in points with its error, and the spreads, each by name."""

    means: dict[str, Estimate]
    spreads: dict[str, float]


def estimate_twice(sheet: str, seed: int, shuffles: int = SHUFFLES) -> DealEstimates:
    """Two independent estimates of a deal between two simple players."""
    record = play_game(sheet, seed=seed, deals=1, labels=True)
    (task, *_) = rollout_tasks(record, 2)
    halves = []
    for first in (0, shuffles):
        changes = play_rollout_task(task._replace(shuffles=range(first, first + shuffles)))
        parts: dict[LuckPart, Estimate] = {}
        for part in PARTS:
            own = [change.by for change in changes if change.part == part]
            sums = [sum(by) for by in zip(*own, strict=True)] or [0.0] * shuffles
            parts[part] = Estimate(mean(sums), stdev(sums) / sqrt(shuffles))
        halves.append(parts)
    return DealEstimates(record.deals[0].dealer, *halves)


def figures(deals: Sequence[DealEstimates]) -> LuckFigures:
    """The figures of many deals."""
    means = {
        "draws": _mean_of(deals, "draws"),
        "skill of one over the other": _mean_of(deals, "skill_0", "skill_1"),
    }
    spreads: dict[str, float] = {"base of other deals": _spread_of_bases(deals)}
    for part in PARTS:
        squares = [(deal.one[part].points - deal.other[part].points) ** 2 for deal in deals]
        errors = [deal.one[part].error ** 2 + deal.other[part].error ** 2 for deal in deals]
        spreads[part] = sqrt(sum(squares) / sum(errors))
    return LuckFigures(means, spreads)


def _mean_of(deals: Sequence[DealEstimates], *parts: LuckPart) -> Estimate:
    """What these parts bring seat 0 in a deal, with the error over the deals."""
    found = [
        sum(deal.one[part].points + deal.other[part].points for part in parts) / 2 for deal in deals
    ]
    return Estimate(mean(found), stdev(found) / sqrt(len(found)))


def _spread_of_bases(deals: Sequence[DealEstimates]) -> float:
    """How far the average deal of one dealer differs between deals, in standard errors."""
    squares = errors = 0.0
    for dealer in (0, 1):
        bases = [deal.one["base"] for deal in deals if deal.dealer == dealer]
        squares += (len(bases) - 1) * variance([base.points for base in bases])
        errors += (len(bases) - 1) * mean([base.error**2 for base in bases])
    return sqrt(squares / errors)


def wrong(found: LuckFigures) -> Iterable[str]:
    """What is not as it must be, in words."""
    for what, (points, error) in found.means.items():
        if abs(points) > MOST_ERRORS_FROM_NOUGHT * error:
            yield f"{what}: {points:+.1f} points on average, with an error of {error:.1f}"
    low, high = SPREAD_OF_DIFFERENCES
    for part, spread in found.spreads.items():
        if not low <= spread <= high:
            yield f"{part}: two estimates differ by {spread:.2f} of what their errors say"


class SkillFigures(NamedTuple):
    """The mean skill of a better player in a deal over a simple one, in points, and its error over the deals."""

    points: float
    error: float

    @classmethod
    def of(cls, skills: Sequence[float]) -> "SkillFigures":
        """The figures of these deals."""
        return cls(mean(skills), stdev(skills) / sqrt(len(skills)))


def luck_of(record: Record, rollouts: int) -> LuckBreakdown:
    """Luck and skill in the only deal of a record."""
    found = luck_breakdown_of([play_rollout_task(task) for task in rollout_tasks(record, rollouts)])
    assert found is not None
    return found


def better_players(sheet: str) -> dict[str, SeatPlayerMaker]:
    """The players who are better than simple ones."""
    rules = get_sheet(sheet)
    return {"base": base_player_for(rules), "expert": expert_for(rules, WORLDS_OF_EXPERTS)}


def skill_of(better: str, sheet: str, seed: int, rollouts: int) -> float:
    """By how much a better player has more skill in a deal than a simple one, in the mean of both seats."""
    skills, player = [], better_players(sheet)[better]
    for seat in (0, 1):
        players = {seat: player}
        record = play_game(sheet, seed=seed, seat_players=players, deals=1, labels=True)
        skill = luck_of(record, rollouts).skill
        skills.append(skill[seat] - skill[1 - seat])
    return mean(skills)


def _skilled(task: tuple[str, str, int]) -> float:
    return skill_of(*task, SHUFFLES)


def measure_skill(deals: int, sheets: Sequence[str] = (), workers: int = 2) -> int:
    """Ask the skill of better players of so many deals of these sheets, or of all; the exit status."""
    failed = False
    with multiprocessing.Pool(workers) as pool:
        for sheet, better in product(sheets or LUCK_SHEETS, ("base", "expert")):
            tasks = ((better, sheet, seed) for seed in range(1, deals + 1))
            found = SkillFigures.of(list(pool.imap_unordered(_skilled, tasks)))
            is_visible = found.points > MOST_ERRORS_FROM_NOUGHT * found.error
            failed = failed or not is_visible
            print(f"{sheet}: skill of {better} player {found.points:+.1f} ± {found.error:.1f}{'' if is_visible else '  WRONG'}", flush=True)  # fmt: skip
    return int(failed)


def _estimated(task: tuple[str, int]) -> DealEstimates:
    return estimate_twice(*task)


def main(deals: int, sheets: Sequence[str] = (), workers: int = 2) -> int:
    """Ask so many deals of these sheets, or of all; the exit status."""
    failed = False
    with multiprocessing.Pool(workers) as pool:
        for sheet in sheets or LUCK_SHEETS:
            tasks = ((sheet, seed) for seed in range(1, deals + 1))
            found = figures(list(pool.imap_unordered(_estimated, tasks, chunksize=8)))
            spreads = ", ".join(f"{part} {spread:.2f}" for part, spread in found.spreads.items())
            means = ", ".join(f"{what} {points:+.2f} ± {error:.2f}" for what, (points, error) in found.means.items())  # fmt: skip
            print(f"{sheet}: {means}; spreads: {spreads}", flush=True)
            for line in wrong(found):
                failed = True
                print(f"  WRONG: {line}", flush=True)
    return int(failed)
