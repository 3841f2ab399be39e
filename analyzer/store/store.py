"""The statistics database: one file in the data folder, one writing cursor, one reading cursor per thread."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Self, TypeVar

import duckdb
import msgspec

from analyzer.store.acknowledged import (
    begin_note,
    raise_number,
    read_number,
    require_acknowledged,
    write_note,
)
from analyzer.store.instance import (
    DatabaseInstance,
    StoreReopened,
    connect_database,
    demand_folder_name,
    known_trouble,
)
from analyzer.store.packing import unpack_record
from analyzer.store.schema import column_names, prepare_schema, roll_back
from analyzer.store.trouble_log import TroubleLog
from analyzer.store.weighed_cache import AnswerCache
from records.errors import StoreError
from records.format import codec
from records.format.semantics import sides_of
from records.match_play import Relation
from records.people import APART, read_name
from records.phrases import system_reason
from records.record import OptionValue
from records.rules.registry import know_sheets, own_sheets, require_same_sheet
from records.rules.vocabulary import RuleSheet
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import check

# What a statement found.

BYTES_OF_VALUE = 64
"""What a value takes in memory, about."""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The columns and rows of one statement."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """Every row by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    @classmethod
    def fetched(cls, cursor: duckdb.DuckDBPyConnection) -> Self:
        """What a cursor has found and not yet fetched."""
        names = tuple(column[0] for column in cursor.description or ())
        return cls(names, cursor.fetchall())

    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        texts = sum(len(value) for row in self.rows for value in row if isinstance(value, str))
        return BYTES_OF_VALUE * len(self.columns) * (1 + len(self.rows)) + 4 * texts


# The filter by which lists, exports and the pages of an import select games.

SELECT_COMMITS_OF_UPLOAD = """
    SELECT committed_at FROM import_batches JOIN imports USING (import) WHERE job = $upload
"""
"""When the batches of an upload were committed. The games of a batch have the same time to the microsecond, because
they are stored in its transaction; only one transaction writes at a time, so no other game has it."""

HAS_PLAYER = f"""
    (contains(lower(array_to_string(games.names, '\n')), lower({{0}}))
    OR contains(lower(replace(array_to_string(games.people, '\n'), '{APART}', ' ')), lower({{0}})))
"""
PLAYER_FILTERS = ("player", "opponent")
FILTER_CONDITIONS = {
    "sheet": "games.sheet = $sheet",
    "sheets": "list_contains($sheets, games.sheet)",
    "verdict": "games.verdict = $verdict",
    "program": "games.program = $program",
    "player": HAS_PLAYER.format("$player"),
    "opponent": HAS_PLAYER.format("$opponent"),
    "event": "games.event = $event",
    "season": "year(games.started) = $season",
    "since": "games.started >= $since",
    "until": "games.started < $until + INTERVAL 1 DAY",
    "finding": "games.game IN (SELECT game FROM findings WHERE code = $finding)",
    "digests": "list_contains($digests, games.digest)",
    "stored_until": "games.stored_at <= $stored_until",
    "after_game": "(games.stored_at < $stored_until OR games.game > $after_game)",
    "upload": f"games.stored_at IN ({SELECT_COMMITS_OF_UPLOAD})",
}
"""The SQL condition of each field."""

GAME_ORDERS = {
    "stored": "games.stored_at DESC, game",
    "files": "name, line NULLS FIRST, game",
    "latest": "games.started_at DESC NULLS LAST, game",
    "earliest": "games.started_at ASC NULLS LAST, game",
    "rules": "games.sheet, games.started_at DESC NULLS LAST, game",
    "event": "games.event NULLS LAST, games.started_at DESC NULLS LAST, game",
    "score": "list_max(games.scores) DESC NULLS LAST, game",
    "findings": "games.findings DESC, game",
}
"""The orders of a list of games, as SQL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """A selection of games; empty fields do not restrict it.

    `sheet` is the key of a rulebook, and `sheets` are several.
    `player` and `opponent` are any part of a name, `finding` is a code, `upload` the public id of the upload that
    stored the games. `season` is a year, `since` and `until` are the first and the last day on which the games started.
    `stored_until`, a time, and `after_game`, the key of a game stored then, go together: they leave the games that the
    list, with those stored last first, has after that one.
    """

    sheet: str | None = None
    sheets: Sequence[str] = ()
    verdict: str | None = None
    program: str | None = None
    player: str | None = None
    opponent: str | None = None
    event: str | None = None
    season: int | None = None
    since: date | None = None
    until: date | None = None
    finding: str | None = None
    digests: Sequence[str] = ()
    upload: str | None = None
    stored_until: datetime | None = None
    after_game: int | None = None

    def where(self) -> tuple[str, dict[str, Any]]:
        """The condition as SQL, and its parameters."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        used = {name: value for name, value in given.items() if value}
        used |= {name: read_name(used[name]) for name in PLAYER_FILTERS if name in used}
        return " AND ".join(["true", *(FILTER_CONDITIONS[name] for name in used)]), used


