"""The tables of the database, and which program made and judged one that is there.

Nothing is migrated. A database of another layout, or of an older judgement, is built anew from its records: see
`analyzer.upkeep.upgrade`.
"""

import re
from contextlib import suppress
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import duckdb

from analyzer.store.instance import damaged, known_trouble
from records.errors import StoreError
from records.validator import JUDGEMENT_VERSION

SCHEMA_VERSION = 21
"""The layout of the database: raised with every change of its tables, and of the rows that are made of a record."""
OLD_DATABASE_NAME = "bezique.before-upgrade"
"""How the names of databases begin that were kept when a new one took their place."""
LEFT_OUT_FOLDER = "not-upgraded"
"""The folder for records that a new database did not take: they are no records or no other games any more."""
OTHER_VERSION = (
    "a worker has another version of bezique than this process: install one on all machines"
)
"""What is wrong where the workers of a cluster make something else than this process would."""
NOT_INSTALLED = "0+unknown"
"""The version of a checkout that was not installed."""
SELECT_COLUMN_NAMES = """
    SELECT table_name, list(column_name) FROM duckdb_columns()
    WHERE NOT internal AND database_name = current_database() GROUP BY table_name
"""
SELECT_ORIGIN = "SELECT version, {} FROM {}schema_version ORDER BY version DESC NULLS LAST LIMIT 1"
INSERT_ORIGIN = "INSERT INTO schema_version (version, judgement, program) VALUES (?, ?, ?)"
INSERT_NUMBER = "INSERT INTO commits VALUES (gen_random_uuid(), 0)"
COLUMNS_OF_GAMES = "-- and the columns of games"
TABLE_PATTERN = re.compile(r"^CREATE TABLE (\w+) \((.*?)^\);", re.MULTILINE | re.DOTALL)
VIEW_PATTERN = re.compile(r"^CREATE VIEW (\w+) ", re.MULTILINE)
COMMENT_PATTERN = re.compile(r"^COMMENT ON .*\n", re.MULTILINE)
COLUMN_PATTERN = re.compile(r"^ +(\w+) [A-Z]", re.MULTILINE)


class DatabaseOrigin(NamedTuple):
    """The schema of a database, and what judged its records: the number of the judgement, and the program's version.

    Before schema 12 no database said so: the judgement is 0 and the program empty.
    """

    schema: int
    judgement: int
    program: str

    @property
    def is_newer(self) -> bool:
        """Whether this program does not know such a database."""
        return self.schema > SCHEMA_VERSION or self.judgement > JUDGEMENT_VERSION

    @property
    def is_older(self) -> bool:
        """Whether the database must be built anew: its tables, or its verdicts, may not be those of today."""
        return not self.is_newer and self != (SCHEMA_VERSION, JUDGEMENT_VERSION, self.program)

    def __str__(self) -> str:
        if not self.program:
            return f"an older bezique, schema {self.schema}"
        return f"bezique {self.program}, schema {self.schema}, judgement {self.judgement}"


class SchemaTooNew(StoreError):
    """A newer program wrote the database."""

    def __init__(self, origin: DatabaseOrigin) -> None:
        known = f"its schema is {origin.schema}, this program knows {SCHEMA_VERSION}"
        if origin.schema <= SCHEMA_VERSION:
            known = f"its judgement is {origin.judgement}, this program knows {JUDGEMENT_VERSION}"
        super().__init__(f"a newer program wrote this database: {known}")


class SchemaTooOld(StoreError):
    """An older program wrote the database at `path`; it is built anew before anything else is done with it."""

    def __init__(self, path: Path, origin: DatabaseOrigin) -> None:
        super().__init__(
            f"an older version of the program judged the records in {path} ({origin}): "
            f"`bezique upgrade --data {path.parent}` builds a new database from them and keeps this one"
        )


def prepare_schema(
    writer: duckdb.DuckDBPyConnection, tables: dict[str, set[str]], path: Path, *, described: bool
) -> None:
    """Give a new database its tables, `described` or without comments, and see whether another, which has these `tables`, is one of today; `path` is its file.

    Raises StoreError: SchemaTooOld, SchemaTooNew, StoreDamaged if tables are missing, StoreFull.
    """
    if tables:
        require_today(database_origin(writer, tables, path), tables, path)
    else:
        _create(writer, path, schema_sql() if described else COMMENT_PATTERN.sub("", schema_sql()))


def column_names(connection: duckdb.DuckDBPyConnection) -> dict[str, set[str]]:
    """The columns of every table and view of an open database."""
    found = connection.execute(SELECT_COLUMN_NAMES).fetchall()
    return {name: set(columns) for name, columns in found}


def database_origin(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, set[str]], path: Path, prefix: str = ""
) -> DatabaseOrigin:
    """Which program made an open database with these `tables`; raises StoreDamaged if it does not say.

    The names of its tables have the `prefix`, if it is attached to another.
    """
    columns = tables.get("schema_version", set())
    if "version" not in columns:
        raise damaged(path, "it lacks schema_version")
    judged = "judgement, program" if {"judgement", "program"} <= columns else "0, ''"
    rows = connection.execute(SELECT_ORIGIN.format(judged, prefix)).fetchall()
    if not rows or rows[0][0] is None:
        raise damaged(path, "it does not say which schema it has")
    return DatabaseOrigin(*rows[0])


def require_today(origin: DatabaseOrigin, tables: dict[str, set[str]], path: Path) -> None:
    """Raise SchemaTooNew, SchemaTooOld, or StoreDamaged, unless a database with these tables is as today's program makes it."""
    if origin.is_newer:
        raise SchemaTooNew(origin)
    if origin.is_older:
        raise SchemaTooOld(path, origin)
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


def schema_sql() -> str:
    """The commented schema, as SQL."""
    text = (files("analyzer.store") / "schema.sql").read_text(encoding="utf-8")
    columns = dict(TABLE_PATTERN.findall(text))["games"].strip()
    comments = re.findall(r"^COMMENT ON COLUMN games\..*\n", text, re.MULTILINE)
    before, after = text.split(COLUMNS_OF_GAMES)
    table, rest = after.split("\n\n", 1)
    own = "".join(comments).replace("COLUMN games.", "COLUMN other_games.")
    return f"{before}{columns}{table}\n{own}\n{rest}"


@lru_cache(maxsize=1)
def own_version() -> str:
    """The version of this program as it was installed."""
    try:
        return version("bezique")
    except PackageNotFoundError:
        return NOT_INSTALLED


def _create(writer: duckdb.DuckDBPyConnection, path: Path, schema: str) -> None:
    """Make all tables in one transaction, and note who made them."""
    writer.begin()
    try:
        writer.execute(schema)
        writer.execute(INSERT_ORIGIN, [SCHEMA_VERSION, JUDGEMENT_VERSION, own_version()])
        writer.execute(INSERT_NUMBER)
        writer.commit()
    except duckdb.FatalException:
        raise
    except duckdb.Error as error:
        roll_back(writer)
        raise known_trouble(path, error) or StoreError(
            f"the database {path} cannot be made: {error}"
        ) from error


def roll_back(writer: duckdb.DuckDBPyConnection) -> None:
    """End a transaction that failed; a failed commit has ended it already."""
    with suppress(duckdb.Error):
        writer.rollback()
