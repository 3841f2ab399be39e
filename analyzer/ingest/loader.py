"""Records into the database, in bulk and once each: whole batches are committed, or nothing of them."""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import duckdb

from analyzer.db.arrow import ColumnSource
from analyzer.db.columns import Columns
from analyzer.db.store import ReadOnly, Store
from analyzer.db.tables import chosen
from analyzer.ingest.batch import Batch, Outcome, prepare
from analyzer.ingest.examination import game_key
from analyzer.ingest.import_log import Committed
from analyzer.ingest.task_files import files_of
from records import codec

BATCH_RECORDS = 256
BATCH_BYTES = 4 * 1024 * 1024

KNOWN = "SELECT game FROM games WHERE game IN (SELECT unnest(?::BIGINT[]))"
SAME = {
    "rejected": """
        seen.content = incoming.content::UUID
        AND seen.name = incoming.name AND seen.line IS NOT DISTINCT FROM incoming.line
    """,
    "imports": "seen.import = incoming.import",
    "import_batches": "seen.import = incoming.import AND seen.start = incoming.start",
}
"""When a row says what another says already, in the tables that are not about one game."""

Log = Callable[[], dict[str, Columns]]


@dataclass(slots=True)
class Summary:
    """What became of many records: a running count."""

    records: int = 0
    size: int = 0
    deals: int = 0
    events: int = 0
    findings: int = 0
    states: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        self.records += 1
        self.size += outcome.size
        self.states[outcome.state] += 1
        self.verdicts[outcome.verdict] += 1
        self.deals += outcome.deals
        self.events += outcome.events
        self.findings += outcome.findings

    def add_committed(self, block: Committed) -> None:
        """Count the records of a block that an earlier import has committed."""
        self.records += block.records
        self.states["known"] += block.records
        self.deals += block.deals
        self.events += block.events
        self.findings += block.findings


def ingest(
    store: Store, entries: Iterable[codec.Entry], progress: Callable[[Summary], None] | None = None
) -> Summary:
    """Load records; `progress` is called with the running summary after every batch."""
    summary = Summary()
    for part in _parts(entries):
        batch = prepare(part)
        write(store, [batch])
        for outcome in batch.outcomes:
            summary.add(outcome)
        if progress is not None:
            progress(summary)
    return summary


def ingest_bytes(store: Store, name: str, data: bytes) -> list[Outcome]:
    """Load an uploaded file; every outcome has a report, known or not."""
    outcomes: list[Outcome] = []
    for part in _parts(codec.entries(io.BytesIO(data), name=name)):
        batch = prepare(part, reports=True)
        write(store, [batch])
        outcomes += batch.outcomes
    return outcomes


def _parts(entries: Iterable[codec.Entry]) -> Iterator[list[codec.Entry]]:
    part: list[codec.Entry] = []
    size = 0
    for entry in entries:
        part.append(entry)
        size += len(entry.data)
        if len(part) == BATCH_RECORDS or size >= BATCH_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def write(store: Store, batches: Sequence[Batch], log: Log | None = None) -> None:
    """Store what is new of some batches, in one transaction; outcomes of games that are known say so then.

    What `log` makes after that is stored in the same transaction. A game may be in one of the batches only:
    see `alone`.
    """
    new = {
        game_key(one.digest): one
        for batch in batches
        for one in batch.outcomes
        if one.digest and one.state == "stored"
    }
    if store.read_only:
        raise ReadOnly(f"{store.path} can only be read: nothing can be stored there")
    with store.writing() as cursor:
        found = cursor.execute(KNOWN, [list(new)]).fetchall() if new else []
        known = [key for (key,) in found]
        for key in known:
            new[key].state = "known"
        _insert_all(cursor, [batch.tables for batch in batches], known)
        for table, files in files_of(list(batches)).items():
            _insert(cursor, table, "FROM read_parquet($files)", {"files": files}, known)
        if log is not None:
            _insert_all(cursor, [log()], known)


def alone(batches: Sequence[Batch]) -> bool:
    """Whether no game is in two of these batches."""
    new = [one.digest for batch in batches for one in batch.outcomes if one.state == "stored"]
    return len(set(new)) == len(new)


def _insert_all(
    cursor: duckdb.DuckDBPyConnection, tables: Sequence[dict[str, Columns]], known: list[int]
) -> None:
    for table in dict.fromkeys(chain.from_iterable(tables)):
        insert(cursor, table, [chunk[table] for chunk in tables if table in chunk], known)


def insert(
    cursor: duckdb.DuckDBPyConnection, table: str, chunks: Sequence[Columns], known: list[int]
) -> None:
    """Add rows to a table, but for those of games that are known."""
    source = ColumnSource(*chunks)
    cursor.register("incoming", source)
    try:
        _insert(cursor, table, f"SELECT {chosen(table, chunks[0])} FROM incoming", {}, known)
    finally:
        cursor.unregister("incoming")
        source.close()


def _insert(
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    rows: str,
    parameters: dict[str, object],
    known: list[int],
) -> None:
    where = ""
    if table in SAME:
        where = f"WHERE NOT EXISTS (SELECT 1 FROM {table} AS seen WHERE {SAME[table]})"
    elif known:
        where = "WHERE game NOT IN (SELECT unnest($known::BIGINT[]))"
        parameters = {**parameters, "known": known}
    sql = f"INSERT INTO {table} BY NAME SELECT * FROM ({rows}) AS incoming {where}"
    cursor.execute(sql, parameters or None)
