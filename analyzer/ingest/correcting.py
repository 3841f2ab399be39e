"""Correcting stored games: a correction is stored or undone together with all rows of its game that follow from it.

The rows of a game are made again from its record and the corrections that hold, as an import makes them. Its bytes and its
digest stay those of the upload. A record that tells of the match of another one once it is corrected is one match with that
from then on, and undoing the correction leaves everything as it was.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb

from analyzer.ingest.batch import game_key, prepare_batch
from analyzer.ingest.loader import insert_rows
from analyzer.ingest.matches import (
    REVIEW_TABLES,
    TABLES_OF_NUMBERS,
    choose_standing,
    join_matches,
    list_companions,
)
from analyzer.store.made_corrections import (
    SELECT_CORRECTED,
    MadeCorrection,
    held_corrections,
    holding_corrections,
    list_corrections,
)
from analyzer.store.packing import unpack_record
from analyzer.store.player_names import settle_people
from analyzer.store.store import StatementAnswerer, Store, answers_of
from analyzer.store.sums import take_games_from_sums
from analyzer.store.tables import INSTANT, Columns, columns_with_time, number_column
from records.corrected import (
    NO_CORRECTIONS,
    CorrectedFact,
    CorrectionRefused,
    Corrections,
    correct,
    fact_value,
    read_value,
    require_apart,
)
from records.format import codec
from records.format.files import Entry
from records.record import Record

MOST_CORRECTIONS = 200
"""A game has no more corrections, those undone too: each is a row for ever."""
LONGEST_REASON, LONGEST_MAKER = 500, 100
"""The most characters of a reason, and of the word for who made a correction."""
GAMES_AT_A_TIME = 100
NO_GAME = "There is no such game."

SELECT_GAMES = """
    SELECT game, name, line, data, records.digest, epoch_us(games.stored_at)
    FROM stored_games AS games JOIN records USING (game) WHERE game IN (SELECT unnest($keys::BIGINT[])) ORDER BY game
"""
DELETE_ROWS = "DELETE FROM {} WHERE game IN (SELECT unnest($keys::BIGINT[]))"
SET_CLEAN = """
    UPDATE {0} SET clean = seats.clean FROM seats
    WHERE seats.game = {0}.game AND seats.deal = {0}.deal AND seats.seat = {0}.seat AND seats.game IN (SELECT unnest($keys))
"""
"""While another record stood for the match, none of its deals was clean."""
SELECT_STANDING = "SELECT game FROM games WHERE game IN (SELECT unnest($keys::BIGINT[]))"
SELECT_CORRECTIONS_OF = """
    SELECT game, number, subject, place, value, reason, made_by, undone_by, epoch_us(undone_at), epoch_us(made_at)
    FROM {}
"""
SELECT_CORRECTIONS = SELECT_CORRECTIONS_OF.format("corrections")
"""Corrections as `take_corrections` takes them."""
INSERT_CORRECTION = """
    INSERT INTO corrections (game, number, subject, place, value, reason, made_by)
    SELECT $game, coalesce(max(number), 0) + 1, $subject, $place, $value, $reason, $made_by
    FROM corrections WHERE game = $game
"""
UNDO_CORRECTION = """
    UPDATE corrections SET undone_by = $undone_by, undone_at = now() AT TIME ZONE 'UTC'
    WHERE game = $game AND number = $number
