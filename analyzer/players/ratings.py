"""How strong players are: every clean and complete match rated by `rating_method`, in one order.

The order is when a match was played (`meta.started`, in UTC), matches without a time first, then the digest. It is
that of the stored matches and not of their arrival, so the same matches give the same ratings, bit for bit. Ratings
are kept in memory until other matches are stored, and then worked out again from the first match on: some 75
microseconds of CPU time a match, 25 seconds for the 328,000 matches of a million deals.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.resources import files

from analyzer.db.store import Store
from analyzer.players.rating_changes import RatingChange, RatingChanges
from analyzer.players.rating_method import (
    FinishedMatch,
    Standing,
    rating_model,
    standings_after,
)

MATCHES_RATED_AT_ONCE = 5_000
"""Matches that are rated while somebody waits; more are rated in the background."""
MATCHES_PER_PORTION = 10_000
"""Matches that are read from the store at a time."""
EARLIEST_TIME = datetime(1, 1, 1)
"""The time that stands for none in the order of rating."""
SELECT_RATED = """
    SELECT count(*), coalesce(bit_xor(hash(game, coalesce(started, $earliest), stored_at)), 0)
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
        self._is_rating = False
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
            if not self._is_rating:
                if matches <= MATCHES_RATED_AT_ONCE:
                    self._ladder = self.complete_ladder()
                    return self._ladder
                if not self._closing:
                    self._is_rating = True
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
        try:
            ladder = self.complete_ladder()
            if not self._closing:
                with self._lock:
                    self._ladder = ladder
        finally:
            self._is_rating = False

    def _matches(self) -> Iterator[tuple[int, int, FinishedMatch]]:
        """The stored matches in the order of rating, each after its key and a hash; none any more once closed."""
        sql = (files("analyzer.players") / "ratings.sql").read_text(encoding="utf-8")
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
