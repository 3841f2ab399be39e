"""Folders and addresses of lakes where commands, sites and programs take a data folder: what works, and what is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from fsspec.implementations.memory import (  # type: ignore[import-untyped]
    MemoryFileSystem,
)

import bezique
from records.errors import StoreError
from tests.soak.loading import mixed
from webui import DATA_FOLDER_VARIABLE, create_app
from webui.application import close_app
from webui.cli.main import main

LAKE = "memory://club/games"


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    path.write_bytes(mixed(range(2)))
    return path


@pytest.fixture
def lake(games: Path) -> Iterator[str]:
    run("ingest", games, "--lake", LAKE)
    yield LAKE
    MemoryFileSystem.store.clear()


def run(*words: object, code: int = 0) -> str:
    found = CliRunner().invoke(main, list(map(str, words)))
    assert found.exit_code == code, found.output
    assert "Traceback" not in found.output
    return " ".join(found.output.split())


@pytest.mark.parametrize("path", [str, Path])
@pytest.mark.parametrize("given", ["setting", "variable"])
def test_a_site_takes_an_address_and_never_a_folder_of_its_name(
    path: type, given: str, lake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("memory:/club/games").mkdir(parents=True)
    if given == "variable":
        monkeypatch.setenv(DATA_FOLDER_VARIABLE, lake)
    app = create_app(data=path(lake) if given == "setting" else None, testing=True)
    try:
        assert len(app.test_client().get("/games.json").json["games"]) == 2
    finally:
        close_app(app)
    assert "verdict" in run("stats", "verdicts_by_program", "--data", lake)
    with bezique.open(path(lake)) as collection:
        assert len(collection) == 2
    assert not list(Path("memory:/club/games").iterdir())


def test_an_address_that_nothing_reaches_becomes_no_folder() -> None:
    for open_it in (bezique.open, lambda address: create_app(data=address)):
        with pytest.raises(StoreError, match="othing here reaches foo://bucket/games"):
            open_it("foo://bucket/games")
    assert not list(Path.cwd().iterdir())
