"""The glossary, read from its published page: every word that the product uses in one sense only."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from records.documents.schemas import SPEC_FOLDER

GLOSSARY_PAGE = SPEC_FOLDER / "glossary.md"

_CHAPTER = re.compile(r"^## (.*)$", re.MULTILINE)
_ENTRY = re.compile(r"^- \*\*(?P<word>[^*]+)\*\*: (?P<meaning>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A word and its meaning; the meaning keeps its marks (`*so*`, `` `so` ``)."""

    word: str
    meaning: str

    @property
    def anchor(self) -> str:
        """The word's place on the page: `carte-blanche`."""
        return self.word.lower().replace(" ", "-")


@cache
def read_glossary() -> Mapping[str, tuple[GlossaryEntry, ...]]:
    """The entries of each chapter, by its heading, in the order of the page."""
    _, *parts = _CHAPTER.split(GLOSSARY_PAGE.read_text(encoding="utf-8"))
    return {
        heading: tuple(GlossaryEntry(**found.groupdict()) for found in _ENTRY.finditer(text))
        for heading, text in zip(parts[::2], parts[1::2], strict=True)
    }


@cache
def find_entry(word: str) -> GlossaryEntry:
    """The entry of a word as the glossary spells it; KeyError if it has none."""
    entries = {entry.word: entry for chapter in read_glossary().values() for entry in chapter}
    return entries[word]
