"""The data of the pages of the specification."""

from collections.abc import Sequence
from dataclasses import dataclass

from records.rules.vocabulary import RuleSheet
from webui.display.specification.specification_markup import SpecPageMarkup
from webui.display.specification.specification_search import SpecResult
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecificationPage(Page):
    """The list of pages, sheets and schemas, and the results of a search for `question`, at most `most`."""

    template = "specification/specification.html"
    pages: Sequence[SpecPageMarkup]
    sheets: Sequence[RuleSheet]
    schemas: Sequence[str]
    question: str
    results: Sequence[SpecResult]
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecChapterPage(Page):
    """One page of the specification, and the pages before and after it."""

    template = "specification/page.html"
    markup: SpecPageMarkup
    before: SpecPageMarkup | None
    after: SpecPageMarkup | None
