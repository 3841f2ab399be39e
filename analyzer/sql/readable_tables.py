"""The tables that readers' SQL can read, described."""

from dataclasses import dataclass

from analyzer.db.store import Store
from analyzer.sql.guard import DERIVED_TABLES, READABLE_TABLES

SELECT_TABLE_DESCRIPTIONS = """
    SELECT
        columns.table_name, coalesce(tables.comment, views.comment) AS says, column_name,
        lower(data_type) AS type, columns.comment
    FROM duckdb_columns() AS columns
    LEFT JOIN duckdb_tables() AS tables USING (table_oid)
    LEFT JOIN duckdb_views() AS views ON views.view_oid = columns.table_oid
    WHERE NOT columns.internal AND columns.database_name = current_database()
    ORDER BY columns.table_name, column_index
"""


@dataclass(frozen=True, slots=True)
class TableDescription:
    """A readable table: its comment (`says`), and its columns with type and comment."""

    name: str
    says: str
    columns: list[tuple[str, str, str]]


def describe_tables(store: Store) -> list[TableDescription]:
    """The readable tables with their comments, derived ones last; columns of a view have the comments of its tables."""
    found: dict[str, TableDescription] = {}
    rows = store.rows(SELECT_TABLE_DESCRIPTIONS).rows
    comments = {column: comment for _, _, column, _, comment in rows if comment}
    for table, says, column, kind, comment in rows:
        if table in READABLE_TABLES:
            entry = found.setdefault(table, TableDescription(table, says or "", []))
            entry.columns.append((column, kind, comment or comments.get(column, "")))
    return sorted(found.values(), key=lambda entry: entry.name in DERIVED_TABLES)
