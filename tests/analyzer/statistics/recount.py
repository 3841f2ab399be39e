"""Intervals computed again from what each match counts, by the definitions; nothing here knows the SQL.

A match is a pair: what it counts, and its units.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache

Match = tuple[float, float]
Ends = tuple[float, float] | None


def value(matches: Sequence[Match]) -> float:
    """What all count, by all units."""
    return sum(count for count, _ in matches) / sum(units for _, units in matches)


def variance(matches: Sequence[Match]) -> float:
    """The variance of that value: Bell and McCaffrey's, for a regression on nothing but a constant."""
    mean, whole = value(matches), sum(units for _, units in matches)
    deviations = [(count - mean * units) / math.sqrt(1 - units / whole) for count, units in matches]
    return math.fsum(deviation**2 for deviation in deviations) / whole**2


def freedom(sizes: Sequence[float]) -> float:
    """The degrees of freedom of the variance, by Satterthwaite: squared trace over trace of the square.

    The covariance of two matches' adjusted deviations, if all rows vary alike and by themselves.
    """
    whole = sum(sizes)
    roots = [math.sqrt(1 - size / whole) for size in sizes]

    def covariance(i: int, j: int) -> float:
        own = sizes[i] if i == j else 0.0
        return (own - sizes[i] * sizes[j] / whole) / (roots[i] * roots[j])

    places = range(len(sizes))
    trace = sum(covariance(i, i) for i in places)
    return trace**2 / math.fsum(covariance(i, j) ** 2 for i in places for j in places)


@cache
def t_quantile(degrees: float, at: float = 0.975) -> float:
    """Where Student's t distribution has this share below it: its density summed and bisected."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2))
    scale /= math.sqrt(degrees * math.pi)

    def below(x: float, steps: int = 600) -> float:
        points = [i * x / steps for i in range(steps + 1)]
        heights = [scale * (1 + p * p / degrees) ** (-(degrees + 1) / 2) for p in points]
        simpson = heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2])
        return 0.5 + simpson * x / steps / 3

    return bisect(lambda x: below(x) >= at, 0.0, 20.0)


def bisect(reached: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition begins to hold."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return (low + high) / 2


def symmetric_ends(matches: Sequence[Match]) -> Ends:
    """The ends of the interval of a mean that may be negative; None if the matches do not tell them."""
    if len(matches) < 2 or not (spread := true_variance(matches)):
        return None
    reach = t_quantile(freedom([units for _, units in matches])) * math.sqrt(spread)
    return value(matches) - reach, value(matches) + reach


def mean_ends(matches: Sequence[Match]) -> Ends:
    """The two values from which this one is t standard errors away, if it varies the more the larger it is."""
    if len(matches) < 2 or not (spread := true_variance(matches)):
        return None
    if min(count for count, _ in matches) < 0:
        return symmetric_ends(matches)
    found, t = value(matches), t_quantile(freedom([units for _, units in matches]))

    def away(other: float) -> bool:
        return abs(other - found) >= t * math.sqrt(spread * other / found)

    return (
        bisect(lambda other: not away(other), 0.0, found),
        bisect(away, found, found + 2000 * math.sqrt(spread) + 1000 * found),
    )


def share_ends(matches: Sequence[Match]) -> Ends:
    """The two shares from which this one is t standard errors away, by as many units as vary so much."""
    if len(matches) < 2:
        return None
    share, spread = value(matches), true_variance(matches)
    if not spread and 0 < share < 1:
        return None
    units = share * (1 - share) / spread if spread else len(matches)
    t = t_quantile(freedom([units for _, units in matches]))

    def away(other: float) -> bool:
        return abs(other - share) >= t * math.sqrt(other * (1 - other) / units)

    return (
        bisect(lambda other: not away(other), 0.0, share) if share else 0.0,
        bisect(away, share, 1.0) if share < 1 else 1.0,
    )


def true_variance(matches: Sequence[Match]) -> float:
    """The variance, or nothing where all matches agree."""
    found = value(matches)
    if all(math.isclose(count, found * units, abs_tol=1e-9) for count, units in matches):
        return 0.0
    return variance(matches)


def difference_ends(pairs: Sequence[tuple[Match | None, Match | None]]) -> Ends:
    """The ends of the interval of the second group's value less the first one's, from each match in either."""
    groups = [[match for match in group if match] for group in zip(*pairs, strict=True)]
    if min(map(len, groups)) < 2:
        return None
    values, wholes = (
        [value(group) for group in groups],
        [sum(n for _, n in group) for group in groups],
    )

    def pull(match: Match | None, group: int) -> float:
        if match is None:
            return 0.0
        count, units = match
        share = units / wholes[group]
        return (count - values[group] * units) / wholes[group] / math.sqrt(1 - share)

    spread = math.fsum((pull(two, 1) - pull(one, 0)) ** 2 for one, two in pairs)
    if spread < 1e-15:
        return None
    degrees = min(freedom([units for _, units in group]) for group in groups)
    reach = t_quantile(degrees) * math.sqrt(spread)
    return values[1] - values[0] - reach, values[1] - values[0] + reach
