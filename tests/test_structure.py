"""The project as a whole: its imports, its sizes, and documents that stay true."""

import ast
import doctest
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from analyzer.statistics.catalogue import dimensions, metrics
from analyzer.statistics.questions import questions
from records.rules.registry import ALL_SHEETS
from tests.records.documents.blocks import run_command
from webui.cli.main import COMMAND_NAMES

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([a-z0-9-]+)(?:\[([a-z0-9,-]+)\])?(==\S+(?: ; [^\\]+)?) \\", re.MULTILINE)
"""A package in a lock file: its name, its extras, its version and where it is needed."""
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("samples/*.md"),
        *ROOT.glob("records/spec/*.md"),
        *ROOT.glob("webui/documents/*.md"),
    ]
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = ("records", "analyzer", "webui")
LONGEST_FUNCTION = 45
LONG_FOR_A_REASON = {
    "records/engine/plain_play.py": [
        "run_plain_events"
    ],  # the one hot loop: a call an event would cost a third of its speed
    "analyzer/play/base_player.py": [
        "_play_tricks"
    ],  # the same loop as in `greedy`, for better players
    "analyzer/play/greedy.py": [
        "_play_tricks"
    ],  # the one loop of the roll-outs, whose speed is the reason for the second writing
    "analyzer/solver/trick_search.py": [
        "_open_leads"
    ],  # the solver's one hot loop, for the same reason
}
VAGUE = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}
TOP = {
    "records", "analyzer", "webui", "tests", "samples", ".ci", "pyproject.toml", "README.md", "Makefile",
    "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ".gitignore",
}  # fmt: skip

MODULES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}


def tracked() -> list[str]:
    """Every file of the repository, if this is one."""
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True, capture_output=True
    )
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.long
def test_import_contracts() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout


def test_nothing_new_at_the_top() -> None:
    assert {name.partition("/")[0] for name in tracked()} <= TOP


def test_no_module_has_a_vague_name() -> None:
    assert [name for name in MODULES if Path(name).stem in VAGUE] == []


@pytest.mark.long
def test_functions_are_short() -> None:
    long = {
        name: functions for name, text in MODULES.items() if (functions := long_functions(text))
    }
    assert long == LONG_FOR_A_REASON


def long_functions(text: str) -> list[str]:
    """The names of the functions in a module that are too long."""
    return [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION
    ]


@pytest.mark.long
def test_nothing_speaks_of_one_machine() -> None:
    place = re.compile(r"(?<![\w.<])/(work|root|home)/|(index-url|find-links)\b")
    exempt = {"tests/test_structure.py"}
    found = [
        name
        for name in tracked()
        if name not in exempt
        and Path(name).suffix
        in {".py", ".md", ".toml", ".lock", ".sql", ".html", ".js", ".css", ""}
        and place.search((ROOT / name).read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


def test_the_lock_files_pin_every_dependency() -> None:
    wanted = PROJECT["project"]["dependencies"]
    wanted_for_tests = [
        name
        for extra in PROJECT["project"]["optional-dependencies"].values()
        for name in extra
        if "[" not in name
    ]
    run = (ROOT / ".ci/run.lock").read_text()
    test = (ROOT / ".ci/test.lock").read_text()
    for lock, names in ((run, wanted), (test, wanted + wanted_for_tests)):
        pinned = {name for name, _, _ in PINNED.findall(lock)}
        assert {re.split(r"[<>=~!]", name)[0] for name in names} <= pinned
        assert "://" not in lock
        assert all(
            "--hash=sha256:" in part for part in re.split(r"^(?=[a-z])", lock, flags=re.M)[1:]
        )


def test_the_same_versions_run_and_are_tested() -> None:
    run, test = (
        {(name, version) for name, _, version in PINNED.findall(path.read_text())}
        for path in (ROOT / ".ci/run.lock", ROOT / ".ci/test.lock")
    )
    assert run
    assert run <= test


@pytest.mark.parametrize("name", ["run", "test"])
def test_what_is_needed_with_an_extra_is_pinned_with_it(name: str) -> None:
    """Where the lock says `coverage`, pip takes `coverage[toml]` from a newer release, and refuses it as not pinned."""
    lock = (ROOT / f".ci/{name}.lock").read_text()
    pinned = {name: extras for name, extras, _ in PINNED.findall(lock)}
    assert pinned
    for distribution in distributions():
        if canonicalize_name(distribution.name) not in pinned:
            continue
        for needed in map(Requirement, distribution.requires or ()):
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                missing = needed.extras - {*pinned[canonicalize_name(needed.name)].split(",")}
                assert not missing, f"{distribution.name} needs {needed}"


def commands() -> Iterator[str]:
    """Every line of the README that is a command."""
    for block in re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        yield from block.splitlines()


def test_the_library_of_the_readme() -> None:
    parser = doctest.DocTestParser()
    test = parser.get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(test.examples) >= 7
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.long
def test_the_commands_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command is shown, and run, in the documents."""
    lines = [line for line in commands() if line.startswith("bezique ")]
    monkeypatch.chdir(tmp_path)
    for line in lines:
        run_command(line)
    assert len(lines) == 5


def test_the_make_targets_of_the_readme_exist() -> None:
    targets = set(re.findall(r"(?:`|^)make ([\w-]+)(?=`|$)", README + CONTRIBUTING, re.MULTILINE))
    assert {"demo", "test", "check", "bench", "soak", "setup", "lock"} <= targets
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    for target in sorted(targets):
        done = subprocess.run(
            ["make", "--dry-run", "--always-make", target],
            cwd=ROOT,
            env=environment,
            text=True,
            capture_output=True,
        )
        assert done.returncode == 0, (target, done.stderr)


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_file_that_contributing_names_exists() -> None:
    top = "|".join((*PACKAGES, "samples", "tests"))
    named = set(re.findall(rf"`((?:{top})/[^`\s]*)`", CONTRIBUTING))
    assert len(named) > 25
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def test_the_changelog_tells_of_this_version() -> None:
    assert f"## {PROJECT['project']['version']} " in CHANGELOG
    latest = CHANGELOG.split("\n## ")[1]
    assert all(sheet.id in CHANGELOG for sheet in ALL_SHEETS)
    assert all(command in latest for command in COMMAND_NAMES)


@pytest.mark.parametrize("text", [README, CHANGELOG], ids=["README", "CHANGELOG"])
def test_what_can_be_asked_is_counted(text: str) -> None:
    numbers = {24: "twenty-four", 25: "twenty-five", 26: "twenty-six"}
    plain = [dimension for dimension in dimensions().values() if "." not in dimension.name]
    assert f"{numbers[len(questions())]} questions" in text.lower()
    assert f"{len(metrics())} measures" in text
    assert f"{len(plain)} dimensions" in text
