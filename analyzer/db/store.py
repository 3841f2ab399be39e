"""The statistics database: one file in the data folder, one writing cursor, one reading cursor per thread."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import duckdb
import msgspec
import zstandard

from analyzer.db.game_filter import ALL_GAMES, SELECT_COMMITS_OF_UPLOAD, GameFilter
from records.errors import StoreError
from records.record import OptionValue
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import check

DATABASE_FILE_NAME = "bezique.duckdb"
SCHEMA_VERSION = 5

READ_LIMIT_MS = 5_000
MEMORY_LIMIT = "512MB"
LARGEST_SPILL = "4GB"
"""Disk space that statements may use beyond the memory limit."""
SERVING_SETTINGS: dict[str, str | int] = {"threads": 2}
LOADING_SETTINGS: dict[str, str | int] = {
    "threads": 1,
    "checkpoint_threshold": "128MB",
    "max_vacuum_tasks": 0,
}
"""DuckDB settings for a process that answers questions, and for one that only loads.

While tables only grow, vacuuming and early checkpoints would rewrite the same data again and again."""


SELECT_GAMES = """
    SELECT games.* EXCLUDE (game, variant, month), name, line
    FROM games JOIN records USING (game, digest)
"""
COUNT_STORED_ROWS = """
    SELECT
        (SELECT count(*) FROM games) AS games,
        (SELECT count(*) FROM deals) AS deals,
        (SELECT count(*) FROM clean_deals) AS clean_deals,
        (SELECT count(*) FROM findings) AS findings,
        (SELECT count(*) FROM rejected) AS rejected
"""


class StoreInUse(StoreError):
    """Another process uses the database."""


class QueryTimeout(StoreError):
    """A query took longer than its limit."""


class StoreReadOnly(StoreError):
    """An attempt to change a collection that can only be read."""


class StoredGame(msgspec.Struct, kw_only=True):
    """A stored game as the pages list it; `name` and `line` are the file and line of its record."""

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


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that was not stored; `reason` is `unreadable` or the error of the database."""

    name: str
    line: int | None
    size: int
    reason: str
    findings: list[Finding]
    seen_at: datetime


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


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The columns and rows of one statement."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """Every row by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Store:
    """An open database; every reading statement may take `reading_ms` milliseconds.

    `loading` is for a process that only loads: it uses one thread and rarer checkpoints. Besides the database,
    SQL can read and write only files in the folder `files`, if given. `settings` of DuckDB come before ours.

    Writing goes through one cursor behind a lock (`writing`); every reading thread has its own cursor (`rows`).
    Raises StoreError, and StoreInUse if another process has the database open.
    """

    read_only = False

    def __init__(
        self,
        folder: Path,
        *,
        reading_ms: int = READ_LIMIT_MS,
        loading: bool = False,
        files: Path | None = None,
        settings: Mapping[str, str | int] | None = None,
    ) -> None:
        self.path = self._database_path(Path(folder))
        self.files = files
        self._local = threading.local()
        self._lock = threading.Lock()
        self._cursor_lock = threading.Lock()
        own_settings = LOADING_SETTINGS if loading else SERVING_SETTINGS
        self._connection = _connect(self.path, reading_ms, {**own_settings, **(settings or {})})
        self._writer = self._connection.cursor()
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Migrate the database, then lock its settings: from here on SQL reaches no other file or network."""
        try:
            # DuckDB shares one database among connections of a process, and its settings with it: where
            # they are locked already, another Store has it open.
            self._writer.execute("SET max_execution_time = 0")
        except duckdb.InvalidInputException as error:
            raise StoreError(f"{self.path} is already open in this process") from error
        if self.files is not None:
            self._writer.execute("SET allowed_directories = [$files]", {"files": str(self.files)})
        self._writer.execute("SET enable_external_access = false")
        _migrate(self._writer)
        self._fill_tables(self._writer)
        self._writer.execute("SET lock_configuration = true")

    def _database_path(self, folder: Path) -> Path:
        return folder / DATABASE_FILE_NAME

    def _fill_tables(self, writer: duckdb.DuckDBPyConnection) -> None:
        """Fill the tables of a new store; a database has its rows already."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Write everything to the file and close it."""
        with self._cursor_lock:
            self._writer.close()
            self._connection.close()

    def rows(self, sql: str, parameters: object = None) -> QueryResult:
        """The answer of a reading statement, on this thread's own cursor; raises QueryTimeout."""
        try:
            cursor = self._reader().execute(sql, parameters)
            names = tuple(column[0] for column in cursor.description or ())
            return QueryResult(names, cursor.fetchall())
        except duckdb.InterruptException as error:
            raise QueryTimeout("the query took too long and was stopped") from error

    def games(
        self, game_filter: GameFilter = ALL_GAMES, *, limit: int = 50, offset: int = 0
    ) -> GameListing:
        """One page of the games that fit, newest first."""
        where, parameters = game_filter.where()
        (total,) = self.rows(f"SELECT count(*) FROM games WHERE {where}", parameters).rows
        sql = f"{SELECT_GAMES} WHERE {where} ORDER BY games.stored_at DESC, game LIMIT $limit OFFSET $offset"
        found = self.rows(sql, {**parameters, "limit": limit, "offset": offset})
        return GameListing([_game(row) for row in found.dicts()], int(total[0]))

    def game(self, digest: str) -> StoredGame | None:
        """A stored game, or None."""
        found = self.rows(
            f"{SELECT_GAMES} WHERE games.digest = $digest", {"digest": digest}
        ).dicts()
        return _game(found[0]) if found else None

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
        sql = f"SELECT * EXCLUDE content FROM rejected {fits} ORDER BY seen_at DESC, name, line LIMIT {limit}"
        rows = self.rows(sql, {"upload": upload} if upload else None).dicts()
        return [
            RejectedRecord(
                **{**row, "findings": msgspec.json.decode(row["findings"], type=list[Finding])}
            )
            for row in rows
        ]

    def counts(self) -> StoreCounts:
        """How much is stored."""
        return StoreCounts(**self.rows(COUNT_STORED_ROWS).dicts()[0])

    @contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A transaction on the writing cursor: everything in it is committed, or nothing."""
        with self._lock:
            self._writer.begin()
            try:
                yield self._writer
            except BaseException:
                self._writer.rollback()
                raise
            self._writer.commit()

    @contextmanager
    def still(self) -> Iterator[Path]:
        """The path of the database file, while nothing writes to it; its log may still hold some rows."""
        with self._lock:
            self._writer.execute("CHECKPOINT")
            yield self.path

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A new cursor, for a statement that another thread may interrupt."""
        with self._cursor_lock:
            return self._connection.cursor()

    def _reader(self) -> duckdb.DuckDBPyConnection:
        """The reading cursor of the calling thread."""
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self.cursor()
        return cursor


