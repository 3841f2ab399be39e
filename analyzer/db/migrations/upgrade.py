"""Bring a database to today's schema, after a copy was made, and see whether every table is there."""

import logging
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import duckdb

from analyzer.db.file.copying import copy_database
from analyzer.db.file.store_errors import StoreFull, damaged, known_trouble
from records.errors import StoreError

SCHEMA_VERSION = 11
SELECT_COLUMN_NAMES = """
    SELECT table_name, list(column_name) FROM duckdb_columns()
    WHERE NOT internal AND database_name = current_database() GROUP BY table_name
"""
TABLE_PATTERN = re.compile(r"^CREATE TABLE (\w+) \((.*?)^\);", re.MULTILINE | re.DOTALL)
VIEW_PATTERN = re.compile(r"^CREATE VIEW (\w+) ", re.MULTILINE)
COLUMN_PATTERN = re.compile(r"^ +(\w+) [A-Z]", re.MULTILINE)
log = logging.getLogger(__name__)


class SchemaTooNew(StoreError):
    """A newer program wrote the database; it has the schema `version`."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"a newer program wrote this database: its schema is {version}, this program knows {SCHEMA_VERSION}"
        )


def upgrade_database(writer: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Bring a database to today's schema, or give a new one its schema; `path` is its file.

    Before anything changes, a copy is made beside it, with the schema's number in its name. Raises StoreError:
    StoreDamaged if tables are missing, SchemaTooNew, StoreFull if there is no room for the copy.
    """
    tables = _column_names(writer)
    version = _version(writer, tables, path)
    if version > SCHEMA_VERSION:
        raise SchemaTooNew(version)
    if version == 0:
        _apply(writer, SCHEMA_VERSION, schema_sql())
        return
    if version < SCHEMA_VERSION:
        _copy_before(writer, path, version)
        for step in range(version + 1, SCHEMA_VERSION + 1):
            comments = comment_sql() if step == SCHEMA_VERSION else ""
            _apply(writer, step, migration_sql(step) + comments)
        tables = _column_names(writer)
    missing = missing_names(tables)
    if missing:
        raise damaged(path, f"it lacks {', '.join(missing)}")


def missing_names(tables: dict[str, set[str]]) -> list[str]:
    """The tables, views and columns of today's schema that a database lacks; it has `tables`, with their columns."""
    missing = [name for name in schema_columns() if name not in tables]
    for name, columns in schema_columns().items():
        missing += [f"{name}.{column}" for column in columns - tables.get(name, columns)]
    return sorted(missing)


@cache
def schema_columns() -> dict[str, frozenset[str]]:
    """The columns of every table of today's schema; views have none here."""
    text = schema_sql()
    found = {
        name: frozenset(COLUMN_PATTERN.findall(body)) for name, body in TABLE_PATTERN.findall(text)
    }
    return found | dict.fromkeys(VIEW_PATTERN.findall(text), frozenset[str]())


def _copy_before(writer: duckdb.DuckDBPyConnection, path: Path, version: int) -> None:
    """Copy a database before it is upgraded; no copy that is there is touched."""
    stem = f"{path.stem}.schema-{version}"
    names = (
        f"{stem}{f'-{number}' if number > 1 else ''}{path.suffix}" for number in range(1, 1000)
    )
    target = next(free for name in names if not (free := path.with_name(name)).exists())
    try:
        copy_database(path, target)
    except StoreFull as error:
        raise StoreFull(
            f"the database has schema {version} and is upgraded only after a copy was made: {error}"
        ) from error
    except OSError as error:
        raise StoreError(
            f"the database has schema {version} and is upgraded only after a copy was made, "
            f"which failed: {error.strerror or error}"
        ) from error
    log.warning(
        "%s is upgraded from schema %d to %d; a copy as it was is in %s",
        path, version, SCHEMA_VERSION, target,
    )  # fmt: skip


def _apply(writer: duckdb.DuckDBPyConnection, step: int, sql: str) -> None:
    """Run one step and note its version, in one transaction."""
    writer.begin()
    try:
        writer.execute(sql)
        writer.execute("INSERT INTO schema_version (version) VALUES (?)", [step])
        writer.commit()
    except duckdb.FatalException:
        raise
    except duckdb.Error as error:
        roll_back(writer)
        known = known_trouble(Path("the database"), error)
        if isinstance(known, StoreFull):
            raise known from error
        raise StoreError(f"the database cannot be upgraded to schema {step}: {error}") from error


def roll_back(writer: duckdb.DuckDBPyConnection) -> None:
    """End a transaction that failed; a failed commit has ended it already."""
    try:
        writer.rollback()
    except duckdb.Error:
        log.debug("there was nothing to roll back")


def _column_names(writer: duckdb.DuckDBPyConnection) -> dict[str, set[str]]:
    return {name: set(columns) for name, columns in writer.execute(SELECT_COLUMN_NAMES).fetchall()}


def _version(writer: duckdb.DuckDBPyConnection, tables: dict[str, set[str]], path: Path) -> int:
    """The schema of a database; 0 if it is new. Raises StoreDamaged if it has tables and no schema."""
    if not tables:
        return 0
    if "version" not in tables.get("schema_version", ()):
        raise damaged(path, "it lacks schema_version")
    ((version,),) = writer.execute("SELECT max(version) FROM schema_version").fetchall()
    if version is None:
        raise damaged(path, "it does not say which schema it has")
    return int(version)


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
