"""After a power loss nothing acknowledged is missing, and nothing half-written is taken for whole."""

import io
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask

from analyzer.ingest.loader import ingest_bytes
from analyzer.store import durable_files
from analyzer.store.games import backup_store
from analyzer.store.store import Store
from analyzer.upkeep.doctor import check_folder
from tests.machine.power_loss import WatchedDisk
from tests.make.zique_games import zique_game, zique_games
from webui import create_app
from webui.application import close_app
from webui.cli.main import main
from webui.server.imports_queue import UPLOADS_FOLDER, ImportQueue, missing_uploads
from webui.server.logins import SESSION_KEY_FILE_NAME, read_session_key, session_secret

NUMBERS = count()


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WatchedDisk:
    (tmp_path / "disk").mkdir()
    watched = WatchedDisk(tmp_path / "disk")
    monkeypatch.setattr(durable_files.os, "fsync", watched.fsync)
    return watched


@pytest.fixture
def app(disk: WatchedDisk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    monkeypatch.setattr(ImportQueue, "_run", lambda self, job: None)  # uploads stay as they came
    built = create_app(
        data=disk.root / "data",
        ratelimit_enabled=False,
        wtf_csrf_enabled=False,
        large_upload=60_000,
    )
    yield built
    close_app(built)


def upload(app: Flask, data: bytes) -> int:
    files = {"files": (io.BytesIO(data), "games.jsonl")}
    return app.test_client().post("/", data=files).status_code


def survivors(disk: WatchedDisk) -> Path:
    return disk.write_survivors(disk.root.parent / f"after-{next(NUMBERS)}") / "data"


def test_a_key_survives_from_its_first_use(disk: WatchedDisk, app: Flask) -> None:
    key = app.config["SECRET_KEY"]
    assert session_secret(survivors(disk)) == key


@pytest.mark.long
def test_a_stored_game_survives_its_acknowledgement(disk: WatchedDisk, app: Flask) -> None:
    for number, game in enumerate(zique_games(3), start=1):
        assert upload(app, game) == 303
        with Store(survivors(disk)) as store:
            assert store.counts().games == number


@pytest.mark.long
def test_a_log_survives_that_began_after_a_checkpoint(disk: WatchedDisk) -> None:
    for number, game in enumerate(zique_games(2), start=1):
        with Store(disk.root / "data") as store:  # closing it has removed the log before
            ingest_bytes(store, "game.json", game)
            with Store(survivors(disk)) as after:
                assert after.counts().games == number


@pytest.mark.long
def test_an_upload_survives_its_acknowledgement(disk: WatchedDisk, app: Flask) -> None:
    assert upload(app, b"\n".join(zique_games(6))) == 303
    data = survivors(disk)
    assert missing_uploads(data / UPLOADS_FOLDER) == []
    with Store(data) as store:
        (job,) = ImportQueue(store, data, 0).jobs()
    assert job.state == "interrupted"
    (file,) = job.files
    assert (data / UPLOADS_FOLDER / job.id / file.kept).read_bytes() == b"\n".join(zique_games(6))


@pytest.mark.long
def test_a_backup_survives_its_acknowledgement(disk: WatchedDisk, app: Flask) -> None:
    assert upload(app, zique_game(0)) == 303
    backup_store(app.extensions["store"], disk.root / "copies" / "today")
    survivors(disk)
    after = disk.write_survivors(disk.root.parent / "copies-after") / "copies" / "today"
    with Store(after) as store:
        assert store.counts().games == 1


@pytest.mark.long
@pytest.mark.parametrize(
    "target", ["one.jsonl", "one.jsonl.gz", "one.jsonl.zst", "new/folder", "new/parquet"]
)
def test_what_a_command_wrote_survives(disk: WatchedDisk, tmp_path: Path, target: str) -> None:
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(6)))
    path = disk.root / target
    more = ["--parquet"] if "parquet" in target else []
    words = ["export", *more, "--data", tmp_path / "data", path]
    if path.suffix:
        words = ["play", "--rules", "zique", "--out", path]
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    written = {file: file.read_bytes() for file in disk.root.rglob("*") if file.is_file()}
    assert written
    after = disk.write_survivors(tmp_path / "after")
    assert {disk.root / file.relative_to(after): file.read_bytes() for file in after.rglob("*") if file.is_file()} == written  # fmt: skip


@pytest.mark.slow
def test_nothing_half_written_is_taken_for_whole(disk: WatchedDisk, app: Flask) -> None:
    """The power fails after every single write to the disk."""
    seen: list[Path] = []
    disk.synced = lambda: seen.append(survivors(disk))
    assert upload(app, zique_game(0)) == 303
    assert upload(app, b"\n".join(zique_games(6))) == 303
    disk.synced = None
    assert len(seen) > 4
    for data in seen:
        if (data / SESSION_KEY_FILE_NAME).exists():
            assert len(read_session_key(data)) == 64
        report = check_folder(data, lambda *_: None)
        assert not report.is_wrong, report.problems
        with Store(data) as store:
            for job in ImportQueue(store, data, 0).jobs():
                for file in job.files:
                    assert (data / UPLOADS_FOLDER / job.id / file.kept).stat().st_size == file.size


def test_the_imitation_finds_a_write_that_is_not_synced(disk: WatchedDisk) -> None:
    """The old way: written and renamed, and empty after the power has failed."""
    draft = disk.root / "key.draft"
    draft.write_bytes(b"secret")
    draft.replace(disk.root / "key")
    durable_files.sync_folder(disk.root)
    after = disk.write_survivors(disk.root.parent / "after")
    assert (after / "key").read_bytes() == b""
    durable_files.write_file(disk.root / "key", b"secret")
    after = disk.write_survivors(disk.root.parent / "later")
    assert (after / "key").read_bytes() == b"secret"
