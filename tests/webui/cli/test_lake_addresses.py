"""Folders and addresses of lakes where commands, sites and programs take a data folder: what works, and what is refused."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from fsspec.implementations.memory import (  # type: ignore[import-untyped]
    MemoryFileSystem,
)

import bezique
from analyzer.store import lake_place
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


@pytest.fixture(scope="module")
def files_of_a_lake(games: Path) -> dict[str, bytes]:
    """What an import of the games writes at that address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(games.parent / "cache"))
        run("ingest", games, "--lake", LAKE)
    found = {path: file.getvalue() for path, file in MemoryFileSystem.store.items()}
    MemoryFileSystem.store.clear()
    return found


@pytest.fixture
def lake(files_of_a_lake: dict[str, bytes]) -> Iterator[str]:
    for path, data in files_of_a_lake.items():
        MemoryFileSystem().pipe_file(path, data)
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


@pytest.mark.parametrize(
    "words",
    ["stats verdicts_by_program --data", "export - --data", "ratings --data", "serve --data", "lake show", "lake judge"],
)  # fmt: skip
def test_a_place_without_a_lake_is_refused(words: str) -> None:
    assert "memory://club/typo is no lake yet" in run(*words.split(), "memory://club/typo", code=2)
    assert not MemoryFileSystem().find("/club")
    with pytest.raises(StoreError, match="memory://club/typo is no lake yet"):
        bezique.open("memory://club/typo")


@pytest.mark.parametrize("words", ["validate", "backup", "doctor", "lake copy lake --data"])
def test_where_no_address_is_taken_no_password_is_printed(words: str) -> None:
    said = run(*words.split(), "s3://KEY:se/cret@club/games", code=2)
    assert "s3://...@club/games is an address" in said
    assert "se/cret" not in said


@pytest.mark.parametrize("words", ["stats --data", "lake show", "ingest games.jsonl --lake"])
@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("https://example.org/lake", "othing here reaches https://example.org/lake: a lake is"),
        ("http://ann:se/cr:et@example.org/x", "with a password in it is not taken"),
        ("s3://KEY:se/cret@club/games", "with a password in it is not taken"),
    ],
)
def test_an_address_at_which_no_lake_can_be_is_refused(words: str, address: str, says: str) -> None:
    said = run(*words.split(), address, code=2)
    assert says in said
    assert "se/cr" not in said
    assert not list(Path.cwd().iterdir())
    assert not Path("../cache").exists()


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


@pytest.mark.parametrize("words", ["ingest {games} --lake {data}", "lake add {data} --data {data}"])
def test_no_lake_hides_a_database(words: str, games: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    run("ingest", games, "--data", data)
    before = _files(data)
    said = run(*words.format(games=games, data=data).split(), code=2)
    assert f"The folder {data} has a database or Parquet files, which a lake would hide" in said
    assert _files(data) == before


@pytest.mark.parametrize("words", ["ingest {games} --data", "demo --data", "lake copy {lake} --data"])  # fmt: skip
def test_no_database_comes_into_a_lake(words: str, games: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    run("ingest", games, "--lake", lake)
    before = _files(lake)
    said = run(*words.format(games=games, lake=lake).split(), lake, code=2)
    assert f"The place {lake} is a lake, which --data only reads" in said
    assert _files(lake) == before


def test_a_folder_that_stands_for_a_lake_is_that_lake(lake: str, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.mkdir()
    (link / "bezique-lake.json").write_text(f'{{"address": "{lake}"}}')
    assert "2 records in 1 part" in run("lake", "show", link)
    assert f"{lake} keeps no rulebooks" in run("rules", "list", "--data", link)
    assert f"The place {lake} is a lake" in run("demo", "--data", link, code=2)
    assert len(_files(link)) == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("doctor --data", "is a lake, and no data folder: `bezique lake show`"),
        ("upgrade --data", "is a lake, and no data folder: `bezique lake judge`"),
        ("backup new --data", "is a lake, which has no database to copy: `bezique lake copy`"),
        ("export --parquet new --data", "is a lake, whose tables are Parquet files already"),
        ("delete --yes {digest} --data", "is a lake, which has no trash: `bezique lake delete`"),
        ("correct {digest} name1 Else --data", "is a lake, which --data only reads"),
        ("rename --yes {name} Else --data", "is a lake, which --data only reads"),
        ("trash empty --yes --data", "is a lake, which --data only reads"),
        ("demo --data", "is a lake, which --data only reads"),
    ],
)
def test_what_changes_nothing_names_the_lake(words: str, says: str, lake: str) -> None:
    with bezique.open(lake) as collection:
        (row, *_) = collection.rows("SELECT digest, names[1] AS name FROM games")
    said = run(*(word.format(**row) for word in words.split()), lake, code=2)
    assert lake in said
    assert says in said
    assert "cache" not in said
    assert not list(Path.cwd().iterdir())


def test_the_password_of_a_site_lies_in_a_folder(lake: str, tmp_path: Path) -> None:
    for words in ("password", "token list", "token add it --scope read", "token revoke it"):
        assert "bezique-lake.json" in run("admin", *words.split(), "--data", lake, code=2)
    (tmp_path / "bezique-lake.json").write_text(f'{{"address": "{lake}"}}')
    words = ["admin", "password", "--data", str(tmp_path)]
    assert CliRunner().invoke(main, words, input="long enough for all\n").exit_code == 0
    app = create_app(data=tmp_path, public=True, site_hosts=["localhost"], testing=True)
    try:
        page = app.test_client().get("/games.json", headers={"Host": "localhost"})
        assert len(page.json["games"]) == 2
    finally:
        close_app(app)


def test_a_name_means_the_folder_that_the_process_is_in(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("ingest", games, "--lake", "lake")
    monkeypatch.chdir(tmp_path)
    assert "lake is no lake yet" in run("lake", "show", "lake", code=2)


def test_an_import_names_one_place(games: Path) -> None:
    said = run("ingest", games, "--lake", LAKE, "--data", "other", code=2)
    assert "Give either --lake or --data" in said


def test_a_cache_that_cannot_be_written(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nix")
    assert "verdict" in run("stats", "verdicts_by_program", "--data", lake)
    with bezique.open(lake) as collection:
        assert len(collection) == 2
    monkeypatch.setattr(lake_place, "_passing_cache", lambda: SimpleNamespace(name="/proc/nix"))
    with pytest.raises(StoreError, match="Set XDG_CACHE_HOME to a folder"):
        bezique.open(lake)
    assert "Set XDG_CACHE_HOME to a folder" in run("stats", "points", "--data", lake, code=2)
