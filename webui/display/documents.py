"""The documents of the site: their pages, their search, and the form on which people write a deal down."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from markupsafe import Markup

from records.documents.glossary import read_glossary
from records.documents.schemas import SPEC_ADDRESS, SPEC_FOLDER
from records.rules.english import explain_sheet
from records.rules.vocabulary import BrisqueCount, RuleSheet, TurnUp
from webui.display.markup import mark_matches
from webui.display.page_markup import (
    DOCUMENT_ADDRESS,
    DOCUMENT_FILES,
    DOCUMENT_FOLDER,
    SPEC_FILES,
    DocumentHeading,
    DocumentMarkup,
    DocumentSection,
    heading_anchor,
    page_path,
    plain_text,
    render_document,
    shorten_summary,
)

# Which documents there are, in which order, and each as a page.

SPEC_PAGE_NAMES = (
    "format", "writing", "notation", "studies", "live", "authors", "deals", "sheets", "points", "rulings", "findings", "conformance",
    "planted_errors", "interface", "glossary", "versions",
)  # fmt: skip
"""The pages of the specification in the order in which a newcomer reads them: `format` is `format.md`."""

CONTENTS_FILE = DOCUMENT_FOLDER / "contents.toml"
"""The parts of the documents, each with its pages."""


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A page as lists have it: its address, its title, and how it begins."""

    address: str
    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A part of the documents: its title, and its pages."""

    title: str
    pages: Sequence[DocumentEntry]


@cache
def document_page_names() -> tuple[str, ...]:
    """The names of the documents in the order of their parts: `tutorial` is `tutorial.md`."""
    return tuple(name for part in _contents() for name in part["pages"])


@cache
def document_parts() -> tuple[DocumentPart, ...]:
    """All parts, the specification being the last."""
    parts = [
        DocumentPart(part["title"], [_listed(DOCUMENT_ADDRESS + name) for name in part["pages"]])
        for part in _contents()
    ]
    specification = [_listed(page_path(name)) for name in SPEC_PAGE_NAMES]
    return (*parts, DocumentPart("Specification", specification))


@cache
def document_page(name: str) -> DocumentMarkup:
    """The document of this name; KeyError if there is none."""
    if name not in document_page_names():
        raise KeyError(name)
    return render_document(
        f"{DOCUMENT_FILES}{name}.md", DOCUMENT_ADDRESS + name, _text(DOCUMENT_FOLDER, name)
    )


@cache
def spec_page(name: str) -> DocumentMarkup:
    """The page of the specification of this name; KeyError if there is none."""
    if name not in SPEC_PAGE_NAMES:
        raise KeyError(name)
    return render_document(f"{SPEC_FILES}{name}.md", page_path(name), _text(SPEC_FOLDER, name))


def page_at(address: str) -> DocumentMarkup:
    """The page of the documents or of the specification at an address; KeyError if there is none."""
    if address.startswith(DOCUMENT_ADDRESS):
        return document_page(address.removeprefix(DOCUMENT_ADDRESS))
    return spec_page(address.removeprefix(SPEC_ADDRESS).lstrip("/"))


class _ContentsPart(TypedDict):
    title: str
    pages: list[str]


def _contents() -> list[_ContentsPart]:
    parts: list[_ContentsPart] = tomllib.loads(CONTENTS_FILE.read_text(encoding="utf-8"))["part"]
    return parts


def _listed(address: str) -> DocumentEntry:
    """A page of which only the beginning is read: lists need no page as HTML."""
    name = address.rpartition("/")[2]
    folder = DOCUMENT_FOLDER if address.startswith(DOCUMENT_ADDRESS) else SPEC_FOLDER
    title, paragraph = _text(folder, name).split("\n\n", 2)[:2]
    return DocumentEntry(address, plain_text(title), shorten_summary(plain_text(paragraph)))


def _text(folder: Path, name: str) -> str:
    return (folder / f"{name}.md").read_text(encoding="utf-8")


# The search in the documents and the specification: sections that have every word of a question, the best first.

LONGEST_QUESTION = 100
"""Characters of a question that are looked at."""
MOST_RESULTS = 40
GLOSSARY = page_path("glossary")
_WORDS = re.compile(r"[\w-]+")
_SNIPPET_LENGTH = 220


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section that answers, with the title of its page and an excerpt with the words marked."""

    section: DocumentSection
    title: str
    excerpt: Markup


