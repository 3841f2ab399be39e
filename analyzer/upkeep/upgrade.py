"""A new database in the place of an older one: built beside it from the stored records, each judged by today's program.

Every record is read byte for byte, and what is derived from it is that of a fresh import. What cannot be derived is
taken over: times of storing, who was renamed, what was corrected, evenings, studies, rulebooks of its own and
records that wait for one, the import log with the ids of uploads, the list of unreadable records, and reviews that this
version would make. The older database is only read, and kept.

The new one grows in the folder `BUILDING_FOLDER`, some records in a transaction, which also notes how far it is: a process
that is killed at any moment goes on where it was. When it is whole, a file says so (`WHOLE_FILE`). Then the older one
gets a second name, and the new one takes its place in one step. At every moment `bezique.duckdb` is one of the two.
"""

import fcntl
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from shutil import disk_usage, rmtree
from typing import Any, NamedTuple, TypeAlias

import duckdb
import msgspec
import zstandard

from analyzer.ingest.batch import PreparedBatch, prepare_batch
from analyzer.ingest.correcting import apply_corrections
from analyzer.ingest.loader import insert_rows, store_batches
from analyzer.ingest.renaming import rejoin_matches
from analyzer.review.annotation import ANNOTATION_VERSION, Annotation
from analyzer.review.deep_review import REVIEW_VERSION, GameReview
from analyzer.review.joined_reviews import review_of_annotation, review_of_deep_review
from analyzer.review.stored import GameNotStored, save_review
from analyzer.store.acknowledged import note_of, read_number, require_acknowledged
from analyzer.store.durable_files import make_private_folder, sync_folder, write_file, write_files
from analyzer.store.instance import (
    StoreDamaged,
    StoreFull,
    StoreInUse,
    StoreUnavailable,
    connect_database,
    damaged,
    first_line,
    known_trouble,
    log_of,
    no_room,
)
from analyzer.store.packing import RecordDamaged, unpack_record
from analyzer.store.player_names import INSERT_RENAME, settle_people
from analyzer.store.processes import map_in_processes
from analyzer.store.schema import (
    LEFT_OUT_FOLDER,
    OLD_DATABASE_NAME,
    SCHEMA_VERSION,
    DatabaseOrigin,
    SchemaTooNew,
    SchemaTooOld,
    column_names,
    database_origin,
)
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.store.tables import (
    BIG,
    INSTANT,
    ROW_TABLES,
    TEXT,
    Columns,
    columns_with_time,
    number_column,
    text_column,
)
from records.errors import StoreError
from records.format import codec
from records.format.files import Entry
from records.people import name_key, read_name
from records.phrases import pluralize
from records.record import Record
from records.validator import JUDGEMENT_VERSION

BUILDING_FOLDER, WHOLE_FILE = "upgrade", "whole"
"""The folder in the data folder in which the new database is built, and the file in it that says that it is whole."""
RECORDS_PER_BATCH, BYTES_PER_BATCH = 512, 4 * 1024 * 1024
"""The most records in a transaction, and their most bytes, unless one has more."""
ROWS_PER_LIST = 20_000
MOST_BYTES_IN_ONE_PROCESS = 4 * 1024 * 1024
"""Up to this many bytes, starting other processes takes longer than the work."""
HEADER_BYTES = 3 * 4096
"""The start of a database file: its headers change with everything that is written into it."""
READING_SETTINGS: dict[str, str | bool | int | float | list[str]] = {"access_mode": "READ_ONLY", "threads": 1, "memory_limit": "512MB", "temp_directory": ""}  # fmt: skip

