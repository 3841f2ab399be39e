from array import array
from random import Random
from typing import Any

import duckdb
import pytest

from analyzer.arrow import FORMATS, Columns, ColumnSource
from analyzer.load import joined


def read(columns: Columns, what: str = "*") -> list[tuple[Any, ...]]:
    source = ColumnSource(columns)
    with duckdb.connect() as connection:
        connection.register("incoming", source)
        rows = connection.execute(f"SELECT {what} FROM incoming").fetchall()
        connection.unregister("incoming")
    source.close()
    return rows


@pytest.mark.parametrize("seed", range(20))
def test_integers_of_every_size_arrive_as_they_are(seed: int) -> None:
    chance = Random(seed)
    most = {code: 2 ** (8 * array(code).itemsize - 1) for code in FORMATS}
    extremes = [
        tuple(-limit for limit in most.values()),
        tuple(limit - 1 for limit in most.values()),
    ]
    rows = extremes + [
        tuple(chance.randrange(-limit, limit) for limit in most.values())
        for _ in range(chance.randrange(5000))
    ]
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
