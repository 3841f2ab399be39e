"""Reviews in the database: made once, stored beside the record with their rows."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import duckdb
import msgspec
import zstandard

from analyzer.ingest.batch import game_key
from analyzer.ingest.tasks import map_tasks
from analyzer.players.winning_model import ChanceModels
from analyzer.review.deep_review import REVIEW_VERSION, GameReview, ReviewTerms, default_terms
from analyzer.review.joined_reviews import join_reviews
from analyzer.review.review_sums import seat_sums
from analyzer.review.reviewer import ReviewWork, estimate_luck, review_record
from analyzer.review.winning import WinningModel
from analyzer.store.processes import map_in_processes
from analyzer.store.schema import OTHER_VERSION
from analyzer.store.store import Store
from records.errors import StoreError
from records.format import codec
from records.record import Record
from records.rules.registry import know_sheets, own_sheets, resolve_rules
from records.rules.vocabulary import RuleSheet

if TYPE_CHECKING:
    from distributed import Client

SELECT_GAME_EXISTS = "SELECT 1 FROM stored_games WHERE digest = ?"
REVIEW_COLUMNS = ("game", "digest", "version", "stage", "terms", "data")
"""The columns of `game_reviews`, but for the time."""
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


class GameNotStored(StoreError):
    """There is no such game, or no longer."""


# One review for each game.

EXACT_TERMS = ReviewTerms(worlds=0)


def load_review(store: Store, digest: str) -> GameReview | None:
    """The review of a game, or None; one of an older version counts if it can still be read."""
    found = store.rows("SELECT data FROM game_reviews WHERE digest = ?", [digest]).rows
    return unpack_review(found[0][0]) if found else None


def unpack_review(data: bytes) -> GameReview | None:
    """A review from its bytes in the database; None if it is so old that it cannot be read."""
    try:
        return msgspec.json.decode(zstandard.decompress(data), type=GameReview)
    except msgspec.ValidationError:
        return None


def list_games_without_review(store: Store, *, weighed: bool = False) -> list[str]:
    """The digests of two-player games without a review of this version, or without one whose choices are `weighed`."""
    sql = """
        SELECT games.digest
        FROM games
        LEFT JOIN game_reviews AS made
        ON made.game = games.game AND made.version = $version AND (made.stage = 'weighed' OR NOT $weighed)
        WHERE made.game IS NULL AND games.players = 2
        ORDER BY games.stored_at, games.game
    """
    return [
        digest
        for (digest,) in store.rows(sql, {"version": REVIEW_VERSION, "weighed": weighed}).rows
    ]


def list_two_player_games(store: Store) -> list[str]:
    """The digests of all two-player games, oldest first."""
    sql = "SELECT digest FROM games WHERE players = 2 ORDER BY stored_at, game"
    return [digest for (digest,) in store.rows(sql).rows]


def save_review(store: Store, review: GameReview, made_at: datetime | None = None) -> None:
    """Store a review with its rows in place of an older one, in one transaction; nothing that was estimated is lost.

    It was made now, unless `made_at` says when, in UTC. Raises GameNotStored if the game is gone.
    """
    known = load_review(store, review.digest)
    if known is not None and known.version == review.version:
        review = join_reviews(review, known)
    with store.writing() as cursor:
        insert_review(cursor, review, made_at)


Keep: TypeAlias = Callable[[Store, GameReview], object]
"""What becomes of a review of a game of a store; raises GameNotStored if the game is gone."""


def insert_review(
    cursor: duckdb.DuckDBPyConnection, review: GameReview, made_at: datetime | None
) -> None:
    """Write a review with its rows in place of an older one, in an open transaction; raises GameNotStored."""
    key = game_key(review.digest)
    data = zstandard.compress(msgspec.json.encode(review))
    terms = msgspec.json.encode(review.terms).decode()
    insert = f"""
        INSERT INTO game_reviews ({", ".join(REVIEW_COLUMNS)}, made_at)
        VALUES (?, ?, ?, ?, ?, ?, coalesce(?, now() AT TIME ZONE 'UTC'))
    """
    row = [key, review.digest, review.version, review.stage, terms, data, made_at]
    cursor.execute(SELECT_GAME_EXISTS, [review.digest])
    if cursor.fetchone() is None:
        raise _not_stored(review.digest)
    for table in ("game_reviews", *ROW_COLUMNS):
        cursor.execute(f"DELETE FROM {table} WHERE game = ?", [key])
    cursor.execute(insert, row)
    for table, found in _rows_of(review).items():
        sql = _insert_row(table)
        for each in found:
            cursor.execute(sql, {**each, "game": key})


def _rows_of(review: GameReview) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    """The rows by table; decisions count only once all of a game have been weighed, or they would be too few."""
    return {
        "reviews": _review_rows(review),
        "luck": _luck_rows(review),
        "decisions": _decision_rows(review) if review.is_weighed else (),
    }


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


def review_stored_exactly(
    store: Store,
    digest: str,
    terms: ReviewTerms = EXACT_TERMS,
    processes: int = 0,
    models: ChanceModels | None = None,
    keep: Keep = save_review,
) -> GameReview:
    """Review what is exact in a stored game, and `keep` it; raises StoreError if there is no such game.

    Roll-outs, where the terms ask for them, run in `processes` other processes. Chances of winning are those of the `models`.
    """
    task = _review_task(store, digest, _whatever_the_record(terms), models)
    plain = msgspec.structs.replace(terms, rollouts=0)
    review = review_task(task._replace(terms=plain))
    for _ in estimate_luck(review, task.record, terms.rollouts, processes):
        pass
    keep(store, review)
    return review


class ReviewTask(NamedTuple):
    """A game to review in another process, perhaps of another machine, which knows these rulebooks then."""

    record: Record
    digest: str
    terms: ReviewTerms
    model: WinningModel | None
    sheets: tuple[RuleSheet, ...] = ()

    def __str__(self) -> str:
        return f"game {self.digest[:12]}"


def _review_task(
    store: Store,
    digest: str,
    terms: Callable[[Record], ReviewTerms],
    models: ChanceModels | None,
) -> ReviewTask:
    record = _record(store, digest)
    return ReviewTask(record, digest, terms(record), _winning_model(store, record, digest, models))


def _whatever_the_record(terms: ReviewTerms) -> Callable[[Record], ReviewTerms]:
    return lambda _: terms


def review_task(task: ReviewTask) -> GameReview:
    """Review a game, with its roll-outs; this is what the other processes do."""
    if task.sheets:
        know_sheets(task.sheets)
    return review_record(task.record, digest=task.digest, terms=task.terms, model=task.model)


def review_games_exactly(
    store: Store,
    games: Sequence[tuple[str, ReviewTerms]],
    processes: int,
    models: ChanceModels | None = None,
    keep: Keep = save_review,
) -> Iterator[GameReview]:
    """Review what is exact in stored games in `processes` other processes; `keep` gets each as soon as it is its turn.

    `games` are digests with terms. A caller that stops asking stops the work; what has been yielded is kept.
    Of a single game only the roll-outs are shared among the processes. Games that somebody has deleted are left out.
    """
    if len(games) == 1:
        ((digest, terms),) = games
        with suppress(GameNotStored):
            yield review_stored_exactly(
                store, digest, terms, processes if terms.rollouts else 0, models, keep
            )
        return
    own = ((digest, _whatever_the_record(terms)) for digest, terms in games)
    tasks = _review_tasks(store, own, models)
    for _, review in map_in_processes(review_task, tasks, min(processes, len(games))):
        with suppress(GameNotStored):
            keep(store, review)
            yield review


def review_games_on_cluster(
    store: Store,
    digests: Sequence[str],
    terms: Callable[[Record], ReviewTerms],
    client: "Client",
    models: ChanceModels,
    keep: Keep = save_review,
    telling: Callable[[str], None] = lambda _: None,
) -> Iterator[GameReview]:
    """Review stored games on a Dask cluster, on the `terms` for their records; `keep` gets each as soon as it is its turn.

    Games that somebody has deleted are left out. `telling` is called with what is waited for. Raises StoreError if the
    cluster cannot go on.
    """
    found = _review_tasks(store, ((digest, terms) for digest in digests), models)
    tasks = (task._replace(sheets=own_sheets()) for task in found)
    for _, review in map_tasks(review_task, tasks, 0, client, telling):
        if review.version != REVIEW_VERSION:
            raise StoreError(OTHER_VERSION)
        with suppress(GameNotStored):
            keep(store, review)
            yield review


def _review_tasks(
    store: Store,
    games: Iterable[tuple[str, Callable[[Record], ReviewTerms]]],
    models: ChanceModels | None,
) -> Iterator[ReviewTask]:
    """The tasks for games with their terms; those that somebody has deleted are left out."""
    for digest, terms in games:
        with suppress(GameNotStored):
            yield _review_task(store, digest, terms, models)


def add_luck_estimate(
    store: Store, digest: str, rollouts: int, make: Callable[..., GameReview] = review_record
) -> Generator[tuple[int, int], None, None]:
    """Estimate luck and skill in a stored game, in another process, and store that with its review.

    Yields how many tasks are done and how many there are; a caller that stops asking stops the work, and
    nothing has changed. A missing or older review is made first, of what is exact; who does that is `make`.
    Raises StoreError if there is no such game.
    """
    record = _record(store, digest)
    review = load_review(store, digest)
    if review is None or review.version != REVIEW_VERSION:
        review = make(record, digest=digest, terms=EXACT_TERMS)
    yield from estimate_luck(review, record, rollouts, processes=1)
    save_review(store, review)


def _review_rows(review: GameReview) -> Iterator[dict[str, Any]]:
    """The rows of `reviews`; points lost count only where the whole close was solved."""
    for deal in review.deals:
        solved = deal.close is not None and deal.close.unsolved == 0
        for seat, total in enumerate(seat_sums(review, [deal])):
            row = msgspec.structs.asdict(total)
            row["brisques_let_go"] = row.pop("brisques")
            del row["closes"], row["melds"]
            if not solved:
                row["lost"] = row["mistakes"] = None
            yield {**row, "deal": deal.deal, "seat": seat}


def _luck_rows(review: GameReview) -> Iterator[dict[str, Any]]:
    """The rows of `luck`: the parts of every estimate, in points for each of the two players."""
    for deal in review.deals:
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


def begin_review(
    store: Store,
    digest: str,
    terms: Callable[[Record], ReviewTerms] = default_terms,
    models: ChanceModels | None = None,
) -> ReviewWork:
    """The work on a stored game, on the `terms` for its record; nothing of it is done or stored.

    Chances of winning are those of the `models`, made without the game itself.
    Raises StoreError if there is no such game, and QueryTimeout.
    """
    record = _record(store, digest)
    model = _winning_model(store, record, digest, models)
    return ReviewWork(record, digest=digest, terms=terms(record), model=model)


def begin_reading(
    store: Store,
    digest: str,
    call: Callable[..., Any],
    models: ChanceModels | None = None,
) -> ReviewWork:
    """The work on what is exact in a stored game, as `begin_review` says; `call` prepares it elsewhere."""
    record = _record(store, digest)
    model = _winning_model(store, record, digest, models)
    work: ReviewWork = call(ReviewWork, record, digest=digest, terms=EXACT_TERMS, model=model)
    return work


def _winning_model(
    store: Store, record: Record, digest: str, models: ChanceModels | None
) -> WinningModel | None:
    if models is None:
        return None
    stored = models.model(resolve_rules(record.rules))
    return WinningModel.of_stored(stored, _match_key(store, digest))


def review_stored_game(
    store: Store,
    digest: str,
    terms: Callable[[Record], ReviewTerms] = default_terms,
    processes: int = 1,
    models: ChanceModels | None = None,
    rollouts: int = 0,
    keep: Keep = save_review,
) -> Generator[tuple[int, int], None, GameReview]:
    """Review a stored game in other processes, as `begin_review` says, estimate luck and skill, and `keep` what comes of it.

    Yields how much is done and how much there is; a caller that stops asking stops the work, and nothing has changed.
    """
    work = begin_review(store, digest, terms, models)
    yield from work.run(processes)
    review = work.review()
    if rollouts:
        yield from estimate_luck(review, _record(store, digest), rollouts, processes=1)
    keep(store, review)
    return review


def _decision_rows(review: GameReview) -> Iterator[dict[str, Any]]:
    """The rows of `decisions`; where only one thing could be done, nothing was decided."""
    for deal in review.deals:
        for decision in deal.decisions:
            if decision.grade == "only":
                continue
            yield {
                "deal": deal.deal, "seat": decision.seat, "event": decision.event,
                "phase": decision.phase, "kind": decision.made.kind,
                "choices": len(decision.choices), "grade": decision.grade,
                "certain": decision.certain, "lost": decision.lost, "error": decision.error,
            }  # fmt: skip