SELECT_SIZES = "SELECT rowid, size FROM records WHERE rowid > $after ORDER BY rowid LIMIT $most"
SELECT_RECORDS = """
    SELECT records.rowid, records.digest, data, name, line, epoch_us(records.stored_at), epoch_us(games.stored_at),
        verdict
    FROM records LEFT JOIN {games} AS games USING (game)
    WHERE records.rowid BETWEEN $low AND $high
    ORDER BY records.rowid
"""
SELECT_SEATED = """
    SELECT former.digest, persons, written
    FROM (SELECT game, digest FROM stored_games UNION SELECT game, digest FROM former_digests) AS former
    JOIN stored_games USING (game) WHERE former.digest IN (SELECT unnest(?::VARCHAR[]))
"""
"""Who sat where in games, by the digests that older databases had for them."""
COUNT_WITHOUT_RECORD = "SELECT count(*) FROM games ANTI JOIN records USING (game)"
COUNT_RECORDS = "SELECT count(*), coalesce(sum(size), 0) FROM records"
PROGRESS_TABLE = "upgrade_progress"
CREATE_PROGRESS = f"""
    CREATE TABLE IF NOT EXISTS {PROGRESS_TABLE} (
        source VARCHAR, last_row BIGINT, records BIGINT, changed BIGINT, left_out BIGINT
    )
"""
SELECT_PROGRESS = f"""
    SELECT any_value(source), coalesce(max(last_row), -1), coalesce(sum(records), 0)::BIGINT,
        coalesce(sum(changed), 0)::BIGINT, coalesce(sum(left_out), 0)::BIGINT
    FROM {PROGRESS_TABLE}
"""
TABLES_TAKEN = {
    "rejected": "seen_at",
    "waiting_records": "seen_at",
    "imports": "started_at",
    "import_batches": "committed_at",
    "renames": "made_at",
    "corrections": "made_at",
    "evening_steps": "made_at",
    "studies": "made_at",
    "work_requests": "asked_at",
}
"""Tables that follow from no record, each with its time: it ties the games of an upload to the log."""

UpgradeProgress = Callable[[int, int], None]
"""Called with how many records are done, of how many."""


class UpgradeSummary(msgspec.Struct):
    """What an upgrade came to: `records` are in the new database, of which `changed` have another verdict than before.

    `origin` says what had judged them, and `kept` is the older database. `left_out` records are not in the new one: they lie
    in a folder. Of the stored reviews, `reviews` were taken over; `reviews_dropped` were not, because this program would
    make them differently.
    """

    origin: str
    kept: str = ""
    records: int = 0
    changed: int = 0
    left_out: int = 0
    reviews: int = 0
    reviews_dropped: int = 0


class OldRecord(NamedTuple):
    """A row of an older database: a record as it is stored there, and what is not derived from it.

    `verdict` is that of then, None if the game has no row. Times are in microseconds since 1970.
    """

    row: int
    digest: str
    data: bytes
    name: str
    line: int | None
    stored_at: int
    game_stored_at: int | None
    verdict: str | None


def upgrade_folder(
    folder: Path, progress: UpgradeProgress = lambda done, total: None, processes: int = 0
) -> UpgradeSummary | None:
    """Put a new database in the place of an older one; None if it is up to date.

    Records are judged in so many other processes, or in this one. Raises StoreError: StoreInUse, also by another upgrade,
    StoreDamaged if anything of the older database cannot be read, StoreFull; and OSError. The older database is then as
    it was, and the next call goes on.
    """
    path = folder / DATABASE_FILE_NAME
    _read_origin(path)  # no folder is locked that has no database
    with _only_upgrade(folder):
        origin = _read_origin(path)
        if not origin.is_older:
            remove_unfinished_upgrade(folder)
            return None
        if not os.access(folder, os.W_OK):
            raise SchemaTooOld(path, origin)
        with _errors_of_upgrade(folder):
            _write_log_into_file(path)
            state = _state_of(path)
            summary = _whole_summary(folder, state) or _build(folder, origin, state, progress, processes)  # fmt: skip
            _swap(folder, summary, state)
        return summary


