"""What was acknowledged last, noted beside the database: so a log that is missing or cut is noticed.

Every transaction raises a number in the database by one. After the commit, and before anybody is told that something
is stored, the number and the count of records are written into a file beside it, and synced. A database whose number is
lower than the noted one lacks what was acknowledged, whatever became of it: its log was removed, cut or replaced, or the
disk did not keep what it said it had. A number that is higher is that of a transaction that nobody was told of.
"""

import logging
import os
from pathlib import Path

import duckdb
import msgspec

from analyzer.store.durable_files import write_file
from analyzer.store.instance import StoreDamaged, damaged
from analyzer.store.sealed_files import BROKEN_ENDING, FileBroken, read_sealed, seal
from records.phrases import pluralize

ACKNOWLEDGED_FILE_NAME = "acknowledged.json"
NOTE_BYTES = 160
"""The length of what is sealed. The file is overwritten in place; it fits into one sector of the disk, so it is written whole or not at all."""
TAKE_NUMBER = "DELETE FROM commits RETURNING database::VARCHAR, number"
INSERT_NUMBER = "INSERT INTO commits VALUES (?::UUID, ?)"
SELECT_NUMBER = "SELECT database::VARCHAR, number FROM {}commits"
COUNT_RECORDS = "SELECT count(*) FROM {}records"
UNKNOWN = "nobody knows how many records were acknowledged last, and whether all of them are here"

log = logging.getLogger(__name__)


class Acknowledged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last transaction of a database that was acknowledged, and how many records were stored then."""

    database: str
    commits: int
    records: int


def note_of(path: Path) -> Path:
    """The note of a database, beside it."""
    return path.with_name(ACKNOWLEDGED_FILE_NAME)


def read_note(path: Path) -> Acknowledged | None:
    """What was acknowledged last of the database at `path`; None if nobody noted it. Raises FileBroken."""
    data = read_sealed(note_of(path))
    if data is None:
        return None
    try:
        return msgspec.json.decode(data, type=Acknowledged)
    except msgspec.MsgspecError as error:
        raise FileBroken(note_of(path)) from error


def write_note(path: Path, acknowledged: Acknowledged) -> None:
    """Note what is acknowledged next of the database at `path`; it survives a power loss. Raises OSError."""
    data = _packed(acknowledged)
    place = note_of(path)
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        write_file(place, data)
        return
    try:
        os.pwrite(handle, data, 0)
        os.fsync(handle)
    finally:
        os.close(handle)


def raise_number(writer: duckdb.DuckDBPyConnection) -> Acknowledged:
    """Count the transaction at work; what it will be noted as. Raises duckdb.Error."""
    # DuckDB would write no checkpoint beside a reader if the row were changed in its place.
    ((database, before),) = writer.execute(TAKE_NUMBER).fetchall()
    number = before + 1
    writer.execute(INSERT_NUMBER, [database, number])
    ((records,),) = writer.execute(COUNT_RECORDS.format("")).fetchall()
    return Acknowledged(database, number, records)


def read_number(connection: duckdb.DuckDBPyConnection, prefix: str = "") -> Acknowledged:
    """The last transaction of an open database, whose tables have the `prefix`; raises duckdb.Error, StoreDamaged."""
    rows = connection.execute(SELECT_NUMBER.format(prefix)).fetchall()
    if len(rows) != 1:
        raise StoreDamaged("the database does not say how many transactions it has had")
    ((database, number),) = rows
    ((records,),) = connection.execute(COUNT_RECORDS.format(prefix)).fetchall()
    return Acknowledged(database, number, records)


def missing_since(noted: Acknowledged | None, here: Acknowledged | None) -> str:
    """What a database lacks of what was acknowledged, in words; empty if it lacks nothing.

    `here` is None for a file without tables. A note of another database says nothing.
    """
    if noted is None or not noted.commits:
        return ""
    if here is None:
        return f"it is empty, and {pluralize(noted.records, 'record was', 'records were')} acknowledged"
    if noted.database != here.database or here.commits >= noted.commits:
        return ""
    lost = pluralize(noted.commits - here.commits, "transaction")
    return f"it lacks the last {lost}: there were {pluralize(noted.records, 'record')} then, and there are {here.records:,} now"


def require_acknowledged(path: Path, here: Acknowledged | None) -> None:
    """Raise StoreDamaged if a database lacks something that was acknowledged; a broken note is logged."""
    try:
        noted = read_note(path)
    except FileBroken as error:
        log.error("%s: %s", error, UNKNOWN)
        return
    if here and noted and here.database != noted.database:
        log.warning("%s is about another database than %s", note_of(path), path)
    if missing := missing_since(noted, here):
        raise damaged(path, f"{missing}; if that is right, as with an older copy, delete {ACKNOWLEDGED_FILE_NAME} beside it")  # fmt: skip


def begin_note(path: Path, here: Acknowledged) -> None:
    """Let the note be that of an opened database; one that cannot be read is kept under another name. Raises OSError."""
    place = note_of(path)
    try:
        if read_note(path) == here:
            return
    except FileBroken:
        place.replace(place.with_name(f"{place.name}{BROKEN_ENDING}"))
    write_file(place, _packed(here))


def _packed(acknowledged: Acknowledged) -> bytes:
    return seal(msgspec.json.encode(acknowledged).ljust(NOTE_BYTES))
