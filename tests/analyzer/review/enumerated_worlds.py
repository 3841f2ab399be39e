"""Every world that agrees with what a seat knows, with its chance: what the worlds of a deep review are drawn from.

Like cards are taken together. Near the close there are few enough worlds to play them all, and their mean is exact.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb, factorial, sqrt
from statistics import mean
from typing import NamedTuple

from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import WHOLE_DEAL, play_out
from analyzer.play.worlds import MOST_REFUSED, RASH, SeatKnowledge, do_choice
from analyzer.review.choice_worlds import MeanPoints, PlayOut
from analyzer.review.decisions import OpenDecision


class PossibleWorld(NamedTuple):
    """A world, and how likely it is."""

    deal: FastDeal
    chance: float


class HiddenHand(NamedTuple):
    """Cards that the other may hold, those left for the stock, in how many ways, and how likely a world is taken."""

    held: tuple[int, ...]
    left: tuple[int, ...]
    ways: int
    taken: float


def tricks_to_close(decision: OpenDecision) -> int:
    """How many tricks are to be played before the close, this one included."""
    deal = decision.knowledge.deal
    return (len(deal.stock) + bool(deal.turn_up) + 1) // 2


def count_worlds(decision: OpenDecision) -> int:
    """How many worlds there are at most."""
    unseen, stock = len(decision.knowledge.unseen), len(decision.knowledge.deal.stock)
    return comb(unseen, stock) * factorial(stock)


def possible_worlds(decision: OpenDecision) -> Iterator[PossibleWorld]:
    """All worlds of a decision."""
    knowledge = decision.knowledge
    hands = _hidden_hands(knowledge)
    number = sum(hand.ways for hand in hands)
    taken = sum(hand.ways * hand.taken for hand in hands) / number
    # Each world that is drawn may be refused, but for the last.
    drawn = (1 - (1 - taken) ** MOST_REFUSED) / taken
    last = (1 - taken) ** (MOST_REFUSED - 1)
    for hand in hands:
        chance = (hand.taken * drawn + (1 - hand.taken) * last) * hand.ways / number
        alike = {card: _alike(knowledge, card) for card in hand.left}
        stocks = {
            tuple(alike[card] for card in order): order for order in permutations(hand.left)
        }.values()
        for stock in stocks:
            yield PossibleWorld(_world(knowledge, hand.held, stock), chance / len(stocks))


def exact_means(decision: OpenDecision, play_out: PlayOut = play_out) -> list[MeanPoints]:
    """The exact mean lead of the seat after each choice, and the standard deviation of one world.

    Simple players go on, unless others are given.
    """
    sign = -1 if decision.seat else 1
    chances, leads = list[float](), [list[int]() for _ in decision.choices]
    for world, chance in possible_worlds(decision):
        chances.append(chance)
        for choice, of_choice in zip(decision.choices, leads, strict=True):
            twin = world.copy()
            do_choice(twin, choice)
            of_choice.append(sign * play_out(twin, WHOLE_DEAL))
    assert abs(sum(chances) - 1) < 1e-9
    return [_mean_and_deviation(of_choice, chances) for of_choice in leads]


def _mean_and_deviation(leads: Sequence[int], chances: Sequence[float]) -> MeanPoints:
    exact = sum(map(float.__mul__, map(float, leads), chances))
    square = sum((lead - exact) ** 2 * chance for lead, chance in zip(leads, chances, strict=True))
    return MeanPoints(exact, sqrt(square))


def _hidden_hands(knowledge: SeatKnowledge) -> list[HiddenHand]:
    """What the other may hold of the cards that the seat has not seen."""
    unseen = knowledge.unseen
    missing = len(unseen) - len(knowledge.deal.stock)
    ways, held_by = Counter[tuple[int, ...]](), dict[tuple[int, ...], tuple[int, ...]]()
    for held in combinations(unseen, missing):
        like = tuple(sorted(_alike(knowledge, card) for card in held))
        ways[like] += 1
        held_by[like] = held
    return [
        HiddenHand(
            held,
            tuple(card for card in unseen if card not in held),
            ways[like],
            _chance_taken(knowledge, held),
        )
        for like, held in held_by.items()
    ]


def _chance_taken(knowledge: SeatKnowledge, held: tuple[int, ...]) -> float:
    """How likely a world with this hand is taken: any of its cards may be those drawn since the other last melded nothing."""
    since = knowledge._drawn_since
    if since is None:
        return 1.0
    world = _world(knowledge, held, knowledge.deal.stock)
    refused = mean(
        knowledge.has_overlooked(world, sum(drawn))
        for drawn in combinations(held, min(since, len(held)))
    )
    return 1 - (1 - RASH) * refused


def _alike(knowledge: SeatKnowledge, card: int) -> int:
    return knowledge.deal.view.cards.alike[card.bit_length() - 1]


def _world(knowledge: SeatKnowledge, held: Sequence[int], stock: Sequence[int]) -> FastDeal:
    other, world = 1 - knowledge.seat, knowledge.deal.copy()
    world.hands[other] = world.hands[other] & ~sum(knowledge.unseen) | sum(held)
    world.stock = [*stock]
    world.hopeful[other] = world.view.all_melds
    world.paired = True
    return world
