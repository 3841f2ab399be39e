"""Names of files, and words of a command line, that are not valid UTF-8."""

import json
import os
from pathlib import Path

import pytest

from analyzer.db.store import Store
from webui.cli.commands.validate import FORMATS

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


@pytest.mark.parametrize("words", [(), ("--format", "json")])
def test_a_file_with_a_strange_name_is_reviewed(run, mixed, words):
    result = run("annotate", mixed / f"{STRANGE}.jsonl", *words)
    assert result.exit_code == 0, result.output
    assert not words or json.loads(result.stdout)["file"].endswith(f"{SHOWN}.jsonl")
