"""No answer names a folder or a file of the server, whatever is wrong with it; `Retry-After` is said where it means something."""

import errno
import io
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
import pytest
from flask import Flask
from flask.testing import FlaskClient

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.instance import (
    StoreDamaged,
    StoreExhausted,
    StoreFull,
    StoreInUse,
    StoreReopened,
    StoreUnavailable,
    damaged,
    known_trouble,
    log_of,
    no_room,
)
from analyzer.store.processes import Fault, ProcessFailed
from analyzer.store.sealed_files import FileBroken
from analyzer.store.store import DATABASE_FILE_NAME, QueryTimeout, Store, StoreReadOnly
from records.errors import StoreError
from records.format import codec
from tests.machine.small_disk import fill_disk, small_disk
from tests.make.zique_games import zique_game, zique_games
from webui import create_app
from webui.application import close_app

SECRET_WORDS = (
    "duckdb",
    ".wal",
    "Errno",
    "IO Error",
    "Traceback",
    "acknowledged.json",
    "tokens.json",
)


def errors_about(folder: Path) -> list[Exception]:
    """Errors as the program raises them, each with a name of the server in it."""
    path = folder / DATABASE_FILE_NAME
    lost = duckdb.IOException(f'IO Error: Could not read file "{path}": Input/output error')
    nonsense = duckdb.InternalException(f"INTERNAL Error: corrupt block in {path}")
    known = [known_trouble(path, error) for error in (lost, nonsense)]
    assert None not in known
    return [
        *(each for each in known if each),
        damaged(path, f"checksum of {path}"),
        no_room(folder),
        StoreError(f"the database {path} cannot be opened: permission denied"),
        StoreFull(f"no room on {folder}"),
        StoreInUse(path),
        StoreReadOnly(f"the data folder {folder} is read-only"),
        StoreReopened(f"{path} is closed"),
        StoreUnavailable(f"{path} is gone"),
        StoreExhausted("the server is short of memory"),
        StoreDamaged(f"{path}"),
        QueryTimeout(f"{path} took too long"),
        FileBroken(path),
        ProcessFailed(Fault.DIED, f"a process died 2 times at {path}"),
        OSError(errno.ENOSPC, "No space left on device", str(path)),
        OSError(errno.EMFILE, "Too many open files", str(path)),
        OSError(errno.EIO, "Input/output error", str(path)),
        PermissionError(errno.EACCES, "Permission denied", str(path)),
        MemoryError(str(path)),
        RuntimeError(f"a defect that names {path}"),
    ]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    built = create_app(
        data=tmp_path / "hidden-place",
        ratelimit_enabled=False,
        wtf_csrf_enabled=False,
        import_processes=0,
    )
    ingest_bytes(built.extensions["store"], "one.json", zique_game(0))
    yield built
    close_app(built)


def addresses(app: Flask) -> list[str]:
    """Every address without a variable, and some pages of a game."""
    plain = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if not rule.arguments and "GET" in (rule.methods or ())
    ]
    digest = codec.decode(zique_game(0)).digest()
    game = [
        f"/games/{digest}{end}"
        for end in ("", ".json", "/deals/1", "/review", "/record", "/findings")
    ]
    return sorted({*plain, *game, f"/api/v1/games/{digest}", f"/api/v1/games/{digest}/report"})


def ask_everything(client: FlaskClient, folder: Path, paths: list[str]) -> set[int]:
    """The statuses of all answers; none of them tells what it should not."""
    statuses = set()
    for path in paths:
        for headers in ({}, {"X-Requested-With": "fetch"}):
            answer = client.get(path, headers=headers)
            require_silent(answer, folder, path)
            statuses.add(answer.status_code)
    for path, more in (
        ("/", {"data": {"files": (io.BytesIO(zique_game(1)), "game.json")}}),
        ("/api/v1/games", {"data": zique_game(1), "content_type": "application/json"}),
        ("/api/v1/validate", {"data": zique_game(1), "content_type": "application/json"}),
        ("/backup", {}),
    ):
        answer = client.post(path, **more)
        require_silent(answer, folder, path)
        statuses.add(answer.status_code)
    return statuses


