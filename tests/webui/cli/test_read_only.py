"""A data folder that is only read: everything is shown, and not a byte of it changes."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.parquet import AttachedStore
from analyzer.store.store import DATABASE_FILE_NAME, Store, StoreReadOnly
from analyzer.store.store_folders import open_store
from records.errors import StoreError
from records.format import codec
from tests.webui.cli.conftest import Run
from tests.webui.cli.test_serving_imports import Visitor, served
from webui import create_app
from webui.application import close_app

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, legal: bytes, illegal: bytes) -> Path:
    """A folder as a server leaves it that was killed: the last game is only in the log of the database."""
    folder = tmp_path_factory.mktemp("made")
    with Store(folder / "first") as store:
        ingest_bytes(store, "legal.json", legal)
    with Store(folder / "first") as store:
        ingest_bytes(store, "illegal.json", illegal)
        shutil.copytree(folder / "first", folder / "data")
    assert (folder / "data" / f"{DATABASE_FILE_NAME}.wal").stat().st_size
    return folder / "data"


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "data"))


def contents(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file with its mode, its time and its bytes, and every folder."""
    return {
        str(path): (path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in [folder, *folder.rglob("*")]
    }  # fmt: skip


@pytest.mark.slow
def test_a_server_that_only_reads_changes_nothing(folder: Path, legal: bytes) -> None:
    before = contents(folder)
    app = create_app(data=folder, read_only=True, testing=True, wtf_csrf_enabled=False)
    client, game = app.test_client(), f"/games/{codec.decode(legal).digest()}"
    for address in ("/", "/games", "/imports", "/statistics/points_by_source", "/explore", "/players",
                    "/sql", "/sql?q=SELECT+count(*)+AS+n+FROM+games", "/health/ready", "/metrics",
                    "/games.jsonl", game, f"{game}/deals/1", f"{game}/review", f"{game}/doubts", f"{game}/report.json",
                    f"{game}/record.json"):  # fmt: skip
        assert client.get(address).status_code == 200, address
    assert client.get("/index.json").json["counts"]["games"] == 2
    assert client.get("/sql.json?q=SELECT+count(*)+AS+n+FROM+games").json["rows"] == [[2]]
    assert client.get(f"{game}/record.json").data == legal
    for address in ("/", f"{game}/delete", "/backup", f"{game}/review/luck"):
        assert client.post(address, data={"record": "{}"}).status_code == 403, address
    close_app(app)
    assert contents(folder) == before


@contextmanager
def protected(folder: Path) -> Iterator[None]:
    """A folder that not even root can write to, if this user may mount one; otherwise by its modes."""
    steps = (["mount", "--bind", folder, folder], ["mount", "-o", "remount,ro,bind", folder])
    if os.geteuid():
        for path in (*folder.iterdir(), folder):
            path.chmod(path.stat().st_mode & ~0o222)
        yield
        return
    if subprocess.run(steps[0], capture_output=True).returncode:
        pytest.skip("root can write to every folder, and may mount none here")
    try:
        subprocess.run(steps[1], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.slow
def test_a_protected_folder_is_shown_without_being_told(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    before = contents(folder)
    with protected(folder):
        with served(folder) as (address, _):
            visitor = Visitor(address)
            assert "is read-only" in visitor.get("/")
            assert '"rows":[[2]]' in visitor.get("/sql.json?q=SELECT+count(*)+AS+n+FROM+games")
            # Many may read at the same time.
            assert "Based on" in run("stats", "deal_scores", "--data", folder).output
            assert run("export", tmp_path / "out.jsonl", "--data", folder).exit_code == 0
            assert run("backup", tmp_path / "copy", "--data", folder).exit_code == 0
        for words in (
            ["ingest", tmp_path / "out.jsonl"],
            ["annotate", "--stored"],
            ["delete", "a" * 8, "--yes"],
        ):
            refused = run(*words, "--data", folder)
            assert refused.exit_code == 2, refused.output
    assert contents(folder) == before
    assert run("doctor", tmp_path / "copy").exit_code == 0
    with Store(tmp_path / "copy") as copy:
        assert copy.counts().games == 2


def test_a_database_of_an_earlier_version_is_not_upgraded_by_reading(
    run: Run, folder: Path
) -> None:
    with duckdb.connect(folder / DATABASE_FILE_NAME) as connection:
        connection.execute("UPDATE schema_version SET version = version - 1")
    before = contents(folder)
    for words in (
        ["serve", "--read-only"],
        ["stats", "deal_scores"],
        ["export", "-"],
        ["ingest", "-"],
    ):
        refused = run(*words, "--data", folder)
        assert refused.exit_code == 2, refused.output
        assert f"`bezique upgrade --data {folder}`" in " ".join(refused.output.split())
    assert contents(folder) == before


def test_what_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no database in"):
        open_store(tmp_path / "none", read_only=True)
    assert not (tmp_path / "none").exists()


def test_a_database_in_use_is_told_to_be(folder: Path) -> None:
    with Store(folder), pytest.raises(StoreError):
        AttachedStore(folder)


def test_nothing_is_stored_in_a_folder_that_is_only_read(folder: Path, legal: bytes) -> None:
    with (
        open_store(folder, read_only=True) as store,
        pytest.raises(StoreReadOnly, match=str(folder)),
    ):
        ingest_bytes(store, "again.json", legal)
