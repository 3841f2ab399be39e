"""Records into the database, in bulk and once each: whole batches are committed, or nothing of them."""

import io
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

import duckdb
import msgspec

from analyzer.arrow import Columns, ColumnSource
from analyzer.collect import SOURCES
from analyzer.examine import COLUMNS, Examined, Source, examine, game_key, source_of
from analyzer.rows import ROLES, SHEETS
from analyzer.store import Store
from records import codec
from records.events import MELD_NAMES
from records.report import Report

BATCH_RECORDS = 256
BATCH_BYTES = 4 * 1024 * 1024

REJECTED = ("content", "name", "line", "size", "reason", "findings")
SEEN = "SELECT 1 FROM rejected WHERE content = ? AND name = ? AND line IS NOT DISTINCT FROM ?"

NAMES = {
    "sheets": list(SHEETS),
    "roles": list(ROLES),
    "sources": list(SOURCES),
    "melds": list(MELD_NAMES),
}
"""What the numbers in the columns stand for; a place before the first is NULL."""

INSERT_TRICKS = """
    INSERT INTO tricks BY NAME
    SELECT * REPLACE (
        ($sheets::VARCHAR[])[sheet + 1] AS sheet, clean = 1 AS clean,
        nullif(deal_winner, -1) AS deal_winner, closed = 1 AS closed, nullif(missed, -1) = 1 AS missed
    )
    FROM incoming
"""
INSERT_SCORES = """
    INSERT INTO scores BY NAME
    SELECT * REPLACE (
        ($sheets::VARCHAR[])[sheet + 1] AS sheet, clean = 1 AS clean, ($roles::VARCHAR[])[role + 1] AS role,
        ($sources::VARCHAR[])[source + 1] AS source, ($melds::VARCHAR[])[meld + 1] AS meld,
        nullif(royal, -1) = 1 AS royal
    )
    FROM incoming
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one record; `report` is None where the same bytes were stored before."""

    name: str
    line: int | None
    size: int
    state: Literal["stored", "known", "rejected"]
    verdict: str
    digest: str | None
    report: Report | None


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
        if outcome.report is not None:
            self.deals += outcome.report.deals
            self.events += outcome.report.events
            self.findings += len(outcome.report.findings)


def ingest(
    store: Store, entries: Iterable[codec.Entry], progress: Callable[[Summary], None] | None = None
) -> Summary:
    """Load records; `progress` is called with the running summary after every batch."""
    summary = Summary()
    for batch in _batches(entries):
        for outcome in _load(store, batch, skip=True):
            summary.add(outcome)
        if progress is not None:
            progress(summary)
    return summary


def ingest_bytes(store: Store, name: str, data: bytes) -> list[Outcome]:
    """Load an uploaded file; every outcome has a fresh report, known or not."""
    entries = codec.entries(io.BytesIO(data), name=name)
    return [outcome for batch in _batches(entries) for outcome in _load(store, batch, skip=False)]


def _batches(entries: Iterable[codec.Entry]) -> Iterator[list[codec.Entry]]:
    batch: list[codec.Entry] = []
    size = 0
    for entry in entries:
        batch.append(entry)
        size += len(entry.data)
        if len(batch) == BATCH_RECORDS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _load(store: Store, batch: list[codec.Entry], *, skip: bool) -> list[Outcome]:
    """Examine a batch and store what is new; with `skip`, bytes stored before are not examined."""
    sources = [source_of(entry) for entry in batch]
    stored = stored_contents(store, [source.content for source in sources]) if skip else {}
    read: list[Examined | Outcome] = [
        _recognised(source, *stored[source.content])
        if source.content in stored
        else examine(entry, source)
        for entry, source in zip(batch, sources, strict=True)
    ]
    new = _write(store, [one for one in read if isinstance(one, Examined)])
    return [one if isinstance(one, Outcome) else new[id(one)] for one in read]


def stored_contents(store: Store, contents: list[UUID]) -> dict[UUID, tuple[str, str]]:
    """Which of these bytes are stored, by their names: the digest and verdict of each game."""
    sql = """
        SELECT content, digest, verdict
        FROM records
        JOIN games USING (game, digest)
        WHERE content IN (SELECT unnest(?::UUID[]))
    """
    return {
        content: (digest, verdict) for content, digest, verdict in store.rows(sql, [contents]).rows
    }


