"""A damaged database is told from a locked one, a newer one and a missing one, when it is opened and while it is used."""

import logging
import random
import re
from pathlib import Path
from shutil import copytree

import duckdb
import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.acknowledged import ACKNOWLEDGED_FILE_NAME
from analyzer.store.instance import LOG_START, StoreDamaged, StoreUnavailable
from analyzer.store.parquet import AttachedStore
from analyzer.store.schema import SchemaTooNew, schema_columns
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.rescue import rescue_records
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.make.zique_games import zique_games

FLIPS = 40


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a database with a few games."""
    folder = tmp_path_factory.mktemp("whole")
    with Store(folder) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(12)))
    return (folder / DATABASE_FILE_NAME).read_bytes()


def read_all(folder: Path) -> None:
    """Open a database and read every row in it."""
    with Store(folder) as store:
        for table in schema_columns():
            store.rows(f"SELECT * FROM {table}")


@pytest.mark.slow
def test_a_flipped_byte_is_never_called_a_lock_or_a_crash(tmp_path: Path, whole: bytes) -> None:
    chance, path = random.Random(1), tmp_path / DATABASE_FILE_NAME
    told = set()
    for _ in range(FLIPS):
        at = chance.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            read_all(tmp_path)
        except StoreDamaged as error:
            told.add(str(error))
        path.with_name(f"{DATABASE_FILE_NAME}.wal").unlink(missing_ok=True)
    assert told
    assert all(re.search(r"is damaged \(.+\): `bezique doctor`", words) for words in told)


@pytest.mark.parametrize("share", [0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999])
def test_a_file_cut_short_is_damaged(tmp_path: Path, whole: bytes, share: float) -> None:
    (tmp_path / DATABASE_FILE_NAME).write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(StoreDamaged):
        read_all(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("opened", [Store, AttachedStore])
def test_a_log_that_does_not_begin_as_it_was_written_is_never_taken_for_an_empty_one(
    tmp_path: Path, opened: type[Store]
) -> None:
    games = zique_games(3)
    with Store(tmp_path / "first") as store:
        for game in games:
            ingest_bytes(store, "game.json", game)
        copytree(tmp_path / "first", tmp_path / "killed")
    log = tmp_path / "killed" / f"{DATABASE_FILE_NAME}.wal"
    whole = log.read_bytes()
    for at in range(LOG_START.match(whole).end()):  # type: ignore[union-attr]
        log.write_bytes(whole[:at] + bytes([whole[at] ^ 0x11]) + whole[at + 1 :])
        with pytest.raises(StoreDamaged):
            opened(tmp_path / "killed")
        assert check_folder(tmp_path / "killed", lambda *_: None).is_lossy
    log.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
    summary = rescue_records(tmp_path / "killed", tmp_path / "rescued", lambda *_: None)
    assert (summary.rescued, summary.unproven) == (3, 3)
    log.write_bytes(whole)
    with opened(tmp_path / "killed") as store:
        assert store.counts().games == 3


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", [name for name in schema_columns() if name != "deals"])
def test_a_missing_table_is_said_when_the_database_is_opened(
    tmp_path: Path, whole: bytes, name: str
) -> None:
    path = tmp_path / DATABASE_FILE_NAME
    path.write_bytes(whole)
    with duckdb.connect(str(path)) as connection:
        kind = "TABLE" if schema_columns()[name] else "VIEW"
        connection.execute(f"DROP {kind} {name}")
    with pytest.raises(StoreDamaged, match=f"it lacks {name}"):
        Store(tmp_path)


def test_a_missing_column_is_said_when_the_database_is_opened(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / DATABASE_FILE_NAME
    path.write_bytes(whole)
    with duckdb.connect(str(path)) as connection:
        connection.execute("ALTER TABLE records DROP COLUMN data")
    with pytest.raises(StoreDamaged, match=r"it lacks records\.data"):
        Store(tmp_path)


def test_a_newer_schema_is_no_damage(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / DATABASE_FILE_NAME
    path.write_bytes(whole)
    with duckdb.connect(str(path)) as connection:
        connection.execute("INSERT INTO schema_version VALUES (99, 1, '', now())")
    with pytest.raises(SchemaTooNew, match="its schema is 99"):
        Store(tmp_path)


def test_a_folder_that_has_lock_in_its_name_is_not_locked(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    (tmp_path / "lock" / DATABASE_FILE_NAME).write_bytes(b"no database, but long enough" * 1000)
    with pytest.raises(StoreDamaged):
        Store(tmp_path / "lock")


@pytest.mark.long
def test_what_would_be_written_beside_a_vanished_folder_is_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Store(tmp_path / "data") as store, caplog.at_level(logging.WARNING):
        ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(12)))
        (tmp_path / "data").rename(tmp_path / "away")
        for _ in range(3):
            with pytest.raises(StoreUnavailable, match="not there any more"):
                store_game(store, play_game("zique", seed=77))
        assert caplog.text.count("not there any more") == 1
        (tmp_path / "away").rename(tmp_path / "data")
        store_game(store, play_game("zique", seed=77))
        assert "is back" in caplog.text
        assert store.counts().games == 13
    with Store(tmp_path / "data") as store:
        assert store.counts().games == 13


@pytest.mark.long
def test_a_folder_that_was_replaced_is_opened(tmp_path: Path, whole: bytes) -> None:
    with Store(tmp_path / "data") as store:
        assert store.counts().games == 0
        (tmp_path / "data").rename(tmp_path / "away")
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / DATABASE_FILE_NAME).write_bytes(whole)
        assert store.counts().games == 12
        store_game(store, play_game("zique", seed=77))
    with Store(tmp_path / "data") as store:
        assert store.counts().games == 13


@pytest.mark.long
def test_only_the_owner_reads_the_files(tmp_path: Path) -> None:
    with Store(tmp_path / "new") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(12)))
        modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()}
        assert modes == dict.fromkeys(
            (DATABASE_FILE_NAME, f"{DATABASE_FILE_NAME}.wal", ACKNOWLEDGED_FILE_NAME), 0o600
        )
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    (tmp_path / "new" / DATABASE_FILE_NAME).chmod(0o644)
    (tmp_path / "new").chmod(0o755)
    Store(tmp_path / "new").close()
    assert (tmp_path / "new" / DATABASE_FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o755
