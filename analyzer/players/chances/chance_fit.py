"""Fit a logistic model of winning to matches, in plain Python: few numbers, few steps, and a covariance by matches.

All states of a match have one outcome, so a match counts as one observation, however many of its states are used:
each has the weight of one divided by their number, and the covariance is that of a sum over matches (a sandwich).
The weights shrink towards those of a model known before, which counts as some matches.
"""

from collections.abc import Iterable, Sequence
from math import exp, sqrt
from typing import NamedTuple

import msgspec

from analyzer.intervals import DEVIATIONS_FOR_95_PERCENT
from analyzer.players.chances.chance_features import FEATURE_NAMES, Features

FEATURES = len(FEATURE_NAMES)
MOST_STEPS, SMALL_STEP = 12, 1e-6
"""Newton's method ends after so many steps, or when none of the weights changes by more than this."""
BROWNIAN_WEIGHTS = [1.702, 0.0, 0.0, 0.0, 0.0]
"""The weights if the lead is a Brownian motion: 1.702 turns deviations of a normal curve into a logit."""
CORRECTION_DEVIATIONS = (1.0, 0.2, 1.0, 0.15, 0.15)
"""How far each weight may lie from what is known before, as a standard deviation."""
MOST_LOGIT = 12.0
"""No state is more certain than this before the end: odds of some 160,000 to 1."""
Vector = list[float]
Matrix = list[Vector]


class ChanceWeights(msgspec.Struct, frozen=True):
    """The weights of the features, their covariance, and what one match tells of them on average (`information`)."""

    weights: Vector
    covariance: Matrix
    information: Matrix


class ChanceRange(NamedTuple):
    """A chance of winning, with its 95 % interval."""

    chance: float
    low: float
    high: float


class MatchOutcomes(NamedTuple):
    """Some states of one match, and how it ended: 1, 0.5 or 0 for the side each is seen from."""

    features: Sequence[Features]
    won: Sequence[float]


def estimate_chance(known: ChanceWeights, features: Features) -> ChanceRange:
    """The chance of winning in a state, and its interval: the weights are uncertain, the model is believed."""
    logit = _dot(known.weights, features)
    reach = DEVIATIONS_FOR_95_PERCENT * slope_error(known, features)
    return ChanceRange(*(_logistic(logit + side * reach) for side in (0, -1, 1)))


def chance_slope(known: ChanceWeights, features: Features) -> tuple[float, Vector]:
    """The chance of winning in a state, and how fast it changes with each weight."""
    chance = _logistic(_dot(known.weights, features))
    return chance, [chance * (1 - chance) * feature for feature in features]


def slope_error(known: ChanceWeights, slope: Sequence[float]) -> float:
    """The standard error of a mean of chances with this mean slope, or of a difference: the weights are uncertain."""
    return sqrt(max(0.0, _dot([_dot(row, slope) for row in known.covariance], slope)))


def fit_weights(
    matches: Sequence[MatchOutcomes], before: ChanceWeights | None = None, worth: float = 0
) -> ChanceWeights:
    """The weights that fit these matches best, shrunk towards those `before`, which are worth so many matches.

    Where none are known before, they shrink towards those of a Brownian motion.
    """
    prior = _prior(before, worth)
    centre = before.weights if before else BROWNIAN_WEIGHTS
    weights = list(centre)
    for _ in range(MOST_STEPS):
        gradient, hessian = _sums(matches, weights)
        pull = [_dot(row, [c - w for c, w in zip(centre, weights, strict=True)]) for row in prior]
        step = _solve(_added(hessian, prior), [g + p for g, p in zip(gradient, pull, strict=True)])
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < SMALL_STEP:
            break
    return _with_covariance(matches, weights, prior)


def without_match(
    fitted: ChanceWeights,
    matches: int,
    match: MatchOutcomes,
    before: ChanceWeights | None = None,
    worth: float = 0,
) -> ChanceWeights:
    """Weights fitted to so many matches as they would be without one of them: one step of Newton's method back."""
    gradient, hessian = _sums([match], fitted.weights)
    whole = [[matches * entry for entry in row] for row in fitted.information]
    rest = [[a - b for a, b in zip(x, y, strict=True)] for x, y in zip(whole, hessian, strict=True)]
    step = _solve(_added(rest, _prior(before, worth)), gradient)
    weights = [weight - change for weight, change in zip(fitted.weights, step, strict=True)]
    return msgspec.structs.replace(fitted, weights=weights)


def _prior(before: ChanceWeights | None, worth: float) -> Matrix:
    """How surely the weights are known before any match is seen: the inverse of a covariance."""
    prior = _diagonal([deviation**-2 for deviation in CORRECTION_DEVIATIONS])
    if before is None:
        return prior
    return _added(prior, [[worth * entry for entry in row] for row in before.information])


def _with_covariance(
    matches: Sequence[MatchOutcomes], weights: Vector, prior: Matrix
) -> ChanceWeights:
    _, hessian = _sums(matches, weights)
    middle = [list(row) for row in prior]
    for match in matches:
        gradient, _ = _sums([match], weights)
        for row in range(FEATURES):
            for column in range(FEATURES):
                middle[row][column] += gradient[row] * gradient[column]
    bread = _inverse(_added(hessian, prior))
    covariance = _product(_product(bread, middle), bread)
    number = max(1, len(matches))
    return ChanceWeights(
        weights, covariance, [[entry / number for entry in row] for row in hessian]
    )


def _sums(matches: Iterable[MatchOutcomes], weights: Vector) -> tuple[Vector, Matrix]:
    """The gradient and the negative second derivatives of the likelihood, every match counting as one."""
    gradient = [0.0] * FEATURES
    hessian = [[0.0] * FEATURES for _ in range(FEATURES)]
    for match in matches:
        share = 1 / len(match.won)
        for features, won in zip(match.features, match.won, strict=True):
            chance = _logistic(_dot(weights, features))
            error, width = share * (won - chance), share * chance * (1 - chance)
            for row in range(FEATURES):
                gradient[row] += error * features[row]
                scaled = width * features[row]
                for column in range(row + 1):
                    hessian[row][column] += scaled * features[column]
    for row in range(FEATURES):
        for column in range(row):
            hessian[column][row] = hessian[row][column]
    return gradient, hessian


def _logistic(logit: float) -> float:
    return 1 / (1 + exp(-max(-MOST_LOGIT, min(MOST_LOGIT, logit))))


def _dot(one: Iterable[float], other: Iterable[float]) -> float:
    return sum([a * b for a, b in zip(one, other, strict=True)])


def _diagonal(values: Sequence[float]) -> Matrix:
    return [
        [value if row == column else 0.0 for column in range(len(values))]
        for row, value in enumerate(values)
    ]


def _added(one: Matrix, other: Matrix) -> Matrix:
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True)]


def _product(one: Matrix, other: Matrix) -> Matrix:
    return [[_dot(row, column) for column in zip(*other, strict=True)] for row in one]


def _inverse(matrix: Matrix) -> Matrix:
    columns = [_solve(matrix, row) for row in _diagonal([1.0] * FEATURES)]
    return [list(row) for row in zip(*columns, strict=True)]


def _solve(matrix: Matrix, right: Sequence[float]) -> Vector:
    """The solution of equations by Gauss and Jordan; the matrix is positive definite, so no rows are exchanged."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for pivot in range(len(rows)):
        scale = rows[pivot][pivot]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for row in range(len(rows)):
            if row != pivot:
                factor = rows[row][pivot]
                rows[row] = [
                    value - factor * own for value, own in zip(rows[row], rows[pivot], strict=True)
                ]
    return [row[-1] for row in rows]