"""
DELETE_LOST = "DELETE FROM corrections WHERE game NOT IN (SELECT game FROM records)"
SELECT_KEY = "SELECT game FROM records WHERE digest = $digest"


def _plan(
    record: Record, made: Sequence[MadeCorrection], texts: Corrections
) -> dict[CorrectedFact, str]:
    """The values that new corrections of a record will have, by fact; raises CorrectionRefused."""
    if len(made) + len(texts) > MOST_CORRECTIONS:
        raise CorrectionRefused(f"A game has at most {MOST_CORRECTIONS} corrections.")
    held = held_corrections(made)
    planned = {fact: read_value(record, fact, text) for fact, text in texts.items()}
    now = correct(record, held)
    for fact, value in planned.items():
        is_told = held.get(fact, fact_value(record, fact)) == value
        if is_told or correct(record, {**held, fact: value}) == now:
            raise CorrectionRefused(f"The {fact.subject} reads so already.")
    require_apart(now, correct(record, {**held, **planned}))
    return planned


def make_correction(
    store: Store, digest: str, fact: CorrectedFact, text: str, *, reason: str = "", made_by: str
) -> MadeCorrection:
    """Correct a stored game, with everything that follows; raises CorrectionRefused and StoreReadOnly."""
    return make_corrections(store, digest, {fact: text}, reason=reason, made_by=made_by)[0]


def make_corrections(
    store: Store, digest: str, texts: Corrections, *, reason: str = "", made_by: str
) -> list[MadeCorrection]:
    """Correct several facts of a stored game, all of them or none; raises CorrectionRefused and StoreReadOnly."""
    store.require_writable()
    if len(reason) > LONGEST_REASON:
        raise CorrectionRefused(f"A reason has at most {LONGEST_REASON} characters.")
    record = codec.decode(store.record_bytes(digest) or b"").record
    if record is None:
        raise CorrectionRefused(NO_GAME)
    made = list_corrections(store, digest)
    planned = _plan(record, made, texts)
    with _changing(store, digest, made, held_corrections(made) | planned) as (cursor, key):
        values = {"game": key, "reason": reason.strip(), "made_by": made_by[:LONGEST_MAKER]}
        for fact, value in planned.items():
            of_fact = {"subject": fact.subject, "place": fact.number, "value": value}
            cursor.execute(INSERT_CORRECTION, values | of_fact)
    return list_corrections(store, digest)[-len(texts) :]


def undo_correction(store: Store, digest: str, number: int, *, undone_by: str) -> MadeCorrection:
    """Undo a correction, by its number; raises CorrectionRefused and StoreReadOnly."""
    store.require_writable()
    made = list_corrections(store, digest)
    if number not in {each.number for each in made}:
        raise CorrectionRefused(f"The game has no correction {number}.")
    left = [each for each in made if each.number != number]
    if number not in {each.number for each in made if each.undone_at is None}:
        raise CorrectionRefused(f"Correction {number} is undone already.")
    with _changing(store, digest, made, held_corrections(left)) as (cursor, key):
        values = {"game": key, "number": number, "undone_by": undone_by[:LONGEST_MAKER]}
        cursor.execute(UNDO_CORRECTION, values)
    return next(each for each in list_corrections(store, digest) if each.number == number)


@contextmanager
def _changing(
    store: Store, digest: str, made: Sequence[MadeCorrection], held: Corrections
) -> Iterator[tuple[duckdb.DuckDBPyConnection, int]]:
    """A transaction in which corrections of a game change, until those hold that are given, with the key of the game.

    Its rows are made before, since nobody else can store anything in the transaction. Raises CorrectionRefused if the game
    or its corrections change meanwhile.
    """
    key = _key_of(answers_of(store), digest)
    tables = rows_of_games(answers_of(store), [key], {key: held})
    with store.writing() as cursor:
        _key_of(answers_of(cursor), digest)
        if list_corrections(store, digest) != made:
            raise CorrectionRefused("Somebody corrected this game at the same time. Try again.")
        yield cursor, key
        remake_rows(cursor, [key], tables)
        settle_people(cursor)


def take_corrections(cursor: duckdb.DuckDBPyConnection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Store corrections that another database had, in the transaction of `cursor`, and let the rows of games follow them.

    Each has the values of `SELECT_CORRECTIONS`. Those of games that are not stored are left out.
    """
    if not rows:
        return
    insert_rows(cursor, "corrections", [columns_with_time("corrections", "made_at", rows)], [])
    apply_corrections(cursor, {game for game, *_ in rows})


