"""A full disk, too few open files, a folder that is gone: refused in words, logged once, over when it is over."""

import errno
import io
import logging
import os
import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from flask import Flask

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import TooManyDeposits
from analyzer.review import stored
from analyzer.review.stored import GameNotStored
from analyzer.store import processes
from analyzer.store.games import PASSING_COPY_PREFIX
from analyzer.store.sealed_files import FileBroken
from records.format import codec
from tests.machine.small_disk import FILLER_NAME, fill_disk, make_room, small_disk
from tests.make.empty_store import with_empty_database
from tests.make.zique_games import zique_game, zique_games
from webui import create_app
from webui.application import close_app
from webui.server import machine_errors
from webui.server.imports_queue import UPLOADS_FOLDER


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", 24) as folder:
        yield folder


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that knows of nothing yet."""
    monkeypatch.setattr(machine_errors, "troubles", machine_errors.TroubleLog())


def site(data: Path, **settings: object) -> Flask:
    return create_app(
        data=with_empty_database(data),
        ratelimit_enabled=False,
        wtf_csrf_enabled=False,
        import_processes=0,
        **settings,
    )


def upload(app: Flask, data: bytes, **more: object) -> int:
    files = {"files": (io.BytesIO(data), "games.jsonl")}
    return app.test_client().post("/", data=files, **more).status_code


def tree(folder: Path) -> set[str]:
    """Every file below a folder but the database's own, and those that the site always has there."""
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("bezique.duckdb")
    } - {"session-key", "acknowledged.json", "room-for-deleting"}


@pytest.mark.slow
def test_a_full_disk_refuses_uploads_and_lets_everything_else_go_on(
    disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = site(disk / "data", large_upload=300_000)
    try:
        assert upload(app, zique_game(0)) == 303
        fill_disk(disk)
        with caplog.at_level(logging.WARNING):
            small = [upload(app, game) for game in zique_games(30)[1:6]]
            assert set(small[1:]) == {507}
            assert upload(app, b"\n".join(zique_games(30))) == 507
        assert caplog.text.count("The disk is full") == 1
        answer = app.test_client().post(
            "/",
            data={"files": (io.BytesIO(zique_game(7)), "game.json")},
            headers={"X-Requested-With": "fetch"},
        )
        assert answer.json["error"]["status"] == 507
        assert "no room left on the server's disk" in answer.json["error"]["text"]
        assert app.test_client().post("/backup").status_code == 507
        assert app.test_client().get("/games").status_code == 200
        assert tree(disk / "data") == set()
        make_room(disk)
        assert upload(app, zique_game(8)) == 303
        assert "The disk is full: over" in caplog.text
        assert app.test_client().post("/backup").status_code == 200
        assert upload(app, b"\n".join(zique_games(30))) == 303
    finally:
        close_app(app)
    app = site(disk / "data")
    digests = {codec.decode(game).digest() for game in (zique_game(0), zique_game(8))}
    stored = {game.digest for game in app.extensions["store"].games(limit=100).games}
    close_app(app)
    assert digests <= stored


@pytest.mark.slow
def test_a_review_on_a_full_disk_is_refused_and_made_later(disk: Path) -> None:
    app = site(disk / "data")
    try:
        assert upload(app, zique_game(0)) == 303
        path = f"/games/{codec.decode(zique_game(0)).digest()}/review"
        fill_disk(disk)
        statuses = {app.test_client().get(f"{path}.txt").status_code for _ in range(2)}
        assert statuses <= {200, 503}
        make_room(disk)
        assert app.test_client().get(f"{path}.txt").status_code == 200
        assert app.test_client().get(path).status_code == 200
    finally:
        close_app(app)


@pytest.mark.slow
def test_a_review_of_a_game_that_was_deleted_meanwhile_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = site(tmp_path)
    digest = codec.decode(zique_game(0)).digest()
    assert upload(app, zique_game(0)) == 303
    real = stored.begin_reading

    def deleting(store, digest, *more, **named):
        delete_games(store, [digest])
        return real(store, digest, *more, **named)

    monkeypatch.setattr(stored, "begin_reading", deleting)
    try:
        answer = app.test_client().get(f"/games/{digest}/review.txt")
        assert answer.status_code == 410
        assert "was deleted a moment ago" in answer.text
        assert app.test_client().get(f"/games/{digest}/review").status_code in (404, 410)
    finally:
        close_app(app)


def test_a_failed_upload_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = site(tmp_path, large_upload=1000)

    def fail(self: object, target: Path) -> None:
        Path(target).write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("werkzeug.datastructures.FileStorage.save", fail)
    try:
        assert upload(app, b"\n".join(zique_games(30))) == 507
        assert list((tmp_path / UPLOADS_FOLDER).iterdir()) == []
        assert app.extensions["imports"].jobs() == []
    finally:
        close_app(app)


def test_what_a_killed_server_left_is_removed_and_what_it_acknowledged_stays(
    tmp_path: Path,
) -> None:
    close_app(site(tmp_path))
    uploads = tmp_path / UPLOADS_FOLDER
    (uploads / "never-acknowledged").mkdir(parents=True)
    (uploads / "never-acknowledged" / "0-games.jsonl").write_bytes(zique_game(0))
    (uploads / "broken-state").mkdir()
    (uploads / "broken-state" / "0-games.jsonl").write_bytes(b"\n".join(zique_games(3)))
    (uploads / "broken-state" / "import.json").write_bytes(b"")
    (tmp_path / f"{PASSING_COPY_PREFIX}1").mkdir()
    (tmp_path / f"{PASSING_COPY_PREFIX}1" / ".bezique.duckdb.draft").write_bytes(b"half")
    (tmp_path / f"{PASSING_COPY_PREFIX}mine").mkdir()
    (tmp_path / f"{PASSING_COPY_PREFIX}mine" / "notes.txt").write_bytes(b"not the program's")
    (tmp_path / ".session-key.12.draft").write_bytes(b"half")
    app = site(tmp_path)
    try:
        assert tree(tmp_path) == {
            f"{PASSING_COPY_PREFIX}mine/notes.txt",
            "uploads/broken-state/0-games.jsonl",
            "uploads/broken-state/import.json",
        }
        (job,) = app.extensions["imports"].jobs()
        assert (job.id, job.names, job.state) == ("broken-state", ["games.jsonl"], "interrupted")
    finally:
        close_app(app)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (OSError(errno.EMFILE, "Too many open files"), 503, "short of memory or open files"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), 507, "no room left"),
        (MemoryError(), 503, "short of memory or open files"),
        (GameNotStored("no game"), 410, "deleted a moment ago"),
        (TooManyDeposits("as many as may wait"), 503, "Nothing of this was stored."),
        (FileBroken(Path("admin-password")), 500, "cannot read a file that this needs"),
    ],
)
def test_every_error_of_the_machine_has_its_words(
    tmp_path: Path, error: Exception, status: int, words: str
) -> None:
    app = site(tmp_path)

    def fail() -> str:
        raise error

    app.view_functions["glossary.glossary"] = fail
    try:
        answer = app.test_client().get("/glossary")
        assert (answer.status_code, words in answer.text) == (status, True)
        assert ("Retry-After" in answer.headers) == (status == 503)
    finally:
        close_app(app)


