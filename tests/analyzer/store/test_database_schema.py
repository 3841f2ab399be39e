from pathlib import Path

import pytest

from analyzer.review.stored import REVIEW_COLUMNS, ROW_COLUMNS
from analyzer.store.parquet import AttachedStore
from analyzer.store.schema import SCHEMA_VERSION, own_version, schema_sql
from analyzer.store.store import Store
from analyzer.store.sums import SUM_KEYS, SUM_TABLES, sums_sql
from analyzer.store.tables import PACKED_TABLES, POINT_SOURCES, ROW_TABLES
from records.errors import StoreError
from records.validator import JUDGEMENT_VERSION

FILLED_BY_THE_DATABASE = {"stored_at", "seen_at", "committed_at", "made_at", "asked_at"}


def columns_of(store: Store) -> dict[str, list[str]]:
    sql = """
        SELECT table_name, list(column_name ORDER BY column_index)
        FROM duckdb_columns()
        WHERE table_name IN (SELECT table_name FROM duckdb_tables())
        GROUP BY table_name
    """
    return dict(store.rows(sql).rows)


def test_every_table_and_view_is_commented(store: Store) -> None:
    sql = """
        SELECT table_name FROM duckdb_tables() WHERE comment IS NULL
        UNION ALL
        SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL
    """
    assert store.rows(sql).rows == []


def test_every_column_is_commented(store: Store) -> None:
    sql = """
        SELECT table_name, column_name
        FROM duckdb_columns()
        WHERE NOT internal AND comment IS NULL
            AND table_name IN (SELECT table_name FROM duckdb_tables())
    """
    assert store.rows(sql).rows == []


def test_no_table_has_an_index_or_a_key(store: Store) -> None:
    assert store.rows("SELECT index_name FROM duckdb_indexes()").rows == []
    found = store.rows("SELECT DISTINCT constraint_type FROM duckdb_constraints()").rows
    assert found in ([], [("NOT NULL",)])


def test_what_is_loaded_fills_every_column_in_the_order_of_the_schema(store: Store) -> None:
    filled = {**ROW_TABLES, **PACKED_TABLES}
    filled["game_reviews"] = REVIEW_COLUMNS
    place = ("game", "deal", "seat", "clean")
    filled |= {table: (*place, *columns) for table, columns in ROW_COLUMNS.items()}
    filled["other_games"] = ("match", "relation", *ROW_TABLES["games"])
    for table, columns in columns_of(store).items():
        if table in ("schema_version", "commits", *SUM_TABLES):
            continue
        given = FILLED_BY_THE_DATABASE | ({"started_at"} if table == "imports" else set())
        expected = [column for column in columns if column not in given]
        assert list(filled[table]) == expected, table


@pytest.mark.parametrize("name", SUM_TABLES)
def test_sums_have_the_columns_of_the_schema_and_their_names_in_seats(
    store: Store, name: str
) -> None:
    columns = columns_of(store)
    assert list(store.rows(sums_sql(name, SUM_TABLES[name])).columns) == columns[name]
    of_seats = {*columns["seats"], "cards"}  # of cards there are no sums by seat
    assert {*columns[name]} - {*SUM_KEYS[name]} <= of_seats


def test_the_schema_names_every_source_of_points(store: Store) -> None:
    assert all(f"{source}_points" in columns_of(store)["seats"] for source in POINT_SOURCES)
    assert all(source in schema_sql() for source in POINT_SOURCES)


def test_a_database_says_which_program_made_it(store: Store) -> None:
    found = store.rows("SELECT version, judgement, program FROM schema_version").rows
    assert found == [(SCHEMA_VERSION, JUDGEMENT_VERSION, own_version())]


@pytest.mark.long
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"version": SCHEMA_VERSION + 1}, f"newer program .* its schema is {SCHEMA_VERSION + 1}"),
        ({"judgement": JUDGEMENT_VERSION + 1}, "newer program .* its judgement is"),
        ({"version": SCHEMA_VERSION - 1}, "older version .* `bezique upgrade --data"),
        ({"judgement": JUDGEMENT_VERSION - 1}, "older version .* `bezique upgrade --data"),
    ],
)
@pytest.mark.parametrize("opened", [Store, AttachedStore])
def test_another_database_is_refused_in_words(
    tmp_path: Path, changed: dict[str, int], words: str, opened: type[Store]
) -> None:
    with Store(tmp_path) as store, store.writing() as cursor:
        for column, value in changed.items():
            cursor.execute(f"UPDATE schema_version SET {column} = ?", [value])
    with pytest.raises(StoreError, match=words):
        opened(tmp_path)
