"""The statistics database: one file in the data folder, one writer, a cursor for each reading thread."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import duckdb
import msgspec
import zstandard

from analyzer.db.game_filter import ALL_GAMES, GameFilter
from records.errors import StoreError
from records.record import OptionValue
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import check

DATABASE_FILE_NAME = "bezique.duckdb"
SCHEMA_VERSION = 4

READ_LIMIT_MS = 5_000
MEMORY_LIMIT = "512MB"
LARGEST_SPILL = "4GB"
SERVING_SETTINGS: dict[str, str | int] = {"threads": 2}
LOADING_SETTINGS: dict[str, str | int] = {
    "threads": 1,
    "checkpoint_threshold": "128MB",
    "max_vacuum_tasks": 0,
}
"""Settings of DuckDB for a process that answers questions, and for one that only loads.

A table that only grows is written once: left to itself, DuckDB writes all of it anew from time to time."""


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
    """A question took longer than a reader may."""


class StoreReadOnly(StoreError):
    """Something was to be changed in a collection that can only be read."""


class StoredGame(msgspec.Struct, kw_only=True):
    """A stored game as the pages list it; `name` and `line` say where its record came from."""

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
    scores: list[int]
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
    """Something offered that is not stored; `reason` is `unreadable` or the database's own words."""

    name: str
    line: int | None
    size: int
    reason: str
    findings: list[Finding]
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class GameListing:
    """Some of the games that fit, newest first; `total` counts them all."""

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
    """An open database; `reading_ms` limits every statement of a reader, in milliseconds.

    `loading` is for a process that only loads: one thread is enough then, and the file is brought up to date
    less often. Beside the database only what lies in the folder `files`, if it is given, can be read or written.
    """

    read_only = False

    def __init__(
        self,
        folder: Path,
        *,
        reading_ms: int = READ_LIMIT_MS,
        loading: bool = False,
        files: Path | None = None,
    ) -> None:
        self.path = self._place(Path(folder))
        self.files = files
        self._local = threading.local()
        self._lock = threading.Lock()
        self._sharing = threading.Lock()
        self._connection = _connect(
            self.path, reading_ms, LOADING_SETTINGS if loading else SERVING_SETTINGS
        )
        self._writer = self._connection.cursor()
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        try:
            self._writer.execute("SET max_execution_time = 0")
        except duckdb.InvalidInputException as error:
            raise StoreError(f"{self.path} is already open in this process") from error
        if self.files is not None:
            self._writer.execute("SET allowed_directories = [$files]", {"files": str(self.files)})
        self._writer.execute("SET enable_external_access = false")
        _migrate(self._writer)
        self._fill(self._writer)
        self._writer.execute("SET lock_configuration = true")

    def _place(self, folder: Path) -> Path:
        return folder / DATABASE_FILE_NAME

    def _fill(self, writer: duckdb.DuckDBPyConnection) -> None:
        """What another kind of store has yet to do when it is opened."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Write everything to the file and let it go."""
        with self._sharing:
            self._writer.close()
            self._connection.close()

    def rows(self, sql: str, parameters: object = None) -> QueryResult:
        """Read: what a statement answers, on this thread's own cursor; raises QueryTimeout."""
        try:
            cursor = self._reader().execute(sql, parameters)
            names = tuple(column[0] for column in cursor.description or ())
            return QueryResult(names, cursor.fetchall())
        except duckdb.InterruptException as error:
            raise QueryTimeout("the question took too long and was stopped") from error

    def games(
        self, chosen: GameFilter = ALL_GAMES, *, limit: int = 50, offset: int = 0
    ) -> GameListing:
        """Some of the games that are meant, the newest first."""
        where, used = chosen.where()
        (total,) = self.rows(f"SELECT count(*) FROM games WHERE {where}", used).rows
        sql = f"{SELECT_GAMES} WHERE {where} ORDER BY games.stored_at DESC, game LIMIT $limit OFFSET $offset"
        found = self.rows(sql, {**used, "limit": limit, "offset": offset})
        return GameListing([_game(row) for row in found.dicts()], int(total[0]))

    def game(self, digest: str) -> StoredGame | None:
        """One stored game."""
        found = self.rows(
            f"{SELECT_GAMES} WHERE games.digest = $digest", {"digest": digest}
        ).dicts()
        return _game(found[0]) if found else None

    def record_bytes(self, digest: str) -> bytes | None:
        """A stored record as it was uploaded, byte for byte."""
        found = self.rows("SELECT data FROM records WHERE digest = ?", [digest]).rows
        return unpack_record(found[0][0]) if found else None

    def report(self, digest: str) -> Report | None:
        """The report on a stored record, made anew: it always speaks for the rules as they are now."""
        game, data = self.game(digest), self.record_bytes(digest)
        return check(data, line=game.line, identify=True) if game and data is not None else None

    def rejected(self, limit: int = 50, files: Sequence[str] = ()) -> list[RejectedRecord]:
        """What was offered last and is not stored; that of some files only, where they are named."""
        fits = "WHERE name IN (SELECT unnest($files))" if files else ""
        sql = f"SELECT * EXCLUDE content FROM rejected {fits} ORDER BY seen_at DESC, name, line LIMIT {limit}"
        rows = self.rows(sql, {"files": files} if files else None).dicts()
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
        """A transaction on the one writing cursor: all of it is committed, or nothing."""
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
        """The file, while nothing is written to it; what was written before is in it or in its log."""
        with self._lock:
            self._writer.execute("CHECKPOINT")
            yield self.path

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor of one's own, for a statement that another thread may interrupt."""
        with self._sharing:
            return self._connection.cursor()

    def _reader(self) -> duckdb.DuckDBPyConnection:
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self.cursor()
        return cursor


