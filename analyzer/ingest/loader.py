"""Store records in bulk, each record once; a batch is committed as a whole or not at all."""

import hashlib
import io
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from json import JSONDecoder
from pathlib import Path
from typing import Self
from weakref import WeakKeyDictionary

import duckdb
import msgspec
from msgspec.structs import replace

from analyzer.ingest.batch import (
    PreparedBatch,
    RecordOutcome,
    base_name,
    digest_apart,
    game_key,
    is_other_match,
    prepare_batch,
)
from analyzer.ingest.matches import join_matches
from analyzer.ingest.rows import describe_occasion
from analyzer.ingest.tasks import ALL_RECORDS, ImportedFile, RecordChoice, list_parquet_files
from analyzer.store.packing import record_packer, unpack_record
from analyzer.store.player_names import settle_people
from analyzer.store.store import Store
from analyzer.store.sums import add_to_sums, sums_of
from analyzer.store.tables import (
    INSTANT,
    Column,
    Columns,
    columns_of,
    number_column,
    readable,
    select_list,
)
from records.errors import StoreError
from records.format import codec
from records.format.files import Block, Entry, read_entries
from records.match_play import day_played
from records.people import player_key
from records.phrases import path_text
from records.record import Note
from records.validate.finding import RequestBudget
from records.validator import check_record

# Notes that come with a game that is already stored: added to its record, which otherwise stays as it was uploaded.

MOST_NOTES_STORED = 1_000
"""A record takes no more notes than this."""
SELECT_RECORD = "SELECT data FROM records WHERE digest = $digest"
UPDATE_RECORD = """
    UPDATE records SET data = $data, size = $size WHERE digest = $digest AND data = $before
"""
WHITESPACE = " \t\r\n"


def add_notes(store: Store, digest: str, data: bytes) -> int:
    """Add to a stored record the notes that the same game has in `data` and the record has not; returns how many.

    None are added if the record has changed meanwhile. Raises StoreError.
    """
    packed = store.rows(SELECT_RECORD, {"digest": digest}).rows
    if not packed:
        return 0
    longer, new = merge_notes(unpack_record(packed[0][0]), data)
    if not new:
        return 0
    changed = {"data": record_packer()(longer), "size": len(longer)}
    with store.writing() as cursor:
        cursor.execute(UPDATE_RECORD, {**changed, "digest": digest, "before": packed[0][0]})
        made = cursor.fetchone()
    return new if made and made[0] else 0


def merge_notes(text: bytes, data: bytes) -> tuple[bytes, int]:
    """The text of a record with the notes that the same game has in `data` and the record has not, and how many.

    Every other byte of the record stays. None are added to a record with findings on its text, and none that would
    change the report on it.
    """
    stored, sent = codec.decode(text), codec.decode(data)
    if stored.record is None or stored.findings or sent.record is None or not sent.record.notes:
        return text, 0
    known = stored.record.notes or []
    new = [note for note in sent.record.notes if note not in known]
    if not new or len(known) + len(new) > MOST_NOTES_STORED or sent.digest() != stored.digest():
        return text, 0
    noted = replace(stored.record, notes=[*known, *new])
    longer = _write_notes(text, new)
    reread = codec.decode(longer)
    if reread.findings or reread.record != noted or reread.digest() != stored.digest():
        return text, 0
    if check_record(noted).findings != check_record(stored.record).findings:
        return text, 0
    return longer, len(new)


def _write_notes(record: bytes, new: Sequence[Note]) -> bytes:
    """The text of a record with these notes after its own; nothing else of it changes."""
    text = record.decode()
    written = ",".join(msgspec.json.encode(note).decode() for note in new)
    end = _end_of_member(text, "notes")
    if end is not None and text[end - 1] == "]":
        listed = text[: end - 1].rstrip(WHITESPACE)
        comma = "" if listed.endswith("[") else ","
        return f"{listed}{comma}{written}{text[len(listed) :]}".encode()
    members = text.rstrip(WHITESPACE)[:-1].rstrip(WHITESPACE)
    return f'{members},"notes":[{written}]{text[len(members) :]}'.encode()


