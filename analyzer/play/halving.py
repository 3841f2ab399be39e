"""A choice by worlds: the base player's, unless worlds say clearly enough that another is better.

Each choice is made in the same sampled worlds, and each world is played to its end by base players, whose result counts.
In a world two choices differ by a hundred points or so through chance alone, on the average sensible ones by few or some ten.
To take whatever leads after a few worlds therefore loses to the base player. Three things are done about it:

- Worlds are spent where they matter: sequential halving (Karnin, Koren and Somekh 2013). Each round doubles the worlds, and
  half of the choices stay, with those of the base player. Whatever is far behind goes at once.
- Each seat draws the same cards in a world, whatever is chosen (`FastDeal.paired`): differences have half the noise.
- The base player's choice stands until another leads it by a standard error in the worlds of both.
"""

from collections.abc import Sequence
from math import inf, sqrt
from random import Random
from typing import NamedTuple

from analyzer.play.base_player import next_choice, play_out
from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import each_bit
from analyzer.play.greedy import WHOLE_DEAL, Choice
from analyzer.play.worlds import HOLD_BACK, SeatKnowledge, do_choice

FIRST_WORLDS = 8
"""So many worlds are played for every choice; each further round doubles them."""
ERRORS_BEHIND = 3.0
"""A choice is given up once it is so many standard errors behind the best."""
ERRORS_AHEAD = 1.0
"""Another choice than the base player's is taken if it leads that by so many standard errors."""


class WeighedChoice(NamedTuple):
    """A choice, and the lead of its seat at the end of the deal, in points: mean and standard error over the worlds.

    `behind` is by how much the choice that comes first does better in the same worlds, with its own error; 0 for that itself.
    It is below 0 where another does better, but not surely enough to be taken.
    """

    choice: Choice
    points: float
    error: float
    behind: float
    behind_error: float
    worlds: int


def weigh_against_base(
    knowledge: SeatKnowledge,
    choices: Sequence[Choice],
    random: Random,
    most_worlds: int,
    *,
    most_tricks: int = WHOLE_DEAL,
) -> list[WeighedChoice]:
    """The choices with their values: first the one to take, then the others, those given up last.

    Each is tried in at most `most_worlds` worlds. A single one is believed: it is for a seat to which nothing is hidden.
    """
    sign = 1 if knowledge.seat == 0 else -1
    own = base_place(knowledge.deal, choices)
    leads: list[list[int]] = [[] for _ in choices]
    left, worlds = [*range(len(choices))], min(FIRST_WORLDS, most_worlds)
    while True:
        for _ in range(worlds - len(leads[left[0]])):
            world = knowledge.world(random)
            world.paired = True
            for place in left:
                twin = world.copy()
                do_choice(twin, choices[place])
                leads[place].append(sign * play_out(twin, most_tricks))
        if worlds == most_worlds or len(left) == 1:
            break
        left = _better_half(leads, left, own)
        worlds = min(2 * worlds, most_worlds)
    best = max(left, key=lambda place: sum(leads[place]))
    if most_worlds > 1 and own in left and not _is_ahead(leads[best], leads[own], ERRORS_AHEAD):
        best = own
    return compare_with(best, choices, leads)


def compare_with(
    first: int, choices: Sequence[Choice], leads: Sequence[Sequence[int]]
) -> list[WeighedChoice]:
    """The choices by their leads in points: the `first` one, then those with most worlds and least behind it."""
    found = [
        WeighedChoice(
            choice,
            *mean_with_error(of_choice),
            *lead_over(leads[first], of_choice),
            len(of_choice),
        )
        for choice, of_choice in zip(choices, leads, strict=True)
    ]
    return [found.pop(first), *sorted(found, key=lambda value: (-value.worlds, value.behind))]


def _better_half(leads: list[list[int]], left: list[int], own: int) -> list[int]:
    """The better half of the choices left and the base player's `own`, without what is far behind the best."""
    ordered = sorted(left, key=lambda place: -sum(leads[place]))
    best = ordered[0]
    kept = ordered[: (len(ordered) + 1) // 2] if len(ordered) > 2 else ordered
    if own in ordered and own not in kept:
        kept.append(own)
    return [place for place in kept if not _is_ahead(leads[best], leads[place], ERRORS_BEHIND)]


def _is_ahead(one: list[int], other: list[int], errors: float) -> bool:
    """Whether one leads the other by more than so many standard errors in the worlds of both."""
    lead, error = lead_over(one, other)
    return lead > errors * error


def lead_over(best: Sequence[int], other: Sequence[int]) -> tuple[float, float]:
    """By how much one does better than the other in the worlds of both, and the standard error."""
    return mean_with_error([a - b for a, b in zip(best, other, strict=False)])


def mean_with_error(values: Sequence[int]) -> tuple[float, float]:
    """Mean and standard error; the error of a single value is not known."""
    number = len(values)
    mean = sum(values) / number
    if number < 2:
        return mean, inf
    variance = sum((value - mean) ** 2 for value in values) / (number - 1)
    return mean, sqrt(variance / number)


def base_place(deal: FastDeal, choices: Sequence[Choice]) -> int:
    """The place of the base player's choice among these."""
    own = next_choice(deal)
    if own.what not in {choice.what for choice in choices}:
        own = Choice(HOLD_BACK, deal.actor)
    likeness = [_likeness(deal, own, choice) for choice in choices]
    return likeness.index(max(likeness))


def _likeness(deal: FastDeal, own: Choice, choice: Choice) -> int:
    """How alike two choices are: in kind, in name, in faces, and in which of their cards have scored."""
    if (own.what, own.name) != (choice.what, choice.name):
        return int(own.what == choice.what)
    ever, alike = deal.scored[deal.actor].ever, deal.view.cards.alike
    faces, marks = [
        [sorted(of_card(card) for card in each_bit(each.cards)) for each in (own, choice)]
        for of_card in (
            lambda card: (alike[card.bit_length() - 1], False),
            lambda card: (alike[card.bit_length() - 1], card & ever > 0),
        )
    ]
    return 2 + (faces[0] == faces[1]) + (marks[0] == marks[1])
