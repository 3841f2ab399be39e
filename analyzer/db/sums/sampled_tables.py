"""The rows of some matches a second time, in tables of their own: the width of intervals takes no more.

To find the rows of few matches among all takes reading the keys of all.
"""

import duckdb

from analyzer.db.schema import schema_columns
from analyzer.db.sums.table_sums import count_differing_sql
from analyzer.intervals.interval_sql import sampled

SAMPLING_STEPS = {"seats": 8, "tricks": 32, "scores": 32}
"""The tables of which the rows of one match in so many are kept a second time.

The larger the step, the less room they take, and the larger a collection must be to profit.
"""


def sampled_name(table: str) -> str:
    """The table with the sampled rows of another."""
    return f"sampled_{table}"


def sampled_rows_sql(table: str, rows: str) -> str:
    """The sampled ones of rows of a table, which are the table itself or a subquery, as a subquery."""
    return f"(SELECT * FROM {rows} WHERE {sampled('game', SAMPLING_STEPS[table])})"


def sampled_table(table: str, one_in: int) -> str | None:
    """The table with the rows of one match in so many; None if only the table itself has them all."""
    return sampled_name(table) if one_in >= SAMPLING_STEPS.get(table, one_in + 1) else None


def count_wrong_samples_sql(table: str) -> str:
    """The statement that counts the rows that are in only one of a table and its sampled rows."""
    columns = ", ".join(sorted(schema_columns()[table]))
    kept = f"SELECT {columns} FROM {sampled_name(table)}"
    found = f"SELECT {columns} FROM {sampled_rows_sql(table, table)}"
    return count_differing_sql(kept, found)


def add_to_sampled(
    cursor: duckdb.DuckDBPyConnection, table: str, rows: str, parameters: dict[str, object]
) -> None:
    """Keep the sampled ones of rows that were added to a table; they are a subquery."""
    sql = f"INSERT INTO {sampled_name(table)} BY NAME FROM {sampled_rows_sql(table, rows)}"
    cursor.execute(sql, parameters or None)