@pytest.mark.long
def test_a_vanished_folder_is_said_and_is_over_when_it_is_back(tmp_path: Path) -> None:
    app = site(tmp_path / "data")
    try:
        assert upload(app, zique_game(0)) == 303
        (tmp_path / "data").rename(tmp_path / "away")
        assert upload(app, zique_game(1)) == 503
        assert not (tmp_path / "data").exists()
        (tmp_path / "away").rename(tmp_path / "data")
        assert upload(app, zique_game(1)) == 303
        assert app.extensions["store"].counts().games == 2
    finally:
        close_app(app)


def test_the_filler_is_no_part_of_the_data(disk: Path) -> None:
    fill_disk(disk)
    assert (disk / FILLER_NAME).stat().st_size > 20_000_000


@pytest.mark.long
def test_without_open_files_uploads_are_refused_and_go_on_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = site(tmp_path / "data", large_upload=30_000)
    most, hardest = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    try:
        assert upload(app, zique_game(0)) == 303
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hardest))
        with suppress(OSError):
            while True:
                taken.append(os.dup(0))
        with caplog.at_level(logging.WARNING):
            statuses = [upload(app, b"\n".join(zique_games(8))) for _ in range(3)]
        for handle in taken:
            os.close(handle)
        taken.clear()
        assert statuses == [503, 503, 503]
        assert caplog.text.count("The server is busy") == 1
        assert upload(app, b"\n".join(zique_games(8))) == 303
        assert upload(app, zique_game(1)) == 303
    finally:
        for handle in taken:
            os.close(handle)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hardest))
        close_app(app)


@pytest.mark.long
@pytest.mark.parametrize("start", ["raise SystemExit(1)", "import time; time.sleep(600)"])
def test_a_process_that_cannot_start_is_told_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    app = site(tmp_path, page_processes=1)
    monkeypatch.setattr(processes, "SERVE_SCRIPT", start)
    if "sleep" in start:
        monkeypatch.setattr(processes, "START_SECONDS", 0.2)
    try:
        assert upload(app, zique_game(0)) == 303
        (game,) = app.test_client().get("/api/v1/games").get_json()["games"]
        page = app.test_client().get(f"/games/{game['digest']}/doubts")
        assert (page.status_code, page.headers["Retry-After"]) == (
            503,
            machine_errors.RETRY_SECONDS,
        )
        assert "The process that works this out " in page.text
    finally:
        close_app(app)
