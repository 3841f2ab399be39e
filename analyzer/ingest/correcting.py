"""Correcting stored games: a correction is stored or undone together with all rows of its game that follow from it.

The rows of a game are made again from its record and the corrections that hold, as an import makes them. What a record is
known by stays that of the upload: its bytes, its digest, and the traces by which records of one match meet. So a
correction never joins matches or parts them, and undoing it leaves everything as it was.
"""

from collections.abc import Collection, Sequence
from typing import Any

import duckdb

from analyzer.ingest.batch import prepare_batch
from analyzer.ingest.loader import insert_rows
from analyzer.ingest.matches import TABLES_OF_NUMBERS
from analyzer.store.made_corrections import (
    SELECT_CORRECTED,
    MadeCorrection,
    holding_corrections,
    list_corrections,
)
from analyzer.store.packing import unpack_record
from analyzer.store.player_names import settle_people
from analyzer.store.store import Store, StoreReadOnly
from analyzer.store.sums import take_games_from_sums
from analyzer.store.tables import INSTANT, Columns, columns_of, number_column
from records.corrected import (
    CorrectedFact,
    CorrectionRefused,
    Corrections,
    correct,
    fact_value,
    read_value,
)
from records.format import codec
from records.format.files import Entry

MOST_CORRECTIONS = 200
"""A game has no more corrections, those undone too: each is a row for ever."""
LONGEST_REASON, LONGEST_MAKER = 500, 100
"""The most characters of a reason, and of the word for who made a correction."""
GAMES_AT_A_TIME = 100

SELECT_GAMES = """
    SELECT game, name, line, data, records.digest, epoch_us(games.stored_at)
    FROM stored_games AS games JOIN records USING (game) WHERE game IN (SELECT unnest($keys::BIGINT[])) ORDER BY game
"""
SELECT_OTHERS = (
    "SELECT game, match, relation FROM other_games WHERE game IN (SELECT unnest($keys::BIGINT[]))"
)
DELETE_ROWS = "DELETE FROM {} WHERE game IN (SELECT unnest($keys::BIGINT[]))"
MOVE_TO_OTHERS = """
    INSERT INTO other_games BY NAME
    SELECT games.*, $match AS match, $relation AS relation FROM games WHERE game = $game
"""
SELECT_CORRECTIONS = """
    SELECT game, number, subject, place, value, reason, made_by, undone_by, epoch_us(undone_at), epoch_us(made_at)
    FROM corrections
"""
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


def plan_corrections(store: Store, digest: str, texts: Corrections) -> dict[CorrectedFact, str]:
    """The values that corrections of a stored game will have, by fact; raises CorrectionRefused."""
    record = codec.decode(store.record_bytes(digest) or b"").record
    if record is None:
        raise CorrectionRefused("There is no such game.")
    made = list_corrections(store, digest)
    if len(made) + len(texts) > MOST_CORRECTIONS:
        raise CorrectionRefused(f"A game has at most {MOST_CORRECTIONS} corrections.")
    held = {each.fact: each.value for each in made if each.undone_at is None}
    planned = {fact: read_value(record, fact, text) for fact, text in texts.items()}
    now = correct(record, held)
    for fact, value in planned.items():
        is_told = held.get(fact, fact_value(record, fact)) == value
        if is_told or correct(record, {**held, fact: value}) == now:
            raise CorrectionRefused(f"The {fact.subject} reads so already.")
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
    _require_writable(store)
    if len(reason) > LONGEST_REASON:
        raise CorrectionRefused(f"A reason has at most {LONGEST_REASON} characters.")
    with store.writing() as cursor:
        key = _key_of(cursor, digest)
        values = {"game": key, "reason": reason.strip(), "made_by": made_by[:LONGEST_MAKER]}
        for fact, value in plan_corrections(store, digest, texts).items():
            of_fact = {"subject": fact.subject, "place": fact.number, "value": value}
            cursor.execute(INSERT_CORRECTION, values | of_fact)
        remake_rows(cursor, [key])
        settle_people(cursor)
    return list_corrections(store, digest)[-len(texts) :]


