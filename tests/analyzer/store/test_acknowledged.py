"""What was acknowledged and is not there is noticed: a log that is missing, cut, replaced or damaged, and a database that is."""

import random
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest_bytes
from analyzer.store.acknowledged import ACKNOWLEDGED_FILE_NAME, note_of, read_note
from analyzer.store.instance import StoreDamaged, log_of, logs_set_aside
from analyzer.store.parquet import AttachedStore
from analyzer.store.sealed_files import FileBroken
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.rescue import rescue_records
from tests.make.zique_games import zique_games

GAMES = 4
CUTS = 2


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as it is after `kill -9`: games in the file, games in the log, and the log of then beside it."""
    folder = tmp_path_factory.mktemp("killed")
    games = zique_games(GAMES)
    with Store(folder / "first") as store:
        ingest_bytes(store, "game.json", games[0])
    with Store(folder / "first") as store:
        for game in games[1:]:
            copytree(folder / "first", folder / "older", dirs_exist_ok=True)
            ingest_bytes(store, "game.json", game)
        copytree(folder / "first", folder / "last")
    return folder


@pytest.fixture
def folder(killed: Path, tmp_path: Path) -> Path:
    return copytree(killed / "last", tmp_path / "data")


def log(folder: Path) -> Path:
    return log_of(folder / DATABASE_FILE_NAME)


def severities(folder: Path) -> set[str]:
    return {problem.severity for problem in check_folder(folder, lambda *_: None).problems}


def require_refused(folder: Path, opened: type[Store] = Store) -> None:
    """A folder whose database lacks something: not opened, and so often as one likes; nothing of it is overwritten."""
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for _ in range(2):
        with pytest.raises(StoreDamaged, match=r"is damaged \(.+bezique doctor"):
            opened(folder)
    assert {path: path.read_bytes() for path in before} == before
    assert "lost" in severities(folder)


@pytest.mark.long
def test_after_a_kill_everything_is_there(folder: Path) -> None:
    assert severities(folder) == {"note"}, "the log beside it"
    with Store(folder) as store:
        assert store.counts().games == GAMES
        noted = read_note(store.path)
    assert noted is not None
    assert (noted.records, logs_set_aside(store.path)) == (GAMES, [])
    assert severities(folder) == set()


@pytest.mark.sampled(1)
@pytest.mark.long
@pytest.mark.parametrize("opened", [Store, AttachedStore])
def test_a_missing_log_is_noticed(folder: Path, tmp_path: Path, opened: type[Store]) -> None:
    log(folder).unlink()
    require_refused(folder, opened)
    summary = rescue_records(folder, tmp_path / "new", lambda *_: None)
    assert (summary.rescued, summary.missing, summary.is_complete) == (1, GAMES - 1, False)


@pytest.mark.long
@pytest.mark.parametrize("left", [None, b""])
def test_without_log_and_note_nobody_says_that_all_is_there(
    folder: Path, tmp_path: Path, left: bytes | None
) -> None:
    note_of(folder / DATABASE_FILE_NAME).unlink()
    log(folder).unlink()
    if left is not None:
        log(folder).write_bytes(left)
    told = [problem.message for problem in check_folder(folder, lambda *_: None).problems]
    assert any("nobody knows how many records were acknowledged" in message for message in told)
    assert not rescue_records(folder, tmp_path / "new", lambda *_: None).is_complete


def test_a_log_from_before_is_noticed(folder: Path, killed: Path) -> None:
    log(folder).write_bytes(log(killed / "older").read_bytes())
    require_refused(folder)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(CUTS))
def test_a_log_cut_anywhere_is_noticed_and_set_aside(
    folder: Path, tmp_path: Path, seed: int
) -> None:
    whole = log(folder).read_bytes()
    cut = whole[: random.Random(seed).randrange(1, len(whole))]
    log(folder).write_bytes(cut)
    require_refused(folder)
    (kept,) = logs_set_aside(folder / DATABASE_FILE_NAME)
    assert kept.read_bytes() == cut
    summary = rescue_records(folder, tmp_path / "new", lambda *_: None)
    assert summary.rescued + len(summary.lost) + summary.missing == GAMES
    assert not summary.is_complete
    log(folder).write_bytes(whole)
    with Store(folder) as store:
        assert store.counts().games == GAMES


@pytest.mark.long
@pytest.mark.parametrize("lost", ["removed", "emptied"])
def test_a_database_that_is_not_there_is_not_made_anew(folder: Path, lost: str) -> None:
    log(folder).unlink()
    if lost == "removed":
        (folder / DATABASE_FILE_NAME).unlink()
    else:
        (folder / DATABASE_FILE_NAME).write_bytes(b"")
    with pytest.raises(
        StoreDamaged, match="records were acknowledged" if lost == "removed" else "damaged"
    ):
        Store(folder)
    assert "lost" in severities(folder)
    if lost == "removed":
        (folder / ACKNOWLEDGED_FILE_NAME).unlink()
        with Store(folder) as store:
            assert store.counts().games == 0


@pytest.mark.long
def test_an_older_copy_is_taken_only_when_somebody_says_so(folder: Path, killed: Path) -> None:
    log(folder).unlink()
    older = (killed / "older" / DATABASE_FILE_NAME).read_bytes()
    (folder / DATABASE_FILE_NAME).write_bytes(older)
    with pytest.raises(StoreDamaged, match=f"delete {ACKNOWLEDGED_FILE_NAME}"):
        Store(folder)
    (folder / ACKNOWLEDGED_FILE_NAME).unlink()
    with Store(folder) as store:
        assert store.counts().games == 1


@pytest.mark.long
def test_a_deletion_that_is_lost_is_noticed_too(tmp_path: Path) -> None:
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(2)))
    with Store(tmp_path / "data") as store:
        (digest,) = store.digests_beginning("")[:1]
        delete_games(store, [digest])
        copytree(tmp_path / "data", tmp_path / "killed")
    log(tmp_path / "killed").unlink()
    with pytest.raises(
        StoreDamaged, match="lacks the last 1 transaction: there were 1 record then"
    ):
        Store(tmp_path / "killed")


@pytest.mark.long
def test_a_commit_that_nobody_was_told_of_is_no_damage(folder: Path, killed: Path) -> None:
    """The process is killed between the commit and the note."""
    note = (killed / "older" / ACKNOWLEDGED_FILE_NAME).read_bytes()
    (folder / ACKNOWLEDGED_FILE_NAME).write_bytes(note)
    assert severities(folder) == {"note"}
    with Store(folder) as store:
        assert store.counts().games == GAMES
        noted = read_note(store.path)
    assert noted is not None
    assert noted.records == GAMES


def change(at: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:at] + bytes([data[at] ^ 0x11]) + data[at + 1 or len(data) :]


@pytest.mark.long
@pytest.mark.parametrize("damage", [change(0), change(100), change(-1), lambda _: b""])
def test_a_note_that_cannot_be_read_is_said_and_kept(
    folder: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    note = folder / ACKNOWLEDGED_FILE_NAME
    note.write_bytes(damage(note.read_bytes()))
    broken = note.read_bytes()
    with pytest.raises(FileBroken, match="is empty" if not broken else "not as it was written"):
        read_note(folder / DATABASE_FILE_NAME)
    assert "lost" in severities(folder)
    with Store(folder) as store:
        assert "nobody knows how many records were acknowledged last" in caplog.text
        assert read_note(store.path) is not None
    assert note.with_name(f"{note.name}.broken").read_bytes() == broken


@pytest.mark.long
def test_a_log_that_vanishes_while_it_is_used_is_noticed_and_loses_nothing(tmp_path: Path) -> None:
    games = zique_games(3)
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "game.json", games[0])
        store.require_readable()
        log(tmp_path / "data").unlink()
        with pytest.raises(StoreDamaged, match="not there any more"):
            store.require_readable()
        ingest_bytes(store, "game.json", games[1])
        store.require_readable()
        ingest_bytes(store, "game.json", games[2])
        store.require_readable()
        copytree(tmp_path / "data", tmp_path / "killed")
        with log(tmp_path / "data").open("r+b") as file:
            file.truncate(100)
        with pytest.raises(StoreDamaged, match="shorter than it was"):
            store.require_readable()
    with Store(tmp_path / "killed") as after:
        assert after.counts().games == 3
