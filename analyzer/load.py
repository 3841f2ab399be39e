"""Records into the database, in bulk and once each: whole batches are committed, or nothing of them."""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import duckdb

from analyzer.arrow import ColumnSource
from analyzer.batch import Batch, Outcome, prepare
from analyzer.columns import Columns
from analyzer.examine import game_key
from analyzer.log import Committed
from analyzer.store import Store
from analyzer.tables import NOTHING, NULLS
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

Log = Callable[[list[Outcome]], dict[str, Columns]]


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
        for outcome in write(store, prepare(part)):
            summary.add(outcome)
        if progress is not None:
            progress(summary)
    return summary


def ingest_bytes(store: Store, name: str, data: bytes) -> list[Outcome]:
    """Load an uploaded file; every outcome has a report, known or not."""
    entries = codec.entries(io.BytesIO(data), name=name)
    return [
        outcome for part in _parts(entries) for outcome in write(store, prepare(part, reports=True))
    ]


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


def write(store: Store, batch: Batch, log: Log | None = None) -> list[Outcome]:
    """Store what is new of a batch, in one transaction; returns what became of each record.

    What `log` makes of that is stored in the same transaction.
    """
    keys = {
        game_key(one.digest): one for one in batch.outcomes if one.digest and one.state == "stored"
    }
    with store.writing() as cursor:
        known = [key for (key,) in cursor.execute(KNOWN, [list(keys)]).fetchall()] if keys else []
        for table, columns in batch.tables.items():
            insert(cursor, table, columns, known)
        for key in known:
            keys[key].state = "known"
        for table, columns in (log(batch.outcomes) if log else {}).items():
            insert(cursor, table, columns, known)
    return batch.outcomes


def insert(
    cursor: duckdb.DuckDBPyConnection, table: str, columns: Columns, known: list[int]
) -> None:
    """Add columns to a table, without the rows of games that are known."""
    source = ColumnSource(columns)
    cursor.register("incoming", source)
    nulls = NULLS.get(table, ())
    chosen = ", ".join(f"nullif({c}, {NOTHING}) AS {c}" if c in nulls else c for c in columns)
    parameters: list[object] = []
    where = ""
    if table in SAME:
        where = f"WHERE NOT EXISTS (SELECT 1 FROM {table} AS seen WHERE {SAME[table]})"
    elif known:
        where, parameters = "WHERE game NOT IN (SELECT unnest(?::BIGINT[]))", [known]
    try:
        cursor.execute(
            f"INSERT INTO {table} BY NAME SELECT {chosen} FROM incoming {where}", parameters
        )
    finally:
        cursor.unregister("incoming")
        source.close()
