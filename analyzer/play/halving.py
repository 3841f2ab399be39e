"""A choice by worlds: the base player's, unless worlds say clearly enough that another is better.

Each choice is made in the same sampled worlds, and each world is played to its end by base players, whose result counts.
In a world two choices differ by a hundred points or so through chance alone, on the average sensible ones by few or some
ten. To take whatever leads after a few worlds therefore loses to the base player. Three things are done about it:

- Worlds are spent where they matter: sequential halving (Karnin, Koren and Somekh 2013). Each round doubles the worlds, and
  the better half of the other choices stays, without those that fall behind the base player's. If none is left, that is
  settled.
- Each seat draws the same cards in a world, whatever is chosen (`FastDeal.paired`): differences have half the noise.
- The base player's choice stands unless another surely leads it. The best of many leads partly by luck: if it seems to be
  ahead, the two are tried in as many new worlds again, and then in twice as many if it is still open which is better.

Where every world can be tried, as in the last trick before the close, each is, once, with its chance as weight: the best mean
is taken.
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
ERRORS_BEHIND = 0.5
"""A choice is given up once it is so many standard errors behind the base player's."""
ERRORS_OPEN, ERRORS_AHEAD = 1.0, 2.0
"""A choice is tried again while it leads the base player's by so many standard errors, and then taken if it leads by so many."""
TIMES_AS_MANY = 4
"""A choice that is tried again is tried in so many times as many worlds as the others, at most."""


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

    Each is tried in at most `most_worlds` worlds; the best and the base player's in `TIMES_AS_MANY`, as long as it is open
    which is better.
    """
    own = base_place(knowledge.deal, choices)
    leads: list[list[int]] = [[] for _ in choices]

    def try_in(worlds: int, places: Sequence[int]) -> None:
        """Try these choices in more worlds, until the base player's has been tried in so many."""
        tried = [choices[place] for place in places]
        for _ in range(worlds - len(leads[own])):
            found = _leads_in(knowledge.world(random), knowledge.seat, tried, most_tricks)
            for place, lead in zip(places, found, strict=True):
                leads[place].append(lead)

    others, worlds = [place for place in range(len(choices)) if place != own], 0
    while worlds < most_worlds and (others or not worlds):
        worlds = min(2 * worlds or FIRST_WORLDS, most_worlds)
        try_in(worlds, [own, *others])
        if worlds < most_worlds:
            others = _better_half(leads, others, own)
    best = max(others, key=lambda place: sum(leads[place]), default=own)
    is_taken = False
    while (
        not is_taken
        and len(leads[own]) < TIMES_AS_MANY * most_worlds
        and _is_ahead(leads[best], leads[own], ERRORS_OPEN)
    ):
        try_in(2 * len(leads[own]), [own, best])
        is_taken = _is_ahead(leads[best], leads[own], ERRORS_AHEAD)
    return compare_with(best if is_taken else own, choices, leads)


def weigh_in_every_world(
    knowledge: SeatKnowledge,
    choices: Sequence[Choice],
    worlds: Sequence[tuple[FastDeal, float]],
) -> list[WeighedChoice]:
    """The choices with their values in these worlds, each with its chance, in any unit: the best comes first.

    No world is left out, so no error is one of sampling: all are 0. Of equally good ones the base player's comes first.
    """
    own, places = base_place(knowledge.deal, choices), range(len(choices))
    means, total = [0.0] * len(choices), sum(chance for _, chance in worlds)
    for world, chance in worlds:
        leads = _leads_in(world, knowledge.seat, choices, WHOLE_DEAL)
        means = [mean + lead * chance / total for mean, lead in zip(means, leads, strict=True)]
    ordered = sorted(places, key=lambda place: (-round(means[place], 6), place != own))
    best = means[ordered[0]]
    return [
        WeighedChoice(choices[place], means[place], 0.0, best - means[place], 0.0, len(worlds))
        for place in ordered
    ]


def _leads_in(world: FastDeal, seat: int, choices: Sequence[Choice], most_tricks: int) -> list[int]:
    """The lead of the seat after each choice, in one world."""
    world.paired, sign = True, -1 if seat else 1
    leads = []
    for choice in choices:
        twin = world.copy()
        do_choice(twin, choice)
        leads.append(sign * play_out(twin, most_tricks))
    return leads


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


def _better_half(leads: list[list[int]], others: list[int], own: int) -> list[int]:
    """The better half of the other choices than the base player's `own`, without those that are behind it."""
    ordered = sorted(others, key=lambda place: -sum(leads[place]))
    return [
        place
        for place in ordered[: (len(ordered) + 1) // 2]
        for lead, error in [lead_over(leads[own], leads[place])]
        if lead <= ERRORS_BEHIND * error
    ]


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
