"""The state of a match as numbers for the model of winning: the lead, divided by the spread of what is left to play.

The start is Stern's Brownian motion: the lead moves at random from deal to deal, so the chance depends on the lead
divided by the square root of the play that is left. What is left is the rest of the deal, and the deals expected
until a side reaches the target.

Stern, H. S. (1994), A Brownian motion model for the progress of sports scores. Journal of the American Statistical
Association 89, 1128 to 1134.
"""

from dataclasses import dataclass
from itertools import count
from math import erfc, sqrt
from typing import NamedTuple

import msgspec

STAGES = 16
"""The stages of a deal: what depends on how much of it is played is known at so many places, and between them by a line."""
LEAST_LEFT = 0.01
"""The least share of a deal's variance that is left before its last trick is over."""
FEWEST_CHANCES_OF_A_DEAL = 0.001
"""Deals that are played with less than this probability are not counted among those expected."""
BEND = 0.3
"""A lead of so many standard deviations bends the curve half as much as any can."""
Features = tuple[float, float, float, float, float]
"""What the model knows of a state, in the order of `FEATURE_NAMES`; a bent lead has heavier tails than a normal curve."""
FEATURE_NAMES = (
    "lead",
    "lead where further deals are expected",
    f"lead, bent: x / ({BEND} + |x|)",
    "dealer, early in the deal",
    "dealer, where further deals are expected",
)


class DealShape(msgspec.Struct, frozen=True):
    """How deals by a sheet go, for the dealer's side, by stages from the first card to the last.

    `spread` is the standard deviation of a deal's lead in points, `side_spread` that of one side's points. `left` is
    the share of a deal's variance still to come, `drift` what the lead still changes on average, `rest` the points a
    side still makes.
    """

    spread: float
    side_spread: float
    left: list[float]
    drift: list[float]
    rest: list[float]


class MatchState(NamedTuple):
    """A match in progress, for the dealer's side of a deal: match points before the deal of both sides, and in it.

    `lead` and `both` are the points in the deal, the difference and the sum, `brisques` the brisques ahead.
    """

    tricks: int
    own: int
    other: int
    lead: int
    both: int
    brisques: int


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What the rules say of a match: its `target`, None if one deal is the match; the tricks of a deal.

    `worth` is what a brisque brings at the end of the deal, in points; 0 where they do not count then.
    """

    target: int | None
    tricks: int
    worth: int


def state_features(state: MatchState, terms: MatchTerms, shape: DealShape) -> Features:
    """The features of a state before the last trick of its deal is over; all change their sign with the sides."""
    stage = min(1.0, state.tricks / terms.tricks) * STAGES
    left = max(LEAST_LEFT, _at(shape.left, stage))
    further = _further_deals(state, terms, shape, stage, left)
    counted = terms.worth * state.brisques
    spread = shape.spread * sqrt(left + further)
    lead = (state.own - state.other + state.lead + counted + _at(shape.drift, stage)) / spread
    share = further / (1 + further)
    one_deal = shape.spread / spread
    return lead, lead * share, lead / (BEND + abs(lead)), left * one_deal, share * one_deal


def _further_deals(
    state: MatchState, terms: MatchTerms, shape: DealShape, stage: float, left: float
) -> float:
    """The deals expected after this one: until the side that leads reaches the target."""
    if terms.target is None:
        return 0.0
    counted = abs(state.lead + terms.worth * state.brisques)
    even = (state.both - abs(state.lead)) / 2
    behind, ahead = sorted((state.own, state.other))
    same_side = (state.own >= state.other) == (state.lead + terms.worth * state.brisques >= 0)
    top = even + (ahead + counted if same_side else max(ahead, behind + counted))
    missing = terms.target - top - _at(shape.rest, stage)
    expected = 0.0
    for deals in count():
        chance = 0.5 * erfc(
            (deals * shape.rest[0] - missing) / (shape.side_spread * sqrt(2 * (left + deals)))
        )
        if chance < FEWEST_CHANCES_OF_A_DEAL:
            return expected
        expected += chance
    return expected


def _at(values: list[float], stage: float) -> float:
    """A value between the stages, by a line."""
    below = min(int(stage), STAGES - 1)
    return values[below] + (stage - below) * (values[below + 1] - values[below])
