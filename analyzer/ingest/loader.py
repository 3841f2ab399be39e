"""Store records in bulk, each game once; a batch is committed as a whole or not at all."""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

import duckdb

from analyzer.db.arrow import readable
from analyzer.db.columns import Columns
from analyzer.db.store import Store, StoreReadOnly
from analyzer.db.sums import SUM_TABLES, add_to_sums
from analyzer.db.tables import select_list
from analyzer.ingest.batch import PreparedBatch, RecordOutcome, prepare_batch
from analyzer.ingest.examination import base_name, game_key
from analyzer.ingest.import_log import CommittedBlock, imported_file, log_upload
from analyzer.ingest.occasion import describe_occasion
from analyzer.ingest.task_files import list_parquet_files
from analyzer.ingest.tasks import ImportedFile
from records import codec
from records.validate.shared_budget import SharedBudget

RECORDS_PER_BATCH = 1024
BYTES_PER_BATCH = 4 * 1024 * 1024

SELECT_KNOWN_GAMES = """
    SELECT game, names, event, site, epoch_us(started)
    FROM games
    WHERE game IN (SELECT unnest(?::BIGINT[]))
"""
NOT_KNOWN = "WHERE game NOT IN (SELECT unnest($known::BIGINT[]))"
MOST_EXAMPLES = 5
"""So many known games that were told otherwise are named."""
SAME_ROW_CONDITIONS = {
    "rejected": """
        seen.content = incoming.content::UUID
        AND seen.name = incoming.name AND seen.line IS NOT DISTINCT FROM incoming.line
    """,
    "imports": "seen.import = incoming.import",
    "import_batches": "seen.import = incoming.import AND seen.start = incoming.start",
}
"""In tables that are not about one game: when an incoming row is already there."""

LogBuilder = Callable[[], dict[str, Columns]]
"""Makes the rows of the import log, once it is known which games were new."""


@dataclass(slots=True)
class IngestCounts:
    """Running totals of an import: records by state and verdict, deals, events, findings.

    `told_otherwise` counts the known games that are stored with other names, places or times, and `examples` has the first.
    """

    records: int = 0
    size: int = 0
    deals: int = 0
    events: int = 0
    findings: int = 0
    states: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    told_otherwise: int = 0
    examples: list[RecordOutcome] = field(default_factory=list)

    def add(self, outcome: RecordOutcome) -> None:
        """Count one more record."""
        self.records += 1
        self.size += outcome.size
        self.states[outcome.state] += 1
        self.verdicts[outcome.verdict] += 1
        self.deals += outcome.deals
        self.events += outcome.events
        self.findings += outcome.findings
        if outcome.stored_as:
            self.told_otherwise += 1
            if len(self.examples) < MOST_EXAMPLES:
                self.examples.append(outcome)

    def add_committed(self, block: CommittedBlock) -> None:
        """Count the records of a block that an earlier import committed."""
        self.records += block.records
        self.states["known"] += block.records
        self.deals += block.deals
        self.events += block.events
        self.findings += block.findings


def ingest(
    store: Store,
    entries: Iterable[codec.Entry],
    progress: Callable[[IngestCounts], None] | None = None,
) -> IngestCounts:
    """Store records; `progress` is called with the running totals after every batch."""
    counts = IngestCounts()
    for group in _group_entries(entries):
        batch = prepare_batch(group)
        store_batches(store, [batch])
        for outcome in batch.outcomes:
            counts.add(outcome)
        if progress is not None:
            progress(counts)
    return counts


def ingest_bytes(
    store: Store,
    name: str,
    data: bytes,
    upload: str = "",
    *,
    most_reports: int | None = None,
    budget: SharedBudget | None = None,
) -> list[RecordOutcome]:
    """Store the records of an uploaded file; the outcomes have their reports, the first `most_reports` of them if given.

    The outcome of a known game has one, too. With the public id of an `upload`, the import log says which
    games came with it. The records share one budget: that of the request, if it is given.
    """
    return ingest_files(store, [(name, data)], upload, most_reports=most_reports, budget=budget)


def ingest_files(
    store: Store,
    files: Sequence[tuple[str, bytes]],
    upload: str = "",
    *,
    most_reports: int | None = None,
    budget: SharedBudget | None = None,
) -> list[RecordOutcome]:
    """The same for the files of a request, each with its name: they are stored together, since every transaction costs.

    The reports of all together are limited.
    """
    budget = budget or SharedBudget()
    outcomes: list[RecordOutcome] = []
    logged = [imported_file(None, base_name(name), upload) for name, _ in files] if upload else []
    # For every record read so far, the number of its file.
    owners: list[int] = []
    for number, group in enumerate(_group_entries(_read_files(files, owners))):
        batch = prepare_batch(group, reports=True, budgets=[budget] * len(group))
        log = None
        if upload:
            own = owners[len(outcomes) :]
            log = partial(_log_files, number, logged, own, batch.outcomes)
        store_batches(store, [batch], log)
        if most_reports is not None:
            for outcome in batch.outcomes[max(0, most_reports - len(outcomes)) :]:
                outcome.report = None
        outcomes += batch.outcomes
    return outcomes


