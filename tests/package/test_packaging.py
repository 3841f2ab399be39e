"""The package as it is installed: from a wheel, beside others of the same names, and as type checkers see it."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from hatchling.builders.wheel import WheelBuilder
from mypy import api

from tests.machine.waiting import PATIENCE_SECONDS
from tests.package import make_types
from tests.records.documents.blocks import is_as_shown, read_blocks, run_in_shell

ROOT = Path(__file__).parents[2]
EXAMPLES = Path(__file__).with_name("typed_examples.py")
MISTAKES = Path(__file__).with_name("typed_mistakes.py")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs."""
    folder = tmp_path_factory.mktemp("installed")
    wheel = next(
        WheelBuilder(str(ROOT)).build(directory=str(folder / "wheel"), versions=["standard"])
    )
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "packages")
    return folder / "packages"


@pytest.mark.long
def test_the_wheel_brings_the_data_of_the_specification_and_the_kit(installed: Path) -> None:
    for source, packaged in (
        ("records/spec", "records/spec"),
        ("samples/conformance", "records/conformance/kit"),
        ("samples/good", "records/samples/good"),
        ("samples/logs", "records/samples/logs"),
        ("samples/partial", "records/samples/partial"),
        ("samples/rulebooks", "records/samples/rulebooks"),
    ):
        files = [path for path in (ROOT / source).rglob("*") if path.is_file()]
        assert files
        for path in files:
            inside = installed / packaged / path.relative_to(ROOT / source)
            assert inside.read_bytes() == path.read_bytes(), path


