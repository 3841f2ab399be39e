"""A migrated database of every earlier version equals one that this version makes of the same games."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyzer.db.migrations.upgrade import SCHEMA_VERSION
from analyzer.db.store import DATABASE_FILE_NAME, Store
from analyzer.db.sums.sampled_tables import SAMPLING_STEPS, sampled_name, sampled_rows_sql
from analyzer.db.sums.table_sums import SUM_TABLES, sums_sql
from analyzer.db.tables import POINT_SOURCES
from analyzer.ingest.loader import ingest
from records import codec

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "samples"
EARLIER = tuple(range(1, SCHEMA_VERSION))
FILLED = ("records", "rejected", "games", "deals", "seats", "tricks", "scores", "findings")
NOT_TOLD = {"missed", "brisques_missed", "let_go", "let_go_known"}
"""What only a replay can tell, so that it stays empty for games that version 1 loaded, and sums of it 0."""
NEVER_EMPTY = {
    "deals": ("margin",),
    "seats": (
        "points",
        "outcome",
        "melds",
        "tricks",
        "brisques",
        *(f"{source}_points" for source in POINT_SOURCES),
    ),
}
"""Columns that earlier versions filled with 0 where a record leaves the number open."""
GONE = {("records", "content"): "uuid()"}
"""Columns of earlier versions that this one has no more, and what stood in them."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, lines: bytes) -> Iterator[Store]:
    """Played games and every sample, good and broken, loaded by this version."""
    with Store(tmp_path_factory.mktemp("fresh")) as opened:
        ingest(opened, codec.read_entries(io.BytesIO(lines), name="games.jsonl"))
        samples = sorted([*SAMPLES.glob("good/*.json"), *SAMPLES.glob("broken/*.json")])
        ingest(opened, (entry for path in samples for entry in codec.read_entries(path)))
        yield opened


def old(version: int, folder: Path, fresh: Store) -> None:
    """The database that an earlier version would have made of the same games."""
    schema = (HERE / "schemas" / f"v{version}.sql").read_text(encoding="utf-8")
    with duckdb.connect(folder / DATABASE_FILE_NAME) as connection:
        connection.execute(schema)
        connection.execute("INSERT INTO schema_version (version) VALUES (?)", [version])
        for table in FILLED:
            described = connection.execute(f"SELECT * FROM {table}").description
            names = [column[0] for column in described]
            values = ", ".join(GONE.get((table, name), filled(table, name)) for name in names)
            rows = fresh.rows(f"SELECT {values} FROM {table}").rows
            with connection.appender(table, columns=names) as appender:
                appender.append_rows(rows)
        for table, sums in SUM_TABLES.items():
            if f"CREATE TABLE {sums} " in schema:
                connection.execute(f"INSERT INTO {sums} BY NAME {sums_sql(table, table)}")


def filled(table: str, name: str) -> str:
    """A column as an earlier version would have filled it."""
    return f"coalesce({name}, 0) AS {name}" if name in NEVER_EMPTY.get(table, ()) else name


def contents(store: Store, table: str, version: int) -> list[tuple[Any, ...]]:
    described = store.rows(f"SELECT * FROM {table} LIMIT 0").columns
    left_out = NOT_TOLD if version == 1 else set[str]()
    names = ", ".join(filled(table, name) for name in described if name not in left_out)
    sql = f"SELECT {names} FROM {table}"
    return sorted(store.rows(sql).rows, key=repr)


def shape(store: Store) -> list[tuple[Any, ...]]:
    """Every column and view with its type, whether it may be empty, and its comment."""
    columns = """
        SELECT table_name, column_index, column_name, data_type, is_nullable, column_default, comment
        FROM duckdb_columns() WHERE NOT internal ORDER BY ALL
    """
    views = "SELECT view_name, sql, comment FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
    tables = "SELECT table_name, comment FROM duckdb_tables() ORDER BY ALL"
    return [row for sql in (columns, views, tables) for row in store.rows(sql).rows]


@pytest.fixture(scope="module", params=EARLIER)
def migrated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, fresh: Store
) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("old")
    old(request.param, folder, fresh)
    with Store(folder) as opened:
        yield opened


def test_it_has_the_shape_of_a_fresh_one(migrated: Store, fresh: Store) -> None:
    assert shape(migrated) == shape(fresh)
    versions = [version for (version,) in migrated.rows("SELECT version FROM schema_version").rows]
    assert versions[-1] == SCHEMA_VERSION
    assert len(versions) > 1


@pytest.mark.parametrize("table", FILLED)
def test_it_has_the_rows_of_a_fresh_one(migrated: Store, fresh: Store, table: str) -> None:
    ((version,),) = migrated.rows("SELECT min(version) FROM schema_version").rows
    expected = contents(fresh, table, version)
    assert expected
    assert contents(migrated, table, version) == expected


@pytest.mark.parametrize("table", SUM_TABLES)
def test_it_has_the_sums_of_its_rows(migrated: Store, table: str) -> None:
    found = migrated.rows(f"FROM {SUM_TABLES[table]} ORDER BY ALL").rows
    assert found
    assert found == migrated.rows(f"{sums_sql(table, table)} ORDER BY ALL").rows


@pytest.mark.parametrize("table", SAMPLING_STEPS)
def test_it_has_the_rows_of_some_matches_a_second_time(migrated: Store, table: str) -> None:
    found = migrated.rows(f"FROM {sampled_name(table)} ORDER BY ALL").rows
    assert found
    assert found == migrated.rows(f"FROM {sampled_rows_sql(table, table)} ORDER BY ALL").rows


def test_what_version_1_did_not_tell_is_empty(tmp_path: Path, fresh: Store) -> None:
    sql = (
        "SELECT count(missed), (SELECT count(brisques_missed) FROM seats), "
        "(SELECT sum(let_go_known)::INTEGER FROM seats) FROM tricks"
    )
    old(1, tmp_path, fresh)
    with Store(tmp_path) as migrated:
        assert migrated.rows(sql).rows == [(0, 0, 0)]
    assert fresh.rows(sql).rows[0][0] > 0


def test_it_can_be_loaded_into(migrated: Store, lines: bytes) -> None:
    again = ingest(migrated, codec.read_entries(io.BytesIO(lines), name="again.jsonl"))
    assert set(again.states) == {"known"}
