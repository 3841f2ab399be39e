"""Columns reach the database unchanged, whatever they hold."""

import signal
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date, datetime
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

from analyzer.store.tables import (
    BIG,
    DAY,
    DOUBLE,
    INSTANT,
    INTEGER,
    SMALL,
    STRUCT_CODES,
    TEXT,
    TINY,
    UNSIGNED_TINY,
    ArrayLayout,
    Columns,
    blob_column,
    list_column,
    number_column,
    pack_numbers,
    readable,
    text_column,
    word_column,
)

SIGNED = (TINY, SMALL, INTEGER, BIG)


def read(columns: Columns, what: str = "*") -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection, readable(connection, columns):
        return connection.execute(f"SELECT {what} FROM incoming").fetchall()


def most(kind: str) -> int:
    return int(2 ** (8 * struct.calcsize(STRUCT_CODES[kind]) - 1))


@pytest.mark.parametrize("seed", range(10))
def test_integers_of_every_size_arrive_as_they_are(seed: int) -> None:
    chance = Random(seed)
    limits = [most(kind) for kind in SIGNED]
    rows = [tuple(-limit for limit in limits), tuple(limit - 1 for limit in limits)]
    rows += [
        tuple(
            None if chance.random() < 0.1 else chance.randrange(-limit, limit) for limit in limits
        )
        for _ in range(chance.randrange(3000))
    ]
    columns = dict(zip("abcd", zip(*rows, strict=True), strict=True))
    made = {
        name: number_column(kind, values)
        for (name, values), kind in zip(columns.items(), SIGNED, strict=True)
    }
    assert read(made) == rows


@pytest.mark.parametrize("kind", [*SIGNED, UNSIGNED_TINY])
def test_a_number_out_of_range_is_refused(kind: str) -> None:
    limit = 256 if kind == UNSIGNED_TINY else most(kind)
    pack_numbers(kind, [limit - 1])
    with pytest.raises(struct.error):
        pack_numbers(kind, [0, limit])


@pytest.mark.parametrize("length", [1, 7, 8, 9, 2047, 2048, 2049, 300_000])
def test_columns_of_any_length_arrive_whole(length: int) -> None:
    values = [None if i % 8 == 7 else i for i in range(length)]
    named = [None if i % 5 == 4 else f"name {i % 3}" for i in range(length)]
    rows = read({"a": number_column(BIG, values), "b": word_column(named)})
    assert rows == list(zip(values, named, strict=True))


def test_texts_bytes_and_words_arrive_as_they_are() -> None:
    said = ["", None, "Zoë ♠", "x" * 100, "nul\0nul"]
    raw = [b"", b"\0\xff", b"x" * 50, b"1", b"2"]
    rows = read({"text": text_column(said), "word": word_column(said), "blob": blob_column(raw)})
    assert rows == list(zip(said, said, raw, strict=True))


def test_more_words_than_a_byte_can_count_arrive() -> None:
    said = [f"word {i}" for i in range(700)]
    assert read({"word": word_column(said)}) == [(word,) for word in said]


def test_lists_arrive_as_they_are() -> None:
    scores = [[1, 2], None, [], [3]]
    names = [["Ann", "Bob"], [], ["Cleo"], None]
    rows = read({"scores": list_column(scores, INTEGER), "names": list_column(names, TEXT)})
    assert rows == list(zip(scores, names, strict=True))


def test_days_instants_and_fractions_arrive_as_they_are() -> None:
    made = {
        "day": number_column(DAY, [0, None, 20_000]),
        "time": number_column(INSTANT, [None, 0, 10**15]),
        "share": number_column(DOUBLE, [0.5, 1, None]),
    }
    assert read(made) == [
        (date(1970, 1, 1), None, 0.5),
        (None, datetime(1970, 1, 1), 1.0),
        (date(2024, 10, 4), datetime(2001, 9, 9, 1, 46, 40), None),
    ]


def test_the_types_are_those_of_the_columns() -> None:
    columns = {f"c{i}": number_column(kind, [1]) for i, kind in enumerate(STRUCT_CODES)}
    assert read(columns, "typeof(COLUMNS(*))") == [
        ("TINYINT", "UTINYINT", "SMALLINT", "INTEGER", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP")
    ]


def test_a_text_that_is_none_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        text_column(["\ud800"])


@contextmanager
def interrupted_after(calls: int) -> Iterator[None]:
    """Ctrl-C in the callback of that number: while DuckDB reads, no other code of ours runs."""
    made, layout = count(1), ArrayLayout.__init__

    def interrupting(*arguments: Any) -> None:
        if next(made) == calls:
            signal.raise_signal(signal.SIGINT)
        layout(*arguments)

    with patch.object(ArrayLayout, "__init__", interrupting):
        yield


@pytest.mark.parametrize("chunk", [1, 2, 3])
def test_an_interrupt_while_columns_are_read_waits_until_all_are(chunk: int) -> None:
    columns = {"number": number_column(INTEGER, list(range(5)))}
    rows: list[tuple[Any, ...]] = []
    with duckdb.connect() as connection:
        with (
            pytest.raises(KeyboardInterrupt),
            interrupted_after(chunk),
            readable(connection, columns, columns, columns),
        ):
            rows = connection.execute("FROM incoming").fetchall()
        assert len(rows) == 15
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_columns_that_cannot_be_handed_over_fail_the_statement() -> None:
    """A stream that ends too early is not an error to DuckDB: it would store fewer rows."""
    columns = {"number": number_column(INTEGER, list(range(5)))}
    with (
        patch.object(ArrayLayout, "__init__", side_effect=MemoryError),
        duckdb.connect() as connection,
        pytest.raises(duckdb.Error, match="MemoryError"),
        readable(connection, columns),
    ):
        connection.execute("FROM incoming").fetchall()


def test_columns_are_read_in_threads_that_get_no_signals() -> None:
    with ThreadPoolExecutor(1) as threads:
        columns = {"number": number_column(INTEGER, [1, 2])}
        assert threads.submit(read, columns).result() == [(1,), (2,)]
