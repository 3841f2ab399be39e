"""The laws and rulings that the sheets rest on, read from their published page."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RULINGS_PAGE = Path(__file__).parents[1] / "spec" / "rulings.md"
LAW_NUMBER_PATTERN = re.compile(r"\b(?:[CAZ]-?\d+[a-d]?|R-[A-Z0-9]+)\b")
"""The numbers of laws, rules of reuse and rulings: `C8`, `R-KIND`, `A-30a`."""

_HEADING = re.compile(r"^### (\S+)$", re.MULTILINE)
_CHAPTER = re.compile(r"^## .*", re.MULTILINE)
_MARKS = re.compile(r"\*\*|[*`]")


@dataclass(frozen=True, slots=True)
class Law:
    """One law or ruling: its number, and its paragraphs with the marks of the page (`*` and `` ` ``)."""

    number: str
    paragraphs: tuple[str, ...]

    @property
    def plain(self) -> tuple[str, ...]:
        """The paragraphs without marks."""
        return tuple(_MARKS.sub("", paragraph) for paragraph in self.paragraphs)


@cache
def read_laws() -> Mapping[str, Law]:
    """Every law and ruling by its number, in the order of the page."""
    _, *parts = _HEADING.split(RULINGS_PAGE.read_text(encoding="utf-8"))
    return {
        number: Law(number, _paragraphs(_CHAPTER.split(text)[0]))
        for number, text in zip(parts[::2], parts[1::2], strict=True)
    }


def _paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs, each on one line; an item of a list is a paragraph, with its dash."""
    parts = re.split(r"\n\s*\n|\n(?=- )", text.strip())
    return tuple(" ".join(part.split()) for part in parts)


def cited_laws(texts: Iterable[str]) -> tuple[Law, ...]:
    """The laws named in texts, each once, in the order of the page."""
    cited = {number for text in texts for number in LAW_NUMBER_PATTERN.findall(text)}
    return tuple(law for number, law in read_laws().items() if number in cited)
