"""Statistics: the questions, and their answers with figure, table, SQL, JSON and CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, abort, current_app, request
from flask.typing import ResponseReturnValue

from analyzer import questions
from analyzer.charts import figures
from analyzer.db.store import StoreCounts
from analyzer.explore.headlines import headline
from analyzer.explore.overviews import OverviewQuestion, limit_ask, overview_questions
from analyzer.questions import Answer, Question, QuestionFilters
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from webui.access.actions import Action
from webui.display.csv import answer_as_csv, answer_as_data
from webui.http.page import Page, Views
from webui.http.request_kinds import PAGES, QUESTIONS
from webui.http.responses import attachment
from webui.views import store
from webui.views.explore import explore_address

SHEET_COUNTS_SQL = """
    SELECT
        count(*) AS deals,
        count(DISTINCT game) AS matches,
        (SELECT count(DISTINCT player) FROM seats WHERE clean AND sheet = $sheet) AS players
    FROM deals
    WHERE clean AND sheet = $sheet
"""
blueprint = Views("statistics", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsPage(Page):
    """The questions."""

    template = "statistics/statistics.html"
    questions: Sequence[Question]
    counts: StoreCounts
    sheets: Sequence[RuleSheet]

    @property
    def data(self) -> object:
        """The questions, and how much is stored."""
        return {"counts": self.counts, "questions": self.questions}


@blueprint.page("/statistics", Action.READ, PAGES)
def statistics() -> StatisticsPage:
    """The questions."""
    return StatisticsPage(
        questions=questions.questions(), counts=store().counts(), sheets=ALL_SHEETS
    )


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

    @property
    def data(self) -> object:
        """The numbers of that page, and the addresses of its figures."""
        return {
            "sheet": self.sheet.id,
            "name": self.sheet.name,
            "counts": self.counts,
            "melds": answer_as_data(self.melds) | {"headline": self.melds_say},
            "parts": self.figures,
        }


@blueprint.page("/statistics/sheets/<sheet_id>", Action.READ, QUESTIONS)
def sheet(sheet_id: str) -> SheetStatisticsPage:
    """The statistics of one rule sheet: scores, and melds with what they are worth."""
    rule_sheet, counts, melds = _sheet_statistics(sheet_id)
    return SheetStatisticsPage(
        sheet=rule_sheet,
        counts=counts,
        melds=melds,
        melds_say=headline(store(), melds),
        figures=[_part(part, sheet_id) for part in overview_questions("sheet")],
    )


def _sheet_statistics(sheet_id: str) -> tuple[RuleSheet, dict[str, Any], Answer]:
    """A sheet, how often it was played, and how often its melds were made."""
    rule_sheet = next((known for known in ALL_SHEETS if known.id == sheet_id), None) or abort(404)
    counts = store().rows(SHEET_COUNTS_SQL, {"sheet": sheet_id}).dicts()[0]
    melds = questions.run_question(
        store(), _question("meld_frequency"), QuestionFilters(sheet=sheet_id)
    )
    return rule_sheet, counts, melds


def _part(part: OverviewQuestion, sheet_id: str) -> PageFigure:
    ask = limit_ask(part.ask, sheet=sheet_id)
    return PageFigure(
        title=part.title,
        sheet=None,
        unit=ask.metric.unit,
        caveat=ask.metric.caveat,
        figure=explore_address(ask, "explore.figure_json"),
        address=explore_address(ask),
    )


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

    @property
    def data(self) -> object:
        """The rows of an answer with their meaning."""
        return {**answer_as_data(self.answer), "headline": self.headline}


@blueprint.page("/statistics/<name>", Action.READ, QUESTIONS)
def answer(name: str) -> AnswerPage:
    """The answer to one question."""
    answer = _requested_answer(name)
    figure = figures.figure_on_page(answer)
    return AnswerPage(
        answer=answer,
        headline=headline(store(), answer),
        figure=figure.script,
        scales=figure.scales,
        left_out=figure.left_out,
        sheets=ALL_SHEETS,
        others=questions.questions(),
    )


@blueprint.address("/statistics/<name>/figure.json", Action.READ, QUESTIONS)
def figure_json(name: str) -> ResponseReturnValue:
    """The figure of an answer, for Plotly."""
    figure = figures.figure_as_json(_requested_answer(name))
    return current_app.response_class(figure or "null", mimetype="application/json")


@blueprint.address("/statistics/<name>.csv", Action.READ, QUESTIONS)
def answer_csv(name: str) -> Response:
    """The rows of an answer as CSV."""
    answer = _requested_answer(name)
    return attachment(answer_as_csv(answer), f"{answer.question.name}.csv", "text/csv")


def _requested_answer(name: str) -> Answer:
    return questions.run_question(store(), _question(name), _filters())


def _question(name: str) -> Question:
    return questions.find_question(name) or abort(404)


def _filters() -> QuestionFilters:
    sheet = request.args.get("sheet") or None
    if sheet is not None and sheet not in {known.id for known in ALL_SHEETS}:
        abort(404)
    return QuestionFilters(sheet=sheet, every=request.args.get("every") == "1")