def run(code: str, folder: Path, *before: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a folder with the installed packages, and what lies before them on the path."""
    path = ":".join(map(str, before))
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env={"PYTHONPATH": path}, text=True, capture_output=True
    )  # fmt: skip


@pytest.mark.slow
def test_the_wheel_brings_the_public_package_and_its_types(installed: Path, tmp_path: Path) -> None:
    assert {path.name for path in installed.iterdir()} >= {
        "bezique",
        "records",
        "analyzer",
        "webui",
    }
    assert (installed / "bezique/py.typed").is_file()
    assert (installed / "bezique/record_types.pyi").is_file()
    assert not (installed / "webui/public").exists()
    code = (
        "import bezique, records; from bezique import Game, check\n"
        "print(check(Game('zique', seed=1).record).verdict, bezique.__file__, records.__file__)"
    )
    done = run(code, tmp_path, installed)
    assert done.stderr == ""
    verdict, *files = done.stdout.split()
    assert verdict == "incomplete"
    assert all(file.startswith(str(installed)) for file in files)


@pytest.mark.long
def test_the_demo_of_the_wheel_is_that_of_the_checkout(installed: Path, tmp_path: Path) -> None:
    """The games are played by the same code; the broken records must be there, for the pages of findings, too."""
    code = (
        "from pathlib import Path; from webui.cli.demo_games import copy_broken_records\n"
        "from webui.views.rules import broken_sample\n"
        "print(copy_broken_records(Path('broken')), len(broken_sample('must-beat') or ''))"
    )
    done = run(code, tmp_path, installed)
    assert done.stderr == ""
    broken = ROOT / "samples/broken"
    sample = (broken / "must-beat.json").read_bytes()
    assert done.stdout.split() == [str(len(list(broken.iterdir()))), str(len(sample))]
    assert {path.name: path.read_bytes() for path in (tmp_path / "broken").iterdir()} == {
        path.name: path.read_bytes() for path in broken.iterdir()
    }


@pytest.mark.slow
def test_the_tutorial_runs_as_it_is_written(installed: Path, tmp_path: Path) -> None:
    """From the wheel, in an empty folder, by commands alone; its server shows every place that the page names."""
    text = (installed / "webui/documents/tutorial.md").read_text(encoding="utf-8")
    command = tmp_path / "bin/bezique"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m bezique "$@"\n')
    command.chmod(0o755)
    environment = {"PATH": f"{command.parent}:/usr/bin:/bin", "PYTHONPATH": str(installed)}
    (folder := tmp_path / "evening").mkdir()
    is_served = False
    for block in read_blocks(text):
        if block.code.startswith("bezique serve"):
            words = [*block.code.split(), "--port", "0"]
            with started_server(words, folder, environment) as site:
                for place in re.findall(r"`(/[a-z]+)`", text):
                    assert urlopen(site + place).status == 200
            is_served = True
        elif block.kind == "sh":
            output = run_in_shell(block.code, folder, environment)
            assert block.output is None or is_as_shown(output, block.output), (block, output)
    assert is_served


@contextmanager
def started_server(words: list[str], folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """The address of a server in a process of its own."""
    process = subprocess.Popen(
        words, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        address = re.search(r"http://\S+?(?=/ )", said)
        assert address is not None, said
        yield address[0]
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
        process.stdout.close()


def test_another_package_of_the_same_name_is_told_in_one_sentence(
    installed: Path, tmp_path: Path
) -> None:
    for name in ("records", "analyzer", "webui"):
        other = tmp_path / name
        other.mkdir()
        (other / f"{name}.py").write_text("")
        done = run("import bezique", other, installed)
        sentence = done.stderr.strip().splitlines()[-1]
        assert sentence.startswith(
            f"ImportError: bezique needs its own package {name!r}, but Python finds another"
        )
        assert f"{name}.py" in sentence


def test_in_a_checkout_the_installed_package_says_how_to_go_on(installed: Path) -> None:
    """The clone is where a reader stands who has just installed it."""
    done = run("import bezique", ROOT, installed)
    sentence = done.stderr.strip().splitlines()[-1]
    assert sentence.startswith(f"ImportError: You are in a checkout of bezique, {ROOT}")
    assert "leave this folder, or install" in sentence


def test_a_module_that_ours_hides_is_a_warning(installed: Path, tmp_path: Path) -> None:
    hidden = installed / "records.py"
    hidden.write_text("")
    try:
        done = run("import bezique", tmp_path, installed)
    finally:
        hidden.unlink()
    assert done.returncode == 0
    assert "RuntimeWarning" in done.stderr
    assert f"{hidden} cannot be imported" in done.stderr


@pytest.mark.long
def test_importing_the_package_loads_nothing_that_is_not_asked_for(tmp_path: Path) -> None:
    code = "import sys, bezique; print(*sorted(sys.modules))"
    loaded = set(run(code, tmp_path).stdout.split())
    assert not {"msgspec", "duckdb", "flask", "records.validator"} & loaded
    code = "import sys\nfrom bezique import *\nprint(*sorted(sys.modules))"
    loaded = set(run(code, tmp_path).stdout.split())
    assert "records.validator" in loaded
    assert not {"duckdb", "flask", "plotly"} & loaded


def test_the_types_are_fresh() -> None:
    assert make_types.STUB.read_text(encoding="utf-8") == make_types.stub(), (
        "write them with: python -m tests.package.make_types"
    )


@pytest.mark.long
def test_type_checkers_pass_the_examples_and_find_every_mistake() -> None:
    """With the cache of `make lint`, which has just read the same modules."""
    out, _, status = api.run(
        ["--config-file", str(ROOT / "pyproject.toml"), str(EXAMPLES), str(MISTAKES)]
    )
    assert status == 1
    found = {line.split(":")[1] for line in out.splitlines() if ": error: " in line}
    assert not [line for line in out.splitlines() if line.startswith(str(EXAMPLES))]
    assert found == {str(line + 1) for line in mistakes()}


def mistakes() -> list[int]:
    """The lines with a mistake, counted from 0."""
    lines = MISTAKES.read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines) if "# mistake" in line]


PYRIGHT = shutil.which("pyright")
asks_pyright = pytest.mark.skipif(
    PYRIGHT is None, reason="pyright is not on the PATH, so it was not asked: pip install pyright"
)


@asks_pyright
def test_pyright_finds_the_same_mistakes(tmp_path: Path) -> None:
    for path in (EXAMPLES, MISTAKES):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    found = {(name, line) for name, line, _ in diagnostics(tmp_path, "strict")}
    assert found == {(MISTAKES.name, line) for line in mistakes()}


@asks_pyright
def test_pyright_passes_the_recipes_of_the_cookbook(tmp_path: Path) -> None:
    """They are written for readers without types, and a reader's editor has no complaint."""
    text = (ROOT / "webui/documents/cookbook.md").read_text(encoding="utf-8")
    recipes = [block.code for block in read_blocks(text) if block.kind == "python"]
    for number, code in enumerate(recipes):
        (tmp_path / f"recipe_{number}.py").write_text(code, encoding="utf-8")
    assert len(recipes) > 10
    absent = "reportMissingImports"  # pandas and such, which need not be installed
    assert [told for told in diagnostics(tmp_path, "standard") if told[2] != absent] == []


def diagnostics(folder: Path, mode: str) -> list[tuple[str, int, str]]:
    """What pyright says of a folder: the file, the line counted from 0, and the rule, or the words where it has none."""
    folders = [str(ROOT), str(ROOT / "webui/public")]
    settings = {"typeCheckingMode": mode, "extraPaths": folders}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [str(PYRIGHT), "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    done = subprocess.run(command, text=True, capture_output=True)
    return [
        (Path(told["file"]).name, told["range"]["start"]["line"], told.get("rule", told["message"]))
        for told in json.loads(done.stdout)["generalDiagnostics"]
    ]