@contextmanager
def _only_upgrade(folder: Path) -> Iterator[None]:
    """Keep other upgrades away from a folder; the system drops the lock when this process ends, however it ends."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreInUse(folder / DATABASE_FILE_NAME) from None
        yield
    finally:
        os.close(descriptor)


def remove_unfinished_upgrade(folder: Path) -> None:
    """Delete what is left of an upgrade in a data folder whose database is one of today."""
    rmtree(folder / BUILDING_FOLDER, ignore_errors=True)


def _read_origin(path: Path) -> DatabaseOrigin:
    """Which program made a database; raises StoreError, SchemaTooNew if it is a newer one."""
    with closing(connect_database(path, READING_SETTINGS)) as old, _reading(path):
        tables = column_names(old)
        origin = database_origin(old, tables, path)
        if "commits" in tables:
            require_acknowledged(path, read_number(old))
    if origin.is_newer:
        raise SchemaTooNew(origin)
    return origin


def _write_log_into_file(path: Path) -> None:
    """Let a database be one file, as it is whenever it was closed: a process that had it open was killed."""
    if log_of(path).exists():
        with closing(connect_database(path, {"threads": 1})) as old, _reading(path):
            old.execute("CHECKPOINT")


def _state_of(path: Path) -> str:
    """What changes with everything that is written into a database, and with the program; raises OSError."""
    with path.open("rb") as file:
        headers = hashlib.sha256(file.read(HEADER_BYTES)).hexdigest()
    made_by = f"{SCHEMA_VERSION} {JUDGEMENT_VERSION}"
    return f"{headers} {path.stat().st_size} {log_of(path).exists()} {made_by}"


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Let errors of reading say that the database is damaged."""
    try:
        yield
    except duckdb.Error as error:
        raise known_trouble(path, error) or damaged(path, first_line(str(error))) from error


@contextmanager
def _errors_of_upgrade(folder: Path) -> Iterator[None]:
    """Let a full disk and a damaged database say what that means for an upgrade."""
    try:
        yield
    except StoreFull as error:
        raise StoreFull(
            f"there is no room on the disk of {folder} for the new database: nothing was upgraded, and the old one is as it "
            "was; make room, and run `bezique upgrade` again, which goes on where it was"
        ) from error
    except StoreDamaged as error:
        raise StoreDamaged(
            f"{error}; nothing was upgraded: `bezique doctor --data {folder} --rescue NEW` stores what can be read in "
            "a new folder"
        ) from error


def _whole_summary(folder: Path, state: str) -> UpgradeSummary | None:
    """The summary of a new database that is whole, if it was made of the older one as it is."""
    with suppress(FileNotFoundError, msgspec.MsgspecError):
        found = (folder / BUILDING_FOLDER / WHOLE_FILE).read_bytes()
        made_of, summary = msgspec.json.decode(found, type=tuple[str, UpgradeSummary])
        return summary if made_of == state else None
    return None


def _build(
    folder: Path, origin: DatabaseOrigin, state: str, progress: UpgradeProgress, processes: int
) -> UpgradeSummary:
    """Build the new database, or the rest of it, beside the older one; when this returns it is whole and on the disk."""
    path, building = folder / DATABASE_FILE_NAME, folder / BUILDING_FOLDER
    with closing(connect_database(path, READING_SETTINGS)) as connection:
        old = _OldDatabase(path, connection)
        with _reading(path):
            old.require_readable()
        store = _open_building(building, state)
        try:
            if disk_usage(building).free < path.stat().st_size - store.path.stat().st_size:
                raise no_room(building)  # better now than after an hour
            with _reading(path):
                summary = _Rebuilding(old, store, folder, state, progress, processes).run(origin)
        finally:
            store.close()
    _require_one_file(building)
    write_file(building / WHOLE_FILE, msgspec.json.encode((state, summary)))
    return summary


def _require_one_file(building: Path) -> None:
    """Raise StoreFull if closing the new database could not write its log into the file."""
    if log_of(building / DATABASE_FILE_NAME).exists():
        raise no_room(building)


