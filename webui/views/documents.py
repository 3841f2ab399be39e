"""The documents and the glossary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from flask import abort, request
from markupsafe import Markup

from records.documents.glossary import GlossaryEntry, read_glossary
from webui.display.documents import (
    LONGEST_QUESTION,
    MOST_RESULTS,
    DocumentPart,
    FoundSection,
    document_page,
    document_page_names,
    document_parts,
    search_documents,
)
from webui.display.page_markup import DocumentMarkup
from webui.server.actions import Action
from webui.server.page import Page, Views
from webui.server.request_kinds import PAGES
from webui.server.responses import site_path

# The documents: their list, each as a page, and the search in them and in the specification.

blueprint = Views("documents", __name__)


class DocumentListPage(Page):
    """The parts of the documents, and the results of a search for `question`, at most `most`."""

    template = "documents/documents.html"
    parts: Sequence[DocumentPart]
    question: str
    results: Sequence[FoundSection]
    most = MOST_RESULTS


def _list_data() -> object:
    """The parts with the addresses and titles of their pages, or what `?q=` finds."""
    if question := search_question():
        return results_data(question)
    return {
        "parts": [
            {
                "title": part.title,
                "pages": [
                    {"address": site_path(entry.address), "title": entry.title}
                    for entry in part.pages
                ],
            }
            for part in document_parts()
        ]
    }


@blueprint.page("/docs", Action.LOOK, PAGES, data=_list_data)
def documents() -> DocumentListPage:
    """All documents by part; `?q=` searches them and the specification."""
    question = search_question()
    return DocumentListPage(
        parts=document_parts(),
        question=question,
        results=search_documents(question),
    )


class DocumentPage(Page):
    """One page of the documents or of the specification, the list of all, and the pages before and after it."""

    template = "documents/page.html"
    markup: DocumentMarkup
    parts: Sequence[DocumentPart]
    before: DocumentMarkup | None
    after: DocumentMarkup | None


def _document_data(name: str) -> object:
    """The sections of one document, with their anchors, as text."""
    return page_data(name, page_among(name, document_page_names(), document_page).markup)


@blueprint.page("/docs/<name>", Action.LOOK, PAGES, data=_document_data)
def page(name: str) -> DocumentPage:
    """One document, with the pages before and after it."""
    return page_among(name, document_page_names(), document_page)


def page_among(
    name: str, names: Sequence[str], read: Callable[[str], DocumentMarkup]
) -> DocumentPage:
    """A page with those before and after it among these names; answers 404 if it is not among them."""
    if name not in names:
        abort(404)
    around = [None, *map(read, names), None]
    place = names.index(name)
    return DocumentPage(
        markup=read(name),
        parts=document_parts(),
        before=around[place],
        after=around[place + 2],
    )


def page_data(name: str, shown: DocumentMarkup) -> dict[str, object]:
    """A document for programs: its sections, each with the address of its page."""
    sections = [replace(each, page=site_path(each.page)) for each in shown.sections]
    return {"name": name, "title": shown.title, "sections": sections}


def search_question() -> str:
    """What `?q=` asks, as far as it is looked at."""
    return request.args.get("q", "").strip()[:LONGEST_QUESTION]


def results_data(question: str) -> dict[str, object]:
    """What a search finds, for programs."""
    return {"q": question, "results": [_result_data(each) for each in search_documents(question)]}


def _result_data(result: FoundSection) -> dict[str, str]:
    heading = result.section.heading
    return {
        "address": site_path(result.section.address),
        "page": result.title,
        "heading": heading.text,
        "text": Markup(result.excerpt).striptags(),
    }


# The glossary: one word for one thing.

glossary_blueprint = Views("glossary", __name__)


class GlossaryPage(Page):
    """The words of the game and of this project, by chapter, and the list of all documents."""

    template = "glossary/glossary.html"
    chapters: Mapping[str, Sequence[GlossaryEntry]]
    parts: Sequence[DocumentPart]

    @property
    def data(self) -> object:
        """The words and what they mean, by chapter."""
        return self.chapters


@glossary_blueprint.page("/glossary", Action.LOOK, PAGES)
def glossary() -> GlossaryPage:
    """Every word, with an anchor of its own."""
    return GlossaryPage(chapters=read_glossary(), parts=document_parts())
