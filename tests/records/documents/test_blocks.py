"""Every block of code in the documents runs, one after another, as a reader would run them."""

import contextlib
import io
import os
import sys
from pathlib import Path

import pytest

from tests.records.documents.blocks import FENCE, RUN, is_as_shown, read_blocks, run_block
from tests.records.documents.make import DOCUMENT_FOLDER, MADE_FILES
from webui.cli.main import COMMAND_NAMES

TRIED_ELSEWHERE = {
    "cookbook.md": "tests/package/test_cookbook.py, with records to cook with",
    "tutorial.md": "tests/package/test_packaging.py, from a wheel",
}
"""Pages whose blocks other tests run."""
SHOWN_KINDS = {*RUN, "console", "text", "json", "toml", "ini", "nginx", "yaml", "xml", "html"}
PAGES = sorted(
    path.name
    for path in DOCUMENT_FOLDER.glob("*.md")
    if path.name not in TRIED_ELSEWHERE and f"documents/{path.name}" not in MADE_FILES
)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_the_blocks_of_a_page_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Some commands start a program, for which the documents take this one.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    names: dict[str, object] = {}
    for block in read_blocks((DOCUMENT_FOLDER / name).read_text(encoding="utf-8")):
        assert block.kind in SHOWN_KINDS
        if block.kind == "sh":
            output = run_block(block.code, tmp_path)
        elif block.kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(block.code, name, "exec"), names)
            output = printed.getvalue()
        else:
            continue
        assert block.output is None or is_as_shown(output, block.output), (block, output)


def test_every_block_says_what_it_is() -> None:
    for path in DOCUMENT_FOLDER.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert text.count("\n```") == 2 * len(FENCE.findall(text)), path.name


def test_the_example_of_the_command_line_shows_every_command() -> None:
    text = (DOCUMENT_FOLDER / "command_line.md").read_text(encoding="utf-8")
    lines = [line for block in read_blocks(text) for line in block.code.splitlines()]
    shown = {line.split()[1] for line in lines if line.startswith("bezique ")}
    assert shown >= set(COMMAND_NAMES) - {"demo"}
