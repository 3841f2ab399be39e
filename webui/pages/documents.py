"""The data of the pages of the documents."""

from collections.abc import Sequence
from dataclasses import dataclass

from webui.display.documents.document_pages import DocumentPart
from webui.display.documents.document_search import FoundSection
from webui.display.documents.page_markup import DocumentMarkup
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentListPage(Page):
    """The parts of the documents, and the results of a search for `question`, at most `most`."""

    template = "documents/documents.html"
    parts: Sequence[DocumentPart]
    question: str
    results: Sequence[FoundSection]
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPage(Page):
    """One page of the documents or of the specification, the list of all, and the pages before and after it."""

    template = "documents/page.html"
    markup: DocumentMarkup
    parts: Sequence[DocumentPart]
    before: DocumentMarkup | None
    after: DocumentMarkup | None