def apply_corrections(
    cursor: duckdb.DuckDBPyConnection, games: Collection[int] | None = None
) -> None:
    """Let the rows of corrected games, of these or of all, follow their corrections, in the transaction of `cursor`.

    In a new database, whose records were imported before it took over the corrections of another one, they do not yet. The
    corrections of games that are not stored are left out.
    """
    cursor.execute(DELETE_LOST)
    found = cursor.execute(SELECT_CORRECTED).fetchall()
    keys = [key for (key,) in found if games is None or key in games]
    for some in batched_keys(keys):
        remake_rows(cursor, some)


def batched_keys(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """Keys of games, as many at a time as may have their records in memory."""
    for start in range(0, len(keys), GAMES_AT_A_TIME):
        yield keys[start : start + GAMES_AT_A_TIME]


def remake_rows(
    cursor: duckdb.DuckDBPyConnection,
    keys: Sequence[int],
    tables: dict[str, Columns] | None = None,
) -> None:
    """Put all rows of these games anew, as their records and the corrections that hold make them.

    The `tables` are theirs if they are made already. Which records are of one match, and which stands for it, is found anew.
    """
    if not keys:
        return
    tables = tables or rows_of_games(answers_of(cursor), keys)
    companions = {
        key: [game_key(digest) for digest in digests]
        for key, digests in list_companions(cursor, keys).items()
    }
    standing = [key for (key,) in cursor.execute(SELECT_STANDING, {"keys": keys}).fetchall()]
    if standing:
        take_games_from_sums(cursor, standing)
    for table in ("games", "other_games", "traces", *TABLES_OF_NUMBERS):
        cursor.execute(DELETE_ROWS.format(table), {"keys": keys})
    let_others_stand(cursor, keys)
    _let_stand(cursor, keys, tables, "traces")
    join_matches(cursor, keys, companions)


def let_others_stand(cursor: duckdb.DuckDBPyConnection, gone: Sequence[int]) -> None:
    """Let another record stand for each match that one stood for which is gone: its rows are made again from its bytes."""
    standing = choose_standing(cursor, gone)
    if standing:
        _let_stand(cursor, standing, rows_of_games(answers_of(cursor), standing))


def _let_stand(
    cursor: duckdb.DuckDBPyConnection, keys: Sequence[int], tables: dict[str, Columns], *more: str
) -> None:
    """Let games that no number counts be counted: these `tables` have their rows, and of `more` of them, too."""
    cursor.execute(DELETE_ROWS.format("other_games"), {"keys": keys})
    for table in ("games", *TABLES_OF_NUMBERS, *more):
        if table in tables:
            insert_rows(cursor, table, [tables[table]], [])
    for table in REVIEW_TABLES:
        cursor.execute(SET_CLEAN.format(table), {"keys": keys})


def rows_of_games(
    answer: StatementAnswerer, keys: Sequence[int], held: Mapping[int, Corrections] | None = None
) -> dict[str, Columns]:
    """The rows of stored games as their records and the corrections make them, with the times at which they were stored.

    The corrections are those that hold, unless it is said which will be `held`, by key. Raises CorrectionRefused if a record
    cannot be stored any more.
    """
    found = answer(SELECT_GAMES, {"keys": list(keys)})
    holding = holding_corrections(answer, keys) if held is None else held
    batch = prepare_batch(
        [Entry(name, line, unpack_record(data)) for _, name, line, data, *_ in found],
        digests=[digest for *_, digest, _ in found],
        corrections=[holding.get(key, NO_CORRECTIONS) for key, *_ in found],
    )
    if any(outcome.state != "stored" for outcome in batch.outcomes):
        raise CorrectionRefused("The record of this game cannot be read any more.")
    if found:
        batch.tables["games"]["stored_at"] = number_column(INSTANT, [time for *_, time in found])
    return batch.tables


def _key_of(answer: StatementAnswerer, digest: str) -> int:
    rows = answer(SELECT_KEY, {"digest": digest})
    if not rows:
        raise CorrectionRefused(NO_GAME)
    return int(rows[0][0])
