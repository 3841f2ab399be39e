"""Reviews of the games of a lake: added some at a time, each time in a part that takes the place of what the games had.

Whoever is interrupted adds what is finished, and goes on with the games that have no review yet.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from analyzer.ingest.batch import game_key
from analyzer.lake.joining import change_games
from analyzer.lake.workbench import Workbench
from analyzer.review.deep_review import GameReview
from analyzer.review.stored import GameNotStored, save_review
from analyzer.store.lake_place import LakePlace

MOST_WAITING, MOST_SECONDS = 1_000, 300.0
"""So many reviews at most wait to be added, and so long."""


@contextmanager
def adding_reviews(place: LakePlace) -> Iterator[Callable[[GameReview], None]]:
    """What adds reviews to the games of a lake; the last are added at the end, also after an error. Raises StoreError."""
    waiting, since = list[GameReview](), time.monotonic()

    def add(review: GameReview) -> None:
        nonlocal since
        waiting.append(review)
        if len(waiting) >= MOST_WAITING or time.monotonic() - since > MOST_SECONDS:
            add_reviews(place, waiting)
            waiting.clear()
            since = time.monotonic()

    try:
        yield add
    finally:
        add_reviews(place, waiting)


def add_reviews(place: LakePlace, reviews: Sequence[GameReview]) -> None:
    """Add reviews of games, those that are deleted left out; raises StoreError."""

    def save(bench: Workbench) -> None:
        for review in reviews:
            with suppress(GameNotStored):
                save_review(bench, review)

    if reviews:
        change_games(place, lambda _: [game_key(review.digest) for review in reviews], save)
