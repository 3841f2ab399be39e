"""Annotations in the database: made once, stored beside the record, and made again only on request."""

from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import zstandard

from analyzer.annotate.annotation import ANNOTATION_VERSION, AnalysisTerms, Annotation
from analyzer.annotate.annotator import DEFAULT_TERMS, annotate, estimate_luck
from analyzer.annotate.summary import seat_sums
from analyzer.db.store import Store
from analyzer.ingest.examination import game_key
from analyzer.processes import map_in_processes
from records import codec
from records.errors import StoreError
from records.record import Record

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
        for row in _rows(notes, key):
            cursor.execute(INSERT_REVIEW, row)
        for row in _luck_rows(notes, key):
            cursor.execute(INSERT_LUCK, row)


def _rows(notes: Annotation, key: int) -> Iterator[dict[str, Any]]:
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