def require_silent(answer, folder: Path, path: str) -> None:
    if answer.status_code >= 400:
        text = answer.get_data(as_text=True)
        for word in (str(folder), folder.name, *SECRET_WORDS):
            assert word not in text, (path, answer.status, word)
    if answer.status_code not in (429, 503):
        assert "Retry-After" not in answer.headers, (path, answer.status)


@pytest.mark.slow
def test_no_error_of_the_store_or_the_machine_names_what_is_the_servers(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every address, with errors drawn by chance where the database is read and written."""
    folder, chance = Path(app.config["DATA"]), random.Random(5)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    client, errors = app.test_client(), errors_about(folder)
    paths = addresses(app)
    raised = set()

    def fail(*_: object, **__: object) -> None:
        error = chance.choice(errors)
        raised.add(repr(error))
        raise error

    @contextmanager
    def fail_writing(*_: object) -> Iterator[None]:
        fail()
        yield

    monkeypatch.setattr(Store, "rows", fail)
    monkeypatch.setattr(Store, "snapshot", fail)
    monkeypatch.setattr(Store, "writing", fail_writing)
    statuses = ask_everything(client, folder, paths)
    assert {500, 503, 507} <= statuses
    assert len(raised) == len(errors)


@pytest.mark.slow
@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: log_of(folder / DATABASE_FILE_NAME).unlink(),
        lambda folder: log_of(folder / DATABASE_FILE_NAME).write_bytes(b"nothing of a log"),
        lambda folder: (folder / DATABASE_FILE_NAME).rename(folder / "away"),
        lambda folder: (
            (folder / DATABASE_FILE_NAME).replace(folder / "away")
            or (folder / DATABASE_FILE_NAME).write_bytes(b"no database" * 10_000)
        ),
        lambda folder: folder.rename(folder.with_name("moved")),
    ],
    ids=["no log", "damaged log", "no database", "damaged database", "no folder"],
)
def test_a_damaged_folder_is_not_ready_and_is_named_to_nobody(
    app: Flask, harm: Callable[[Path], object]
) -> None:
    folder = Path(app.config["DATA"])
    app.config["PROPAGATE_EXCEPTIONS"] = False
    client = app.test_client()
    assert client.get("/health/ready").status_code == 200
    harm(folder)
    assert client.get("/health/ready").status_code == 503
    assert client.get("/health/live").status_code == 200
    ask_everything(
        client, folder, ["/", "/games", "/players", "/health/ready", "/api/v1/games", "/metrics"]
    )


@pytest.mark.slow
def test_on_a_full_disk_games_are_deleted_and_nobody_is_told_where_they_are(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 96) as disk:
        app = create_app(
            data=disk / "hidden-place",
            ratelimit_enabled=False,
            wtf_csrf_enabled=False,
            import_processes=0,
        )
        try:
            client, store = app.test_client(), app.extensions["store"]
            ingest_bytes(store, "games.jsonl", b"\n".join(zique_games(6)))
            fill_disk(disk)
            with suppress(StoreError):
                for game in zique_games(30)[6:]:
                    ingest_bytes(store, "game.json", game)
            there = store.counts().games
            refused = client.post("/", data={"files": (io.BytesIO(zique_game(40)), "game.json")})
            assert refused.status_code == 507
            require_silent(refused, disk / "hidden-place", "/")
            first, second = (codec.decode(game).digest() for game in zique_games(2))
            assert client.post(f"/games/{first}/delete").status_code == 303
            assert client.delete(f"/api/v1/games/{second}").status_code in (200, 204)
            assert store.counts().games == there - 2
        finally:
            close_app(app)


@pytest.mark.long
def test_what_is_answered_well_says_no_time_to_try_again(tmp_path: Path) -> None:
    app = create_app(data=tmp_path, wtf_csrf_enabled=False)
    try:
        client = app.test_client()
        pages = [
            client.get(path) for path in ("/", "/games", "/docs", "/no-such-page", "/health/live")
        ]
        pages.append(client.post("/", data={"files": (io.BytesIO(zique_game(0)), "game.json")}))
        assert {page.status_code for page in pages} >= {200, 303, 404}
        assert [page.status for page in pages if "Retry-After" in page.headers] == []
    finally:
        close_app(app)
