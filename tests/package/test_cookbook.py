"""Every recipe of the cookbook runs by itself, as a reader would run it, and prints what the page shows."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.records.documents.blocks import Block, is_as_shown, read_blocks, run_command
from webui.cli.main import main
from webui.cli.settings import FolderSettings

ROOT = Path(__file__).parents[2]
COOKBOOK = ROOT / "webui/documents/cookbook.md"
SAMPLES = ROOT / "samples"
RECIPES = dict(
    re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", COOKBOOK.read_text(encoding="utf-8"), re.M | re.S)
)
OUTSIDE = ("pandas", "polars", "ibis")
"""Packages that this project does not depend on: their recipes run where they are installed."""


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the recipes begin with, made by the commands of the page."""
    folder = tmp_path_factory.mktemp("kitchen")
    text, _, _ = COOKBOOK.read_text(encoding="utf-8").partition("## ")
    (block,) = (block for block in read_blocks(text) if block.kind == "sh")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in block.code.splitlines():
            if line == "mkdir games":
                Path("games").mkdir()
            else:
                run_command(line)
    return folder


def python_blocks(title: str) -> list[Block]:
    return [block for block in read_blocks(RECIPES[title]) if block.kind == "python"]


def recipes() -> list[object]:
    found = []
    for title, text in RECIPES.items():
        missing = [name for name in OUTSIDE if f"import {name}" in text and find_spec(name) is None]
        reason = f"not installed here, so this recipe was not tried: {', '.join(missing)}"
        marks = [pytest.mark.skip(reason=reason)] if missing else []
        if python_blocks(title):
            found.append(pytest.param(title, marks=marks, id=title))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("title", recipes())
def test_a_recipe_runs_alone(
    title: str, kitchen: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(kitchen)
    for block in python_blocks(title):
        exec(compile(block.code, f"cookbook: {title}", "exec"), {})
        output = capsys.readouterr().out
        assert output or title == "A chart"
        assert block.output is None or is_as_shown(output, block.output), output


def test_recipes_for_files_name_what_exists() -> None:
    text = RECIPES["Check records before every commit"]
    settings = re.search(r"```toml\n(.*?)```", text, re.S)
    assert settings is not None
    assert set(re.findall(r"^(\w+) =", settings[1], re.M)) <= set(FolderSettings.__struct_fields__)
    pattern = re.search(r"files: (\S+)", text)
    assert pattern is not None
    for name in ("a.json", "b.jsonl", "c.jsonl.gz", "d.jsonl.zst"):
        assert re.search(pattern[1], name)


def test_the_hook_stops_a_commit_with_a_broken_record() -> None:
    """pre-commit calls the entry with the files of a commit, and stops it if the exit status is not 0."""
    entry = re.search(r"entry: bezique (.+)", RECIPES["Check records before every commit"])
    assert entry is not None
    for name, status in (("good/zique.json", 0), ("broken/must-follow-suit.json", 1)):
        assert (
            CliRunner().invoke(main, [*entry[1].split(), str(SAMPLES / name)]).exit_code == status
        )