ALL_GAMES = GameFilter()


log = logging.getLogger(__name__)
Read = TypeVar("Read")
DATABASE_FILE_NAME = "bezique.duckdb"
COMMIT_IS_DURABLE = "COMMIT succeeded and is durable"
"""What DuckDB says where a transaction is stored, but the log could not be written into the file after it."""
READ_LIMIT_MS = 5_000
BEGIN_READING = "SELECT version FROM schema_version LIMIT 1"
"""DuckDB fixes what a transaction sees when its first statement reads a table."""
MEMORY_LIMIT = "512MB"
LARGEST_SPILL = "4GB"
"""Disk space that statements may use beyond the memory limit."""
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "max_temp_directory_size": LARGEST_SPILL,
    "memory_limit": MEMORY_LIMIT,
}
SERVING_SETTINGS: dict[str, str | int] = {"threads": 2}
LOADING_SETTINGS: dict[str, str | int] = {
    "threads": 1,
    "checkpoint_threshold": "128MB",
    "max_vacuum_tasks": 0,
}
"""DuckDB settings for a process that answers questions, and for one that only loads.

While tables only grow, vacuuming and early checkpoints would rewrite the same data again and again."""


SELECT_DIGESTS = "SELECT digest FROM stored_games WHERE starts_with(digest, ?) LIMIT 2"
SELECT_FORMER_DIGESTS = """
    SELECT records.digest FROM former_digests JOIN records USING (game)
    WHERE starts_with(former_digests.digest, ?) ORDER BY records.rowid LIMIT 1
"""
SELECT_GAMES = """
    SELECT games.* EXCLUDE (written, persons, people, started_at, variant, month), name, line
    FROM (SELECT games.* FROM {games} WHERE {where} ORDER BY {order} LIMIT $limit OFFSET $offset) AS games
    JOIN records USING (game, digest)
    ORDER BY {order}
"""
"""The page is chosen first, so that DuckDB reads all columns of its games only, and no other records."""
SELECT_STORED_GAME = """
    SELECT games.* EXCLUDE (written, persons, people, started_at, variant, month, match), name, line,
        standing.digest AS match
    FROM stored_games AS games JOIN records USING (game, digest)
    LEFT JOIN games AS standing ON standing.game = games.match
    WHERE games.digest = $digest
"""
SELECT_OTHER_RECORDS = """
    SELECT other_games.digest, relation FROM other_games JOIN games ON games.game = other_games.match
    WHERE games.digest = $digest ORDER BY other_games.stored_at, other_games.game
"""
SELECT_SIDES = """
    SELECT game, list(side ORDER BY seat) FROM seats
    WHERE deal = 0 AND list_contains($games, game) GROUP BY game
"""
SELECT_REJECTED = """
    SELECT * EXCLUDE content, (
        SELECT any_value(rulebook) FROM waiting_records AS waiting WHERE waiting.content = rejected.content
    ) AS awaits
    FROM rejected
"""
COUNT_STORED_ROWS = """
    SELECT
        (SELECT count(*) FROM games) AS games,
        (SELECT count(*) FROM deals) AS deals,
        (SELECT count(*) FROM clean_deals) AS clean_deals,
        (SELECT count(*) FROM findings) AS findings,
        (SELECT count(*) FROM rejected) AS rejected
"""


class QueryTimeout(StoreError):
    """A query took longer than its limit."""


class StoreReadOnly(StoreError):
    """An attempt to change a collection that can only be read."""


