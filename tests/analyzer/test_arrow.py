from array import array
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.arrow import FORMATS, Columns, ColumnSource
from analyzer.load import joined

BITS = {"b": 8, "h": 16, "i": 32, "q": 64}


def read(columns: Columns, what: str = "*") -> list[tuple[Any, ...]]:
    connection = duckdb.connect()
    source = ColumnSource(columns)
    connection.register("incoming", source)
    try:
        return connection.execute(f"SELECT {what} FROM incoming").fetchall()
    finally:
        connection.unregister("incoming")
        source.close()
        connection.close()


def numbers(code: str) -> st.SearchStrategy[int]:
    most = 2 ** (BITS[code] - 1)
    return st.integers(-most, most - 1)


@given(st.lists(st.tuples(*(numbers(code) for code in FORMATS)), min_size=1))
def test_integers_of_every_size_arrive_as_they_are(rows: list[tuple[int, ...]]) -> None:
    columns = {
        code: array(code, values)
        for code, values in zip(FORMATS, zip(*rows, strict=True), strict=True)
    }
    assert read(columns) == rows


@pytest.mark.parametrize("length", [1, 2047, 2048, 2049, 500_000])
def test_columns_of_any_length_arrive_whole(length: int) -> None:
    columns = {"a": array("q", range(length)), "b": array("h", [7]) * length}
    rows = read(columns)
    assert len(rows) == length
    assert rows == [(i, 7) for i in range(length)]


def test_the_types_are_those_of_the_columns() -> None:
    columns = {code: array(code, [1]) for code in FORMATS}
    assert read(columns, "typeof(COLUMNS(*))") == [("TINYINT", "SMALLINT", "INTEGER", "BIGINT")]


def test_columns_are_joined_in_order() -> None:
    parts: list[Columns] = [{"a": array("h", [1, 2])}, {"a": array("h")}, {"a": array("h", [3])}]
    assert joined(parts) == {"a": array("h", [1, 2, 3])}
    assert joined([]) == {}
