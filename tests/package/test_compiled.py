"""Compiled modules: which they are, who asks for a compiler, and what happens once their sources have changed."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from records import FOLDERS_WITH_COMPILED_MODULES, changed_since_compiled

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
SWITCH = "HATCH_BUILD_HOOK_ENABLE_MYPYC"
COMPILED = sorted(
    str(path.relative_to(ROOT))
    for pattern in HOOK["include"]
    for path in ROOT.glob(pattern)
    if path.name not in HOOK["exclude"] and str(path.relative_to(ROOT)) not in HOOK["exclude"]
)


@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_module_has_no_class_whose_options_the_compiler_drops(name: str) -> None:
    """`class Award(Struct, frozen=True)` would be compiled to a struct that is not frozen, without a word."""
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert [node.name for node in classes if node.keywords] == []


@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_module_keeps_no_generator_expression_for_later(name: str) -> None:
    """The compiler makes a list of it at once: all choices there are, where the reader has a budget for a few."""
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    given = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.Call) for part in node.args
    }
    kept = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.GeneratorExp) and id(node) not in given
    ]
    starred = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Starred)}
    assert [node.lineno for node in kept if id(node) not in starred] == []


def test_changes_are_looked_for_wherever_modules_are_compiled() -> None:
    assert len(COMPILED) > 30
    for name in COMPILED:
        assert name.startswith(tuple(f"{folder}/" for folder in FOLDERS_WITH_COMPILED_MODULES))


def test_only_who_wants_a_compiled_wheel_needs_the_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    assert WheelBuilder(str(ROOT)).config.dependencies == []
    monkeypatch.setenv(SWITCH, "1")
    asked = {re.split("[<>=]", wanted)[0] for wanted in WheelBuilder(str(ROOT)).config.dependencies}
    assert {"hatch-mypyc", "setuptools", "msgspec"} <= asked


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that was compiled after its only source was written."""
    (tmp_path / "records").mkdir()
    for seconds, name in enumerate(("pyproject.toml", "records/cards.py", "bezique__mypyc.so")):
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (1000 + seconds, 1000 + seconds))
    return tmp_path


def test_a_source_that_was_changed_after_the_compiler_ran_is_found(checkout: Path) -> None:
    source = checkout / "records/cards.py"
    assert changed_since_compiled(str(checkout)) == []
    os.utime(source, (2000, 2000))
    assert changed_since_compiled(str(checkout)) == [str(source)]


def test_without_compiled_modules_nothing_has_changed_since(checkout: Path) -> None:
    os.utime(checkout / "records/cards.py", (2000, 2000))
    (checkout / "bezique__mypyc.so").unlink()
    assert changed_since_compiled(str(checkout)) == []


def test_the_times_of_an_installed_package_say_nothing(checkout: Path) -> None:
    os.utime(checkout / "records/cards.py", (2000, 2000))
    (checkout / "pyproject.toml").unlink()
    assert changed_since_compiled(str(checkout)) == []


def test_compiled_modules_are_not_used_once_a_source_has_changed(checkout: Path) -> None:
    package = checkout / "records/__init__.py"
    package.write_bytes((ROOT / "records/__init__.py").read_bytes())
    done = subprocess.run(
        [sys.executable, "-c", "import records"],
        cwd=checkout, env={"PYTHONPATH": str(checkout)}, text=True, capture_output=True,
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: {package} was changed after this checkout was compiled. "
        'Run "make fast" to compile it again, or "make pure" to go on without.'
    )


def test_where_there_is_no_compiler_make_says_so() -> None:
    done = subprocess.run(
        ["make", "--silent", "--assume-old=.venv/test.done", "fast", "CC=no-such-compiler"],
        cwd=ROOT, text=True, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert "There is no C compiler here (no-such-compiler). All works without" in done.stderr