class StoredGame(msgspec.Struct, kw_only=True):
    """A stored game as the pages list it; `name` and `line` are the file and line of its record.

    `sides` has the side of each seat where partners play together, and is None where everybody is a side. `started` is by
    the clock of the place, with its offset. `match` is the digest of the record that stands for the same match, if it is
    another one, and `relation` is how this one stands to it.
    """

    digest: str
    sheet: str
    edition: int
    options: dict[str, OptionValue]
    players: int
    names: list[str]
    event: str | None
    site: str | None
    started: datetime | None
    program: str | None
    program_version: str | None
    verdict: str
    status: str | None
    complete: bool
    winner: int | None
    scores: list[int | None]
    settlement: list[int] | None
    deals: int
    events: int
    findings: int
    clean: bool
    stored_at: datetime
    name: str
    line: int | None
    sides: list[int] | None = None
    match: str | None = None
    relation: Relation | None = None

    @property
    def has_open_scores(self) -> bool:
        """Whether the record shows too little to count the points of any side."""
        return self.deals > 0 and not any(points is not None for points in self.scores)

    @property
    def side_names(self) -> list[str]:
        """The names of each side's players."""
        if self.sides is None:
            return self.names
        return [
            " and ".join(
                name for name, own in zip(self.names, self.sides, strict=True) if own == side
            )
            for side in range(len(self.scores))
        ]


