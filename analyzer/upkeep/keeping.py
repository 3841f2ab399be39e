"""The rulebooks that a folder keeps: added, removed, and the records that waited for one stored as games."""

from typing import Any

import duckdb
import msgspec

from analyzer.ingest.batch import prepare_batch
from analyzer.ingest.loader import store_batches
from analyzer.store.games import batch_rows
from analyzer.store.packing import unpack_record
from analyzer.store.rulebooks import LocalRulebook, list_local_rulebooks
from analyzer.store.store import Store
from analyzer.upkeep.trash import list_trash
from records.errors import SheetIdTaken, StoreError
from records.format.files import Entry
from records.phrases import pluralize
from records.record import Rules
from records.rules.inner_sheet import inner_data, read_inner_sheet
from records.rules.registry import require_own_id, sheet_key
from records.rules.vocabulary import RuleSheet

MOST_RULEBOOKS = 50
"""A folder keeps no more rulebooks than this: whoever opens it reads them all, which takes 20 ms each."""
SELECT_LOCAL = "SELECT rulebook, content->>'id' FROM rulebooks"
INSERT_RULEBOOK = (
    "INSERT INTO rulebooks (rulebook, content, made_by) VALUES ($key, $content, $made_by)"
)
DELETE_RULEBOOK = "DELETE FROM rulebooks WHERE rulebook = $key"
COUNT_RECORDS = "SELECT count(*) FROM stored_games WHERE sheet = $key"
SELECT_WAITING_SIZES = "SELECT rowid, size FROM waiting_records WHERE rulebook = $id ORDER BY rowid"
SELECT_WAITING = """
    SELECT content, name, line, data FROM waiting_records WHERE rowid IN (SELECT unnest($rows)) ORDER BY rowid
"""
DELETE_OF_CONTENT = "DELETE FROM {} WHERE content IN (SELECT unnest($contents))"

_ENCODER = msgspec.json.Encoder(order="deterministic")


class RulebookRefused(StoreError):
    """A rulebook that is not added or not removed; the words say why."""


class AddedRulebook(msgspec.Struct, frozen=True):
    """A rulebook that was added: its key and name, and how many records that had waited for it were stored as games."""

    key: str
    id: str
    name: str
    stored: int


def add_rulebook(store: Store, sheet: RuleSheet, made_by: str) -> AddedRulebook:
    """Keep a rulebook, and store the records that waited for it; one that is kept already stays as it is.

    Raises RulebookRefused if another one has its id, or there are `MOST_RULEBOOKS`; and StoreError.
    """
    data = inner_data(sheet)
    key = sheet_key(Rules(id=sheet.id, sheet=data))
    row = {"key": key, "content": _ENCODER.encode(data).decode(), "made_by": made_by}

    def insert(cursor: duckdb.DuckDBPyConnection) -> None:
        kept = dict(cursor.execute(SELECT_LOCAL).fetchall())
        if key not in kept:
            _require_place(kept, sheet, data)
            cursor.execute(INSERT_RULEBOOK, row)

    store.change_rulebooks(insert)
    return AddedRulebook(key, sheet.id, sheet.name, _store_waiting(store, sheet.id))


def _require_place(kept: dict[str, str], sheet: RuleSheet, data: dict[str, Any]) -> None:
    """Raise RulebookRefused if a rulebook cannot be read again, or has no place beside those that are kept, by key their ids."""
    try:
        require_own_id(sheet)
    except SheetIdTaken as error:
        raise RulebookRefused(str(error)) from error
    for mistake in read_inner_sheet(data).mistakes:
        raise RulebookRefused(mistake.says)
    if sheet.id in kept.values():
        raise RulebookRefused(
            f"Another rulebook with the id {sheet.id} is kept here. Give this one an id of its own, or remove the other."
        )
    if len(kept) >= MOST_RULEBOOKS:
        raise RulebookRefused(
            f"No more than {MOST_RULEBOOKS} rulebooks are kept here. Remove another."
        )


def remove_rulebook(store: Store, name: str) -> LocalRulebook:
    """Remove a rulebook by its key or id; raises RulebookRefused if there is none, or a game goes by it."""
    found = next(
        (each for each in list_local_rulebooks(store) if name in (each.key, each.id)), None
    )
    if found is None:
        raise RulebookRefused(f"No rulebook with the id {name[:80]} is kept here.")

    def delete(cursor: duckdb.DuckDBPyConnection) -> None:
        ((records,),) = cursor.execute(COUNT_RECORDS, {"key": found.key}).fetchall()
        if records or (records := sum(game.sheet == found.key for game in list_trash(store))):
            raise RulebookRefused(
                f"{pluralize(records, 'record goes', 'records go')} by {found.name}, here or in the trash: the rulebook can be "
                "removed once they are deleted for good."
            )
        cursor.execute(DELETE_RULEBOOK, {"key": found.key})

    store.change_rulebooks(delete)
    return found


# The records that waited.


def _store_waiting(store: Store, sheet_id: str) -> int:
    """Store the records that waited for a rulebook; returns how many are games now.

    If the process ends in between, those that are left go on waiting until the rulebook is added once more.
    """
    stored = 0
    for rows in batch_rows(store.rows(SELECT_WAITING_SIZES, {"id": sheet_id}).rows):
        found = store.rows(SELECT_WAITING, {"rows": rows}).rows
        contents = [content for content, *_ in found]
        _forget(store, "rejected", contents)
        batch = prepare_batch(
            [Entry(name, line, unpack_record(data)) for _, name, line, data in found]
        )
        store_batches(store, [batch])
        _forget(store, "waiting_records", contents)
        stored += sum(outcome.state == "stored" for outcome in batch.outcomes)
    return stored


def _forget(store: Store, table: str, contents: list[object]) -> None:
    with store.writing() as cursor:
        cursor.execute(DELETE_OF_CONTENT.format(table), {"contents": contents})
