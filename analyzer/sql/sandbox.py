"""Run a visitor's SQL safely: checked, read-only, with limits on time, rows and size."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import duckdb

from analyzer.db.store import QueryResult, QueryTimeout, Store
from analyzer.sql.guard import READABLE_TABLES, ForbiddenStatement, check_statement
from analyzer.sql.statement_limits import (
    MOST_ANSWER_CHARACTERS,
    MOST_SQL_ROWS,
    SLOT_WAIT_SECONDS,
    STATEMENT_SECONDS,
    STATEMENTS_AT_ONCE,
)

STATEMENT_SLOTS = threading.BoundedSemaphore(STATEMENTS_AT_ONCE)
"""One for each visitor's statement that runs."""

SELECT_TABLE_DESCRIPTIONS = """
    SELECT
        columns.table_name, coalesce(tables.comment, views.comment) AS says, column_name,
        lower(data_type) AS type, columns.comment
    FROM duckdb_columns() AS columns
    LEFT JOIN duckdb_tables() AS tables USING (table_oid)
    LEFT JOIN duckdb_views() AS views ON views.view_oid = columns.table_oid
    WHERE NOT columns.internal
    ORDER BY columns.table_name, column_index
"""


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """The answer to a statement; `more` says that it has more rows than these."""

    sql: str
    result: QueryResult
    more: bool
    ms: float


@dataclass(frozen=True, slots=True)
class TableDescription:
    """A readable table: its comment (`says`), and its columns with type and comment."""

    name: str
    says: str
    columns: list[tuple[str, str, str]]


def run_sql(store: Store, sql: str, *, seconds: float = STATEMENT_SECONDS) -> SqlAnswer:
    """Run a statement; raises ForbiddenStatement with a sentence, or QueryTimeout."""
    sql = sql.strip().rstrip(";")
    check_statement(store, sql)
    if not STATEMENT_SLOTS.acquire(timeout=SLOT_WAIT_SECONDS):
        raise QueryTimeout("too many other queries are running; try again in a moment")
    try:
        start = perf_counter()
        result = _run(store, sql, seconds)
        ms = (perf_counter() - start) * 1000
    finally:
        STATEMENT_SLOTS.release()
    return SqlAnswer(
        sql,
        QueryResult(result.columns, result.rows[:MOST_SQL_ROWS]),
        len(result.rows) > MOST_SQL_ROWS,
        round(ms, 1),
    )


def describe_tables(store: Store) -> list[TableDescription]:
    """The readable tables with their comments; columns of a view have the comments of its tables."""
    found: dict[str, TableDescription] = {}
    rows = store.rows(SELECT_TABLE_DESCRIPTIONS).rows
    comments = {column: comment for _, _, column, _, comment in rows if comment}
    for table, says, column, kind, comment in rows:
        if table in READABLE_TABLES:
            entry = found.setdefault(table, TableDescription(table, says or "", []))
            entry.columns.append((column, kind, comment or comments.get(column, "")))
    return list(found.values())


def _run(store: Store, sql: str, seconds: float) -> QueryResult:
    """Run a checked statement; one row more than the limit shows whether there are more."""
    try:
        with _reading(store, seconds) as cursor:
            cursor.execute(sql)
            names = tuple(column[0] for column in cursor.description or ())
            rows = cursor.fetchmany(MOST_SQL_ROWS + 1)
    except duckdb.InterruptException as error:
        raise QueryTimeout(f"the statement was stopped after {seconds:g} seconds") from error
    except duckdb.Error as error:
        raise ForbiddenStatement(_sentence(error)) from error
    if sum(_size(cell) for row in rows for cell in row) > MOST_ANSWER_CHARACTERS:
        raise ForbiddenStatement("The answer is too long: select fewer rows or fewer columns.")
    return QueryResult(names, rows)


@contextmanager
def _reading(store: Store, seconds: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor in a read-only transaction, interrupted when the time is up."""
    cursor = store.cursor()
    timer = threading.Timer(seconds, cursor.interrupt)
    cursor.execute("BEGIN TRANSACTION READ ONLY")
    timer.start()
    try:
        yield cursor
    finally:
        timer.cancel()
        cursor.close()


def _size(cell: Any) -> int:
    return len(cell) if isinstance(cell, str | bytes) else 16


def _sentence(error: duckdb.Error) -> str:
    lines = [line for line in str(error).splitlines() if line][:2]
    return "DuckDB says: " + (" ".join(lines) or type(error).__name__)
