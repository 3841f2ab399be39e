"""How strong is the expert? `python -m tests.soak --expert 200` asks it of so many deals of every sheet, between two.

Each deal is played twice, by the expert in each seat, so that both have the same cards: against greedy players, and on
the ladder, where greedy players meet random ones, a quick expert greedy ones, and every expert one of half its time. The
mean lead is printed in points a deal and in standard deviations of the greedy players' own results, and the share of
whole matches won against greedy players (`--matches 40`), each with its interval of 95 %.

The expert must lead greedy players by a quarter of a deviation and win as many of its matches as `LEAST_SHARES` says; on
the ladder nobody may be surely weaker than the one below. A deal on which two players do the same counts as a tie.
`--first 5000` takes other deals, from this seed on. Every figure is printed as soon as it is known.
"""

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import inf, sqrt
from statistics import mean, stdev
from typing import NamedTuple

from analyzer.play.expert import expert_for
from records.record import Record
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import PlayingStyle, SeatPlayerMaker, play_game

EXPERT_SHEETS = tuple(sheet.id for sheet in ALL_SHEETS)
ERRORS_OF_INTERVAL = 1.96
LEAST_LEAD = 0.25
"""In standard deviations of a greedy deal."""
LEAST_SHARES = {
    "bezique": 0.75,
    "zique": 0.75,
    "polish-bezique": 0.75,
    "marjolet": 0.75,
    "rubicon-bezique": 0.70,
    "chinese-bezique": 0.70,
}
"""The share of its matches against greedy players that the expert wins, where one is promised."""
MATCHES = 40
"""Seeds of matches; each is played twice."""
DOUBLINGS = (8, 16, 32, 64)
"""The worlds of the experts on the ladder."""

Rung = SeatPlayerMaker | PlayingStyle
"""A player of the ladder."""


class Estimate(NamedTuple):
    """A mean and half the width of its interval of 95 %."""

    mean: float
    width: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.width:.2f}"


def estimate(values: Sequence[float], unit: float = 1) -> Estimate:
    """The mean of independent values in a unit; of a single one the error is not known."""
    error = stdev(values) / sqrt(len(values)) if len(values) > 1 else inf
    return Estimate(mean(values) / unit, ERRORS_OF_INTERVAL * error / unit)


def paired_games(
    sheet: str,
    seed: int,
    player: Rung,
    other: Rung = "greedy",
    deals: int | None = None,
    *,
    labels: bool = False,
) -> Iterator[tuple[int, Record]]:
    """The game of a seed twice, a player in each seat, with that seat; all its deals have the same cards.

    `labels` tells the copies of a card apart.
    """
    for seat in (0, 1):
        sides = {seat: player, 1 - seat: other}
        makers = {place: side for place, side in sides.items() if not isinstance(side, str)}
        styles: list[PlayingStyle] = [
            side if isinstance(side, str) else "greedy" for _, side in sorted(sides.items())
        ]
        limit: Mapping[str, int] = {} if deals is None else {"deals": deals}
        game = play_game(
            sheet, seed=seed, styles=styles, seat_players=makers, labels=labels, **limit
        )
        yield seat, game


def paired_leads(
    sheet: str, deals: int, player: Rung, other: Rung = "greedy", first: int = 0
) -> Iterator[float]:
    """The mean lead of a player over another in points, on each deal in both seats; the `first` seed is told."""
    for seed in range(first, first + deals):
        pair = paired_games(sheet, seed, player, other, deals=1)
        yield mean(lead_of(game, seat) for seat, game in pair)


def match_shares(sheet: str, matches: int, player: Rung, first: int = 0) -> Iterator[float]:
    """The share of the two matches of each seed that a player wins against a greedy one; a draw is half a win."""
    for seed in range(first, first + matches):
        yield mean(_share(game, seat) for seat, game in paired_games(sheet, seed, player))


def _share(game: Record, seat: int) -> float:
    assert game.result is not None
    assert game.result.status == "complete"
    return 0.5 if game.result.winner is None else float(game.result.winner == seat)


def lead_of(game: Record, seat: int) -> int:
    """The lead of a seat in the first deal of a game, in points."""
    claims = game.deals[0].claims
    assert claims is not None
    assert claims.scores is not None
    return claims.scores[seat] - claims.scores[1 - seat]


def is_strong(sheet: str, deals: int, matches: int, first: int) -> bool:
    """Measure the expert of one sheet, and print what is found: whether it is as strong as it must be."""
    deviation = stdev(lead_of(play_game(sheet, seed=seed, deals=1), 0) for seed in range(200))
    expert = partial(expert_for, get_sheet(sheet))
    leads = [*paired_leads(sheet, deals, expert(), first=first)]
    points, lead = estimate(leads), estimate(leads, deviation)
    _tell(sheet, f"{points.mean:+.1f} ± {points.width:.1f} points a deal, {lead} deviations")
    climbs = True
    for step, rung in _ladder(expert):
        found = estimate([*paired_leads(sheet, deals, *rung, first=first)], deviation)
        _tell(sheet, f"{step}: {found} deviations")
        climbs &= found.mean + found.width >= 0
    share = estimate([*match_shares(sheet, matches, expert(), first)])
    won = f"{100 * share.mean:.0f} ± {100 * share.width:.0f} %"
    _tell(sheet, f"{won} of {2 * matches} matches won")
    return climbs and lead.mean >= LEAST_LEAD and share.mean >= LEAST_SHARES.get(sheet, 0)


def _ladder(expert: Callable[..., SeatPlayerMaker]) -> Iterator[tuple[str, tuple[Rung, Rung]]]:
    """Every step of the ladder in words, and its two players."""
    experts = {worlds: expert(worlds) for worlds in DOUBLINGS}
    yield "greedy over random", ("greedy", "random")
    yield f"expert of {DOUBLINGS[0]} worlds over greedy", (experts[DOUBLINGS[0]], "greedy")
    for worlds in DOUBLINGS[1:]:
        yield f"of {worlds} over {worlds // 2}", (experts[worlds], experts[worlds // 2])


def _tell(sheet: str, words: str) -> None:
    print(f"{sheet}: {words}", flush=True)


def main(deals: int, matches: int, sheets: Sequence[str], first: int, workers: int) -> int:
    """Measure these sheets, or all, on deals from the `first` seed on; 1 if the expert is too weak anywhere."""
    measure = partial(is_strong, deals=deals, matches=matches, first=first)
    with multiprocessing.Pool(workers) as pool:
        return 0 if all([*pool.imap(measure, sheets or EXPERT_SHEETS)]) else 1