def search_documents(question: str) -> list[FoundSection]:
    """The sections in which every word of a question begins a word, the best first; at most `MOST_RESULTS`."""
    words = list(dict.fromkeys(_WORDS.findall(question[:LONGEST_QUESTION].lower())))
    if not words:
        return []
    patterns = [re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE) for word in words]
    rated = [
        (_rate(section, patterns, words), number, section)
        for number, section in enumerate(_all_sections())
    ]
    best = sorted((-rate, number, section) for rate, number, section in rated if rate)
    return [
        FoundSection(section, page_at(section.page).title, _excerpt(section.text, patterns))
        for _, _, section in best[:MOST_RESULTS]
    ]


@cache
def _all_sections() -> tuple[DocumentSection, ...]:
    pages = [
        *map(document_page, document_page_names()),
        *(spec_page(name) for name in SPEC_PAGE_NAMES if name != "glossary"),
    ]
    return (*_glossary_sections(), *(section for page in pages for section in page.sections))


def _glossary_sections() -> list[DocumentSection]:
    """A section for every word, so that a question that is one finds it first."""
    return [
        DocumentSection(
            GLOSSARY,
            DocumentHeading(3, entry.word, entry.anchor),
            re.sub(r"[*`]", "", entry.meaning),
        )
        for entries in read_glossary().values()
        for entry in entries
    ]


def _rate(section: DocumentSection, patterns: list[re.Pattern[str]], words: list[str]) -> int:
    """How well a section answers; 0 if it lacks a word."""
    heading, total = section.heading.text, 0
    for pattern in patterns:
        found = len(pattern.findall(section.text))
        headed = len(pattern.findall(heading))
        if not found and not headed:
            return 0
        total += min(found, 5) + 10 * headed
    if heading_anchor(heading) != heading_anchor(" ".join(words)):
        return total
    return total + (200 if section.page == GLOSSARY else 100)


def _excerpt(text: str, patterns: list[re.Pattern[str]]) -> Markup:
    """Some of the text around the first word found, with all words marked."""
    text = " ".join(text.split())
    first = min((found.start() for each in patterns if (found := each.search(text))), default=0)
    start = max(0, first - _SNIPPET_LENGTH // 3)
    start = text.rfind(" ", 0, start) + 1
    cut = text[start : start + _SNIPPET_LENGTH]
    cut = cut if start + len(cut) == len(text) else cut.rpartition(" ")[0] + " …"
    marked = re.compile("|".join(f"{each.pattern}[\\w-]*" for each in patterns), re.IGNORECASE)
    shown = mark_matches(marked, cut, lambda found: Markup("<mark>{}</mark>").format(found[0]))
    return Markup("… " if start else "") + shown


# A form on which people at a table write a deal down: how many tricks it has, what is dealt, what scores.

SEAT_LETTERS = "abcdef"
ZETEMA_TURNS = 40
"""Lines for the turns of a game without tricks; a deal may have more."""


@dataclass(frozen=True, slots=True)
class ScoreForm:
    """The form of a rulebook as it is without options; `lines` are its tricks, or turns where `has_tricks` is false.

    `seats` are the letters of the most players; `hand` cards are dealt to each of the fewest. After `stock_tricks` the stock is empty. `melds` are the points of each, in
    words; `bonuses` are sentences.
    """

    sheet: str
    name: str
    seats: str
    has_tricks: bool
    lines: int
    stock_tricks: int
    hand: int
    turned_up: bool
    dix: int
    brisque: int
    melds: list[tuple[str, int]]
    bonuses: list[str]


def score_form(sheet: RuleSheet) -> ScoreForm:
    """The form of this rulebook, with a line for each player it allows."""
    players = min(sheet.rules.players)
    hand = sheet.rules.hand[players]
    cards = len(sheet.rules.pack.ranks) * 4 * sheet.rules.pack.packs
    has_tricks = sheet.rules.tableau is None
    counts = sheet.rules.brisques.count is BrisqueCount.AT_THE_END
    return ScoreForm(
        sheet=sheet.id,
        name=sheet.name,
        seats=SEAT_LETTERS[: max(sheet.rules.players)],
        has_tricks=has_tricks,
        lines=cards // players if has_tricks else ZETEMA_TURNS,
        stock_tricks=cards // players - hand if has_tricks else 0,
        hand=hand,
        turned_up=isinstance(sheet.rules.trumps, TurnUp),
        dix=sheet.rules.dix.points if sheet.rules.dix else 0,
        brisque=sheet.rules.brisques.points if has_tricks and counts else 0,
        melds=[(meld.words, meld.points) for meld in sheet.rules.melds],
        bonuses=_bonuses(sheet),
    )


def _bonuses(sheet: RuleSheet) -> list[str]:
    """What the rulebook says of points for tricks."""
    sections = explain_sheet(sheet).sections
    return [words for part in sections if part.article == "bonuses" for words in part.sentences]
