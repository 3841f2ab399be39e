"""The moments at which a match turned: when the winner took the lead for good, and the largest scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from analyzer.db.store import Store
from records.event_words import describe_event
from webui.games.cache import CachedGame

TURNING_POINTS_SHOWN = 3
FEWEST_POINTS = 40
"""Smaller scores turn nothing, unless they took the lead for good."""
COUNTED_SOURCES = ("brisques", "ruling")
"""Points that are counted at the end, not made at a moment of play."""
SELECT_SCORES = """
    SELECT scores.deal, scores.event, scores.side, scores.points, scores.source
    FROM scores JOIN games USING (game)
    WHERE games.digest = $digest
    ORDER BY scores.deal, scores.event
"""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A moment that turned a match: its deal, from 1, and step, the event in words, and the points it scored.

    `scores` are those of the match after it, by side; `decisive` says that the winner led from then on.
    """

    deal: int
    step: int
    say: str
    points: int
    scores: Sequence[int]
    decisive: bool


@dataclass(frozen=True, slots=True)
class _Scoring:
    """What one event scored in play, 0 if nothing, and the scores of the match after it."""

    deal: int
    event: int
    points: int
    scores: list[int]


def find_turning_points(store: Store, game: CachedGame) -> list[TurningPoint]:
    """At most `TURNING_POINTS_SHOWN` moments, in the order of play; none where nobody scored in play."""
    scorings = list(_scorings(store, game))
    decisive = _last_change_of_lead(scorings, game.stored.winner)
    moments = [each for each in scorings if each is decisive or each.points >= FEWEST_POINTS]
    largest_first = sorted(moments, key=lambda each: (each is not decisive, -each.points))
    shown = sorted(largest_first[:TURNING_POINTS_SHOWN], key=lambda each: (each.deal, each.event))
    deals, names = game.record.deals, game.stored.names
    return [
        TurningPoint(
            each.deal + 1,
            each.event + 1,
            describe_event(deals[each.deal].events[each.event], names, labels=False),
            each.points,
            each.scores,
            each is decisive,
        )
        for each in shown
    ]


def _scorings(store: Store, game: CachedGame) -> Iterator[_Scoring]:
    """What was scored at each event of a match, in order; the deal itself scores at its first event."""
    totals = [0] * len(game.stored.scores)
    rows = store.rows(SELECT_SCORES, {"digest": game.digest}).rows
    for (deal, event), scored in groupby(rows, key=lambda row: (row[0], max(row[1], 0))):
        in_play = 0
        for _, _, side, points, source in scored:
            totals[side] += points
            in_play += 0 if source in COUNTED_SOURCES else points
        yield _Scoring(deal, event, in_play, [*totals])


def _last_change_of_lead(scorings: Sequence[_Scoring], winner: int | None) -> _Scoring | None:
    """The scoring from which on the winner led all others; None if no event of play did it."""
    first = None
    for scoring in scorings:
        others = [points for side, points in enumerate(scoring.scores) if side != winner]
        if winner is None or scoring.scores[winner] <= max(others, default=0):
            first = None
        elif first is None:
            first = scoring
    return first if first is not None and first.points else None
