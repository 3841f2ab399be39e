"""The search in the documents and the specification: sections that have every word of a question, the best first."""

import re
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup, escape

from records.documents.glossary import read_glossary
from webui.display.documents.document_links import page_path
from webui.display.documents.document_pages import (
    SPEC_PAGE_NAMES,
    document_page,
    document_page_names,
    page_at,
    spec_page,
)
from webui.display.documents.page_markup import DocumentHeading, DocumentSection, heading_anchor

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
    parts, end = [Markup("… ") if start else Markup()], 0
    for found in marked.finditer(cut):
        parts += [escape(cut[end : found.start()]), Markup("<mark>{}</mark>").format(found.group())]
        end = found.end()
    return Markup("").join([*parts, escape(cut[end:])])