def _end_of_member(text: str, name: str) -> int | None:
    """Where the value of a member of a JSON object ends; None without one. The text is known to be such an object."""
    # Numbers stay texts: Python reads no integer of more than MAX_DIGITS digits.
    read_value = JSONDecoder(parse_int=str, parse_float=str).raw_decode
    at = _after(text, text.index("{") + 1)
    while text[at : at + 1] == '"':
        key, at = read_value(text, at)
        _, at = read_value(text, _after(text, text.index(":", at) + 1))
        if key == name:
            return at
        at = _after(text, _after(text, at) + 1)  # past the comma or the last brace
    return None


def _after(text: str, at: int) -> int:
    """The first place from here on without whitespace."""
    while text[at : at + 1] in (" ", "\t", "\r", "\n"):
        at += 1
    return at


# The import log: which blocks of which files are in the database. It is committed together with their games.

SELECT_COMMITTED_BLOCKS = """
    SELECT start, stop, records, stored + known AS known, rejected, deals, events, findings
    FROM import_batches
    WHERE import = ?
"""


@dataclass(frozen=True, slots=True)
class CommittedBlock:
    """A block that an earlier import committed: its numbers of records, deals, events and findings."""

    start: int
    stop: int
    records: int
    known: int
    rejected: int
    deals: int
    events: int
    findings: int


def imported_file(path: Path | None, name: str, job: str | None = None) -> ImportedFile:
    """A file in its present state, or a stream, which is new every time; raises OSError."""
    if path is None:
        return ImportedFile(secrets.randbits(60), name, None, None, None, job)
    status, full_path = path.stat(), str(path.resolve())
    text = f"{full_path}\0{status.st_size}\0{status.st_mtime_ns}"
    key = int(hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:15], 16)
    name, stored_path = path_text(path.name), path_text(full_path)
    return ImportedFile(key, name, stored_path, status.st_size, status.st_mtime_ns, job)


def committed_blocks(store: Store, key: int) -> dict[tuple[int, int], CommittedBlock]:
    """The blocks of a file that are in the database, by their offsets.

    Blocks with rejected records are left out: a newer program may be able to read them.
    """
    blocks = [CommittedBlock(*row) for row in store.rows(SELECT_COMMITTED_BLOCKS, [key]).rows]
    return {(block.start, block.stop): block for block in blocks if not block.rejected}


def log_columns(
    blocks: list[tuple[ImportedFile, Block, list[RecordOutcome]]],
) -> dict[str, Columns]:
    """The rows of the log for these blocks, each with the outcomes of its records."""
    files = {file.key: file for file, _, _ in blocks}
    return {
        "imports": columns_of("imports", [_file(file) for file in files.values()]),
        "import_batches": columns_of("import_batches", [_batch(*block) for block in blocks]),
    }


def log_upload(
    number: int, files: Iterable[tuple[ImportedFile, list[RecordOutcome]]]
) -> dict[str, Columns]:
    """The rows of the log for the batch with this number of files that came with a request, each with its outcomes."""
    return log_columns([(file, _block_of_batch(file, number), own) for file, own in files])


def _block_of_batch(file: ImportedFile, number: int) -> Block:
    return Block(
        file.name,
        number,
        number + 1,
        line=1,
        lines=0,
        final=False,
        position=0,
        plain=False,
        data=b"",
    )


def _file(file: ImportedFile) -> tuple[object, ...]:
    return (file.key, file.name, file.path, file.size, file.modified_ns, file.job)


def _batch(file: ImportedFile, block: Block, outcomes: list[RecordOutcome]) -> tuple[object, ...]:
    states = [outcome.state for outcome in outcomes]
    return (
        file.key, block.start, block.stop, block.line, block.lines, block.final, len(outcomes),
        states.count("stored"), states.count("known"), states.count("rejected"),
        sum([outcome.deals for outcome in outcomes]), sum([outcome.events for outcome in outcomes]),
        sum([outcome.findings for outcome in outcomes]),
    )  # fmt: skip


RECORDS_PER_BATCH = 1024
BYTES_PER_BATCH = 4 * 1024 * 1024

