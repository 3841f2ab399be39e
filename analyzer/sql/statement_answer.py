"""Run a reader's statement in the process that may be killed: check it, run it, keep the answer within limits."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import Any

import duckdb

from analyzer.db.file.query_result import QueryResult
from analyzer.db.store import QueryTimeout
from analyzer.sql.guard import ForbiddenStatement, check_statement
from analyzer.sql.live_database import LiveDatabase
from analyzer.sql.statement_limits import (
    MOST_ANSWER_CHARACTERS,
    MOST_COLUMNS,
    MOST_NESTING,
    MOST_SQL_ROWS,
)
from analyzer.sql.statement_messages import SCALAR_TYPES, SqlAnswer

ROWS_AT_A_TIME = 20
"""Rows that are fetched before their size is looked at."""
NUMBER_CHARACTERS = 16
"""What a number counts as."""
ANSWER_TOO_LONG = "The answer is too long: select fewer rows or fewer columns."
TOO_MUCH_MEMORY = (
    "The statement needs more memory than is allowed here (Out of Memory Error). Ask for less."
)


class ChangedMeanwhile(Exception):
    """The database changed while the statement ran: its answer may be of no single state."""


def answer_statement(database: LiveDatabase, sql: str, seconds: float) -> SqlAnswer:
    """Check and run a statement.

    Raises ForbiddenStatement with a sentence, QueryTimeout, ChangedMeanwhile, and what `LiveDatabase` raises.
    """
    connection = database.connection()
    try:
        check_statement(connection, sql)
        answer = run_unchecked(connection, sql, seconds)
    except (duckdb.Error, ForbiddenStatement, QueryTimeout) as error:
        if not database.is_current():
            raise ChangedMeanwhile from error
        if isinstance(error, duckdb.FatalException | duckdb.InternalException):
            database.close()  # nothing can be read through this connection any more
        if isinstance(error, duckdb.IOException):
            raise  # the file, whose path concerns nobody
        if isinstance(error, duckdb.Error):
            raise ForbiddenStatement(_sentence(error)) from error
        raise
    except MemoryError as error:
        raise ForbiddenStatement(TOO_MUCH_MEMORY) from error
    if not database.is_current():
        raise ChangedMeanwhile
    return answer


def run_unchecked(connection: duckdb.DuckDBPyConnection, sql: str, seconds: float) -> SqlAnswer:
    """Run a checked statement in a read-only transaction; raises as `answer_statement`, and duckdb.Error."""
    start = perf_counter()
    try:
        with _reading(connection, seconds):
            connection.execute(sql)
            names = tuple(column[0] for column in connection.description or ())
            if len(names) > MOST_COLUMNS:
                raise ForbiddenStatement(
                    f"The answer has {len(names):,} columns; at most {MOST_COLUMNS:,} are allowed."
                )
            rows, more = _fetch(connection, names)
    except duckdb.InterruptException as error:
        raise QueryTimeout(f"the statement was stopped after {seconds:g} seconds") from error
    ms = round((perf_counter() - start) * 1000, 1)
    return SqlAnswer(sql, QueryResult(names, rows), more, ms)


@contextmanager
def _reading(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """A read-only transaction, interrupted when the time is up."""
    timer = threading.Timer(seconds, connection.interrupt)
    connection.execute("BEGIN TRANSACTION READ ONLY")
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        with suppress(duckdb.Error):
            connection.execute("ROLLBACK")


def _fetch(
    connection: duckdb.DuckDBPyConnection, names: Sequence[str]
) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows, and whether there are more than these; raises ForbiddenStatement if they are too long."""
    rows: list[tuple[Any, ...]] = []
    room = MOST_ANSWER_CHARACTERS - sum(map(len, names))
    while len(rows) <= MOST_SQL_ROWS and (fetched := connection.fetchmany(ROWS_AT_A_TIME)):
        for row in fetched:
            rows.append(tuple(_plain(cell) for cell in row))
            room -= sum(_size(cell) for cell in rows[-1])
            if room < 0:
                raise ForbiddenStatement(ANSWER_TOO_LONG)
    return rows[:MOST_SQL_ROWS], len(rows) > MOST_SQL_ROWS


def _plain(cell: Any, levels: int = MOST_NESTING) -> Any:
    """The cell, made of types that a reply may hold; the names of its parts are text."""
    if cell is None or type(cell) in SCALAR_TYPES:
        return cell
    if levels == 0:
        raise ForbiddenStatement(f"A cell has more than {MOST_NESTING} levels of lists or structs.")
    if isinstance(cell, dict):
        return {
            key if type(key) is str else str(key): _plain(part, levels - 1)
            for key, part in cell.items()
        }
    if isinstance(cell, list | tuple):
        return [_plain(part, levels - 1) for part in cell]
    return str(cell)


def _size(cell: Any) -> int:
    if isinstance(cell, str | bytes):
        return len(cell)
    if isinstance(cell, dict):
        return sum(len(key) + _size(part) for key, part in cell.items())
    if isinstance(cell, list):
        return sum(map(_size, cell)) + NUMBER_CHARACTERS
    return NUMBER_CHARACTERS


def _sentence(error: duckdb.Error) -> str:
    if isinstance(error, duckdb.OutOfMemoryException):
        return TOO_MUCH_MEMORY
    lines = [line for line in str(error).splitlines() if line][:2]
    return "DuckDB says: " + (" ".join(lines) or type(error).__name__)
