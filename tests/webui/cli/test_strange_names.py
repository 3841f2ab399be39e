"""Names of files, and words of a command line, that are not valid UTF-8."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.store.store_folders import open_store
from records.errors import StoreError
from webui.cli.commands.validate import FORMATS
from webui.cli.main import FilePath, main

STRANGE = os.fsdecode(b"Caf\xe9")
"""As Python tells a name that came from a machine whose letters are Latin-1."""
SHOWN = "Caf\N{REPLACEMENT CHARACTER}"


@pytest.fixture
def mixed(tmp_path: Path, legal: bytes, illegal: bytes) -> Path:
    """A folder of two files, the second of which has a name that is no UTF-8."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "A.jsonl").write_bytes(legal)
    (folder / f"{STRANGE}.jsonl").write_bytes(illegal)
    return folder


@pytest.mark.long
def test_games_in_a_file_with_a_strange_name_are_stored(run, tmp_path, mixed):
    result = run("ingest", mixed, "--data", tmp_path / "data")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("2 records: 2 stored")
    with Store(tmp_path / "data") as store:
        names = store.rows("SELECT name, path FROM imports ORDER BY name").rows
    assert names == [(name, f"{mixed.resolve()}/{name}") for name in ("A.jsonl", f"{SHOWN}.jsonl")]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_names_a_file_with_a_strange_name(run, mixed, form, monkeypatch):
    for where in (mixed, "."):
        result = run("validate", "--format", form, where)
        assert result.exit_code == 1, result.output
        assert ("Caf%E9" if form == "sarif" else SHOWN) in result.stdout
        monkeypatch.chdir(mixed)


@pytest.mark.long
@pytest.mark.parametrize("words", [(), ("--format", "json")])
def test_a_file_with_a_strange_name_is_reviewed(run, mixed, words):
    result = run("annotate", mixed / f"{STRANGE}.jsonl", *words)
    assert result.exit_code == 0, result.output
    assert not words or json.loads(result.stdout)["file"].endswith(f"{SHOWN}.jsonl")


@pytest.fixture(scope="module")
def kept(run, tmp_path_factory, legal):
    folder = tmp_path_factory.mktemp("kept")
    (folder / "game.json").write_bytes(legal)
    run("ingest", folder / "game.json", "--data", folder / "data")
    return folder / "data"


@pytest.fixture
def filled(kept, tmp_path):
    """A data folder with a game."""
    return shutil.copytree(kept, tmp_path / "data")


@pytest.mark.parametrize(
    "words",
    [
        ("rename", STRANGE, "Bob", "--yes"),
        ("rename", "Ann", STRANGE, "--yes"),
        ("delete", STRANGE, "--yes"),
        ("stats", STRANGE),
        *(
            ("export", "games.jsonl", option, STRANGE)
            for option in ("--rules", "--player", "--verdict", "--program", "--finding", "--digest")
        ),
    ],
)
def test_texts_that_are_no_utf_8_are_refused(run, filled, words):
    result = run(*words, "--data", filled)
    assert result.exit_code == 2
    assert re.search(r"Invalid value for '.+': 'Caf\\udce9' is not valid UTF-8\.\n", result.stderr)


def test_every_text_of_every_command_must_be_utf_8():
    """Only a program to start may have any bytes as its name, like a file."""
    found = {
        (command.name, param.name)
        for command in all_commands(main)
        for param in command.params
        if type(param.type) in (click.types.StringParamType, click.types.UnprocessedParamType)
        if param.name != "help"
    }
    assert found == {("run", "program")}


def test_every_name_of_a_file_is_one_that_must_not_be_empty():
    paths = [
        param
        for command in all_commands(main)
        for param in command.params
        if isinstance(param.type, click.Path)
    ]
    assert len(paths) > 20
    assert [param.name for param in paths if not isinstance(param.type, FilePath)] == []


@pytest.mark.parametrize(
    "words",
    [("validate", ""), ("show", ""), ("export", ""), ("play", "--rules", "zique", "--out", "")],
)
def test_an_empty_name_is_refused(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert ": A name is empty; . stands for this folder.\n" in result.stderr
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("pattern", ["a**b.json", "games/***/*.json", "/a**"])
def test_stars_within_a_word_are_refused(run, pattern):
    result = run("validate", pattern)
    assert result.exit_code == 2
    assert f"Error: {pattern} is not a pattern: ** stands for folders," in result.stderr


def all_commands(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from all_commands(below)


def test_a_site_whose_address_is_no_utf_8_is_refused(run):
    result = run("--server", f"http://127.0.0.1:9/{STRANGE}", "stats")
    assert result.exit_code == 2
    assert "is not valid UTF-8." in result.stderr


@pytest.mark.parametrize(
    ("words", "is_there"),
    [
        *((words, there) for words in [("ingest", "GAME"), ("serve",)] for there in (False, True)),
        (("stats", "points_by_source"), True),
    ],
)
def test_no_database_lies_in_a_folder_with_a_strange_name(
    run, filled, tmp_path, game, words, is_there
):
    folder = tmp_path / STRANGE
    if is_there:
        shutil.copytree(filled, folder)
    result = run(*(game if word == "GAME" else word for word in words), "--data", folder)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: The database cannot use the folder {tmp_path}/Caf")
    assert result.stderr.endswith(": its name is not valid UTF-8.\n")
    assert not (folder / DATABASE_FILE_NAME).exists() or is_there


@pytest.mark.long
def test_no_tables_go_into_a_folder_with_a_strange_name(run, filled, tmp_path):
    folder = tmp_path / STRANGE
    result = run("export", "--parquet", folder, "--data", filled)
    assert (result.exit_code, folder.exists()) == (2, False)
    assert "the database cannot use the folder" in result.stderr.lower()


@pytest.mark.long
def test_a_folder_within_one_with_a_strange_name_can_be_used(run, tmp_path, game, monkeypatch):
    (tmp_path / STRANGE).mkdir()
    monkeypatch.chdir(tmp_path / STRANGE)
    assert run("ingest", game, "--data", "data").exit_code == 0
    assert run("export", "games.jsonl", "--data", "data").exit_code == 0
    result = run("export", "--parquet", "tables", "--data", "data")
    assert result.stderr.endswith(": its name is not valid UTF-8.\n")


@pytest.mark.long
def test_tables_and_databases_that_got_a_strange_name_are_not_opened(run, filled, tmp_path):
    run("export", "--parquet", tmp_path / "tables", "--data", filled)
    for folder in (filled, tmp_path / "tables"):
        strange = folder.rename(tmp_path / f"{STRANGE} {folder.name}")
        with pytest.raises(StoreError, match="its name is not valid UTF-8"):
            open_store(strange, read_only=True)


ADDRESSES = ("s3://bucket/games", "abfs://box@account/games", "https://example.org/x", "memory://x")
SAID = "is an address, and only files and folders of this machine can be used."


@pytest.mark.parametrize(
    "words",
    ["lake copy s3://club/games --data", "backup", "doctor", "export", "validate", "review", "convert"],
)  # fmt: skip
def test_an_address_becomes_no_folder(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    for address in ADDRESSES:
        result = run(*words.split(), address)
        assert result.exit_code == 2
        assert f"{address} {SAID}" in " ".join(result.output.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("opened", [Store, open_store])
def test_a_store_takes_no_address(tmp_path, monkeypatch, opened):
    monkeypatch.chdir(tmp_path)
    for address in ADDRESSES:
        with pytest.raises(StoreError, match=f"{address} {SAID}"):
            opened(Path(address))
    assert not list(tmp_path.iterdir())