SELECT_KNOWN_GAMES = """
    SELECT game, written, event, site, epoch_us(started), utc_offset
    FROM stored_games
    WHERE game IN (SELECT unnest(?::BIGINT[]))
"""
SELECT_TIME = "SELECT epoch_us(now() AT TIME ZONE 'UTC')"
"""The time that the database gives to the rows of a transaction."""
TIME_COLUMNS = {"records": "stored_at", "games": "stored_at", "rejected": "seen_at", "waiting_records": "seen_at", "imports": "started_at", "import_batches": "committed_at"}  # fmt: skip
"""The tables whose rows have the time at which they were stored."""
MOST_DEPOSITS = 32
"""The most uploads that wait to be stored, and the most that are stored in one transaction."""
SELECT_TRACES = "SELECT game, trace FROM traces WHERE game IN (SELECT unnest(?::BIGINT[]))"
SELECT_STORED_RECORDS = "SELECT game, data FROM records WHERE game IN (SELECT unnest($keys))"
SELECT_INCOMING = (
    "SELECT game, name, line, data FROM {} WHERE game IN (SELECT unnest($keys::BIGINT[]))"
)
NOT_KNOWN = "WHERE game NOT IN (SELECT unnest($known::BIGINT[]))"
MOST_EXAMPLES = 5
"""So many known games that were told otherwise are named."""
SAME_ROW_CONDITIONS = {
    "rejected": """
        seen.content = incoming.content::UUID
        AND seen.name = incoming.name AND seen.line IS NOT DISTINCT FROM incoming.line
    """,
    "waiting_records": "seen.content = incoming.content::UUID",
    "rulebooks": "seen.rulebook = incoming.rulebook",
    "imports": "seen.import = incoming.import",
    "renames": "seen.person = incoming.person AND seen.same_as = incoming.same_as AND seen.name = incoming.name",
    "evening_steps": "seen.evening = incoming.evening AND seen.number = incoming.number",
    "import_batches": "seen.import = incoming.import AND seen.start = incoming.start",
}
"""In tables that are not about one game: when an incoming row is already there."""

LogBuilder = Callable[[], dict[str, Columns]]
"""Makes the rows of the import log, once it is known which games were new."""


@dataclass(slots=True)
class IngestCounts:
    """Running totals of an import: records by state and verdict, deals, events, findings.

    `told_otherwise` counts the known games that are stored with other names, places or times, and `examples` has the first.
    `told_again` counts the records stored of matches of which another record is stored. `waiting` counts those that wait for
    a rulebook, by its id.
    """

    records: int = 0
    size: int = 0
    deals: int = 0
    events: int = 0
    findings: int = 0
    states: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    told_otherwise: int = 0
    told_again: int = 0
    waiting: Counter[str] = field(default_factory=Counter)
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
        self.told_again += bool(outcome.match)
        if outcome.awaits:
            self.waiting[outcome.awaits] += 1
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
    entries: Iterable[Entry],
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
    budget: RequestBudget | None = None,
    before_storing: Callable[[], None] | None = None,
) -> list[RecordOutcome]:
    """Store the records of an uploaded file; the outcomes have their reports, the first `most_reports` of them if given.

    The outcome of a known game has one, too. With the public id of an `upload`, the import log says which
    games came with it. Raises NotExamined
    where they would cost more than the `budget` of the request, if it is given: then nothing is stored.
    """
    return ingest_files(
        store,
        [(name, data)],
        upload,
        most_reports=most_reports,
        budget=budget,
        before_storing=before_storing,
    )


