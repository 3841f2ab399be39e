"""Records of a lake that wait for a rulebook: they become games once a database has brought it, as in a database."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import duckdb
from msgspec.structs import replace

from analyzer.ingest.loader import ingest
from analyzer.lake.workbench import Workbench, open_workbench, reading_parts, rulebooks_of
from analyzer.store.lake_parts import count_rows, part_source
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import LakePart
from analyzer.store.packing import unpack_record
from records.format.files import Entry

RECORDS_AT_A_TIME = 1_000
TABLES = ("rejected", "waiting_records")
"""A record that waits has a row in both."""
HAS_COME = "list_contains($ids::VARCHAR[], rulebook)"
SELECT_COME = f"(SELECT * FROM {{}} WHERE {HAS_COME})"
SELECT_RECORDS = "SELECT name, line, data FROM {} ORDER BY seen_at, content"
KEEP_OTHERS = """
    INSERT INTO {table} BY NAME
    SELECT * FROM {source} WHERE content NOT IN (SELECT content FROM {come})
"""


class ComeRecords(NamedTuple):
    """Parts in which nothing waits or was rejected, and a part with all that does still, and with the new games."""

    left: tuple[LakePart, ...]
    made: tuple[LakePart, ...]


def waiting_records_come(place: LakePlace, parts: tuple[LakePart, ...]) -> ComeRecords | None:
    """Make games of the records whose rulebook is there; None if none waits for one. Raises StoreError.

    The new part is not yet compared with the others.
    """
    waiting = part_source(place, parts, "waiting_records")
    sheets = rulebooks_of(place, parts) if waiting else ()
    asked = {"ids": [sheet.id for sheet in sheets]}
    if waiting is None or not sheets:
        return None
    come = SELECT_COME.format(waiting)
    with reading_parts(place, parts) as reading:
        if not reading.execute(f"SELECT 1 FROM {come} LIMIT 1", asked).fetchone():
            return None
        with open_workbench(place, sheets) as bench:
            _keep_others(bench, parts, come, asked)
            ingest(bench, _entries(reading.execute(SELECT_RECORDS.format(come), asked)))
            made = bench.publish()
    left = (_without_waiting(part) for part in parts)
    return ComeRecords(tuple(part for part in left if part.tables), (made,) if made else ())


def count_waiting(place: LakePlace, parts: Sequence[LakePart]) -> int:
    """How many records wait for a rulebook."""
    waiting = part_source(place, parts, "waiting_records")
    if waiting is None:
        return 0
    with reading_parts(place, parts) as reading:
        return count_rows(reading, waiting)


def _keep_others(
    bench: Workbench, parts: Sequence[LakePart], come: str, asked: dict[str, Any]
) -> None:
    """Take over what goes on waiting, and what was rejected."""
    with bench.beside(parts) as cursor:
        for table in TABLES:
            if source := part_source(bench.place, parts, table):
                cursor.execute(KEEP_OTHERS.format(table=table, source=source, come=come), asked)


def _entries(found: duckdb.DuckDBPyConnection) -> Iterator[Entry]:
    """Records as they were read, some in memory at a time."""
    while rows := found.fetchmany(RECORDS_AT_A_TIME):
        for name, line, data in rows:
            yield Entry(name, line, unpack_record(data))


def _without_waiting(part: LakePart) -> LakePart:
    kept = {table: own for table, own in part.tables.items() if table not in TABLES}
    return replace(part, tables=kept)
