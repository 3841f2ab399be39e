"""The rating method, to the last parameter: Weng and Lin's Bayesian ratings (the Plackett-Luce model), by openskill.

A player starts with a mean of 25 and a deviation of 25/3, whatever the rulebook. Before every match `tau` is added
to the deviation (in squares), so that a rating never becomes certain. Who shares the first place has drawn.

Weng, R. C. and Lin, C.-J. (2011), A Bayesian approximation method for online ranking. Journal of
Machine Learning Research 12, 267 to 300: algorithm 4.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from openskill.models import PlackettLuce

START_MEAN, START_DEVIATION = 25.0, 25.0 / 3.0
"""The rating of a player who has not played: its mean and its standard deviation."""
BETA = 25.0 / 6.0
"""The standard deviation of what a player shows in one match, around the own strength."""
TAU = 25.0 / 300.0
"""By how much strength may change from match to match: added to every deviation before a match, in squares."""
KAPPA = 0.0001
"""The least share of its variance that a rating keeps after a match, so that no deviation becomes 0."""
SURE_DEVIATIONS = 3
"""The conservative rating is the mean minus so many deviations."""


class RatingParameter(NamedTuple):
    """A parameter of the method: its name, its value as it is written, what it means."""

    name: str
    value: str
    meaning: str


RATING_PARAMETERS = (
    RatingParameter("mu", "25", "the mean of everyone's first rating"),
    RatingParameter("sigma", "25/3", "its deviation"),
    RatingParameter(
        "beta", "25/6", "how far what a player shows in one match lies from the player's strength"
    ),
    RatingParameter(
        "tau", "25/300",
        "how far strength may move between two matches: before each match every deviation becomes √(sigma² + tau²)",
    ),
    RatingParameter(
        "kappa", "0.0001", "the least share of its variance that a rating keeps after a match"
    ),
    RatingParameter(
        "gamma", "sigma/c",
        "how fast deviations shrink: that of a side divided by c, which is √(Σ(sigma² + beta²)) over all sides",
    ),
    RatingParameter("limit_sigma, balance, margin", "off", "options of openskill that are not used"),
)  # fmt: skip
"""What `rating_model` sets, for readers; a test compares the values."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating with its deviation, after so many matches."""

    rating: float
    deviation: float
    matches: int = 0

    @property
    def surely(self) -> float:
        """The conservative rating: the mean minus three deviations."""
        return self.rating - SURE_DEVIATIONS * self.deviation


UNRATED = Standing(START_MEAN, START_DEVIATION)
"""The standing of a player before the first match."""


class FinishedMatch(NamedTuple):
    """A match as it is rated: names by seat, sides by seat where they are not the seats, the winning side or none."""

    names: Sequence[str]
    sides: Sequence[int] | None
    winner: int | None


def rating_model() -> PlackettLuce:
    """The model with every parameter written out; the others of openskill (weights, margins) are not used.

    Its `gamma`, which slows how fast deviations shrink, is a side's deviation divided by that of the whole match.
    """
    return PlackettLuce(
        mu=START_MEAN, sigma=START_DEVIATION, beta=BETA, kappa=KAPPA, tau=TAU,
        margin=0.0, limit_sigma=False, balance=False,
    )  # fmt: skip


def standings_after(
    model: PlackettLuce, before: Mapping[str, Standing], match: FinishedMatch
) -> dict[str, Standing]:
    """The new standings of those who played a match; none if a name plays twice in it."""
    if len(set(match.names)) < len(match.names):
        return {}
    teams = list(_teams(match))
    standings = [[before.get(name, UNRATED) for name in team] for team in teams]
    ranks = [
        1.0 if match.winner is None or side == match.winner else 2.0 for side in range(len(teams))
    ]
    ratings = [[model.rating(one.rating, one.deviation) for one in team] for team in standings]
    found = model.rate(ratings, ranks=ranks)
    return {
        name: Standing(rating.mu, rating.sigma, standing.matches + 1)
        for names, old, new in zip(teams, standings, found, strict=True)
        for name, standing, rating in zip(names, old, new, strict=True)
    }


def _teams(match: FinishedMatch) -> Iterator[list[str]]:
    """The players of each side."""
    if match.sides is None:
        yield from ([name] for name in match.names)
        return
    for side in sorted(set(match.sides)):
        yield [name for name, own in zip(match.names, match.sides, strict=True) if own == side]
