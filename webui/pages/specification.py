"""The data of the list of the specification; each of its pages is one of the documents."""

from collections.abc import Sequence
from dataclasses import dataclass

from records.rules.vocabulary import RuleSheet
from webui.display.documents.document_search import FoundSection
from webui.display.documents.page_markup import DocumentMarkup
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecificationPage(Page):
    """The list of pages, sheets and schemas, and the results of a search for `question`, at most `most`."""

    template = "specification/specification.html"
    pages: Sequence[DocumentMarkup]
    sheets: Sequence[RuleSheet]
    schemas: Sequence[str]
    question: str
    results: Sequence[FoundSection]
    most: int