def undo_correction(store: Store, digest: str, number: int, *, undone_by: str) -> MadeCorrection:
    """Undo a correction, by its number; raises CorrectionRefused and StoreReadOnly."""
    _require_writable(store)
    with store.writing() as cursor:
        key = _key_of(cursor, digest)
        made = {each.number: each for each in list_corrections(store, digest)}
        if number not in made:
            raise CorrectionRefused(f"The game has no correction {number}.")
        if made[number].undone_at is not None:
            raise CorrectionRefused(f"Correction {number} is undone already.")
        cursor.execute(
            UNDO_CORRECTION,
            {"game": key, "number": number, "undone_by": undone_by[:LONGEST_MAKER]},
        )
        remake_rows(cursor, [key])
        settle_people(cursor)
    return next(each for each in list_corrections(store, digest) if each.number == number)


def take_corrections(cursor: duckdb.DuckDBPyConnection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Store corrections that another database had, in the transaction of `cursor`, and let the rows of games follow them.

    Each has the values of `SELECT_CORRECTIONS`. Those of games that are not stored are left out.
    """
    if not rows:
        return
    *columns, times = zip(*rows, strict=True)
    made = columns_of("corrections", list(zip(*columns, strict=True)))
    insert_rows(cursor, "corrections", [made | {"made_at": number_column(INSTANT, times)}], [])
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
    for start in range(0, len(keys), GAMES_AT_A_TIME):
        remake_rows(cursor, keys[start : start + GAMES_AT_A_TIME])


def remake_rows(cursor: duckdb.DuckDBPyConnection, keys: Sequence[int]) -> None:
    """Make all rows of these games again, from their records and the corrections that hold."""
    others = cursor.execute(SELECT_OTHERS, {"keys": keys}).fetchall()
    counted = [key for key in keys if key not in {game for game, *_ in others}]
    for own in (counted, [game for game, *_ in others]):
        tables = rows_of_games(cursor, own) if own else {}
        if not tables:
            continue
        if own is counted:
            take_games_from_sums(cursor, own)
        for table in ("games", "other_games", *TABLES_OF_NUMBERS):
            cursor.execute(DELETE_ROWS.format(table), {"keys": own})
        for table in ("games", *TABLES_OF_NUMBERS) if own is counted else ("games",):
            if table in tables:
                insert_rows(cursor, table, [tables[table]], [])
    for game, match, relation in others:
        cursor.execute(MOVE_TO_OTHERS, {"game": game, "match": match, "relation": relation})
    cursor.execute(DELETE_ROWS.format("games"), {"keys": [game for game, *_ in others]})


def rows_of_games(cursor: duckdb.DuckDBPyConnection, keys: Sequence[int]) -> dict[str, Columns]:
    """The rows of stored games as their records and the corrections make them, with the times at which they were stored.

    Raises CorrectionRefused if a record cannot be stored any more.
    """
    found = cursor.execute(SELECT_GAMES, {"keys": list(keys)}).fetchall()
    holding = holding_corrections(lambda sql, values: cursor.execute(sql, values).fetchall(), keys)
    batch = prepare_batch(
        [Entry(name, line, unpack_record(data)) for _, name, line, data, *_ in found],
        digests=[digest for *_, digest, _ in found],
        corrections=[holding.get(key, {}) for key, *_ in found],
    )
    if any(outcome.state != "stored" for outcome in batch.outcomes):
        raise CorrectionRefused("The record of this game cannot be read any more.")
    if found:
        batch.tables["games"]["stored_at"] = number_column(INSTANT, [time for *_, time in found])
    return batch.tables


def _require_writable(store: Store) -> None:
    if store.read_only:
        raise StoreReadOnly(
            f"the data folder {store.folder} is read-only: nothing can be corrected there"
        )


def _key_of(cursor: duckdb.DuckDBPyConnection, digest: str) -> int:
    row = cursor.execute(SELECT_KEY, {"digest": digest}).fetchone()
    if row is None:
        raise CorrectionRefused("There is no such game.")
    return int(row[0])