def _open_building(building: Path, state: str) -> Store:
    """The new database as far as it is, if it was begun by this program and of this older one; otherwise an empty one."""
    try:
        store = Store(building, loading=True)
    except (SchemaTooOld, SchemaTooNew, StoreDamaged):
        rmtree(building)
        store = Store(building, loading=True)
    with store.writing() as cursor:
        cursor.execute(CREATE_PROGRESS)
    ((source, *_),) = store.rows(SELECT_PROGRESS).rows
    if source == state or (source is None and not store.counts().games):
        return store
    store.close()
    rmtree(building)
    return _open_building(building, state)


@dataclass(slots=True)
class _OldDatabase:
    """An older database, open for reading."""

    path: Path
    connection: duckdb.DuckDBPyConnection
    tables: dict[str, set[str]] = field(init=False)
    records: int = field(init=False, default=0)
    size: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.tables = column_names(self.connection)

    def rows(self, sql: str, **parameters: object) -> list[tuple[Any, ...]]:
        """The answer of a statement."""
        return self.connection.execute(sql, parameters or None).fetchall()

    def require_readable(self) -> None:
        """Read every record and everything else that is taken over; raises StoreDamaged, with how many records are unreadable."""
        ((self.records, self.size),) = self.rows(COUNT_RECORDS)
        ((lost,),) = self.rows(COUNT_WITHOUT_RECORD)
        read = 0
        for low, high in self.spans(-1):
            try:
                read += sum(_is_whole(record.data) for record in self.batch(low, high))
            except duckdb.Error as error:  # the batches behind it are counted, too
                trouble = known_trouble(self.path, error)
                if isinstance(
                    trouble, StoreUnavailable
                ):  # the machine is to blame, and not the file
                    raise trouble from error
        if lost := lost + self.records - read:
            raise damaged(self.path, f"up to {pluralize(lost, 'record')} cannot be read")
        for table in (*TABLES_TAKEN, *REVIEW_TABLES):
            if table in self.tables:
                self.rows(f"SELECT count(*), bit_xor(hash(it)) FROM {table} AS it")

    def spans(self, after: int) -> Iterator[tuple[int, int]]:
        """The records behind a row in batches: the first row of each, and the last one."""
        while listed := self.rows(SELECT_SIZES, after=after, most=ROWS_PER_LIST):
            first, number, size = listed[0][0], 0, 0
            for row, of_row in listed:
                if number and (number >= RECORDS_PER_BATCH or size + of_row > BYTES_PER_BATCH):
                    yield first, after
                    first, number, size = row, 0, 0
                after, number, size = row, number + 1, size + of_row
            yield first, after

    def batch(self, low: int, high: int) -> list[OldRecord]:
        """The records from one row to another."""
        games = "stored_games" if "stored_games" in self.tables else "games"
        sql = SELECT_RECORDS.format(games=games)
        return [OldRecord(*row) for row in self.rows(sql, low=low, high=high)]


def _is_whole(data: bytes) -> bool:
    try:
        unpack_record(data)
    except RecordDamaged:
        return False
    return True


def judge_records(records: Sequence[OldRecord]) -> PreparedBatch:
    """Judge records of an older database, each alone; their rows have the times of then."""
    entries = [Entry(one.name, one.line, unpack_record(one.data)) for one in records]
    batch = prepare_batch(entries, digests=[one.digest for one in records])
    pairs = zip(records, batch.outcomes, strict=True)
    stored = [record for record, outcome in pairs if outcome.state == "stored"]
    if stored:
        own = [record.stored_at for record in stored]
        games = [record.game_stored_at or record.stored_at for record in stored]
        batch.tables["records"]["stored_at"] = number_column(INSTANT, own)
        batch.tables["games"]["stored_at"] = number_column(INSTANT, games)
    return batch


