"""Why a choice is better than another, as the worlds show it: what each side scores afterwards, and how often."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from analyzer.deep_review.choice_worlds import ChoiceWorlds
from analyzer.deep_review.grades import ERRORS_TO_TELL
from analyzer.expert.weighing import do_choice
from analyzer.fast_table.fast_deal import FastDeal, PointSource
from analyzer.fast_table.greedy import Choice, play_out

TRACED_WORLDS = 100
"""What comes of two choices is counted in so many worlds."""
MOST_REASONS = 2
LEAST_SHARE, LEAST_PART = 1 / 3, 1 / 6
"""The reasons told are this share of the whole difference together, so all others together are at most twice as large; and each is this part of it."""
TAKEN_BY_ONE = ("brisques", "last_trick", "last_stock_trick")
"""What one seat gets of these the other does not, so they are told of the seat that decides, for what they are worth to both."""


def trace_choice(world: FastDeal, choice: Choice) -> dict[PointSource, int]:
    """How often every source brought its points in a world after a choice, the choice itself included.

    The points of brisques are one source, counted in brisques; what is neither is `other`, counted in points.
    """
    deal, sources = world.copy(), Counter[PointSource]()
    deal.sources = sources
    before = deal.points[:]
    do_choice(deal, choice)
    play_out(deal)
    brisques = deal.rules.sheet.brisques
    found = dict(sources)
    for seat in range(2):
        known = sum(
            number * source.worth for source, number in found.items() if source.seat == seat
        )
        if worth := brisques.points_at_the_end:
            found[PointSource(seat, "brisques", worth)] = deal.brisques[seat]
            known += worth * deal.brisques[seat]
        found[PointSource(seat, "other", 1)] = deal.points[seat] - before[seat] - known
    return found


class Reason(NamedTuple):
    """What one source of points brings after the better choice and after the other, over so many `worlds`.

    `often` and `often_else` are how many worlds have it at all; `times` and `times_else` are how often it comes in the
    mean of all. `points` is what that difference is worth to the seat that decides.
    """

    source: PointSource
    worlds: int
    often: int
    often_else: int
    times: float
    times_else: float
    points: float


class ChoiceComparison(NamedTuple):
    """Two choices of a decision in the same worlds; `points` is by how much the better one is ahead in these."""

    points: float
    reasons: Sequence[Reason]


def compare_choices(worlds: ChoiceWorlds, better: int, other: int) -> ChoiceComparison:
    """What makes a choice better than another, the weightiest first; nothing if no source stands out."""
    choices, seat = worlds.decision.choices, worlds.decision.seat
    first, second = list[Mapping[PointSource, int]](), list[Mapping[PointSource, int]]()
    for number in range(TRACED_WORLDS):
        world = worlds.world(number)
        first.append(trace_choice(world, choices[better]))
        second.append(trace_choice(world, choices[other]))
    sources = sorted(
        {
            source
            for world in (*first, *second)
            for source in world
            if source.seat == seat or source.name not in TAKEN_BY_ONE
        }
    )
    found = [_reason(source, seat, first, second) for source in sources]
    whole = sum(reason.points for reason, _ in found)
    return ChoiceComparison(whole, choose_reasons(found))


def choose_reasons(found: Sequence[tuple[Reason, float]]) -> list[Reason]:
    """The reasons to tell, the weightiest first, of all with their standard errors; none if these say too little."""
    whole = sum(reason.points for reason, _ in found)
    told = [
        reason
        for reason, error in found
        if reason.source.name != "other"
        and reason.points >= max(ERRORS_TO_TELL * error, LEAST_PART * whole)
        and reason.points > 0
    ]
    told = sorted(told, key=lambda reason: -reason.points)[:MOST_REASONS]
    return told if sum(reason.points for reason in told) >= LEAST_SHARE * whole else []


def _reason(
    source: PointSource,
    seat: int,
    first: Sequence[Mapping[PointSource, int]],
    second: Sequence[Mapping[PointSource, int]],
) -> tuple[Reason, float]:
    """What a source brings after both choices, and the standard error of its difference in points."""
    times, others = [[world.get(source, 0) for world in worlds] for worlds in (first, second)]
    number = len(times)
    worth = source.worth if source.seat == seat else -source.worth
    worth *= 2 if source.name in TAKEN_BY_ONE else 1
    gaps = [worth * (a - b) for a, b in zip(times, others, strict=True)]
    mean = sum(gaps) / number
    error = sqrt(sum((gap - mean) ** 2 for gap in gaps) / (number - 1) / number)
    return (
        Reason(
            source,
            number,
            number - times.count(0),
            number - others.count(0),
            sum(times) / number,
            sum(others) / number,
            mean,
        ),
        error,
    )
