"""Annotations and deep reviews in the database: made once, stored beside the record with their rows."""

from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import zstandard

from analyzer.ingest.batch import game_key
from analyzer.players.winning_model import ChanceModels
from analyzer.review.annotation_words import seat_sums
from analyzer.review.annotator import (
    ANNOTATION_VERSION,
    DEFAULT_TERMS,
    AnalysisTerms,
    Annotation,
    annotate,
    estimate_luck,
)
from analyzer.review.deep_review import (
    DEEP_REVIEW_VERSION,
    DeepReview,
    DeepReviewTerms,
    default_terms,
)
from analyzer.review.reviewer import DeepReviewWork
from analyzer.review.winning import WinningModel
from analyzer.store.processes import map_in_processes
from analyzer.store.store import Store
from records.errors import StoreError
from records.format import codec
from records.record import Record
from records.rules.registry import resolve_rules

# Annotations: made again only on request.

SELECT_GAME_EXISTS = "SELECT 1 FROM games WHERE digest = ?"
SELECT_ANNOTATION = "SELECT data FROM annotations WHERE digest = ?"
SELECT_UNANNOTATED_GAMES = """
    SELECT games.digest
    FROM games
    LEFT JOIN annotations ON annotations.game = games.game AND annotations.version = $version
    WHERE annotations.game IS NULL AND games.players = 2
    ORDER BY games.stored_at, games.game
"""
ANNOTATION_COLUMNS = ("game", "digest", "version", "terms", "data")
REVIEW_COLUMNS = (
    "game", "deal", "seat", "clean", "lost", "choices", "mistakes", "melds_lost", "melds_lost_points",
    "melds_delayed", "melds_given_up", "others_lost", "brisques_let_go",
)  # fmt: skip
LUCK_COLUMNS = (
    "game", "deal", "seat", "clean", "rollouts", "result", "average_deal", "dealt", "drawn", "skill",
    "skill_against", "rest",
)  # fmt: skip
INSERT_ANNOTATION = f"""
    INSERT INTO annotations ({", ".join(ANNOTATION_COLUMNS)}, made_at)
    VALUES (?, ?, ?, ?, ?, coalesce(?, now() AT TIME ZONE 'UTC'))
"""
INSERT_REVIEW = f"""
    INSERT INTO reviews ({", ".join(REVIEW_COLUMNS)})
    SELECT game, deal, seat, clean, {", ".join(f"${name}" for name in REVIEW_COLUMNS[4:])}
    FROM seats
    WHERE game = $game AND deal = $deal AND seat = $seat
"""
INSERT_LUCK = f"""
    INSERT INTO luck ({", ".join(LUCK_COLUMNS)})
    SELECT game, deal, seat, clean, {", ".join(f"${name}" for name in LUCK_COLUMNS[4:])}
    FROM seats
    WHERE game = $game AND deal = $deal AND seat = $seat
"""
"""Both add a row only for a deal that the database has."""


class GameNotStored(StoreError):
    """There is no such game, or no longer."""


def load_annotation(store: Store, digest: str) -> Annotation | None:
    """The stored annotation of a game, or None; one of an older version counts if it can still be read."""
    found = store.rows(SELECT_ANNOTATION, [digest]).rows
    if not found:
        return None
    try:
        return msgspec.json.decode(zstandard.decompress(found[0][0]), type=Annotation)
    except msgspec.ValidationError:
        return None


def list_unannotated_games(store: Store) -> list[str]:
    """The digests of two-player games without an annotation of this version, oldest first."""
    return [
        digest
        for (digest,) in store.rows(SELECT_UNANNOTATED_GAMES, {"version": ANNOTATION_VERSION}).rows
    ]


def list_two_player_games(store: Store) -> list[str]:
    """The digests of all two-player games, oldest first."""
    sql = "SELECT digest FROM games WHERE players = 2 ORDER BY stored_at, game"
    return [digest for (digest,) in store.rows(sql).rows]


def annotate_stored_game(
    store: Store,
    digest: str,
    terms: AnalysisTerms = DEFAULT_TERMS,
    processes: int = 0,
    *,
    record: Record | None = None,
    make: Callable[..., Annotation] = annotate,
) -> Annotation:
    """Annotate a stored game and store the annotation; raises StoreError if there is no such game.

    Roll-outs, where the terms ask for them, run in `processes` other processes. A caller that has decoded the
    `record` may pass it, and one that has `annotate` done elsewhere passes who does it as `make`.
    """
    record = record or _record(store, digest)
    plain = msgspec.structs.replace(terms, rollouts=0)
    notes = make(record, digest=digest, terms=plain)
    for _ in estimate_luck(notes, record, terms.rollouts, processes):
        pass
    save_annotation(store, notes)
    return notes


class AnnotationTask(NamedTuple):
    """A game to annotate in another process."""

    record: Record
    digest: str
    terms: AnalysisTerms