def _read_files(files: Sequence[tuple[str, bytes]], owners: list[int]) -> Iterator[codec.Entry]:
    """The records of these files; before each, the number of its file is added to `owners`."""
    for number, (name, data) in enumerate(files):
        for entry in codec.read_entries(io.BytesIO(data), name=name):
            owners.append(number)
            yield entry


def _log_files(
    number: int, files: list[ImportedFile], owners: list[int], outcomes: list[RecordOutcome]
) -> dict[str, Columns]:
    """The rows of the log for a batch, whose records are of these files."""
    by_file: dict[int, list[RecordOutcome]] = {}
    for owner, outcome in zip(owners, outcomes, strict=True):
        by_file.setdefault(owner, []).append(outcome)
    return log_upload(number, [(files[owner], own) for owner, own in by_file.items()])


def examine_bytes(
    name: str, data: bytes, budget: SharedBudget | None = None
) -> list[RecordOutcome]:
    """The outcomes and reports that the records of an uploaded file would have; nothing is stored.

    The records share one budget: that of the request, if it is given.
    """
    budget = budget or SharedBudget()
    return [
        outcome
        for group in _group_entries(codec.read_entries(io.BytesIO(data), name=name))
        for outcome in prepare_batch(group, reports=True, budgets=[budget] * len(group)).outcomes
    ]


def _group_entries(entries: Iterable[codec.Entry]) -> Iterator[list[codec.Entry]]:
    """Entries in groups of one batch each."""
    group: list[codec.Entry] = []
    size = 0
    for entry in entries:
        group.append(entry)
        size += len(entry.data)
        if len(group) == RECORDS_PER_BATCH or size >= BYTES_PER_BATCH:
            yield group
            group, size = [], 0
    if group:
        yield group


def store_batches(
    store: Store, batches: Sequence[PreparedBatch], log: LogBuilder | None = None
) -> None:
    """Store the new games of some batches, in one transaction; outcomes of known games are changed to `known`.

    Then the rows made by `log` are stored in the same transaction. No game may be in two of the batches: see
    `share_no_game`. Raises StoreReadOnly.
    """
    new = {
        game_key(outcome.digest): outcome
        for batch in batches
        for outcome in batch.outcomes
        if outcome.digest and outcome.state == "stored"
    }
    if store.read_only:
        raise StoreReadOnly(
            f"the data folder {store.folder} is read-only: nothing can be stored there"
        )
    with store.writing() as cursor:
        found = cursor.execute(SELECT_KNOWN_GAMES, [list(new)]).fetchall() if new else []
        known = []
        for key, *stored in found:
            outcome, occasion = new[key], describe_occasion(*stored)
            outcome.state = "known"
            outcome.stored_as = "" if occasion == outcome.occasion else occasion
            known.append(key)
        _insert_all(cursor, [batch.tables for batch in batches], known)
        for table, files in list_parquet_files(list(batches)).items():
            rows, parameters = "FROM read_parquet($files)", dict[str, object](files=files)
            _insert(cursor, table, rows, parameters, known)
            if table in SUM_TABLES:
                _add_to_sums(cursor, table, rows, parameters, known)
        if log is not None:
            _insert_all(cursor, [log()], known)


def share_no_game(batches: Sequence[PreparedBatch]) -> bool:
    """Whether no game is in two of these batches."""
    digests = [
        outcome.digest
        for batch in batches
        for outcome in batch.outcomes
        if outcome.state == "stored"
    ]
    return len(set(digests)) == len(digests)


def _insert_all(
    cursor: duckdb.DuckDBPyConnection, tables: Sequence[dict[str, Columns]], known: list[int]
) -> None:
    for table in dict.fromkeys(chain.from_iterable(tables)):
        insert_rows(cursor, table, [chunk[table] for chunk in tables if table in chunk], known)


def insert_rows(
    cursor: duckdb.DuckDBPyConnection, table: str, chunks: Sequence[Columns], known: list[int]
) -> None:
    """Add rows to a table, leaving out those of known games."""
    rows = f"SELECT {select_list(table, chunks[0])} FROM incoming"
    with readable(cursor, *chunks):
        _insert(cursor, table, rows, {}, known)
    if table in SUM_TABLES:
        with readable(cursor, *chunks):  # columns are read once
            _add_to_sums(cursor, table, rows, {}, known)


def _insert(
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    rows: str,
    parameters: dict[str, object],
    known: list[int],
) -> None:
    """Insert the rows of a subquery, leaving out those that are already stored."""
    where = ""
    if table in SAME_ROW_CONDITIONS:
        where = (
            f"WHERE NOT EXISTS (SELECT 1 FROM {table} AS seen WHERE {SAME_ROW_CONDITIONS[table]})"
        )
    elif known:
        where, parameters = NOT_KNOWN, {**parameters, "known": known}
    sql = f"INSERT INTO {table} BY NAME SELECT * FROM ({rows}) AS incoming {where}"
    cursor.execute(sql, parameters or None)


def _add_to_sums(
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    rows: str,
    parameters: dict[str, object],
    known: list[int],
) -> None:
    """Add the rows that were just inserted into a table to its sums."""
    new = f"(SELECT * FROM ({rows}) AS incoming {NOT_KNOWN if known else ''})"
    add_to_sums(cursor, table, new, {**parameters, "known": known} if known else parameters)
