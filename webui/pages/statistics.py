"""The data of the pages of questions, of their answers and of what was played by a rule sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.db.store import StoreCounts
from analyzer.questions import Answer, Question
from records.rules.vocabulary import RuleSheet
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsPage(Page):
    """The questions."""

    template = "statistics/statistics.html"
    questions: Sequence[Question]
    counts: StoreCounts
    sheets: Sequence[RuleSheet]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage(Page):
    """One question and its answer; `headline` is the answer in a sentence, with its uncertainty.

    `scales` says how the panels of the figure are to be read, if it has some.
    """

    template = "statistics/answer.html"
    answer: Answer
    headline: str
    figure: str | None
    scales: str
    left_out: str
    sheets: Sequence[RuleSheet]
    others: Sequence[Question]


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A chart among others: what it shows, for which sheet, the address of its figure, and a page with more."""

    title: str
    sheet: str | None
    unit: str
    caveat: str
    figure: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetStatisticsPage(Page):
    """The statistics of one rule sheet; `melds_say` is the table of melds in a sentence."""

    template = "statistics/sheet.html"
    sheet: RuleSheet
    counts: Mapping[str, int]
    melds: Answer
    melds_say: str
    figures: list[PageFigure]