def ingest_files(
    store: Store,
    files: Sequence[tuple[str, bytes]],
    upload: str = "",
    *,
    most_reports: int | None = None,
    budget: RequestBudget | None = None,
    before_storing: Callable[[], None] | None = None,
    wanted: RecordChoice = ALL_RECORDS,
) -> list[RecordOutcome]:
    """The same for the wanted records of the files of a request, stored together, since every transaction costs.

    The reports of all together are limited. `before_storing` is called once the records are examined, with a `budget` all
    of them, and this upload has one of the places of those that wait to be stored. Raises TooManyDeposits if there is
    none: then nothing is stored.
    """
    outcomes: list[RecordOutcome] = []
    logged = [imported_file(None, base_name(name), upload) for name, _ in files] if upload else []
    # For every record read so far, the number of its file.
    owners: list[int] = []
    batches: Iterable[PreparedBatch] = (
        prepare_batch(group, reports=True, budget=budget)
        for group in _group_entries(_read_files(files, owners, wanted))
    )
    prepared = batches if budget is None else list(batches)
    with _queue_of(store).place() as queue:
        if before_storing is not None:
            before_storing()
        for number, batch in enumerate(prepared):
            log = None
            if upload:
                own = owners[len(outcomes) : len(outcomes) + len(batch.outcomes)]
                log = partial(_log_files, number, logged, own, batch.outcomes)
            queue.store(store, Deposit([batch], log))
            if most_reports is not None:
                for outcome in batch.outcomes[max(0, most_reports - len(outcomes)) :]:
                    outcome.report = None
            outcomes += batch.outcomes
    return outcomes


def _read_files(
    files: Sequence[tuple[str, bytes]], owners: list[int], wanted: RecordChoice
) -> Iterator[Entry]:
    """The wanted records of these files; before each, the number of its file is added to `owners`."""
    for number, (name, data) in enumerate(files):
        for entry in wanted.of(read_entries(io.BytesIO(data), name=name)):
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
    name: str, data: bytes, budget: RequestBudget | None = None
) -> list[RecordOutcome]:
    """The outcomes and reports that the records of an uploaded file would have; nothing is stored.

    Raises NotExamined where they would cost more than the `budget` of the request, if it is given.
    """
    return [
        outcome
        for group in _group_entries(read_entries(io.BytesIO(data), name=name))
        for outcome in prepare_batch(group, reports=True, budget=budget).outcomes
    ]