def annotate_task(task: AnnotationTask) -> Annotation:
    """Annotate a game, with its roll-outs; this is what the other processes do."""
    return annotate(task.record, digest=task.digest, terms=task.terms)


def annotate_stored_games(
    store: Store, games: Sequence[tuple[str, AnalysisTerms]], processes: int
) -> Iterator[Annotation]:
    """Annotate stored games in `processes` other processes and store each annotation as soon as it is its turn.

    `games` are digests with terms. A caller that stops asking stops the work; what has been yielded is stored.
    Of a single game only the roll-outs are shared among the processes. Raises StoreError if a game is not there.
    """
    if len(games) == 1:
        ((digest, terms),) = games
        yield annotate_stored_game(store, digest, terms, processes if terms.rollouts else 0)
        return
    tasks = (AnnotationTask(_record(store, digest), digest, terms) for digest, terms in games)
    for _, notes in map_in_processes(annotate_task, tasks, min(processes, len(games))):
        save_annotation(store, notes)
        yield notes


def add_luck_estimate(
    store: Store,
    digest: str,
    rollouts: int,
    terms: AnalysisTerms,
    *,
    make: Callable[..., Annotation] = annotate,
) -> Generator[tuple[int, int], None, None]:
    """Estimate luck and skill in a stored game, in another process, and store that with its annotation.

    Yields how many tasks are done and how many there are; a caller that stops asking stops the work, and
    nothing has changed. A missing or older annotation is made first, with these terms; who does that is `make`.
    Raises StoreError if there is no such game.
    """
    record = _record(store, digest)
    notes = load_annotation(store, digest)
    if notes is None or notes.version != ANNOTATION_VERSION:
        notes = make(record, digest=digest, terms=terms)
    yield from estimate_luck(notes, record, rollouts, processes=1)
    save_annotation(store, notes)


def _record(store: Store, digest: str) -> Record:
    data = store.record_bytes(digest)
    record = None if data is None else codec.decode(data).record
    if record is None:
        raise _not_stored(digest)
    return record


def _not_stored(digest: str) -> GameNotStored:
    return GameNotStored(f"no game with digest {digest[:12]} is stored")


def save_annotation(store: Store, notes: Annotation, made_at: datetime | None = None) -> None:
    """Store an annotation in place of an older one, in one transaction; raises GameNotStored if the game is gone.

    It was made now, unless `made_at` says when, in UTC.
    """
    key = game_key(notes.digest)
    data = zstandard.compress(msgspec.json.encode(notes))
    terms = msgspec.json.encode(notes.terms).decode()
    with store.writing() as cursor:
        cursor.execute(SELECT_GAME_EXISTS, [notes.digest])
        if cursor.fetchone() is None:
            raise _not_stored(notes.digest)
        cursor.execute("DELETE FROM annotations WHERE game = ?", [key])
        cursor.execute("DELETE FROM reviews WHERE game = ?", [key])
        cursor.execute("DELETE FROM luck WHERE game = ?", [key])
        cursor.execute(INSERT_ANNOTATION, [key, notes.digest, notes.version, terms, data, made_at])
        for row in _review_rows(notes, key):
            cursor.execute(INSERT_REVIEW, row)
        for row in _luck_rows(notes, key):
            cursor.execute(INSERT_LUCK, row)


def _review_rows(notes: Annotation, key: int) -> Iterator[dict[str, Any]]:
    """The rows of `reviews`; points lost count only where the whole close was solved."""
    for deal in notes.deals:
        solved = deal.close is not None and deal.close.unsolved == 0
        for seat, total in enumerate(seat_sums(notes, [deal])):
            row = msgspec.structs.asdict(total)
            row["brisques_let_go"] = row.pop("brisques")
            del row["closes"], row["melds"]
            if not solved:
                row["lost"] = row["mistakes"] = None
            yield {**row, "game": key, "deal": deal.deal, "seat": seat}


def _luck_rows(notes: Annotation, key: int) -> Iterator[dict[str, Any]]:
    """The rows of `luck`: the parts of every estimate, in points for each of the two players."""
    for deal in notes.deals:
        found = deal.luck
        if found is None:
            continue
        for seat in (0, 1):
            sign = 1 - 2 * seat
            yield {
                "game": key, "deal": deal.deal, "seat": seat, "rollouts": found.rollouts,
                "result": sign * found.result, "average_deal": sign * found.base,
                "dealt": sign * found.deal, "drawn": sign * found.draws,
                "skill": found.skill[seat], "skill_against": -found.skill[1 - seat],
                "rest": sign * found.remainder,
            }  # fmt: skip


# Deep reviews: with a row for every decision.

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
        for row in _decision_rows(review, key):
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


def _decision_rows(review: DeepReview, key: int) -> Iterator[dict[str, Any]]:
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
