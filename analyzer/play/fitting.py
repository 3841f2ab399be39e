"""Fits the weights of the base player by play: `python -m analyzer.play.fitting --sheet bezique`.

The method is the cross-entropy method (Rubinstein 1999). In every generation some sets of weights are drawn around the
best so far, each weight by a factor whose logarithm is normal; all play the same new deals; the few that do best say
around what, and how widely, the next ones are drawn. A deal is played four times by each: in both seats, against greedy
players and against a base player with the generic weights, so that nobody learns to beat greedy players alone. In both seats the same
cards are drawn, whoever wins the tricks.

At the end the new weights play the generic ones, and both play greedy players, on deals that had no part in fitting. Only
with `--write` are they written to `base_weights.json`.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

import msgspec

from analyzer.play import greedy
from analyzer.play.base_player import choice_of, play_out_between
from analyzer.play.base_weights import (
    WEIGHTS_FILE,
    BaseWeights,
    SheetWeights,
    weights_file,
)
from analyzer.play.card_worth import SheetWorth
from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import FastRules, fast_rules
from analyzer.play.setting_up import deal_cards
from records.rules.compiled import compile_sheet
from records.rules.registry import get_sheet
from records.rules.vocabulary import RuleSheet
from records.selfplay import shuffle_deal

CANDIDATES, BEST = 20, 5
"""So many sets of weights are tried in a generation, and so many say where the next ones are drawn."""
FIRST_SPREAD, LEAST_SPREAD = 0.35, 0.05
"""The standard deviation of the logarithm of every factor, at first and at least."""
PULL = 0.6
"""How far a generation moves from the mean and the spread before it to those of its best."""
HELD_OUT = 400
"""On so many deals old and new weights are compared at the end."""
PROBABILITIES = frozenset({"win", "chain", "rank_chain"})
HIGHEST_PROBABILITY = 1.0


class Estimate(NamedTuple):
    """A mean with half of its 95 % interval."""

    mean: float
    within: float

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.within:.1f}"


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent values."""
    return Estimate(mean(values), 1.96 * stdev(values) / sqrt(len(values)))


# Deals, and what a player leads by in them.


def shuffled_deals(sheet: RuleSheet, number: int, random: Random) -> list[FastDeal]:
    """So many deals, the deal going round, in which each seat draws the same cards whoever wins the tricks."""
    rules, found = compile_sheet(sheet), []
    for place in range(number):
        deal = deal_cards(sheet, shuffle_deal(rules, place % 2, random, seats=2, labels=True))
        deal.paired = True
        found.append(deal)
    return found


def lead_over_greedy(worth: SheetWorth, deal: FastDeal) -> float:
    """The mean lead of the base player over a greedy one from both seats, in points."""
    leads = [_lead_over_greedy(worth, deal.copy(), seat) for seat in (0, 1)]
    return sum(leads) / 2


def _lead_over_greedy(worth: SheetWorth, deal: FastDeal, seat: int) -> int:
    while not deal.over or deal.window is not None:
        is_own = deal.actor == seat
        greedy.make_choice(deal, choice_of(deal, worth) if is_own else greedy.next_choice(deal))
    return deal.points[seat] - deal.points[1 - seat]


def lead_over(worth: SheetWorth, other: SheetWorth, deal: FastDeal) -> float:
    """The mean lead of one base player over another from both seats, in points."""
    first = play_out_between(deal.copy(), (worth, other))
    return (first - play_out_between(deal.copy(), (other, worth))) / 2


# The cross-entropy method.


def names_fitted(rules: FastRules) -> list[str]:
    """The weights that matter in a sheet."""
    captures = rules.compiled.melds_captured
    without = {"now"} if captures else {"mine", "theirs"}
    if rules.written.dix is None:
        without.add("seven")
    return [name for name in BaseWeights.__struct_fields__ if name not in without]


