"""How strong players are: every clean and complete match rated in one order."""

import threading
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from openskill.models import PlackettLuce

from analyzer.players import players_sql
from analyzer.store.store import Store

# The rating method, to the last parameter: Weng and Lin's Bayesian ratings (the Plackett-Luce model), by openskill.
#
# A player starts with a mean of 25 and a deviation of 25/3, whatever the rulebook. Before every match `tau` is added
# to the deviation (in squares), so that a rating never becomes certain. Who shares the first place has drawn.
#
# Weng, R. C. and Lin, C.-J. (2011), A Bayesian approximation method for online ranking. Journal of
# Machine Learning Research 12, 267 to 300: algorithm 4.

START_MEAN, START_DEVIATION = 25.0, 25.0 / 3.0
"""The rating of a player who has not played: its mean and its standard deviation."""
BETA = 25.0 / 6.0
"""The standard deviation of what a player shows in one match, around the player's own strength."""
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
    """The new standings of those who played a match."""
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


# What every rated match changed, in the order of rating, packed: some 28 bytes for each player of a match.


class RatingChange(NamedTuple):
    """A match, by the key of its game, and a player's standing before and after it."""

    game: int
    before: Standing
    after: Standing


class RatingChanges:
    """The rating changes of all players, in the order in which they were added."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._players = array("i")
        self._games = array("q")
        self._ratings = array("d")
        self._deviations = array("d")

    def add(self, name: str, game: int, standing: Standing) -> None:
        """Add a player's standing after a match."""
        self._players.append(self._numbers.setdefault(name, len(self._numbers)))
        self._games.append(game)
        self._ratings.append(standing.rating)
        self._deviations.append(standing.deviation)

    def of(self, name: str) -> Iterator[RatingChange]:
        """A player's changes, in the order of rating."""
        number = self._numbers.get(name)
        if number is None:
            return
        before = UNRATED
        for at, player in enumerate(self._players):
            if player == number:
                after = Standing(self._ratings[at], self._deviations[at], before.matches + 1)
                yield RatingChange(self._games[at], before, after)
                before = after


# Every clean and complete match rated, in one order.
#
# The order is when a match was played (`meta.started`, in UTC), matches without a time first, then the digest. It is
# that of the stored matches and not of their arrival, so the same matches give the same ratings, bit for bit. Ratings
# are kept in memory until other matches are stored, and then worked out again from the first match on: some 75
# microseconds of CPU time a match, 25 seconds for the 328,000 matches of a million deals.

MATCHES_RATED_AT_ONCE = 5_000
"""Matches that are rated while somebody waits; more are rated in the background."""
MATCHES_PER_PORTION = 10_000
"""Matches that are read from the store at a time."""
EARLIEST_TIME = datetime(1, 1, 1)
"""The time that stands for none in the order of rating."""
SELECT_RATED = """
    -- `game` is the key, so no two rows have the same hash input. The hash of several values is the XOR of the last one's with
    -- that of the others: without the outer hash two rows with the same change to `people` would add up to no change.
    -- ratings.sql must hash the same four values in the same way.
    SELECT count(*), coalesce(bit_xor(hash(hash(game, coalesce(started_at, $earliest), stored_at, people))), 0)
    FROM games WHERE clean AND complete
"""


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """The standings by player after so many stored matches; `pending` counts those being rated anew.

    `changes` tell what every match changed, and `combined`, the hashes of the matches, which matches they were.
    """

    standings: dict[str, Standing]
    matches: int
    pending: int = 0
    changes: RatingChanges = field(default_factory=RatingChanges)
    combined: int = 0

    def changes_of(self, name: str) -> list[RatingChange]:
        """What every rated match of a player changed, in the order of rating."""
        return list(self.changes.of(name))


class Ratings:
    """The ladder of a store, made again when matches have come or gone."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._ladder = Ladder({}, 0)
        self._lock = threading.Lock()
        self._behind = threading.Thread()
        self._closing = False

    def close(self) -> None:
        """Stop rating, so that the store can be closed."""
        with self._lock:
            self._closing = True
            behind = self._behind
        if behind.is_alive():
            behind.join()

    def ladder(self) -> Ladder:
        """The standings; where many matches must be rated, those before, while that is done."""
        matches, combined = self.store.answer(SELECT_RATED, {"earliest": EARLIEST_TIME}).rows[0]
        with self._lock:
            known = self._ladder
            if (matches, combined) == (known.matches, known.combined):
                return known
            if not (self._closing or self._behind.is_alive()):
                if matches <= MATCHES_RATED_AT_ONCE:
                    self._ladder = self.complete_ladder()
                    return self._ladder
                self._behind = threading.Thread(target=self._rate_behind)
                self._behind.start()
        return replace(known, pending=matches)

    def complete_ladder(self) -> Ladder:
        """The standings after every stored match, however long that takes."""
        model, changes = rating_model(), RatingChanges()
        standings: dict[str, Standing] = {}
        matches = combined = 0
        for game, hashed, match in self._matches():
            matches, combined = matches + 1, combined ^ hashed
            for name, standing in standings_after(model, standings, match).items():
                standings[name] = standing
                changes.add(name, game, standing)
        return Ladder(standings, matches, 0, changes, combined)

    def _rate_behind(self) -> None:
        """Rate while pages show the ladder of before; half a ladder is never shown."""
        ladder = self.complete_ladder()
        if not self._closing:
            with self._lock:
                self._ladder = ladder

    def _matches(self) -> Iterator[tuple[int, int, FinishedMatch]]:
        """The stored matches in the order of rating, each after its key and a hash; none any more once closed."""
        sql = players_sql("ratings")
        parameters = {"earliest": EARLIEST_TIME, "most": MATCHES_PER_PORTION}
        played, game = EARLIEST_TIME, -1
        while True:
            rows = self.store.rows(sql, {**parameters, "played": played, "game": game}).rows
            for _, key, hashed, *match in rows:
                if self._closing:
                    return
                yield key, hashed, FinishedMatch(*match)
            if len(rows) < MATCHES_PER_PORTION:
                return
            played, game, *_ = rows[-1]
