"""By how much does the expert lead base players? `python -m tests.soak --gains 100` asks it of so many deals of every sheet.

The expert meets a base player in each deal, once in either seat. What it leads by is the sum of what each of its choices
gains over the base player's choice, if base players go on from there (the performance difference lemma, Kakade and Langford
2002). Both hands are the true ones then, which the expert does not know; the stock, whose order nobody knows, is shuffled
`SHUFFLES` times. So the mean is that of whole deals, with a third of their error: luck that no choice meets is left out.

Printed with their intervals of 95 % are this gain in points a deal and, as a test of it, the plain lead; then in how many
choices of how many the two players differ, the seconds of a deal, and how often the expert played what no player would
believe (`tests/referee/implausible_play.py`). `--worlds 16` gives it another width, `--sheet`, `--first` and `--workers`
are those of `--strength`. It fails if a gain is surely less than it must be.
"""

import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from statistics import mean
from typing import NamedTuple

from analyzer.play.base_player import play_out
from analyzer.play.expert import ExpertPlayer
from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import Choice
from analyzer.play.halving import WeighedChoice, base_place
from analyzer.play.seat_players import base_player_for
from analyzer.play.worlds import do_choice
from records.engine.table import Table
from records.record import Deal
from records.selfplay import play_game
from tests.referee.implausible_play import Pattern, count_patterns
from tests.soak.expert import estimate, lead_of
from tests.soak.strength import EXPERT_OVER_BASE, TRICK_SHEETS

SHUFFLES = 32


class MeasuredExpert(ExpertPlayer):
    """Adds up what its choices gain over those of the base player, in points; counts all choices and those that differ."""

    gained, choices, different = 0.0, 0, 0

    def _weigh_anew(self, table: Table) -> tuple[FastDeal, list[WeighedChoice]]:
        deal, values = super()._weigh_anew(table)
        if len(values) > 1:
            own = values[base_place(deal, [value.choice for value in values])].choice
            self.choices += 1
            if own != values[0].choice:
                self.different += 1
                self.gained += self._gain(deal, values[0].choice, own)
        return deal, values

    def _gain(self, deal: FastDeal, choice: Choice, own: Choice) -> float:
        """What a choice gains over the base player's `own` if base players go on: the mean over orders of the stock."""
        sign, gains = -1 if self.seat else 1, []
        for world in self.orders(deal):
            leads = []
            for each in (choice, own):
                twin = world.copy()
                do_choice(twin, each)
                leads.append(play_out(twin))
            gains.append(sign * (leads[0] - leads[1]))
        return mean(gains)

    def orders(self, deal: FastDeal) -> Iterator[FastDeal]:
        """The deal with its stock in some orders."""
        random = Random(len(deal.stock))
        for _ in range(SHUFFLES if len(deal.stock) > 1 else 1):
            world = deal.copy()
            world.paired = True
            random.shuffle(world.stock)
            yield world


class MeasuredDeal(NamedTuple):
    """A deal played from both seats: means of gain and lead in points, and of seconds; sums of all that is counted."""

    gain: float
    lead: float
    seconds: float
    choices: int
    different: int
    times: Counter[Pattern]
    occasions: Counter[Pattern]


def measure_deal(sheet: str, seed: int, worlds: int | None = None) -> MeasuredDeal:
    """Play the deal of a seed from both seats."""
    rules, experts, leads = TRICK_SHEETS[sheet], list[MeasuredExpert](), []
    times, occasions, started = Counter[Pattern](), Counter[Pattern](), time.process_time()

    def sit_down(seat: int, deal: Deal, player_seed: int) -> MeasuredExpert:
        experts.append(MeasuredExpert(seat, deal, player_seed, worlds))
        return experts[-1]

    for seat in (0, 1):
        players = {seat: sit_down, 1 - seat: base_player_for(rules)}
        labels = rules.rules.pack.packs > 1
        game = play_game(sheet, seed=seed, deals=1, labels=labels, seat_players=players)
        leads.append(lead_of(game, seat))
        counts = count_patterns(game)
        for found, counted in ((times, counts.times), (occasions, counts.occasions)):
            found.update({kind: number for (of, kind), number in counted.items() if of == seat})
    return MeasuredDeal(
        mean(player.gained for player in experts),
        mean(leads),
        (time.process_time() - started) / 2,
        sum(player.choices for player in experts),
        sum(player.different for player in experts),
        times,
        occasions,
    )


def is_strong(sheet: str, seeds: range, worlds: int | None) -> bool:
    """Print what the deals of these seeds tell of a sheet: whether the expert gains as much as it must."""
    deals = [measure_deal(sheet, seed, worlds) for seed in seeds]
    gain, lead = (estimate([deal[place] for deal in deals]) for place in (0, 1))
    choices, different = sum(deal.choices for deal in deals), sum(deal.different for deal in deals)
    print(
        f"{sheet}: the choices gain {gain.mean:+.1f} ± {gain.width:.1f} points a deal, the lead is "
        f"{lead.mean:+.1f} ± {lead.width:.1f}; {different} of {choices} choices differ; "
        f"{mean(deal.seconds for deal in deals):.1f} s a deal; {_patterns(deals)}",
        flush=True,
    )
    return gain.mean + gain.width >= EXPERT_OVER_BASE.get(sheet, 0)


def _patterns(deals: Sequence[MeasuredDeal]) -> str:
    return ", ".join(
        f"{kind.value} {sum(deal.times[kind] for deal in deals)} of "
        f"{sum(deal.occasions[kind] for deal in deals)}"
        for kind in Pattern
    )


def main(deals: int, worlds: int | None, sheets: Sequence[str], first: int, workers: int) -> int:
    """Measure these sheets, or all, on so many deals from the `first` seed on; 1 if a gain is surely too small."""
    ask = partial(is_strong, seeds=range(first, first + deals), worlds=worlds)
    with multiprocessing.Pool(workers) as pool:
        return 0 if all([*pool.imap(ask, sheets or TRICK_SHEETS, chunksize=1)]) else 1
