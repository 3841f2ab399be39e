"""What each choice of a seat is worth: the same worlds for all of them, each played to its end by simple players."""

from collections.abc import Sequence
from math import inf, sqrt
from random import Random
from typing import NamedTuple

from analyzer.expert.player_choices import HOLD_BACK
from analyzer.expert.seat_knowledge import SeatKnowledge
from analyzer.fast_table.fast_deal import FastDeal
from analyzer.fast_table.greedy import WHOLE_DEAL, Choice, make_choice, play_out

WORLDS_A_ROUND = 8
"""So many worlds are played before choices that have fallen behind are given up."""
ERRORS_BEHIND = 3.0
"""A choice is given up once it is so many standard errors behind the best."""


class WeighedChoice(NamedTuple):
    """A choice, and the lead of its seat at the end of the deal, in points: mean and standard error over the worlds.

    `behind` is by how much the best choice does better in the same worlds, with its own error; 0 for the best itself.
    """

    choice: Choice
    points: float
    error: float
    behind: float
    behind_error: float
    worlds: int


def weigh_choices(
    knowledge: SeatKnowledge,
    choices: Sequence[Choice],
    random: Random,
    most_worlds: int,
    *,
    give_up: bool = True,
    most_tricks: int = WHOLE_DEAL,
) -> list[WeighedChoice]:
    """The choices with their values, the best first.

    With `give_up`, what falls far behind is not played further: who only wants to choose needs to know no more of it.
    """
    leads: list[list[int]] = [[] for _ in choices]
    left = [*range(len(choices))]
    sign = 1 if knowledge.seat == 0 else -1
    for number in range(1, most_worlds + 1):
        world = knowledge.world(random)
        for place in left:
            twin = world.copy()
            do_choice(twin, choices[place])
            leads[place].append(sign * play_out(twin, most_tricks))
        if give_up and number % WORLDS_A_ROUND == 0:
            left = _still_hopeful(leads, left)
            if len(left) == 1:
                break
    best = max(left, key=lambda place: sum(leads[place]))
    found = [
        WeighedChoice(choice, *_mean(of_choice), *_behind(leads[best], of_choice), len(of_choice))
        for choice, of_choice in zip(choices, leads, strict=True)
    ]
    return [found.pop(best), *sorted(found, key=lambda value: value.behind)]


def do_choice(deal: FastDeal, choice: Choice) -> None:
    """Make a choice in a deal of whose cards all are known."""
    if choice.what == HOLD_BACK:
        deal.left = 0
    else:
        make_choice(deal, choice)


def _still_hopeful(leads: list[list[int]], left: list[int]) -> list[int]:
    best = max(left, key=lambda place: sum(leads[place]))
    kept = []
    for place in left:
        behind, error = _behind(leads[best], leads[place])
        if behind <= ERRORS_BEHIND * error:
            kept.append(place)
    return kept


def _behind(best: list[int], other: list[int]) -> tuple[float, float]:
    """By how much one does better than the other in the worlds of both, and the standard error."""
    return _mean([a - b for a, b in zip(best, other, strict=False)])


def _mean(values: Sequence[int]) -> tuple[float, float]:
    """Mean and standard error; the error of a single value is not known."""
    number = len(values)
    mean = sum(values) / number
    if number < 2:
        return mean, inf
    variance = sum((value - mean) ** 2 for value in values) / (number - 1)
    return mean, sqrt(variance / number)
