"""Expressions with possessive groups, which some versions of Python match wrongly (before 3.11.5), match as greedy ones do."""

import re
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

POSSESSIVE_GROUP = re.compile(r"\)([*+?])\+")
ROOT = Path(__file__).parents[1]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for floor in ("records", "analyzer", "webui")
    for path in (ROOT / floor).rglob("*.py")
    if "public" not in path.parts
    and re.search(r"re\.compile", text := path.read_text())
    and POSSESSIVE_GROUP.search(text)
)


def expressions() -> dict[str, re.Pattern[str] | re.Pattern[bytes]]:
    """The expressions of all modules, by module and name."""
    return {
        f"{module}.{name}": value
        for module in MODULES
        for name, value in vars(import_module(module)).items()
        if isinstance(value, re.Pattern) and POSSESSIVE_GROUP.search(_text(value))
    }


def _text(expression: re.Pattern[str] | re.Pattern[bytes]) -> str:
    pattern = expression.pattern
    return pattern if isinstance(pattern, str) else pattern.decode("latin-1")


def matched(expression: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [found.span() for found in expression.finditer(text)]


@pytest.mark.parametrize("name", expressions())
def test_a_possessive_group_matches_as_a_greedy_one(name: str) -> None:
    pattern, flags = _text(expressions()[name]), expressions()[name].flags & ~re.UNICODE
    # In letters of Latin-1 bytes and characters are the same.
    possessive = re.compile(pattern, flags | re.ASCII)
    greedy = re.compile(POSSESSIVE_GROUP.sub(r")\1", pattern), flags | re.ASCII)
    random = Random(name)
    letters = sorted({*re.sub(r"\\x([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), pattern)} | {"\n", "a"})  # fmt: skip
    for _ in range(3000):
        text = "".join(random.choices(letters, k=random.randrange(12)))
        assert matched(possessive, text) == matched(greedy, text), repr(text)