def unpack_record(data: bytes) -> bytes:
    """A record as it came, from how it lies in a database (packed) or in Parquet (as it came)."""
    return zstandard.decompress(data) if data.startswith(zstandard.FRAME_HEADER) else data


def _game(row: dict[str, Any]) -> StoredGame:
    return StoredGame(**{**row, "options": msgspec.json.decode(row["options"])})


def _connect(
    path: Path, reading_ms: int, more: Mapping[str, str | int]
) -> duckdb.DuckDBPyConnection:
    settings: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "python_enable_replacements": "false",
        "max_temp_directory_size": LARGEST_SPILL,
        "max_execution_time": reading_ms,
        "memory_limit": MEMORY_LIMIT,
        **more,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return duckdb.connect(str(path), config=settings)
    except (OSError, duckdb.Error) as error:
        kind = StoreInUse if "lock" in str(error) else StoreError
        raise kind(_why_not(path, str(error))) from error


def _why_not(path: Path, reason: str) -> str:
    if "lock" in reason:
        return (
            f"{path} is in use by another process, and only one can use it at a time: "
            "stop the server (or the import) that runs on this data folder, or ask it instead"
        )
    return f"{path} cannot be opened: {reason.splitlines()[0]}"


def _migrate(writer: duckdb.DuckDBPyConnection) -> None:
    version = _version(writer)
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"the database was written by a newer program (schema {version}, known here: {SCHEMA_VERSION})"
        )
    if version == 0:
        _apply(writer, SCHEMA_VERSION, schema_sql())
        return
    for step in range(version + 1, SCHEMA_VERSION + 1):
        _apply(writer, step, migration_sql(step))


def _apply(writer: duckdb.DuckDBPyConnection, step: int, sql: str) -> None:
    writer.begin()
    try:
        writer.execute(sql)
        writer.execute("INSERT INTO schema_version (version) VALUES (?)", [step])
    except duckdb.Error as error:
        writer.rollback()
        raise StoreError(f"the database cannot be brought to schema {step}: {error}") from error
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


def migration_sql(version: int) -> str:
    """The SQL that leads to this version from the one before it; the first has none."""
    return (files("analyzer.db") / "migrations" / f"{version:04}.sql").read_text(encoding="utf-8")