class OtherRecord(msgspec.Struct, frozen=True):
    """Another record of a match: its digest, and how it stands to the one that stands for the match."""

    digest: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that was not stored; `reason` is `unreadable` or the error of the database.

    One that `awaits` a rulebook of this id becomes a game as soon as it is added.
    """

    name: str
    line: int | None
    size: int
    reason: str
    findings: list[Finding]
    seen_at: datetime
    awaits: str | None = None


@dataclass(frozen=True, slots=True)
class GameListing:
    """One page of the games that fit a filter, newest first; `total` counts all of them."""

    games: list[StoredGame]
    total: int


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """How much is stored."""

    games: int
    deals: int
    clean_deals: int
    findings: int
    rejected: int


class Snapshot:
    """The database as it was at one moment: what is stored or deleted later changes neither its rows nor their row ids.

    It keeps neither writers nor checkpoints waiting, but until it is closed or dropped, the file has no use for the
    room of rows that are deleted. `trouble` turns an error of DuckDB into one that callers know.
    """

    def __init__(
        self, cursor: duckdb.DuckDBPyConnection, trouble: Callable[[duckdb.Error], Exception]
    ) -> None:
        self._cursor, self._trouble = cursor, trouble
        cursor.begin()
        cursor.execute(BEGIN_READING).fetchall()

    def rows(self, sql: str, parameters: object = None) -> QueryResult:
        """The answer of a reading statement.

        Raises QueryTimeout and StoreError; StoreReopened if the database was opened again, so that nobody knows its
        rows of then.
        """
        try:
            return QueryResult.fetched(self._cursor.execute(sql, parameters))
        except duckdb.Error as error:
            raise self._trouble(error) from error

    def close(self) -> None:
        """Let go of that moment."""
        self._cursor.close()


class Store:
    """An open database; every reading statement may take `reading_ms` milliseconds.

    `loading` is for a process that only loads: it uses one thread and rarer checkpoints. Besides the database,
    SQL can read and write only files in the folder `files`, if given. `settings` of DuckDB come before ours.

    Writing goes through one cursor behind a lock (`writing`); every reading thread has its own cursor (`rows`).
    DuckDB gives a database up after some errors, such as a full disk during a checkpoint. It is then opened again,
    and so it is after the file was replaced by another.

    Raises StoreError: StoreInUse if another process has the database open, StoreDamaged, SchemaTooOld, SchemaTooNew.
    """

    read_only = False
    described = True
    """Whether the tables that it makes have comments, which takes most of the time of making them."""
    caches_answers = True
    """Whether nothing but this store changes its tables, so that an answer stays true until it does."""

    def __init__(
        self,
        folder: Path,
        *,
        reading_ms: int = READ_LIMIT_MS,
        loading: bool = False,
        files: Path | None = None,
        settings: Mapping[str, str | int] | None = None,
    ) -> None:
        self.folder = Path(folder)
        self.path = self._database_path(self.folder)
        if files is not None:
            demand_folder_name(files)
        self.files = files
        self._settings = {**SETTINGS, "max_execution_time": reading_ms}
        self._settings.update(LOADING_SETTINGS if loading else SERVING_SETTINGS)
        self._settings.update(settings or {})
        self._local = threading.local()
        self._lock = threading.RLock()
        self._answers = AnswerCache(QueryResult.weight)
        self._in_memory = str(self.path) == ":memory:"
        self._troubles = TroubleLog()
        self._kept: set[str] = set()
        self._instance = DatabaseInstance(self.path, self._connect, self._prepare)
        self._instance.open()

    def _connect(self) -> duckdb.DuckDBPyConnection:
        if not (self._in_memory or self.path.exists()):
            require_acknowledged(self.path, None)
        return connect_database(self.path, self._settings)

    def _prepare(self, writer: duckdb.DuckDBPyConnection) -> None:
        """See which program made the database, then lock its settings: from here on SQL reaches no other file or network."""
        try:
            # DuckDB shares one database among connections of a process, and its settings with it: where
            # they are locked already, another Store has it open.
            writer.execute("SET max_execution_time = 0")
        except duckdb.InvalidInputException as error:
            raise StoreError(f"the database {self.path} is already open in this process") from error
        # Closing writes the log into the file only where the file is still this one.
        writer.execute("PRAGMA disable_checkpoint_on_shutdown")
        if places := self._places_of_files():
            writer.execute("SET allowed_directories = $places", {"places": places})
        writer.execute("SET enable_external_access = false")
        tables = column_names(writer)
        if not (self._in_memory or tables):
            require_acknowledged(self.path, None)
        prepare_schema(writer, tables, self.path, described=self.described)
        if not self._in_memory:
            require_acknowledged(self.path, read_number(writer))
            self._note(lambda: begin_note(self.path, read_number(writer)))
        self._fill_tables(writer)
        self._know_rulebooks(writer)
        writer.execute("SET lock_configuration = true")

    def _places_of_files(self) -> list[str]:
        """Where SQL may read and write files, beside the database."""
        return [] if self.files is None else [str(self.files)]

    def _database_path(self, folder: Path) -> Path:
        return folder / DATABASE_FILE_NAME

    def _fill_tables(self, writer: duckdb.DuckDBPyConnection) -> None:
        """Fill the tables of a new store; a database has its rows already."""

    def _know_rulebooks(self, writer: duckdb.DuckDBPyConnection) -> None:
        """Let records of this process name the rulebooks that the folder keeps; raises SheetIdTaken."""
        kept = read_rulebooks(answers_of(writer))
        others = [sheet for sheet in own_sheets() if sheet.id not in self._kept]
        know_sheets(others)
        for sheet in kept:
            require_same_sheet(sheet)
        know_sheets([*others, *kept])
        self._kept = {sheet.id for sheet in kept}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Write everything to the file and close it."""
        with self._lock:
            self._instance.close()
            know_sheets([sheet for sheet in own_sheets() if sheet.id not in self._kept])
            self._kept = set()

    def rows(self, sql: str, parameters: object = None) -> QueryResult:
        """The answer of a reading statement, on this thread's own cursor; raises QueryTimeout and StoreError.

        If the database is opened again meanwhile, the statement is run again.
        """
        return self._tried_twice(lambda: self._read(sql, parameters))

    def answer(self, sql: str, parameters: Mapping[str, object]) -> QueryResult:
        """The answer of a reading statement, as `rows` gives it, kept in memory until something is written.

        The statement must depend on nothing but the tables and its parameters. Raises QueryTimeout and StoreError.
        """
        if not self.caches_answers:
            return self.rows(sql, parameters)
        self._tried_twice(self._reader)  # opens a file that was put in the place of this one
        asked = (self._instance.number, sql, repr(sorted(parameters.items())))
        known = self._answers.answer(lambda: self.rows(sql, parameters), *asked)
        return QueryResult(known.columns, [*known.rows])

    def require_readable(self) -> None:
        """Raise StoreError if the database does not answer, or its file or its log is not as it was."""
        self.rows(BEGIN_READING)
        self._instance.require_file()
        if self._lock.acquire(blocking=False):  # otherwise somebody is writing, and will be told
            try:
                self._instance.require_log()
            except OSError as error:
                raise StoreError(
                    f"the log of {self.path} cannot be read: {system_reason(error)}"
                ) from error
            finally:
                self._lock.release()

    def snapshot(self) -> Snapshot:
        """The database as it is now, for several statements that belong together; raises StoreError."""
        return self._tried_twice(self._begin_snapshot)

    def _begin_snapshot(self) -> Snapshot:
        self._reader()  # opens the database again if it has to be
        number = self._instance.number

        def trouble(error: duckdb.Error) -> Exception:
            if number != self._instance.number:
                return StoreReopened(f"the database {self.path} was opened again")
            return self._trouble(error)

        return Snapshot(self._instance.cursor(), trouble)

    def _tried_twice(self, read: Callable[[], Read]) -> Read:
        """What `read` returns; it is called again if the database was opened again meanwhile."""
        number = self._instance.number
        try:
            return read()
        except (duckdb.Error, StoreReopened) as error:
            if isinstance(error, duckdb.FatalException):
                with self._lock:
                    self._instance.replace(number)
            if number == self._instance.number:
                raise self._trouble(error) from error
        try:
            return read()
        except (duckdb.Error, StoreReopened) as error:
            raise self._trouble(error) from error

    def _read(self, sql: str, parameters: object) -> QueryResult:
        return QueryResult.fetched(self._reader().execute(sql, parameters))

    def _trouble(self, error: Exception) -> Exception:
        """An error as callers know it."""
        if isinstance(error, duckdb.InterruptException):
            return QueryTimeout("the query took too long and was stopped")
        if not isinstance(error, duckdb.Error):
            return error
        return known_trouble(self.path, error) or error

    def games(
        self,
        game_filter: GameFilter = ALL_GAMES,
        *,
        limit: int = 50,
        offset: int = 0,
        order: str = "stored",
    ) -> GameListing:
        """One page of the games that fit, in one of the `GAME_ORDERS`; by itself, those stored last come first."""
        where, parameters = game_filter.where()
        (total,) = self.rows(f"SELECT count(*) FROM games WHERE {where}", parameters).rows
        games = "games JOIN records USING (game, digest)" if order == "files" else "games"
        sql = SELECT_GAMES.format(games=games, where=where, order=GAME_ORDERS[order])
        found = self.rows(sql, {**parameters, "limit": limit, "offset": offset})
        return GameListing(self._listed(found), int(total[0]))

    def game(self, digest: str) -> StoredGame | None:
        """A stored game, or None."""
        found = self.answer(SELECT_STORED_GAME, {"digest": digest})
        game = next(iter(self._listed(found)), None)
        if game is not None and game.sides is None and len(game.names) != len(game.scores):
            game.sides = self._sides_of_record(digest)  # another record stands for the match
        return game

    def _sides_of_record(self, digest: str) -> list[int] | None:
        """The side of each seat, as the record has it."""
        record = codec.decode(self.record_bytes(digest) or b"").record
        if record is None:
            return None
        sides = {seat: side for side, seats in enumerate(sides_of(record)) for seat in seats}
        return [sides[seat] for seat in range(len(record.players))]

    def other_records(self, digest: str) -> list[OtherRecord]:
        """The other records of the match that this one stands for, the first stored first."""
        rows = self.rows(SELECT_OTHER_RECORDS, {"digest": digest}).rows
        return [OtherRecord(other, Relation(relation)) for other, relation in rows]

    def _listed(self, found: QueryResult) -> list[StoredGame]:
        """Games with the sides of those in which partners play together."""
        rows = found.dicts()
        partnered = [row["game"] for row in rows if row["players"] != len(row["scores"])]
        sides = dict(self.rows(SELECT_SIDES, {"games": partnered}).rows) if partnered else {}
        return [_game(row, sides.get(row.pop("game"))) for row in rows]

    def digests_beginning(self, start: str) -> list[str]:
        """The digests of stored games that begin so, at most two; else of the first game whose digest once began so."""
        for sql in (SELECT_DIGESTS, SELECT_FORMER_DIGESTS):
            if rows := self.rows(sql, [start.lower()]).rows:
                return [str(digest) for (digest,) in rows]
        return []

    def record_bytes(self, digest: str) -> bytes | None:
        """A stored record exactly as it was uploaded, or None."""
        found = self.rows("SELECT data FROM records WHERE digest = ?", [digest]).rows
        return unpack_record(found[0][0]) if found else None

    def report(self, digest: str) -> Report | None:
        """The report on a stored record, or None; made again each time, so that it follows the current rules."""
        game, data = self.game(digest), self.record_bytes(digest)
        return check(data, line=game.line, identify=True) if game and data is not None else None

    def rejected(self, limit: int = 50, upload: str = "") -> list[RejectedRecord]:
        """The latest records that were not stored; of one upload only, if its public id is given."""
        fits = f"WHERE seen_at IN ({SELECT_COMMITS_OF_UPLOAD})" if upload else ""
        sql = f"{SELECT_REJECTED} {fits} ORDER BY seen_at DESC, name, line LIMIT {limit}"
        return self._rejected(sql, {"upload": upload} if upload else None)

    def rejected_with(self, contents: Sequence[str]) -> list[RejectedRecord]:
        """The rejected records with these digests of their bytes, each once."""
        sql = f"""
            {SELECT_REJECTED} WHERE list_contains($contents, replace(content::VARCHAR, '-', ''))
            QUALIFY row_number() OVER (PARTITION BY content ORDER BY seen_at DESC) = 1
            ORDER BY seen_at DESC, name, line
        """
        return self._rejected(sql, {"contents": list(contents)}) if contents else []

    def _rejected(self, sql: str, parameters: object) -> list[RejectedRecord]:
        rows = self.rows(sql, parameters).dicts()
        return [
            RejectedRecord(
                **{**row, "findings": msgspec.json.decode(row["findings"], type=list[Finding])}
            )
            for row in rows
        ]

    def change_rulebooks(self, change: Callable[[duckdb.DuckDBPyConnection], Read]) -> Read:
        """Change the rulebooks that the folder keeps, in a transaction; records name them from then on."""
        self.require_writable()
        with self._lock:
            with self.writing() as cursor:
                done = change(cursor)
            self._know_rulebooks(self._instance.writer())
        return done

    def counts(self) -> StoreCounts:
        """How much is stored."""
        return StoreCounts(**self.rows(COUNT_STORED_ROWS).dicts()[0])

    def look_for_changes(self) -> bool:
        """Whether somebody else has changed what is read since it was looked at: of a database, nobody else does."""
        return False

    def when_changed(self, react: Callable[[], None]) -> None:
        """Let `react` be called whenever somebody else has changed what is read: of a database, nobody else does."""

    @property
    def as_of(self) -> datetime | None:
        """When what is read was changed last, in UTC, if it is read as it was at one moment."""
        return None

    @property
    def whence(self) -> str:
        """Where its games come from, as people name it."""
        return str(self.folder)

    def require_writable(self) -> None:
        """Raise StoreReadOnly if nothing can be changed here."""
        if self.read_only:
            raise StoreReadOnly(
                f"the games of {self.whence} are read-only: nothing can be changed there"
            )

    @contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A transaction on the writing cursor: everything in it is committed and on the disk, or nothing.

        Raises StoreFull if there is no room, StoreUnavailable if the folder is gone.
        """
        with self._lock:
            writer = self._begin()
            try:
                yield writer
                self._instance.require_file()
                committed = None if self._in_memory else raise_number(writer)
            except BaseException as error:
                roll_back(writer)
                known = self._broken(error)
                if known is None:
                    raise
                raise known from error
            with self._answers.committing():
                self._commit(writer)
            if committed is not None:
                self._note(lambda: write_note(self.path, committed))

    def _begin(self) -> duckdb.DuckDBPyConnection:
        """The writing cursor in a new transaction."""
        writer = self._instance.writer()
        try:
            writer.begin()
        except duckdb.FatalException:
            self._instance.replace(self._instance.number)
            writer = self._instance.writer()
            writer.begin()
        return writer

    def _commit(self, writer: duckdb.DuckDBPyConnection) -> None:
        try:
            writer.commit()
        except duckdb.Error as error:
            durable = isinstance(error, duckdb.FatalException) and COMMIT_IS_DURABLE in str(error)
            known = self._broken(error)
            if not durable:
                raise known or error from error
        try:
            self._instance.require_durable_names()
        except duckdb.Error as error:
            raise self._broken(error) or error from error

    def _note(self, write: Callable[[], None]) -> None:
        """Note a transaction beside the database; if that fails, it is stored all the same, and the log says so."""
        try:
            write()
        except OSError as error:
            self._troubles.begin("note", f"nobody notes what is acknowledged in {self.path}: {system_reason(error)}")  # fmt: skip
        else:
            self._troubles.end("note", f"what is acknowledged in {self.path} is noted again")

    def _broken(self, error: BaseException) -> StoreError | None:
        """What to raise instead of an error of a transaction; after a fatal one the database is opened again."""
        if not isinstance(error, duckdb.Error):
            return None
        if isinstance(error, duckdb.FatalException):
            with suppress(StoreError):  # whoever asks next will try again
                self._instance.replace(self._instance.number)
        return known_trouble(self.path, error)

    @contextmanager
    def still(self) -> Iterator[Path]:
        """The path of the database file, while nothing writes to it; its log may still hold some rows."""
        with self._lock:
            self._instance.writer()
            yield self.path

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A new cursor, for a statement that another thread may interrupt.

        If the database has to be opened again, the statement is interrupted and the cursor closed.
        """
        return self._instance.cursor()

    def _reader(self) -> duckdb.DuckDBPyConnection:
        """The reading cursor of the calling thread."""
        if self._instance.is_stale():
            with self._lock:
                self._instance.replace(self._instance.number)
        known: tuple[int, duckdb.DuckDBPyConnection] | None = getattr(self._local, "cursor", None)
        if known is None or known[0] != self._instance.number:
            known = self._local.cursor = self._instance.number, self._instance.cursor()
        return known[1]