class Generations:
    """The weights that a fit has come to: `weights` are the best guess, `spread` how widely they are drawn, by name."""

    def __init__(self, rules: FastRules, old: BaseWeights, seed: int) -> None:
        self.rules, self.old = rules, SheetWorth(rules, old)
        self.names = names_fitted(rules)
        self.center = {name: log(max(getattr(old, name), 0.01)) for name in self.names}
        self.spread = dict.fromkeys(self.names, FIRST_SPREAD)
        self.random = Random(f"{rules.sheet.id} {seed}")
        self.games = 0

    @property
    def weights(self) -> BaseWeights:
        """The best guess."""
        return self._weights(self.center)

    def _weights(self, logs: dict[str, float]) -> BaseWeights:
        values = {name: exp(value) for name, value in logs.items()}
        for name in PROBABILITIES & values.keys():
            values[name] = min(values[name], HIGHEST_PROBABILITY)
        rounded = {name: float(f"{value:.3g}") for name, value in values.items()}
        return msgspec.structs.replace(self.old.weights, **rounded)

    def breed(self, deals: int) -> float:
        """One generation on new deals; returns the mean lead of its best, in points."""
        table = shuffled_deals(self.rules.sheet, deals, self.random)
        tried = [self._drawn() for _ in range(CANDIDATES)]
        leads = [self._lead(self._weights(logs), table) for logs in tried]
        order = sorted(range(CANDIDATES), key=lambda place: leads[place], reverse=True)[:BEST]
        for name in self.names:
            values = [tried[place][name] for place in order]
            self.center[name] += PULL * (mean(values) - self.center[name])
            spread = self.spread[name] + PULL * (stdev(values) - self.spread[name])
            self.spread[name] = max(spread, LEAST_SPREAD)
        return mean(leads[place] for place in order)

    def _drawn(self) -> dict[str, float]:
        gauss = self.random.gauss
        return {name: gauss(self.center[name], self.spread[name]) for name in self.names}

    def _lead(self, weights: BaseWeights, table: Iterable[FastDeal]) -> float:
        worth = SheetWorth(self.rules, weights)
        leads = []
        for deal in table:
            leads.append(lead_over_greedy(worth, deal) + lead_over(worth, self.old, deal))
            self.games += 4
        return mean(leads) / 2


def compare(rules: FastRules, new: BaseWeights, old: BaseWeights, seed: int) -> dict[str, Estimate]:
    """What the new weights gain on deals that had no part in fitting, in points a deal."""
    deals = shuffled_deals(rules.sheet, HELD_OUT, Random(f"held out {rules.sheet.id} {seed}"))
    first, second = SheetWorth(rules, new), SheetWorth(rules, old)
    over_greedy = [[lead_over_greedy(worth, deal) for deal in deals] for worth in (first, second)]
    return {
        "over the old": estimate([lead_over(first, second, deal) for deal in deals]),
        "over greedy": estimate(over_greedy[0]),
        "old over greedy": estimate(over_greedy[1]),
        "more over greedy": estimate([a - b for a, b in zip(*over_greedy, strict=True)]),
    }


def fit(
    sheet: RuleSheet, *, generations: int, deals: int, seed: int, say: Callable[[str], None]
) -> SheetWeights:
    """Weights fitted to a sheet, from the generic ones, so that it can be done again; says how it goes."""
    rules, old = fast_rules(sheet), weights_file().generic
    bred = Generations(rules, old, seed)
    for number in range(1, generations + 1):
        lead = bred.breed(deals)
        widest = max(bred.spread.values())
        say(f"{sheet.id} {number}: the best lead by {lead:.1f}; spread up to {widest:.2f}")
    gains = compare(rules, bred.weights, old, seed)
    told = ", ".join(f"{name} {gain}" for name, gain in gains.items())
    say(f"{sheet.id}: {told}")
    how = (
        f"fitted in {generations} generations of {CANDIDATES} on {deals} deals, seed {seed}, {bred.games} games, "
        f"bezique {version('bezique')}; on {HELD_OUT} other deals, in points a deal: {told}"
    )
    return SheetWeights(bred.weights, how)


def write(sheet_id: str, found: SheetWeights, path: Path) -> None:
    """Put the weights of a sheet into a file of weights."""
    weights_file.cache_clear()
    file = weights_file()
    sheets = dict(sorted({**file.sheets, sheet_id: found}.items()))
    changed = msgspec.structs.replace(file, sheets=sheets)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(changed)) + b"\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the weights of one sheet and print them."""
    parser = argparse.ArgumentParser(prog="python -m analyzer.play.fitting")
    parser.add_argument("--sheet", required=True)
    parser.add_argument("--generations", type=int, default=15)
    parser.add_argument("--deals", type=int, default=80, help="deals of each generation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write them to base_weights.json")
    chosen = parser.parse_args(arguments)
    found = fit(
        get_sheet(chosen.sheet),
        generations=chosen.generations,
        deals=chosen.deals,
        seed=chosen.seed,
        say=lambda line: print(line, flush=True),
    )
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    if chosen.write:
        write(chosen.sheet, found, Path(str(WEIGHTS_FILE)))


if __name__ == "__main__":
    main()
