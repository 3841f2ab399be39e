"""Readers have no terminal: no page of theirs asks them to run a command."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.statistics.catalogue import dimensions, metrics
from analyzer.statistics.questions import questions
from webui.cli.main import COMMAND_NAMES

COMMAND = re.compile(
    rf"\bbezique ({'|'.join(COMMAND_NAMES)})\b|\bpython3? -m\b|\s--[a-z]+(?![-a-z])"
)
ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "webui" / "templates"
FOR_OTHERS = {"admin/admin.html": "the admin", "login/login.html": "the admin", "api/api.html": "programs"}  # fmt: skip
"""Whom the pages are for that may name a command."""
READERS_CODE = ("webui/views", "webui/replay", "webui/display", "analyzer/review", "analyzer/players", "analyzer/statistics")  # fmt: skip
"""The code whose sentences the pages show."""


def templates() -> list[str]:
    return sorted(file.relative_to(TEMPLATES).as_posix() for file in TEMPLATES.rglob("*.html"))


@pytest.mark.parametrize("template", templates())
def test_no_page_of_readers_names_a_command(template):
    text = re.sub(r"{#.*?#}", "", (TEMPLATES / template).read_text(), flags=re.DOTALL)
    found = [match.group() for match in COMMAND.finditer(text)]
    assert bool(found) == (template in FOR_OTHERS), found


def sentences(module: ast.Module) -> Iterator[tuple[int, str]]:
    """The strings of a module that are no docstrings, each with its line."""
    told = {
        id(each.value)
        for each in ast.walk(module)
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    }
    for each in ast.walk(module):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in told:
            yield each.lineno, each.value


def test_no_sentence_of_the_code_behind_them_names_a_command():
    files = [file for folder in READERS_CODE for file in (ROOT / folder).rglob("*.py")]
    assert len(files) > 50
    assert [
        (file.relative_to(ROOT).as_posix(), line, text)
        for file in files
        for line, text in sentences(ast.parse(file.read_text()))
        if COMMAND.search(text)
    ] == []


def test_no_script_names_a_command():
    scripts = [*(ROOT / "webui" / "static" / "js").rglob("*.js")]
    assert scripts
    assert [file.name for file in scripts if re.search(r"\bbezique [a-z]", file.read_text())] == []


def test_no_caveat_names_a_command_and_the_terminal_does():
    asked = [*questions(), *metrics().values(), *dimensions().values()]
    assert [each.name for each in asked if COMMAND.search(each.caveat)] == []
    assert {each.name for each in metrics().values() if COMMAND.search(each.terminal)} == {
        "luck", "skill", "melds_lost", "lost_in_close", "points_lost", "mistakes_made",
    }  # fmt: skip
