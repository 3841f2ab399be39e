"""A full disk: what was acknowledged stays, the rest is refused in words, and with room all goes on."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest_bytes
from analyzer.store import store as store_module
from analyzer.store.games import backup_store
from analyzer.store.instance import StoreFull
from analyzer.store.reserve import STEP_BYTES, keep_reserve
from analyzer.store.store import Store
from tests.machine.small_disk import FILLER_NAME, fill_disk, make_room, small_disk
from tests.make.zique_games import zique_game, zique_games

KIB = 1024
ROOMS = [0, 60 * KIB, 400 * KIB]
"""Bytes left: for nothing, for commits and no checkpoint, for a part of a checkpoint."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", 24) as folder:
        yield folder


def store_until_full(store: Store, games: Iterator[bytes]) -> tuple[set[bytes], bool]:
    """Store games one by one; those acknowledged, and whether one was refused."""
    done = set()
    for game in games:
        try:
            ingest_bytes(store, "game.json", game)
        except StoreFull:
            return done, True
        done.add(game)
    return done, False


def delete_until_full(store: Store, digests: list[str]) -> int:
    """Delete games one by one; how many it were until one was refused."""
    for number, digest in enumerate(digests):
        try:
            delete_games(store, [digest])
        except StoreFull:
            return number
    raise AssertionError("there was room for everything")


def stored(store: Store) -> set[bytes]:
    """Every record in the database, read again."""
    digests = [digest for (digest,) in store.rows("SELECT digest FROM records").rows]
    return {data for digest in digests if (data := store.record_bytes(digest))}


def on_disk(data: Path, target: Path) -> set[bytes]:
    """What a process would find that opens the files as they are now: after kill -9, for example."""
    target.mkdir()
    for file in data.glob("bezique.duckdb*"):
        if file.is_file():
            copyfile(file, target / file.name)
    with Store(target) as store:
        return stored(store)


@pytest.mark.slow
@pytest.mark.parametrize("threshold", ["16MB", "300KB"])
@pytest.mark.parametrize("room", ROOMS)
def test_a_commit_is_whole_or_refused_and_room_is_enough_to_go_on(
    disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, threshold: str
) -> None:
    settings = {**store_module.SERVING_SETTINGS, "checkpoint_threshold": threshold}
    monkeypatch.setattr(store_module, "SERVING_SETTINGS", settings)
    games = iter(zique_games(24)[2:])
    with Store(disk / "data") as store:
        acknowledged = {next(games), next(games)}
        for game in acknowledged:
            ingest_bytes(store, "game.json", game)
        fill_disk(disk, but=room)
        more, refused = store_until_full(store, games)
        acknowledged |= more
        assert refused or room == ROOMS[-1]
        assert stored(store) == acknowledged
        make_room(disk)
        more, refused = store_until_full(store, iter(zique_games(2)))
        acknowledged |= more
        assert more
        assert not refused
        assert stored(store) == acknowledged
        assert on_disk(disk / "data", tmp_path / "found") == acknowledged
    with Store(disk / "data") as store:
        assert stored(store) == acknowledged


@pytest.mark.slow
def test_a_checkpoint_that_fails_gives_the_instance_up_and_the_store_opens_another(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause of the failure that made every page fail until somebody started the server again."""
    settings = {**store_module.SERVING_SETTINGS, "checkpoint_threshold": "300KB"}
    monkeypatch.setattr(store_module, "SERVING_SETTINGS", settings)
    games = iter(zique_games(24))
    with Store(disk / "data") as store:
        ingest_bytes(store, "game.json", next(games))
        before = store.cursor()
        fill_disk(disk, but=350 * KIB)
        acknowledged, _ = store_until_full(store, games)
        assert store._instance.number > 1
        with pytest.raises(duckdb.Error):
            before.execute("SELECT 1")
        assert store.counts().games == 1 + len(acknowledged)


@pytest.mark.long
def test_a_backup_without_room_is_refused_and_harms_nothing(disk: Path, tmp_path: Path) -> None:
    with Store(disk / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(24)))
        fill_disk(disk)
        for folder in (disk / "copy", disk / "data" / "copy"):
            with pytest.raises(StoreFull, match=r"no room|is no room"):
                backup_store(store, folder)
            assert not folder.exists() or not list(folder.iterdir())
        assert stored(store) == set(zique_games(24))
        copy = backup_store(store, tmp_path / "elsewhere")
        make_room(disk)
        backup_store(store, disk / "copy")
        assert copy.stat().st_mode & 0o777 == 0o600
    for folder in (tmp_path / "elsewhere", disk / "copy"):
        assert [file.name for file in folder.iterdir()] == ["bezique.duckdb"]
        with Store(folder) as store:
            assert stored(store) == set(zique_games(24))


@pytest.mark.long
def test_a_backup_that_runs_out_of_room_in_the_middle_leaves_nothing(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "analyzer.store.instance.disk_usage", lambda _: type("U", (), {"free": 2**40})
    )
    with Store(disk / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(24)))
        fill_disk(disk, but=200 * KIB)
        with pytest.raises(StoreFull):
            backup_store(store, disk / "copy")
        assert not list((disk / "copy").iterdir())
        assert stored(store) == set(zique_games(24))


@pytest.mark.slow
def test_games_can_be_deleted_from_a_full_disk_one_by_one_and_together(
    disk: Path, tmp_path: Path
) -> None:
    games = zique_games(24)
    with Store(disk / "data") as store:
        keep_reserve(disk / "data", 4 * STEP_BYTES)
        ingest_bytes(store, "games.jsonl", b"\n".join(games))
        digests = [digest for (digest,) in store.rows("SELECT digest FROM records").rows]
        fill_disk(disk)
        with pytest.raises(StoreFull):
            store_all(store, zique_games(60)[24:])
        for digest in digests[:8]:
            assert delete_games(store, [digest]) == 1
            fill_disk(disk)
        assert delete_games(store, digests) == len(games) - 8
        assert store.counts().games == 0
        assert on_disk(disk / "data", tmp_path / "found") == set()


def store_all(store: Store, games: list[bytes]) -> None:
    for game in games:
        ingest_bytes(store, "game.json", game)


@pytest.mark.long
def test_a_deletion_is_whole_or_refused(disk: Path) -> None:
    with Store(disk / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(24)))
        digests = [digest for (digest,) in store.rows("SELECT digest FROM records").rows]
        fill_disk(disk)
        deleted = delete_until_full(store, digests)
        assert store.counts().games == len(zique_games(24)) - deleted
        make_room(disk)
        assert delete_games(store, digests) == len(zique_games(24)) - deleted
        assert store.counts().games == 0


@pytest.mark.long
def test_a_store_closes_and_opens_on_a_full_disk(disk: Path) -> None:
    with Store(disk / "data") as store:
        ingest_bytes(store, "game.json", zique_game(0))
        fill_disk(disk)
    for _ in range(2):
        with Store(disk / "data") as store:
            assert stored(store) == {zique_game(0)}
            with pytest.raises(StoreFull):
                ingest_bytes(store, "game.json", zique_game(1))
    assert (disk / FILLER_NAME).exists()
