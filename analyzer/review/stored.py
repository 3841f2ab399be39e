"""Annotations and deep reviews in the database: made once, stored beside the record with their rows."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

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

SELECT_GAME_EXISTS = "SELECT 1 FROM stored_games WHERE digest = ?"
DOCUMENT_COLUMNS = ("game", "digest", "version", "terms", "data")
"""The columns of `annotations` and `deep_reviews`, but for the time."""
ROW_COLUMNS = {
    "reviews": (
        "lost", "choices", "mistakes", "melds_lost", "melds_lost_points", "melds_delayed", "melds_given_up",
        "others_lost", "brisques_let_go",
    ),
    "luck": (
        "rollouts", "result", "average_deal", "dealt", "drawn", "skill", "skill_against", "rest",
    ),
    "decisions": ("event", "phase", "kind", "choices", "grade", "certain", "lost", "error"),
}  # fmt: skip
"""The columns of the tables of rows, behind those that say of which seat in which deal they are."""

Document = TypeVar("Document", Annotation, DeepReview)


class GameNotStored(StoreError):
    """There is no such game, or no longer."""


def _load(store: Store, table: str, digest: str, kind: type[Document]) -> Document | None:
    """The document of a game, or None; one of an older version counts if it can still be read."""
    found = store.rows(f"SELECT data FROM {table} WHERE digest = ?", [digest]).rows
    if not found:
        return None
    try:
        return msgspec.json.decode(zstandard.decompress(found[0][0]), type=kind)
    except msgspec.ValidationError:
        return None


def _list_games_without(store: Store, table: str, version: str) -> list[str]:
    """The digests of two-player games without a document of this version, oldest first."""
    sql = f"""
        SELECT games.digest
        FROM games
        LEFT JOIN {table} AS made ON made.game = games.game AND made.version = $version
        WHERE made.game IS NULL AND games.players = 2
        ORDER BY games.stored_at, games.game
    """
    return [digest for (digest,) in store.rows(sql, {"version": version}).rows]


def _save(
    store: Store,
    table: str,
    document: Annotation | DeepReview,
    rows: Mapping[str, Iterable[Mapping[str, Any]]],
    made_at: datetime | None,
) -> None:
    """Store a document and the rows of its tables in place of older ones, in one transaction.

    It was made now, unless `made_at` says when, in UTC. Raises GameNotStored if the game is gone.
    """
    key = game_key(document.digest)
    data = zstandard.compress(msgspec.json.encode(document))
    terms = msgspec.json.encode(document.terms).decode()
    insert = f"""
        INSERT INTO {table} ({", ".join(DOCUMENT_COLUMNS)}, made_at)
        VALUES (?, ?, ?, ?, ?, coalesce(?, now() AT TIME ZONE 'UTC'))
    """
    with store.writing() as cursor:
        cursor.execute(SELECT_GAME_EXISTS, [document.digest])
        if cursor.fetchone() is None:
            raise _not_stored(document.digest)
        for each in (table, *rows):
            cursor.execute(f"DELETE FROM {each} WHERE game = ?", [key])
        cursor.execute(insert, [key, document.digest, document.version, terms, data, made_at])
        for name, found in rows.items():
            sql = _insert_row(name)
            for row in found:
                cursor.execute(sql, {**row, "game": key})


def _insert_row(table: str) -> str:
    """Add a row, only for a deal that the database has.

    Of a game that does not stand for its match, no deal is clean: its rows count nowhere.
    """
    columns = ROW_COLUMNS[table]
    return f"""
        INSERT INTO {table} (game, deal, seat, clean, {", ".join(columns)})
        SELECT games.game, $deal, $seat, coalesce(seats.clean, false), {", ".join(f"${name}" for name in columns)}
        FROM stored_games AS games
        LEFT JOIN seats ON seats.game = games.game AND seats.deal = $deal AND seats.seat = $seat
        WHERE games.game = $game AND $deal < games.deals AND $seat < games.players
    """


def _record(store: Store, digest: str) -> Record:
    data = store.record_bytes(digest)
    record = None if data is None else codec.decode(data).record
    if record is None:
        raise _not_stored(digest)
    return record


def _match_key(store: Store, digest: str) -> int:
    """The key of the game that stands for the match of a game, by which numbers know it."""
    game = store.game(digest)
    return game_key((game and game.match) or digest)


def _not_stored(digest: str) -> GameNotStored:
    return GameNotStored(f"no game with digest {digest[:12]} is stored")


# Annotations: made again only on request.


def load_annotation(store: Store, digest: str) -> Annotation | None:
    """The stored annotation of a game, or None; one of an older version counts if it can still be read."""
    return _load(store, "annotations", digest, Annotation)


def list_unannotated_games(store: Store) -> list[str]:
    """The digests of two-player games without an annotation of this version, oldest first."""
    return _list_games_without(store, "annotations", ANNOTATION_VERSION)


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


def save_annotation(store: Store, notes: Annotation, made_at: datetime | None = None) -> None:
    """Store an annotation in place of an older one, in one transaction; raises GameNotStored if the game is gone.

    It was made now, unless `made_at` says when, in UTC.
    """
    rows = {"reviews": _review_rows(notes), "luck": _luck_rows(notes)}
    _save(store, "annotations", notes, rows, made_at)


def _review_rows(notes: Annotation) -> Iterator[dict[str, Any]]:
    """The rows of `reviews`; points lost count only where the whole close was solved."""
    for deal in notes.deals:
        solved = deal.close is not None and deal.close.unsolved == 0
        for seat, total in enumerate(seat_sums(notes, [deal])):
            row = msgspec.structs.asdict(total)
            row["brisques_let_go"] = row.pop("brisques")
            del row["closes"], row["melds"]
            if not solved:
                row["lost"] = row["mistakes"] = None
            yield {**row, "deal": deal.deal, "seat": seat}


def _luck_rows(notes: Annotation) -> Iterator[dict[str, Any]]:
    """The rows of `luck`: the parts of every estimate, in points for each of the two players."""
    for deal in notes.deals:
        found = deal.luck
        if found is None:
            continue
        for seat in (0, 1):
            sign = 1 - 2 * seat
            yield {
                "deal": deal.deal, "seat": seat, "rollouts": found.rollouts,
                "result": sign * found.result, "average_deal": sign * found.base,
                "dealt": sign * found.deal, "drawn": sign * found.draws,
                "skill": found.skill[seat], "skill_against": -found.skill[1 - seat],
                "rest": sign * found.remainder,
            }  # fmt: skip


# Deep reviews: with a row for every decision.


def load_deep_review(store: Store, digest: str) -> DeepReview | None:
    """The stored deep review of a game, or None; one of an older version counts if it can still be read."""
    return _load(store, "deep_reviews", digest, DeepReview)


def list_unreviewed_games(store: Store) -> list[str]:
    """The digests of two-player games without a deep review of this version, oldest first."""
    return _list_games_without(store, "deep_reviews", DEEP_REVIEW_VERSION)


def save_deep_review(store: Store, review: DeepReview, made_at: datetime | None = None) -> None:
    """Store a deep review in place of an older one, in one transaction; raises GameNotStored if the game is gone.

    It was made now, unless `made_at` says when, in UTC.
    """
    _save(store, "deep_reviews", review, {"decisions": _decision_rows(review)}, made_at)


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
    record = _record(store, digest)
    model = None
    if models is not None:
        stored = models.model(resolve_rules(record.rules))
        model = WinningModel.of_stored(stored, _match_key(store, digest))
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


def _decision_rows(review: DeepReview) -> Iterator[dict[str, Any]]:
    """The rows of `decisions`; where only one thing could be done, nothing was decided."""
    for deal in review.deals:
        for decision in deal.decisions:
            if decision.grade == "only":
                continue
            yield {
                "deal": deal.deal, "seat": decision.seat, "event": decision.event,
                "phase": decision.phase, "kind": decision.choices[decision.chosen].kind,
                "choices": len(decision.choices), "grade": decision.grade,
                "certain": decision.certain, "lost": decision.lost, "error": decision.error,
            }  # fmt: skip