def _game(row: dict[str, Any], sides: list[int] | None) -> StoredGame:
    started = by_clock_of_place(row.pop("started"), row.pop("utc_offset"))
    options, stored_at = msgspec.json.decode(row["options"]), row["stored_at"].replace(tzinfo=UTC)
    relation = Relation(row["relation"]) if row.get("relation") else None
    changed = {
        "options": options, "sides": sides, "started": started, "stored_at": stored_at, "relation": relation
    }  # fmt: skip
    return StoredGame(**{**row, **changed})


def by_clock_of_place(started: datetime | None, utc_offset: int | None) -> datetime | None:
    """When a game started by the clock of the place, with the offset that the table has beside it.

    Without an offset only the day is known: it is midnight, in no zone.
    """
    if started is None or utc_offset is None:
        return started
    return started.replace(tzinfo=timezone(timedelta(minutes=utc_offset)))


SELECT_RULEBOOKS = "SELECT rulebook, content FROM rulebooks ORDER BY made_at, rulebook"


def read_rulebooks(answer: "StatementAnswerer") -> list[RuleSheet]:
    """The rulebooks that a folder keeps, those added first first; the log tells of one that this version cannot read.

    A lake may have two with one id from two databases: the one that was added first has it.
    """
    found: dict[str, RuleSheet] = {}
    for key, content in answer(SELECT_RULEBOOKS, {}):
        # What reads sheets of one's own takes long to load, and few folders need it.
        from records.rules.inner_sheet import read_inner_sheet

        read = read_inner_sheet(msgspec.json.decode(content))
        if read.sheet:
            found.setdefault(read.sheet.id, read.sheet)
        for mistake in read.mistakes:
            log.error("the rulebook %s: %s %s", key, mistake.pointer, mistake.says)
    return [*found.values()]


StatementAnswerer = Callable[[str, dict[str, Any]], list[tuple[Any, ...]]]
"""Answers a statement with its parameters."""


def answers_of(source: Store | Snapshot | duckdb.DuckDBPyConnection) -> StatementAnswerer:
    """Answers statements as a store has them, a snapshot of it, or a transaction."""
    if isinstance(source, Store | Snapshot):
        return lambda sql, parameters: source.rows(sql, parameters).rows
    return lambda sql, parameters: source.execute(sql, parameters).fetchall()
