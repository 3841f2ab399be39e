"""What a statement found."""

from dataclasses import dataclass
from typing import Any, Self

import duckdb

BYTES_OF_VALUE = 64
"""What a value takes in memory, about."""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The columns and rows of one statement."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """Every row by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    @classmethod
    def fetched(cls, cursor: duckdb.DuckDBPyConnection) -> Self:
        """What a cursor has found and not yet fetched."""
        names = tuple(column[0] for column in cursor.description or ())
        return cls(names, cursor.fetchall())

    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        texts = sum(len(value) for row in self.rows for value in row if isinstance(value, str))
        return BYTES_OF_VALUE * len(self.columns) * (1 + len(self.rows)) + 4 * texts
