"""Deep reviews in the database: stored beside the record, with a row for every decision."""

from collections.abc import Callable, Generator, Iterator
from datetime import datetime
from typing import Any

import msgspec
import zstandard

from analyzer.annotate.stored_annotations import GameNotStored
from analyzer.db.store import Store
from analyzer.deep_review.deep_review import DEEP_REVIEW_VERSION, DeepReview, DeepReviewTerms
from analyzer.deep_review.reviewer import DeepReviewWork
from analyzer.deep_review.widths import default_terms
from analyzer.deep_review.winning.match_chances import WinningModel
from analyzer.ingest.examination import game_key
from analyzer.players.chances.chance_model import ChanceModels
from records import codec
from records.record import Record
from records.rules.registry import resolve_rules

SELECT_GAME_EXISTS = "SELECT 1 FROM games WHERE digest = ?"
SELECT_DEEP_REVIEW = "SELECT data FROM deep_reviews WHERE digest = ?"
SELECT_UNREVIEWED_GAMES = """
    SELECT games.digest
    FROM games
    LEFT JOIN deep_reviews ON deep_reviews.game = games.game AND deep_reviews.version = $version
    WHERE deep_reviews.game IS NULL AND games.players = 2
    ORDER BY games.stored_at, games.game
"""
DEEP_REVIEW_COLUMNS = ("game", "digest", "version", "terms", "data")
DECISION_COLUMNS = (
    "game", "deal", "seat", "clean", "event", "phase", "kind", "choices", "grade", "certain", "lost",
    "error",
)  # fmt: skip
INSERT_DEEP_REVIEW = f"""
    INSERT INTO deep_reviews ({", ".join(DEEP_REVIEW_COLUMNS)}, made_at)
    VALUES (?, ?, ?, ?, ?, coalesce(?, now() AT TIME ZONE 'UTC'))
"""
INSERT_DECISION = f"""
    INSERT INTO decisions ({", ".join(DECISION_COLUMNS)})
    SELECT game, deal, seat, clean, {", ".join(f"${name}" for name in DECISION_COLUMNS[4:])}
    FROM seats
    WHERE game = $game AND deal = $deal AND seat = $seat
"""
"""Adds a row only for a deal that the database has."""


def load_deep_review(store: Store, digest: str) -> DeepReview | None:
    """The stored deep review of a game, or None; one of an older version counts if it can still be read."""
    found = store.rows(SELECT_DEEP_REVIEW, [digest]).rows
    if not found:
        return None
    try:
        return msgspec.json.decode(zstandard.decompress(found[0][0]), type=DeepReview)
    except msgspec.ValidationError:
        return None


def list_unreviewed_games(store: Store) -> list[str]:
    """The digests of two-player games without a deep review of this version, oldest first."""
    sql, version = SELECT_UNREVIEWED_GAMES, {"version": DEEP_REVIEW_VERSION}
    return [digest for (digest,) in store.rows(sql, version).rows]


def save_deep_review(store: Store, review: DeepReview, made_at: datetime | None = None) -> None:
    """Store a deep review in place of an older one, in one transaction; raises GameNotStored if the game is gone.

    It was made now, unless `made_at` says when, in UTC.
    """
    key = game_key(review.digest)
    data = zstandard.compress(msgspec.json.encode(review))
    terms = msgspec.json.encode(review.terms).decode()
    with store.writing() as cursor:
        cursor.execute(SELECT_GAME_EXISTS, [review.digest])
        if cursor.fetchone() is None:
            raise GameNotStored(f"no game with digest {review.digest[:12]} is stored")
        cursor.execute("DELETE FROM deep_reviews WHERE game = ?", [key])
        cursor.execute("DELETE FROM decisions WHERE game = ?", [key])
        cursor.execute(
            INSERT_DEEP_REVIEW, [key, review.digest, review.version, terms, data, made_at]
        )
        for row in _rows(review, key):
            cursor.execute(INSERT_DECISION, row)


def begin_review(
    store: Store,
    digest: str,
    terms: Callable[[Record], DeepReviewTerms] = default_terms,
    models: ChanceModels | None = None,
) -> DeepReviewWork:
    """The work on a stored game, on the `terms` for its record; nothing of it is done or stored.

    Chances of winning are those of the `models`, made without the game itself.
    Raises StoreError if there is no such game, and QueryTimeout.
    """
    data = store.record_bytes(digest)
    record = None if data is None else codec.decode(data).record
    if record is None:
        raise GameNotStored(f"no game with digest {digest[:12]} is stored")
    model = None
    if models is not None:
        stored = models.model(resolve_rules(record.rules))
        model = WinningModel.of_stored(stored, game_key(digest))
    return DeepReviewWork(record, digest=digest, terms=terms(record), model=model)


def review_stored_game(
    store: Store,
    digest: str,
    terms: Callable[[Record], DeepReviewTerms] = default_terms,
    processes: int = 1,
    models: ChanceModels | None = None,
) -> Generator[tuple[int, int], None, DeepReview]:
    """Review a stored game in other processes, as `begin_review` says, and store what comes of it.

    Yields how much is done and how much there is; a caller that stops asking stops the work, and nothing has changed.
    """
    work = begin_review(store, digest, terms, models)
    yield from work.run(processes)
    review = work.review()
    save_deep_review(store, review)
    return review


def _rows(review: DeepReview, key: int) -> Iterator[dict[str, Any]]:
    """The rows of `decisions`; where only one thing could be done, nothing was decided."""
    for deal in review.deals:
        for decision in deal.decisions:
            if decision.grade == "only":
                continue
            yield {
                "game": key, "deal": deal.deal, "seat": decision.seat, "event": decision.event,
                "phase": decision.phase, "kind": decision.choices[decision.chosen].kind,
                "choices": len(decision.choices), "grade": decision.grade,
                "certain": decision.certain, "lost": decision.lost, "error": decision.error,
            }  # fmt: skip
