"""How strong players are: Weng and Lin's Bayesian ratings (the Plackett-Luce model), by openskill.

A player starts at 25 with a deviation of 25/3, whatever the rulebook, and is rated after every clean
and complete match, in the order in which they were played. Ratings are worked out from the stored
matches and kept in memory: they can always be worked out again.

Weng, R. C. and Lin, C.-J. (2011), A Bayesian approximation method for online ranking. Journal of
Machine Learning Research 12, 267 to 300.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from importlib.resources import files
from itertools import takewhile
from typing import Any

from openskill.models import PlackettLuce

from analyzer.db.store import Store
from analyzer.task_queue import TaskQueue

MATCHES_RATED_AT_ONCE = 5_000
"""New matches that are rated while somebody waits; more are rated in the background."""

COUNT_RATED_MATCHES = "SELECT count(*), max(stored_at) FROM games WHERE clean AND complete"
EARLIEST_TIME = datetime(1970, 1, 1)

RatedMatch = Sequence[Any]
"""The names by seat, the sides by seat where they are not the seats, the winning side, the month."""


@dataclass(slots=True)
class Standing:
    """A player's rating with its deviation, after so many matches; `months` are those at their ends."""

    rating: float
    deviation: float
    matches: int = 0
    months: dict[date, tuple[float, float, int]] = field(default_factory=dict)

    @property
    def surely(self) -> float:
        """The conservative rating: the mean minus three deviations."""
        return self.rating - 3 * self.deviation


@dataclass(frozen=True, slots=True)
class Ladder:
    """The standings by player after all matches stored so far; `pending` counts those not yet rated."""

    standings: dict[str, Standing]
    matches: int
    latest: datetime
    pending: int = 0


EMPTY_LADDER = Ladder({}, 0, EARLIEST_TIME)


class Ratings:
    """The ladder of a store, brought forward when matches have come."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._ladder = EMPTY_LADDER
        self._lock = threading.Lock()
        self._is_rating = False
        self._queue = TaskQueue("ratings", self._rate_behind)

    def close(self) -> None:
        """Stop rating, so that the store can be closed."""
        self._queue.close()

    def ladder(self) -> Ladder:
        """The standings; where much has come since, those before, while the rest is rated."""
        ((matches, latest),) = self.store.rows(COUNT_RATED_MATCHES).rows
        with self._lock:
            known = self._ladder
            if (matches, latest or EARLIEST_TIME) == (known.matches, known.latest):
                return known
            added = matches - known.matches
            if matches <= MATCHES_RATED_AT_ONCE or 0 < added <= MATCHES_RATED_AT_ONCE:
                self._ladder = self._forward(known, matches)
                return self._ladder
            if not self._is_rating:
                self._is_rating = True
                self._queue.put(matches)
        return Ladder(known.standings, known.matches, known.latest, abs(added) or 1)

    def _rate_behind(self, matches: int) -> None:
        """Rate so many matches while pages show the ladder of before; half a ladder is never shown."""
        try:
            ladder = self._forward(self._ladder, matches)
            if not self._queue.closing:
                with self._lock:
                    self._ladder = ladder
        finally:
            self._is_rating = False

    def _forward(self, known: Ladder, matches: int) -> Ladder:
        """The ladder with what came after `known`; from the start where something was taken away."""
        new = self._matches(known.latest)
        if known.matches + len(new) != matches:
            known, new = EMPTY_LADDER, self._matches(EARLIEST_TIME)
        latest = max((stored_at for *_, stored_at in new), default=known.latest)
        wanted = takewhile(lambda _: not self._queue.closing, new)
        standings = rate_matches((match for *match, _ in wanted), known.standings)
        return Ladder(standings, known.matches + len(new), latest)

    def _matches(self, after: datetime) -> list[Any]:
        sql = (files("analyzer.players") / "ratings.sql").read_text(encoding="utf-8")
        return self.store.rows(sql, {"after": after}).rows


def rate_matches(
    matches: Iterable[RatedMatch], before: dict[str, Standing] | None = None
) -> dict[str, Standing]:
    """The standings after these matches; those before are left as they were."""
    model = PlackettLuce()
    standings = {name: _copy(standing) for name, standing in (before or {}).items()}
    for names, sides, winner, month in matches:
        if len(set(names)) == len(names):
            _rate(model, standings, list(_teams(names, sides)), winner, month)
    return standings


def _rate(
    model: PlackettLuce,
    standings: dict[str, Standing],
    teams: list[list[str]],
    winner: int | None,
    month: date | None,
) -> None:
    start = model.rating()
    standings_by_team = [
        [standings.setdefault(name, Standing(start.mu, start.sigma)) for name in team]
        for team in teams
    ]
    ranks = [1.0 if winner is None or side == winner else 2.0 for side in range(len(teams))]
    ratings = [
        [model.rating(one.rating, one.deviation) for one in team] for team in standings_by_team
    ]
    for team, found in zip(standings_by_team, model.rate(ratings, ranks=ranks), strict=True):
        for standing, rating in zip(team, found, strict=True):
            standing.rating, standing.deviation = rating.mu, rating.sigma
            standing.matches += 1
            if month is not None:
                standing.months[month] = (rating.mu, rating.sigma, standing.matches)


def _teams(names: list[str], sides: list[int] | None) -> Iterator[list[str]]:
    """The players of each side."""
    if sides is None:
        yield from ([name] for name in names)
    else:
        for side in sorted(set(sides)):
            yield [name for name, own in zip(names, sides, strict=True) if own == side]


def _copy(standing: Standing) -> Standing:
    return Standing(standing.rating, standing.deviation, standing.matches, dict(standing.months))