def _group_entries(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Entries in groups of one batch each."""
    group: list[Entry] = []
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
    store_deposits(store, [Deposit(batches, log)])


@dataclass(eq=False, slots=True)
class Deposit:
    """Batches to store, and the rows of the import log that go with them; `error` says why they were not stored."""

    batches: Sequence[PreparedBatch]
    log: LogBuilder | None = None
    is_done: bool = False
    error: Exception | None = None

    @property
    def outcomes(self) -> Iterator[RecordOutcome]:
        """What became of its records."""
        return chain.from_iterable(batch.outcomes for batch in self.batches)

    @property
    def digests(self) -> set[str]:
        """The digests of its games."""
        return {outcome.digest for outcome in self.outcomes if outcome.digest}


def store_deposits(store: Store, deposits: Sequence[Deposit]) -> None:
    """Store all of these in one transaction, or none; no game may be in two of them. Raises StoreReadOnly.

    Each has times of its own, a microsecond apart: by them, an upload knows the games that it stored. Outcomes say what
    became of their records; if nothing is stored, they are as they were.
    """
    store.require_writable()
    batches = [batch for deposit in deposits for batch in deposit.batches]
    new = {
        game_key(outcome.digest): outcome
        for batch in batches
        for outcome in batch.outcomes
        if outcome.digest and outcome.state == "stored"
    }
    with _restored_on_error(deposits), store.writing() as cursor:
        known = _find_known(cursor, new)
        times = _times_of(cursor, deposits)
        tables = [
            _with_time(batch.tables, time)
            for deposit, time in zip(deposits, times, strict=True)
            for batch in deposit.batches
        ]
        _insert_batches(cursor, batches, tables, known)
        stored = {key: outcome for key, outcome in new.items() if key not in known}
        keys = {id(new[key]): key for key in known}
        for deposit, time in zip(deposits, times, strict=True):
            own = {keys[id(one)]: one for one in deposit.outcomes if id(one) in keys}
            stored |= _store_apart(cursor, deposit.batches, own, time)
        for key, (match, relation) in join_matches(cursor, stored).items():
            stored[key].match, stored[key].relation = match, relation
        logs = [
            _with_time(deposit.log(), time)
            for deposit, time in zip(deposits, times, strict=True)
            if deposit.log is not None
        ]
        if stored:
            settle_people(cursor)
        _insert_all(cursor, logs, [])


@contextmanager
def _restored_on_error(deposits: Sequence[Deposit]) -> Iterator[None]:
    """Let outcomes be as they were if the transaction fails: the same deposits may be tried again."""
    before = [
        (one, one.digest, one.state, one.stored_as, one.match, one.relation)
        for deposit in deposits
        for one in deposit.outcomes
    ]
    try:
        yield
    except BaseException:
        for one, digest, state, stored_as, match, relation in before:
            one.digest, one.state, one.stored_as = digest, state, stored_as
            one.match, one.relation = match, relation
        raise


def _times_of(cursor: duckdb.DuckDBPyConnection, deposits: Sequence[Deposit]) -> list[int | None]:
    """When each deposit is stored, in microseconds since 1970; None for a single one: the database writes its own time."""
    if len(deposits) == 1:
        return [None]
    ((now,),) = cursor.execute(SELECT_TIME).fetchall()
    return [now + number for number in range(len(deposits))]


def _with_time(tables: dict[str, Columns], time: int | None) -> dict[str, Columns]:
    """Rows with the time at which they are stored."""
    if time is None:
        return tables
    return {
        table: columns | {TIME_COLUMNS[table]: _times(columns, time)}
        if table in TIME_COLUMNS and TIME_COLUMNS[table] not in columns
        else columns
        for table, columns in tables.items()
    }


def _times(columns: Columns, time: int) -> Column:
    return number_column(INSTANT, [time] * next(iter(columns.values())).length)


class TooManyDeposits(StoreError):
    """As many uploads as may wait to be stored are waiting."""


class DepositQueue:
    """Uploads that come while another is being stored wait, and are then stored together: every transaction costs.

    A transaction of one small game takes as long as one of ten. If one with several fails, each is stored alone, so
    that none suffers from another. At most `MOST_DEPOSITS` uploads have a place.
    """

    def __init__(self) -> None:
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._waiting: list[Deposit] = []
        self._taken = 0

    @contextmanager
    def place(self) -> Iterator[Self]:
        """A place for an upload, until it is stored; raises TooManyDeposits if all are taken."""
        with self._lock:
            if self._taken >= MOST_DEPOSITS:
                raise TooManyDeposits(f"{MOST_DEPOSITS} uploads wait to be stored")
            self._taken += 1
        try:
            yield self
        finally:
            with self._lock:
                self._taken -= 1

    def store(self, store: Store, deposit: Deposit) -> None:
        """Store a deposit; when this returns it is on the disk. Raises what `store_deposits` raises for it alone."""
        with self._lock:
            self._waiting.append(deposit)
        try:
            with self._turn:
                if not deposit.is_done:
                    self._store_waiting(store, deposit)
        finally:
            with self._lock:
                self._waiting.remove(deposit)
        if deposit.error is not None:
            raise deposit.error

    def _store_waiting(self, store: Store, first: Deposit) -> None:
        """Store this deposit, and others with other games."""
        together, digests = [first], first.digests
        with self._lock:
            others = [each for each in self._waiting if each is not first and not each.is_done]
        for each in others[: MOST_DEPOSITS - 1]:
            if digests.isdisjoint(each.digests):
                together.append(each)
                digests |= each.digests
        if len(together) > 1:
            with suppress(Exception):  # each is told of its own error
                store_deposits(store, together)
                for each in together:
                    each.is_done = True
                return
        for each in together:
            try:
                store_deposits(store, [each])
            except Exception as error:
                each.error = error
            each.is_done = True


_queues: "WeakKeyDictionary[Store, DepositQueue]" = WeakKeyDictionary()


def _queue_of(store: Store) -> DepositQueue:
    return _queues.setdefault(store, DepositQueue())


def _find_known(cursor: duckdb.DuckDBPyConnection, new: Mapping[int, RecordOutcome]) -> list[int]:
    """The keys of these games that are stored already; their outcomes say so."""
    found = cursor.execute(SELECT_KNOWN_GAMES, [list(new)]).fetchall() if new else []
    for key, *stored in found:
        outcome, occasion = new[key], describe_occasion(*stored)
        outcome.state = "known"
        outcome.stored_as = "" if occasion == outcome.occasion else occasion
    return [key for key, *_ in found]


def _store_apart(
    cursor: duckdb.DuckDBPyConnection,
    batches: Sequence[PreparedBatch],
    known: Mapping[int, RecordOutcome],
    time: int | None,
) -> dict[int, RecordOutcome]:
    """Store records that have the digest of a stored one, and tell of other people or another day: another match.

    They get the `time` of their deposit. Returns the outcomes of those that were not stored before, by key.
    """
    found = _read_stored(cursor, _other_occasions(cursor, known))
    other = [key for key, stored in found.items() if is_other_match(known[key], *stored)]
    if not other:
        return {}
    entries = _read_incoming(cursor, batches, other)
    apart = prepare_batch(
        list(entries.values()), digests=[digest_apart(entry) for entry in entries.values()]
    )
    own: dict[int, RecordOutcome] = {}
    for key, outcome in zip(entries, apart.outcomes, strict=True):
        known[key].digest, known[key].state, known[key].stored_as = outcome.digest, "stored", ""
        own[game_key(outcome.digest or "")] = known[key]
    again = _find_known(cursor, own)
    _insert_batches(cursor, [apart], [_with_time(apart.tables, time)], again)
    return {key: outcome for key, outcome in own.items() if key not in again}


def _other_occasions(
    cursor: duckdb.DuckDBPyConnection, known: Mapping[int, RecordOutcome]
) -> list[int]:
    """The keys of known games that may be of other people or of another day than the stored ones."""
    # People are part of a trace, and the names in it are those of the record, whoever was renamed since.
    rows = cursor.execute(SELECT_TRACES, [list(known)]).fetchall() if known else []
    stored = {(game, trace) for game, trace in rows}
    return [
        key
        for key, outcome in known.items()
        if outcome.stored_as or not stored.issuperset((key, trace) for trace in outcome.traces)
    ]


def _read_stored(
    cursor: duckdb.DuckDBPyConnection, keys: list[int]
) -> dict[int, tuple[tuple[str, ...], str]]:
    """The people and the day of stored records, by key."""
    rows = cursor.execute(SELECT_STORED_RECORDS, {"keys": keys}).fetchall() if keys else []
    found = {}
    for key, data in rows:
        record = codec.decode(unpack_record(data)).record
        if record is not None:
            found[key] = tuple(map(player_key, record.players)), day_played(record)
    return found


def _read_incoming(
    cursor: duckdb.DuckDBPyConnection, batches: Sequence[PreparedBatch], keys: list[int]
) -> dict[int, Entry]:
    """The records with these keys that are about to be stored."""
    rows: list[tuple[int, str, int | None, bytes]] = []
    chunks = [batch.tables["records"] for batch in batches if "records" in batch.tables]
    if chunks:
        with readable(cursor, *chunks):
            rows += cursor.execute(SELECT_INCOMING.format("incoming"), {"keys": keys}).fetchall()
    if files := list_parquet_files(list(batches)).get("records"):
        sql = SELECT_INCOMING.format("read_parquet($files)")
        rows += cursor.execute(sql, {"keys": keys, "files": files}).fetchall()
    return {key: Entry(name, line, unpack_record(data)) for key, name, line, data in rows}


def _insert_batches(
    cursor: duckdb.DuckDBPyConnection,
    batches: Sequence[PreparedBatch],
    tables: Sequence[dict[str, Columns]],
    known: list[int],
) -> None:
    """Insert the rows of batches: `tables` are those that are in memory, with the times at which they are stored."""
    _insert_all(cursor, tables, known)
    for table, files in list_parquet_files(list(batches)).items():
        rows, parameters = "FROM read_parquet($files)", dict[str, object](files=files)
        _insert(cursor, table, rows, parameters, known)
        for sums in sums_of(table):
            _add_to_sums(cursor, sums, rows, parameters, known)


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
    for sums in sums_of(table):
        with readable(cursor, *chunks):  # columns are read once
            _add_to_sums(cursor, sums, rows, {}, known)


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
    sums: str,
    rows: str,
    parameters: dict[str, object],
    known: list[int],
) -> None:
    """Add the rows that were just inserted into a table to a table of its sums."""
    new = f"(SELECT * FROM ({rows}) AS incoming {NOT_KNOWN if known else ''})"
    add_to_sums(cursor, sums, new, {**parameters, "known": known} if known else parameters)
