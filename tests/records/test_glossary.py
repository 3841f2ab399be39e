"""The glossary: its page is read wholly, and it has the words that the product uses."""

import re
from functools import cache
from pathlib import Path

import pytest

from records.documents.glossary import GLOSSARY_PAGE, GlossaryEntry, find_entry, read_glossary

ROOT = Path(__file__).parents[2]
PRODUCT = ("records", "analyzer", "webui")
TEXTS = (".py", ".html", ".md", ".sql", ".js")
ENTRIES = [entry for chapter in read_glossary().values() for entry in chapter]


@cache
def product_text() -> str:
    """Everything that is written in the product, but for the glossary itself."""
    files = (file for folder in PRODUCT for file in (ROOT / folder).rglob("*"))
    wanted = (file for file in files if file.suffix in TEXTS and file != GLOSSARY_PAGE)
    return " ".join(file.read_text(encoding="utf-8").lower() for file in sorted(wanted))


def test_every_line_of_the_page_is_an_entry() -> None:
    lines = re.findall(r"^- .*$", GLOSSARY_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [f"- **{entry.word}**: {entry.meaning}" for entry in ENTRIES] == lines
    assert len(lines) > 60


def test_each_word_has_one_entry_and_one_anchor() -> None:
    anchors = [entry.anchor for entry in ENTRIES]
    assert len(anchors) == len(set(anchors))
    assert all(re.fullmatch(r"[a-z-]+", anchor) for anchor in anchors)


def test_each_chapter_is_in_alphabetical_order() -> None:
    for chapter in read_glossary().values():
        words = [entry.word.lower().replace("-", " ") for entry in chapter]
        assert words == sorted(words)


def test_each_meaning_is_a_sentence() -> None:
    assert [entry.word for entry in ENTRIES if not entry.meaning.endswith(".")] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.anchor)
def test_the_product_uses_every_word(entry: GlossaryEntry) -> None:
    words = re.escape(entry.word.lower()).replace(r"\ ", r"[\s_-]+")
    assert re.search(rf"\b{words}", product_text())


def test_a_word_without_entry_is_an_error() -> None:
    assert find_entry("brisque").anchor == "brisque"
    with pytest.raises(KeyError):
        find_entry("canasta")
