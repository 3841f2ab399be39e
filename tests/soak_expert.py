"""How strong is the expert? `python -m tests.soak --expert 200` asks it of so many deals of every sheet with tricks.

Each deal is played twice against greedy players, by the expert in each seat, so that both have the same cards. Its mean
lead is printed in points a deal and in standard deviations of the greedy players' own results, each with its interval
of 95 %. The expert must lead by a quarter of a deviation.
"""

import multiprocessing
from collections.abc import Iterator, Sequence
from functools import partial
from math import sqrt
from statistics import mean, stdev

from analyzer.expert.expert_player import ExpertPlayer
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.selfplay import SeatPlayerMaker, play_game

EXPERT_SHEETS = tuple(sheet.id for sheet in ALL_SHEETS if sheet.tableau is None)
ERRORS_OF_INTERVAL = 1.96
LEAST_LEAD = 0.25
"""In standard deviations of a greedy deal."""


def paired_leads(sheet: str, deals: int, player: SeatPlayerMaker) -> Iterator[float]:
    """The mean lead of a player over greedy ones in points, on each deal in both seats."""
    for seed in range(deals):
        games = [
            play_game(sheet, seed=seed, deals=1, seat_players={seat: player}) for seat in (0, 1)
        ]
        yield sum(_lead(game, seat) for seat, game in enumerate(games)) / 2


def _lead(game: Record, seat: int) -> int:
    claims = game.deals[0].claims
    assert claims is not None
    assert claims.scores is not None
    return claims.scores[seat] - claims.scores[1 - seat]


def strength(sheet: str, deals: int) -> tuple[str, float, float, float]:
    """The sheet, the mean lead, its standard error, and the deviation of a greedy deal, all in points."""
    leads = list(paired_leads(sheet, deals, ExpertPlayer))
    greedy = [_lead(play_game(sheet, seed=seed, deals=1), 0) for seed in range(deals)]
    return sheet, mean(leads), stdev(leads) / sqrt(deals), stdev(greedy)


def main(deals: int, sheets: Sequence[str], workers: int) -> int:
    """Measure these sheets, or all; 1 if the expert is weaker than it must be anywhere."""
    weak = 0
    with multiprocessing.Pool(workers) as pool:
        asked = sheets or EXPERT_SHEETS
        for sheet, lead, error, deviation in pool.imap(partial(strength, deals=deals), asked):
            width = ERRORS_OF_INTERVAL * error
            print(
                f"{sheet}: {lead:+.1f} ± {width:.1f} points a deal, "
                f"{lead / deviation:+.2f} ± {width / deviation:.2f} deviations",
                flush=True,
            )
            weak += lead < LEAST_LEAD * deviation
    return int(weak > 0)
