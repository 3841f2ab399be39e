"""How strong players are: every clean and complete match rated by `rating_method`, in one order.

The order is when a match was played (`meta.started`, in UTC), matches without a time first, then the digest. It is
that of the stored matches and not of their arrival: after a late arrival or a deletion, rating goes on from the last
mark before it. So the same matches give the same ratings, bit for bit. Ratings are kept in memory: they can always
be worked out again.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.resources import files
from typing import NamedTuple

from analyzer.db.store import Store
from analyzer.players.rating_changes import RatingChange, RatingChanges
from analyzer.players.rating_marks import (
    MATCHES_BETWEEN_MARKS,
    MatchesPrint,
    MatchPlace,
    RatingMark,
    thinned_marks,
    unchanged_marks,
)
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
BEFORE_ALL = MatchPlace(EARLIEST_TIME, -1)
NO_MATCHES = MatchesPrint()
SELECT_PRINT = """
    SELECT count(*), coalesce(bit_xor(hash(game, coalesce(started, $earliest), stored_at)), 0)
    FROM games WHERE clean AND complete
"""


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """The standings by player after so many stored matches; `pending` counts those not yet rated.

    `marks` are where rating can go on; `changes`, of which the first `length` count, tell what every match changed.
    """

    standings: dict[str, Standing]
    matches: int
    pending: int = 0
    marks: tuple[RatingMark, ...] = ()
    changes: RatingChanges = field(default_factory=RatingChanges)
    length: int = 0
    fingerprint: MatchesPrint = NO_MATCHES

    def changes_of(self, name: str) -> list[RatingChange]:
        """What every rated match of a player changed, in the order of rating."""
        return list(self.changes.of(name, self.length))


class RatedRow(NamedTuple):
    """A stored match in the order of rating; `hashed` tells it from what else may have that place."""

    place: MatchPlace
    hashed: int
    match: FinishedMatch


class Ratings:
    """The ladder of a store, brought up to date when matches have come or gone."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._ladder = Ladder({}, 0)
        self._lock = threading.Lock()
        self._is_rating = False
        self._pending = 0
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
        """The standings; where much has changed since, those before, while the rest is rated."""
        stored = MatchesPrint(*self.store.rows(SELECT_PRINT, {"earliest": EARLIEST_TIME}).rows[0])
        with self._lock:
            known = self._ladder
            if stored == known.fingerprint:
                return known
            if not self._is_rating:
                marks = self._unchanged_marks(known)
                self._pending = stored.matches - (marks[-1].matches if marks else 0)
                if self._pending <= MATCHES_RATED_AT_ONCE:
                    self._ladder = self._rate_on(known, marks)
                    return self._ladder
                if not self._closing:
                    self._is_rating = True
                    self._behind = threading.Thread(target=self._rate_behind, args=[known])
                    self._behind.start()
        return replace(known, pending=self._pending)

    def complete_ladder(self) -> Ladder:
        """The standings after every stored match, however long that takes."""
        return self._rate_on(Ladder({}, 0), ())

    def _rate_behind(self, known: Ladder) -> None:
        """Rate while pages show the ladder of before; half a ladder is never shown."""
        try:
            ladder = self._rate_on(known, self._unchanged_marks(known))
            if not self._closing:
                with self._lock:
                    self._ladder = ladder
        finally:
            self._is_rating = False

    def _unchanged_marks(self, known: Ladder) -> tuple[RatingMark, ...]:
        """The marks of a ladder that still stand: nothing has come or gone before them."""
        parameters = {
            "earliest": EARLIEST_TIME,
            "numbers": list(range(len(known.marks))),
            "times": [mark.place.played for mark in known.marks],
            "games": [mark.place.game for mark in known.marks],
        }
        found = self.store.rows(_sql("rating_prints"), parameters).rows
        prints = {number: MatchesPrint(*rest) for number, *rest in found if number is not None}
        return tuple(unchanged_marks(known.marks, prints))

    def _rate_on(self, known: Ladder, marks: tuple[RatingMark, ...]) -> Ladder:
        """The ladder of the stored matches; rating goes on from the last of these marks."""
        model = rating_model()
        start = marks[-1] if marks else RatingMark(BEFORE_ALL, 0, 0, {}, MatchesPrint())
        standings, matches, changes = (
            dict(start.standings),
            start.matches,
            known.changes.first(start.changes),
        )
        place, since = start.place, MatchesPrint()
        for place, hashed, match in self._matches(start.place):
            matches, since = matches + 1, since.with_hash(hashed)
            for name, standing in standings_after(model, standings, match).items():
                standings[name] = standing
                changes.add(name, place.game, standing)
            if matches % MATCHES_BETWEEN_MARKS == 0:
                mark = RatingMark(place, matches, len(changes), dict(standings), since)
                marks, since = thinned_marks((*marks, mark)), MatchesPrint()
        if since.matches:
            mark = RatingMark(place, matches, len(changes), dict(standings), since)
            marks = thinned_marks((*marks, mark))
        fingerprint = MatchesPrint()
        for mark in marks:
            fingerprint = fingerprint.joined(mark.since)
        return Ladder(standings, matches, 0, marks, changes, len(changes), fingerprint)

    def _matches(self, after: MatchPlace) -> Iterator[RatedRow]:
        """The stored matches after a place, in the order of rating; none any more once the ratings are closed."""
        while True:
            parameters = {
                "earliest": EARLIEST_TIME, "played": after.played, "game": after.game,
                "most": MATCHES_PER_PORTION,
            }  # fmt: skip
            rows = self.store.rows(_sql("ratings"), parameters).rows
            for played, game, hashed, *match in rows:
                if self._closing:
                    return
                after = MatchPlace(played, game)
                yield RatedRow(after, hashed, FinishedMatch(*match))
            if len(rows) < MATCHES_PER_PORTION:
                return


def _sql(name: str) -> str:
    return (files("analyzer.players") / f"{name}.sql").read_text(encoding="utf-8")
