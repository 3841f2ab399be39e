"""Names lead to places: folders of a readable size, no name with two meanings, no riddles."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("records", "analyzer", "webui")
"""What `import bezique` finds is a folder of webui."""
MODULES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
FEWEST_MODULES_IN_FOLDER = 4
MOST_FILES_IN_FOLDER = 12
SMALL_ROOMS = {
    "analyzer": "a folder of folders",
    "webui": "a folder of folders, and what starts the site",
    "analyzer/identify": "three chapters of one search, which nothing else reads",
}
"""The folders of fewer than four modules, `__init__` aside, and why they are folders."""

SAME_THING_IN_SEVERAL_LAYERS = {
    "__init__", "__main__", "admin", "api", "backup", "carte_blanche", "deals", "dix", "doctor", "documents", "drills", "evenings", "events", "expectancy", "explore", "findings", "games",
    "glossary", "home", "identify", "imports", "login", "melds", "notes", "players", "ratings", "reviews", "rulebooks", "rules", "specification", "sql", "standings", "statistics", "studies", "trash", "tricks", "upgrade", "verdicts", "what_if", "zetema",
}  # fmt: skip
"""Names that modules of different layers share because they are about the same thing."""

RIDDLES = {
    "asked", "beware", "brink", "came", "carried", "chosen", "doubts", "dressed", "fortune", "gone", "judged", "kept",
    "lies", "literate", "loose", "margin", "noted", "rolling", "said", "shelf", "sight", "stranger", "tells", "told",
    "twin", "twins", "went",
}  # fmt: skip
"""Words that told newcomers nothing, or the wrong thing: banned from the names of modules, classes, functions and constants."""

BARE = {
    "ALL", "AHEAD", "AT_ONCE", "CODES", "DONE", "ENOUGH", "EVERY", "FEW", "FOLDER", "HEADER", "KEEP", "KEPT", "KNOWN", "LARGEST",
    "LEVEL", "LONGEST", "MANIFEST", "MOST", "NAMES", "NONE", "OVER", "PARTS", "PLAIN", "SECONDS", "SMALLEST", "STORED", "WIDTH",
}  # fmt: skip
"""Constants without their noun."""


def folder_of(path: Path) -> str:
    return str(path.parent.relative_to(ROOT))


def definitions(path: Path) -> Iterator[str]:
    """Every module-level name that a module defines, and its classes' methods."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name, body=body):
                yield name
                yield from (part.name for part in body if isinstance(part, ast.FunctionDef))
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def words_of(name: str) -> set[str]:
    """The words of a name, in snake case or camel case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def folders(ending: str) -> dict[str, int]:
    """How many files of a kind every folder of the product holds."""
    counts: dict[str, int] = defaultdict(int)
    for package in PACKAGES:
        for path in (ROOT / package).rglob(f"*{ending}"):
            if not path.stem.startswith("__"):
                counts[folder_of(path)] += 1
    return counts


def test_a_folder_holds_four_modules_or_more() -> None:
    """A door only where a room is behind it."""
    counts: dict[str, int] = defaultdict(int)
    for path in MODULES:
        counts[folder_of(path)] += path.stem != "__init__"
    small = {name for name, count in counts.items() if count < FEWEST_MODULES_IN_FOLDER}
    assert small == SMALL_ROOMS.keys()


@pytest.mark.parametrize("ending", [".js", ".css"])
def test_folders_hold_at_most_twelve_files_for_the_browser(ending: str) -> None:
    assert [name for name, count in folders(ending).items() if count > MOST_FILES_IN_FOLDER] == []


def test_two_modules_share_a_name_only_if_they_are_one_thing_in_two_layers() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for path in MODULES:
        places[path.stem].add(folder_of(path))
    shared = {name for name, where in places.items() if len(where) > 1}
    assert shared - SAME_THING_IN_SEVERAL_LAYERS == set()


@pytest.mark.long
def test_no_type_has_a_public_name_twice() -> None:
    """A class or the alias of a type: both are written in capitals and small letters."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                    if name[0].isupper() and not name.isupper():
                        places[name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


@pytest.mark.long
def test_names_do_not_riddle() -> None:
    names = {(path, name) for path in MODULES for name in (path.stem, *definitions(path))}
    assert {each for each in names if words_of(each[1]) & RIDDLES} == set()
    assert {each for each in names if each[1] in BARE} == set()


@pytest.mark.long
def test_the_command_line_is_the_top() -> None:
    importers = {
        folder_of(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("webui.cli")
    }
    # `python -m bezique` starts it.
    assert {name for name in importers if not name.startswith("webui/cli")} == {
        "webui/public/bezique"
    }