def stored_digests(cursor: duckdb.DuckDBPyConnection, digests: list[str]) -> set[str]:
    """Which of these games are stored."""
    sql = "SELECT digest FROM games WHERE game IN (SELECT unnest(?::BIGINT[]))"
    keys = [game_key(digest) for digest in digests]
    return {digest for (digest,) in cursor.execute(sql, [keys]).fetchall()}


def _recognised(source: Source, digest: str, verdict: str) -> Outcome:
    return Outcome(source.name, source.line, len(source.data), "known", verdict, digest, None)


def _write(store: Store, examined: list[Examined]) -> dict[int, Outcome]:
    """Store a batch; returns what became of each, by the object's identity.

    A record whose numbers no column can hold must not cost its batch: then each is stored alone.
    """
    try:
        return _write_together(store, examined)
    except (duckdb.DataError, duckdb.ProgrammingError) as error:
        if len(examined) == 1:
            return {id(examined[0]): _refuse(store, examined[0], str(error).splitlines()[0])}
        return {key: value for one in examined for key, value in _write(store, [one]).items()}


def _write_together(store: Store, examined: list[Examined]) -> dict[int, Outcome]:
    digests = [one.report.digest for one in examined if one.report.digest]
    outcomes: dict[int, Outcome] = {}
    with store.writing() as cursor:
        known = stored_digests(cursor, digests)
        fresh: list[Examined] = []
        for one in examined:
            outcome = outcomes[id(one)] = _outcome(one, known)
            if outcome.state == "stored" and outcome.digest:
                known.add(outcome.digest)
                fresh.append(one)
        _append_games(cursor, fresh)
        for one in examined:
            if one.rows is None:
                _append_rejected(cursor, one, "unreadable")
    return outcomes


def _refuse(store: Store, one: Examined, reason: str) -> Outcome:
    refused = Examined(one.source, one.report, None)
    with store.writing() as cursor:
        _append_rejected(cursor, refused, reason)
    return _outcome(refused, set())


def _outcome(one: Examined, known: set[str]) -> Outcome:
    digest = one.report.digest
    state: Literal["stored", "known", "rejected"] = "stored"
    if one.rows is None or digest is None:
        state = "rejected"
    elif digest in known:
        state = "known"
    source = one.source
    return Outcome(
        source.name, source.line, len(source.data), state, one.report.verdict, digest, one.report
    )


def _append_games(cursor: duckdb.DuckDBPyConnection, games: list[Examined]) -> None:
    all_rows = [game.rows for game in games if game.rows]
    for table, columns in COLUMNS.items():
        append(cursor, table, columns, [row for rows in all_rows for row in rows.tables[table]])
    insert(cursor, INSERT_TRICKS, joined(rows.tricks for rows in all_rows))
    insert(cursor, INSERT_SCORES, joined(rows.scores for rows in all_rows))


def _append_rejected(cursor: duckdb.DuckDBPyConnection, one: Examined, reason: str) -> None:
    """Note what could not be stored; the same bytes under the same name and line only once."""
    source = one.source
    key = [source.content, source.name, source.line]
    if cursor.execute(SEEN, key).fetchall():
        return
    findings = msgspec.json.encode(one.report.findings).decode()
    append(cursor, "rejected", REJECTED, [(*key, len(source.data), reason, findings)])


def append(
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    columns: tuple[str, ...],
    rows: list[tuple[Any, ...]],
) -> None:
    """Add rows to a table in bulk."""
    if rows:
        with cursor.appender(table, columns=list(columns)) as appender:
            appender.append_rows(rows)


def joined(parts: Iterable[Columns]) -> Columns:
    """Columns one after the other."""
    whole: Columns = {}
    for part in parts:
        for name, column in part.items():
            whole.setdefault(name, array(column.typecode)).extend(column)
    return whole


def insert(cursor: duckdb.DuckDBPyConnection, sql: str, columns: Columns) -> None:
    """Run an INSERT that selects from `incoming`: these columns."""
    if not columns or not len(next(iter(columns.values()))):
        return
    source = ColumnSource(columns)
    cursor.register("incoming", source)
    try:
        cursor.execute(sql, {name: NAMES[name] for name in NAMES if f"${name}" in sql})
    finally:
        cursor.unregister("incoming")
        source.close()