def unpack_record(data: bytes) -> bytes:
    """A record as it was uploaded: a database stores it compressed, Parquet files do not."""
    return zstandard.decompress(data) if data.startswith(zstandard.FRAME_HEADER) else data


def _game(row: dict[str, Any]) -> StoredGame:
    return StoredGame(**{**row, "options": msgspec.json.decode(row["options"])})


def _connect(
    path: Path, reading_ms: int, more_settings: Mapping[str, str | int]
) -> duckdb.DuckDBPyConnection:
    settings: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "python_enable_replacements": "false",
        "max_temp_directory_size": LARGEST_SPILL,
        "max_execution_time": reading_ms,
        "memory_limit": MEMORY_LIMIT,
        **more_settings,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return duckdb.connect(str(path), config=settings)
    except (OSError, duckdb.Error) as error:
        kind = StoreInUse if "lock" in str(error) else StoreError
        raise kind(_open_refusal(path, str(error))) from error


def _open_refusal(path: Path, reason: str) -> str:
    if "lock" in reason:
        return (
            f"{path} is in use by another process, and only one can use it at a time: "
            "stop the server or the import that has this data folder open, or use the server's pages"
        )
    return f"{path} cannot be opened: {reason.splitlines()[0]}"


def _migrate(writer: duckdb.DuckDBPyConnection) -> None:
    """Bring the database to today's schema; raises StoreError if it is newer or cannot be upgraded."""
    version = _version(writer)
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"a newer program wrote this database: its schema is {version}, this program knows {SCHEMA_VERSION}"
        )
    if version == 0:
        _apply(writer, SCHEMA_VERSION, schema_sql())
        return
    for step in range(version + 1, SCHEMA_VERSION + 1):
        comments = comment_sql() if step == SCHEMA_VERSION else ""
        _apply(writer, step, migration_sql(step) + comments)


def _apply(writer: duckdb.DuckDBPyConnection, step: int, sql: str) -> None:
    """Run one step and note its version, in one transaction."""
    writer.begin()
    try:
        writer.execute(sql)
        writer.execute("INSERT INTO schema_version (version) VALUES (?)", [step])
    except duckdb.Error as error:
        writer.rollback()
        raise StoreError(f"the database cannot be upgraded to schema {step}: {error}") from error
    writer.commit()


def _version(writer: duckdb.DuckDBPyConnection) -> int:
    found = writer.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    if ("schema_version",) not in found:
        return 0
    (version,) = writer.execute("SELECT max(version) FROM schema_version").fetchall()
    return int(version[0] or 0)


def schema_sql() -> str:
    """The commented schema, as SQL."""
    return (files("analyzer.db") / "schema.sql").read_text(encoding="utf-8")


def comment_sql() -> str:
    """The comments of the schema alone: an upgraded database gets those of today."""
    return "".join(
        f"{line}\n" for line in schema_sql().splitlines() if line.startswith("COMMENT ON ")
    )


def migration_sql(version: int) -> str:
    """The SQL that upgrades the version before to this one; the first version has none."""
    return (files("analyzer.db") / "migrations" / f"{version:04}.sql").read_text(encoding="utf-8")
