"""Rows of a damaged database, read in another process: DuckDB may crash on what it reads there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

from analyzer.processes import map_in_processes
from records.errors import StoreError

ROWS_PER_TASK = 512
COUNT_ROWS = "SELECT coalesce(max(rowid), -1) + 1 FROM records"
SELECT_ROWS = "SELECT digest, data, name, line FROM records WHERE rowid >= $low AND rowid < $high"
SELECT_DIGESTS = ("SELECT DISTINCT digest FROM records", "SELECT DISTINCT digest FROM games")
RecordRow = tuple[str, bytes, str, int | None]
"""Digest, stored bytes, name and line of a record."""


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """A statement on the file at `path`."""

    path: str
    sql: str
    low: int | None = None
    high: int | None = None


def read_task(task: ReadingTask) -> list[tuple[Any, ...]] | None:
    """The rows of a statement; None if DuckDB cannot read them."""
    parameters = None if task.low is None else {"low": task.low, "high": task.high}
    try:
        with duckdb.connect(task.path, read_only=True, config={"threads": 1, "memory_limit": "1GB"}) as connection:  # fmt: skip
            rows = connection.execute(task.sql, parameters).fetchall()
    except (duckdb.Error, RuntimeError, ValueError, MemoryError):
        return None
    return [tuple(bytes(cell) if isinstance(cell, memoryview) else cell for cell in row) for row in rows]  # fmt: skip


def read_tasks(
    tasks: list[ReadingTask],
) -> Iterator[tuple[ReadingTask, list[tuple[Any, ...]] | None]]:
    """Each task with its rows; None if DuckDB cannot read them or dies at them."""
    left = tasks
    while left:
        done = 0
        try:
            for task, rows in map_in_processes(read_task, left, 1):
                done += 1
                yield task, rows
        except StoreError:
            yield left[done], None
            done += 1
        left = left[done:]


def read_record_rows(
    path: str, total: int, progress: Callable[[int, int], None]
) -> Iterator[list[RecordRow]]:
    """All records that can be read, some at a time; `total` is how many rows there are at most."""
    ranges = [(low, min(low + ROWS_PER_TASK, total)) for low in range(0, total, ROWS_PER_TASK)]
    while ranges:
        again = []
        for task, rows in read_tasks([ReadingTask(path, SELECT_ROWS, *each) for each in ranges]):
            low, high = task.low or 0, task.high or 0
            if rows is not None:
                yield rows
                progress(high, total)
            elif high - low > 1:  # something in it cannot be read: perhaps not in both halves
                again += [(low, (low + high) // 2), ((low + high) // 2, high)]
        ranges = again


def read_names(path: str) -> tuple[set[str], bool, int]:
    """The digests that a database names, whether they could all be read, and how many rows `records` has at most."""
    tasks = [ReadingTask(path, sql) for sql in (*SELECT_DIGESTS, COUNT_ROWS)]
    *answers, counted = [rows for _, rows in read_tasks(tasks)]
    named = {str(digest) for rows in answers for (digest,) in rows or ()}
    return named, None not in answers, int(counted[0][0]) if counted else 0
