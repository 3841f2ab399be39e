"""Tables as Parquet: readable by other programs, and usable as a store."""

import io
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from analyzer.ingest.correcting import make_correction
from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest, ingest_bytes
from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.stored import review_stored_game
from analyzer.sql.guard import describe_tables
from analyzer.sql.pool import StatementPool
from analyzer.store.games import read_records
from analyzer.store.parquet import EXPORTED_TABLES, ExportProgress, export_parquet
from analyzer.store.store import GameFilter, Store, StoreReadOnly
from analyzer.store.store_folders import open_store
from records.corrected import CorrectedFact
from records.errors import StoreError
from records.format.files import read_entries
from tests.soak.loading import dated, mixed

GAMES = 57
SAMPLES = Path(__file__).parents[3] / "samples" / "broken"
SUMS = {
    "games": "sum(findings), sum(deals), count(month)",
    "deals": "sum(margin), sum(tricks)",
    "seats": "sum(points), sum(brisques), count(player)",
    "tricks": "sum(points_ahead), count(missed), count(led)",
    "scores": "sum(points), count(meld)",
    "cards": "count(card), count(DISTINCT use)",
    "findings": "count(DISTINCT code)",
    "records": "sum(size)",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("data")
    lines = dated(mixed(range(GAMES)))
    with Store(folder, files=folder.parent) as opened:
        ingest(opened, read_entries(io.BytesIO(b"\n".join(lines)), name="games.jsonl"))
        ingest(opened, (entry for path in SAMPLES.glob("*.json") for entry in read_entries(path)))
        stored.review_stored_exactly(
            opened, opened.games(GameFilter(sheet="zique")).games[0].digest
        )
        sql = "SELECT digest FROM games WHERE sheet = 'marjolet' AND clean ORDER BY game LIMIT 1"
        ((digest,),) = opened.rows(sql).rows
        terms = ReviewTerms(worlds=0, positions=200, last_trick=False, rollouts=2)
        stored.review_stored_exactly(opened, digest, terms)
        few = ReviewTerms(worlds=2)
        deque(review_stored_game(opened, digest, lambda _: few, processes=0), maxlen=0)
        make_correction(opened, digest, CorrectedFact("event"), "Cup", made_by="command")
        yield opened


@pytest.fixture(scope="module")
def folder(store: Store) -> Path:
    target = store.path.parent / "parquet's"
    export_parquet(store, target)
    return target


@pytest.fixture(scope="module")
def shown(folder: Path) -> Iterator[Store]:
    with open_store(folder) as parquet:
        yield parquet


@pytest.mark.long
@pytest.mark.parametrize("table", SUMS)
def test_another_program_reads_every_table(store: Store, folder: Path, table: str) -> None:
    path = f"{folder}/{table}/**/*.parquet".replace("'", "''")
    own = store.rows(f"DESCRIBE {table}").rows
    by = "sheet" if "sheet" in [name for name, *_ in own] else "1"
    sql = f"SELECT {by}, count(*), {SUMS[table]} FROM {{}} GROUP BY ALL ORDER BY ALL"
    with duckdb.connect() as connection:
        found = connection.execute(sql.format(f"read_parquet('{path}')")).fetchall()
    assert found == store.rows(sql.format(table)).rows


@pytest.mark.slow
def test_the_records_are_there_byte_for_byte(store: Store, folder: Path) -> None:
    path = f"{folder}/records/*.parquet".replace("'", "''")
    with duckdb.connect() as connection:
        found = connection.execute(
            f"SELECT digest, data FROM read_parquet('{path}') WHERE sheet = 'zique'"
        ).fetchall()
    assert len(found) > 2
    for digest, data in found:
        assert data == store.record_bytes(digest)


def test_it_lies_in_the_order_of_rulebook_and_month(folder: Path) -> None:
    """A question about one rulebook or one month reads a part of the file alone."""
    (file,) = (folder / "tricks").iterdir()
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"SELECT sheet, month FROM '{str(file).replace(chr(39), chr(39) * 2)}'"
        ).fetchall()
    assert len({sheet for sheet, _ in rows}) > 2
    assert rows == sorted(rows, key=lambda row: (row[0], row[1] is None, row[1]))


@pytest.mark.parametrize("table", [*EXPORTED_TABLES, "melds", "clean_deals", "variants"])
def test_the_folder_is_a_store_with_the_same_rows(store: Store, shown: Store, table: str) -> None:
    chosen = "* EXCLUDE (data, rowid)" if table == "records" else "*"
    here = shown.rows(f"SELECT {chosen} FROM {table}")
    there = store.rows(f"SELECT {chosen.replace(', rowid', '')} FROM {table}")
    assert here.columns == there.columns
    assert sorted(map(repr, here.rows)) == sorted(map(repr, there.rows))
    assert there.rows


@pytest.mark.slow
def test_games_records_and_reports_come_from_it(store: Store, shown: Store) -> None:
    assert shown.counts() == replace(store.counts(), rejected=0)
    for game in store.games(limit=10).games:
        assert shown.game(game.digest) == game
        assert shown.record_bytes(game.digest) == store.record_bytes(game.digest)
        assert shown.report(game.digest) == store.report(game.digest)
    chosen = GameFilter(sheet="zique")
    came = {one.digest: one.data for one in read_records(shown, chosen)}
    assert came == {one.digest: one.data for one in read_records(store, chosen)}


def test_the_schema_has_its_words(store: Store, shown: Store) -> None:
    assert {t.name: t for t in describe_tables(shown)} == {
        t.name: t for t in describe_tables(store)
    }


@pytest.mark.slow
def test_readers_sql_reads_it(store: Store, shown: Store, folder: Path) -> None:
    with closing(StatementPool(folder)) as pool:
        for table in ("games", "melds", "reviews"):
            count = f"SELECT count(*) FROM {table}"
            assert pool.run(count).result.rows == store.rows(count).rows == shown.rows(count).rows


def test_nothing_is_changed_in_it(shown: Store, folder: Path) -> None:
    before = sorted((file, file.stat().st_mtime_ns) for file in folder.rglob("*"))
    game = shown.games(limit=1).games[0]
    with pytest.raises(StoreReadOnly):
        ingest_bytes(shown, "again.jsonl", mixed(range(1)))
    with pytest.raises(StoreReadOnly):
        delete_games(shown, [game.digest])
    assert stored.review_stored_exactly(shown, game.digest).digest == game.digest
    assert sorted((file, file.stat().st_mtime_ns) for file in folder.rglob("*")) == before


def test_nothing_else_can_be_read(shown: Store) -> None:
    with pytest.raises(duckdb.PermissionException):
        shown.rows("SELECT * FROM read_text('/etc/hostname')")


def test_a_folder_with_something_in_it_is_refused(store: Store, folder: Path) -> None:
    with pytest.raises(StoreError, match="not empty"):
        export_parquet(store, folder)


@pytest.mark.slow
def test_an_export_that_is_stopped_leaves_nothing(store: Store) -> None:
    target = store.path.parent.parent / "stopped"

    def stop(at: ExportProgress) -> None:
        if at.done > at.games / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_parquet(store, target, stop)
    assert not list(target.parent.glob("stopped*"))
    assert export_parquet(store, target).games == store.counts().games


def test_a_folder_of_another_version_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bezique.json").write_text('{"schema": 1, "games": 0, "deals": 0}')
    with pytest.raises(StoreError, match="export them again"):
        open_store(tmp_path)