@dataclass(slots=True)
class _Rebuilding:
    """The building of a new database (`store`) from an older one."""

    old: _OldDatabase
    store: Store
    folder: Path
    state: str
    progress: UpgradeProgress
    processes: int

    def run(self, origin: DatabaseOrigin) -> UpgradeSummary:
        """Store what is left to store; raises StoreError and OSError."""
        summary = UpgradeSummary(str(origin))
        _, after, done, summary.changed, summary.left_out = self.store.rows(SELECT_PROGRESS).rows[0]
        self._take_rulebooks()
        tasks = (self.old.batch(low, high) for low, high in self.old.spans(after))
        processes = self.processes if self.old.size > MOST_BYTES_IN_ONE_PROCESS else 0
        for records, batch in map_in_processes(judge_records, tasks, processes):
            self._store(records, batch, summary)
            done += len(records)
            self.progress(done, self.old.records)
        summary.records = done - summary.left_out
        if done != self.old.records:
            raise damaged(self.old.path, f"{self.old.records - done:,} records were not read")
        for table in REVIEW_TABLES:
            if table in self.old.tables:
                self._take_reviews(table, summary)
        self._take_tables()
        return summary

    def _take_rulebooks(self) -> None:
        """Take over the rulebooks that the folder keeps, before any record is judged by one."""
        if "rulebooks" in self.old.tables:
            found = self.old.rows(_select_taken("rulebooks", "made_at"))
            self.store.change_rulebooks(
                lambda cursor: insert_rows(
                    cursor, "rulebooks", [columns_with_time("rulebooks", "made_at", found)], []
                )
            )

    def _store(
        self, records: list[OldRecord], batch: PreparedBatch, summary: UpgradeSummary
    ) -> None:
        """Store a batch and how far it goes; records that are left out are in their folder before anything says so."""
        pairs = list(zip(records, batch.outcomes, strict=True))

        def log() -> dict[str, Columns]:
            changed = sum(one.verdict not in (None, what.verdict) for one, what in pairs)
            left_out = self._write_left_out([one for one, what in pairs if what.state != "stored"])
            summary.changed += changed
            summary.left_out += left_out
            return _progress_rows(self.state, records, changed, left_out)

        store_batches(self.store, [batch], log)

    def _write_left_out(self, records: list[OldRecord]) -> int:
        """Write the records that the new database does not take into their folder, each as it was uploaded."""
        if records:
            folder = self.folder / LEFT_OUT_FOLDER
            make_private_folder(folder)
            files = ((f"{one.digest}.json", unpack_record(one.data)) for one in records)
            write_files(folder, files, mode=0o600)
        return len(records)

    def _take_reviews(self, table: str, summary: UpgradeSummary) -> None:
        """Take over the reviews that today's program would make of the same game; others are made when somebody asks."""
        found = self.old.connection.execute(f"SELECT digest, version, data, made_at FROM {table}")
        while rows := found.fetchmany(RECORDS_PER_BATCH):
            for row in rows:
                taken = self._take_review(table, *row)
                summary.reviews += taken
                summary.reviews_dropped += not taken

    def _take_review(
        self, table: str, digest: str, version: str, data: bytes, made_at: datetime
    ) -> bool:
        """Store a review of the older database, if it is of today's version and its game is there."""
        taken, decode = REVIEW_TABLES[table]
        packed = self.store.record_bytes(digest)
        record = None if packed is None else codec.decode(packed).record
        if version not in taken or record is None:
            return False
        try:
            save_review(self.store, decode(zstandard.decompress(data), record), made_at)
        except (GameNotStored, msgspec.MsgspecError, zstandard.ZstdError):
            return False
        return True

    def _take_tables(self) -> None:
        """Take over what follows from no record, in one transaction."""
        with self.store.writing() as cursor:
            for table, time in TABLES_TAKEN.items():
                if table in self.old.tables:
                    found = self.old.connection.execute(_select_taken(table, time))
                    while rows := found.fetchmany(ROWS_PER_LIST):
                        insert_rows(cursor, table, [columns_with_time(table, time, rows)], [])
            if "renames" not in self.old.tables:
                self._find_renames(cursor)
            apply_corrections(cursor)
            rejoin_matches(cursor)
            settle_people(cursor)

    def _find_renames(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Note who was renamed: before schema 13 only the names of the games told it; the name of most games holds."""
        times = Counter[tuple[str, str]]()
        found = self.old.connection.execute("SELECT digest, names FROM games")
        while rows := found.fetchmany(ROWS_PER_LIST):
            known = dict(rows)
            for digest, persons, written in cursor.execute(SELECT_SEATED, [list(known)]).fetchall():
                now = map(read_name, known[digest])
                times.update(
                    (person, name)
                    for person, own, name in zip(persons, written, now, strict=True)
                    if name not in ("", own)
                )
        for person, name in dict(reversed([pair for pair, _ in times.most_common()])).items():
            same = person if person.startswith("id:") else name_key(name)
            cursor.execute(INSERT_RENAME, {"person": person, "same_as": same, "name": name})


def _progress_rows(
    state: str, records: list[OldRecord], changed: int, left_out: int
) -> dict[str, Columns]:
    """The row that says how far the new database is."""
    numbers = {"last_row": records[-1].row, "records": len(records), "changed": changed, "left_out": left_out}  # fmt: skip
    columns = {name: number_column(BIG, [number]) for name, number in numbers.items()}
    return {PROGRESS_TABLE: {"source": text_column([state]), **columns}}


def _select_taken(table: str, time: str) -> str:
    """The statement that reads a table as its rows were written; some of its texts are no texts in the table."""
    columns = [
        {TEXT: f'"{name}"::VARCHAR', INSTANT: f'epoch_us("{name}")'}.get(kind, f'"{name}"')
        for name, kind in ROW_TABLES[table].items()
    ]
    return f"SELECT {', '.join(columns)}, epoch_us({time}) FROM {table}"


ReviewDecoder: TypeAlias = Callable[[bytes, Record], GameReview]


def _decode_review(data: bytes, _record: Record) -> GameReview:
    return msgspec.json.decode(data, type=GameReview)


def _decode_annotation(data: bytes, record: Record) -> GameReview:
    return review_of_annotation(msgspec.json.decode(data, type=Annotation), record)


def _decode_deep_review(data: bytes, _record: Record) -> GameReview:
    return review_of_deep_review(_decode_review(data, _record))


REVIEW_TABLES: Mapping[str, tuple[tuple[str, ...], ReviewDecoder]] = {
    "game_reviews": ((REVIEW_VERSION,), _decode_review),
    "annotations": ((ANNOTATION_VERSION,), _decode_annotation),
    "deep_reviews": (("2.0", "2.1"), _decode_deep_review),
}
"""The tables of stored reviews, each with the versions that are taken over; the rows made of them are made again.

Before schema 15 a game had two documents, which are joined.
"""


def _swap(folder: Path, summary: UpgradeSummary, state: str) -> None:
    """Keep the older database under another name, and put the new one in its place; raises StoreError and OSError."""
    path, building = folder / DATABASE_FILE_NAME, folder / BUILDING_FOLDER
    if _state_of(path) != state:
        raise StoreError(f"something was stored in {path} meanwhile: run `bezique upgrade` again")
    # Not sooner: without its progress, a database that does not say that it is whole would be begun again.
    with closing(Store(building, loading=True)) as whole, whole.writing() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {PROGRESS_TABLE}")
    _require_one_file(building)
    summary.kept = str(_keep(path))
    (building / DATABASE_FILE_NAME).replace(path)
    with suppress(FileNotFoundError):  # nobody could note anything there
        note_of(building / DATABASE_FILE_NAME).replace(note_of(path))
    sync_folder(folder)
    remove_unfinished_upgrade(folder)


def _keep(path: Path) -> Path:
    """Give a database a second name, unless it has one: an upgrade was ended before its last step."""
    for number in count(1):
        kept = path.with_name(
            f"{OLD_DATABASE_NAME}{f'-{number}' if number > 1 else ''}{path.suffix}"
        )
        with suppress(FileExistsError):
            os.link(path, kept)
        if kept.samefile(path):
            break
    sync_folder(path.parent)
    return kept
