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
from analyzer.ingest import examination
from analyzer.ingest.deal_tally import DealTally
from analyzer.ingest.loader import ingest
from analyzer.ingest.rows import GameRows, PlayedGame
from records import codec
from records.selfplay import play_game
from records.validate.report import Report
from tests.analyzer.settled_deals import CLUB, ENDED_DEALS
from tests.playouts.games import STANDARD

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
SCORED = ("deals", "seats", "tricks", "scores")
"""Tables of which versions before 11 filled some rows otherwise."""
SUMMED = {"seats": "(SELECT *, 0 AS points_of_partners FROM seats)"}
"""Rows of version 10 with what today's sums need: it summed as if nobody had partners."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, loaded: bytes) -> Iterator[Store]:
    """The games loaded by this version."""
    with Store(tmp_path_factory.mktemp("fresh")) as opened:
        load(opened, loaded)
        yield opened


@pytest.fixture(scope="module")
def loaded(lines: bytes) -> bytes:
    """Played games of every sheet, some with partners, and deals that brisques settle."""
    partners = [way.play(seed=1, style="greedy") for way in STANDARD if way.sides]
    settled = [play_game(CLUB, seed=3), *(ended.record for ended in ENDED_DEALS.values())]
    return lines + b"".join(codec.encode(record) + b"\n" for record in (*partners, *settled))


def load(store: Store, loaded: bytes) -> None:
    """Load the games and every sample, good and broken."""
    ingest(store, codec.read_entries(io.BytesIO(loaded), name="games.jsonl"))
    samples = sorted([*SAMPLES.glob("good/*.json"), *SAMPLES.glob("broken/*.json")])
    ingest(store, (entry for path in samples for entry in codec.read_entries(path)))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, loaded: bytes) -> Iterator[Store]:
    """The same games without the brisques that count to settle a deal, as versions before 11 loaded them."""

    def build_plain(deals: list[DealTally], game: PlayedGame, report: Report) -> GameRows:
        for tally in deals:
            tally.table.earned.clear()
        return build_rows(deals, game, report)

    build_rows = examination.build_rows
    with pytest.MonkeyPatch.context() as patched, Store(tmp_path_factory.mktemp("plain")) as opened:
        patched.setattr(examination, "build_rows", build_plain)
        load(opened, loaded)
        yield opened


def old(version: int, folder: Path, fresh: Store, plain: Store) -> None:
    """The database that an earlier version would have made of the same games."""
    schema = (HERE / "schemas" / f"v{version}.sql").read_text(encoding="utf-8")
    with duckdb.connect(folder / DATABASE_FILE_NAME) as connection:
        connection.execute(schema)
        connection.execute("INSERT INTO schema_version (version) VALUES (?)", [version])
        for table in FILLED:
            described = connection.execute(f"SELECT * FROM {table}").description
            names = [column[0] for column in described]
            values = ", ".join(GONE.get((table, name), filled(table, name)) for name in names)
            source = plain if table in SCORED else fresh
            rows = source.rows(f"SELECT {values} FROM {table}").rows
            with connection.appender(table, columns=names) as appender:
                appender.append_rows(rows)
        for table, sums in SUM_TABLES.items():
            if f"CREATE TABLE {sums} " in schema:
                found = sums_sql(table, SUMMED.get(table, table))
                connection.execute(f"INSERT INTO {sums} BY NAME {found}")
        for table in SAMPLING_STEPS:
            sampled = sampled_name(table)
            if f"CREATE TABLE {sampled} " in schema:
                found = sampled_rows_sql(table, table)
                connection.execute(f"INSERT INTO {sampled} BY NAME FROM {found}")


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
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fresh: Store,
    plain: Store,
) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("old")
    old(request.param, folder, fresh, plain)
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


def test_games_have_what_version_11_changes(fresh: Store, plain: Store) -> None:
    """Deals that brisques settle, among them one that counts, and partners."""
    settled = "SELECT game, deal, clean FROM scores WHERE source = 'brisques' AND sheet = $sheet"
    assert (True,) in fresh.rows(f"SELECT clean FROM ({settled})", {"sheet": CLUB}).rows
    assert plain.rows(settled, {"sheet": CLUB}).rows == []
    assert plain.rows("SELECT count(*) > 9 FROM scores WHERE source = 'brisques'").rows == [(True,)]
    partners = "SELECT count(*) > 9 FROM seats WHERE clean AND points_of_partners > 0"
    assert fresh.rows(partners).rows == [(True,)]


def test_what_version_1_did_not_tell_is_empty(tmp_path: Path, fresh: Store, plain: Store) -> None:
    sql = (
        "SELECT count(missed), (SELECT count(brisques_missed) FROM seats), "
        "(SELECT sum(let_go_known)::INTEGER FROM seats) FROM tricks"
    )
    old(1, tmp_path, fresh, plain)
    with Store(tmp_path) as migrated:
        assert migrated.rows(sql).rows == [(0, 0, 0)]
    assert fresh.rows(sql).rows[0][0] > 0


def test_it_can_be_loaded_into(migrated: Store, lines: bytes) -> None:
    again = ingest(migrated, codec.read_entries(io.BytesIO(lines), name="again.jsonl"))
    assert set(again.states) == {"known"}
