"""Statistics: overviews, stored questions, and the expectancy of winning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import Response, abort, current_app, request
from flask.typing import ResponseReturnValue

from analyzer.players.expectancy import (
    FEWEST_MATCHES_TO_CALIBRATE,
    ChanceTrust,
    ChanceTrusts,
    DealPoints,
    calibration_answer,
    match_expectancy,
)
from analyzer.players.winning_model import (
    BROWNIAN_WEIGHTS,
    FEATURE_NAMES,
    SIMULATED_WORTH,
    ChanceModels,
)
from analyzer.statistics import figures, questions
from analyzer.statistics.answer import (
    OverviewQuestion,
    busiest_sheet,
    headline,
    is_all_by_programs,
    overview_questions,
)
from analyzer.statistics.ask import limit_ask
from analyzer.statistics.left_out import LeftOut, count_deals_left_out
from analyzer.statistics.questions import Answer, Question, QuestionFilters
from analyzer.store.store import StoreCounts
from records.rules.registry import ALL_SHEETS, SHEETS_BY_ID
from records.rules.vocabulary import RuleSheet
from webui.display.csv import answer_as_csv, answer_as_data
from webui.replay.steps import DealSteps, ReplayStep
from webui.server.actions import Action
from webui.server.known_rulebooks import known_rulebook
from webui.server.page import Page, Views, requested_sheet
from webui.server.request_kinds import PAGES, QUESTIONS
from webui.server.responses import csv_attachment, json_response
from webui.views import game_cache, store
from webui.views.deals import requested_visibility
from webui.views.explore import explore_address, figure_response

# Win expectancy: beside the replay of a deal, as far as the deal is visible, and how far it can be trusted.

CHANCE_CAVEAT = (
    "Estimated by a model of the lead and of what is left to play, fitted to stored matches by this rulebook and "
    f"target; simulated matches count as {SIMULATED_WORTH} stored ones. The band is the 95 % interval of the "
    "estimate. The players' strength is not considered."
)
CALIBRATION_CAVEAT = "The bars are 95 % intervals of the share won; all predictions in one match count as one observation."
expectancy_blueprint = Views("expectancy", __name__)


def _models() -> ChanceModels:
    """The models of the store's matches."""
    models: ChanceModels = current_app.extensions["chance_models"]
    return models


@expectancy_blueprint.address(
    "/games/<digest>/deals/<int:deal>/expectancy.json", Action.READ, QUESTIONS
)
def expectancy_json(digest: str, deal: int) -> ResponseReturnValue:
    """The first side's win expectancy at the end of every trick, by step, with its 95 % interval."""
    game = game_cache().game(digest)
    steps = game.deal(deal - 1, requested_visibility(game)).deal
    expectancy = match_expectancy(store(), _models(), digest, deal - 1, _points(steps))
    return json_response(
        {
            "who": steps.names[steps.sides.index(0)],
            "sheet": expectancy.sheet,
            "matches": expectancy.matches,
            "simulated": expectancy.simulated,
            "chances": [
                {
                    "step": chance.at,
                    "chance": round(chance.chance, 4),
                    "low": round(chance.low, 4),
                    "high": round(chance.high, 4),
                    "decided": chance.decided,
                }
                for chance in expectancy.chances
            ],
            "caveat": CHANCE_CAVEAT,
        }
    )


class ExpectancyPage(Page):
    """How the chances are estimated, and how far they can be trusted; simulated matches count as `worth` stored ones.

    `features` name the weights of the model, in their order.
    """

    template = "statistics/expectancy.html"
    sheet: RuleSheet
    trust: ChanceTrust
    worth = SIMULATED_WORTH
    features = FEATURE_NAMES
    brownian_weight = BROWNIAN_WEIGHTS[0]
    fewest = FEWEST_MATCHES_TO_CALIBRATE

    @property
    def data(self) -> object:
        """The same as JSON."""
        return {"sheet": self.sheet.id, "worth": self.worth, **self.trust.as_data()}


@expectancy_blueprint.page("/statistics/expectancy/<sheet_id>", Action.READ, QUESTIONS)
def calibration(sheet_id: str) -> ExpectancyPage:
    """How the chances of a rulebook are estimated, and how far they can be trusted."""
    sheet, trust = _requested_trust(sheet_id)
    return ExpectancyPage(sheet=sheet, trust=trust)


@expectancy_blueprint.address(
    "/statistics/expectancy/<sheet_id>/figure.json", Action.READ, QUESTIONS
)
def calibration_figure(sheet_id: str) -> ResponseReturnValue:
    """The figure of the calibration."""
    sheet, trust = _requested_trust(sheet_id)
    answer = calibration_answer(store(), trust.calibration, sheet.name, CALIBRATION_CAVEAT)
    return figure_response(answer)


def _requested_trust(sheet_id: str) -> tuple[RuleSheet, ChanceTrust]:
    sheet = SHEETS_BY_ID.get(sheet_id) or abort(404)
    trusts: ChanceTrusts = current_app.extensions["chance_trusts"]
    return sheet, trusts.trust(sheet.id)


def _points(deal: DealSteps) -> dict[int, tuple[int, DealPoints]]:
    """The points at the last step of every trick that is over, by that step; what comes before the first is trick 0.

    Of a trick that goes on the viewer may not see who takes it, so it has no chance yet.
    """
    ends = {step.trick: number for number, step in enumerate(deal.steps) if not _goes_on(step)}
    if not any(step.centre for step in deal.steps):
        # A game without tricks: its start, and what is visible of its end.
        ends = {0: 0, 1: len(deal.steps) - 1} if not deal.more else {0: 0}
    found = {}
    for trick, number in ends.items():
        scored = _scored(deal, number, over=not deal.more and number == len(deal.steps) - 1)
        if scored is not None:
            found[number] = (trick, scored)
    return found


def _goes_on(step: ReplayStep) -> bool:
    """Whether cards of a trick lie in the middle that nobody has won yet."""
    return bool(step.centre) and not any("won" in card for _, card in step.centre)


def _scored(deal: DealSteps, step: int, *, over: bool) -> DealPoints | None:
    """The points of both sides in the deal; None where the record leaves them open."""
    points = [0, 0]
    for seat, side in zip(deal.steps[step].seats, deal.sides, strict=True):
        if seat.points is None:
            return None
        points[min(side, 1)] += seat.points
    return DealPoints(points[0], points[1], over)


# The questions, and their answers with figure, table, SQL, JSON and CSV.

SHEET_COUNTS_SQL = """
    SELECT
        count(*) AS deals,
        count(DISTINCT game) AS matches,
        (SELECT count(DISTINCT player) FROM seats WHERE clean AND sheet = $sheet) AS players
    FROM deals
    WHERE clean AND sheet = $sheet
"""
blueprint = Views("statistics", __name__)


class StatisticsPage(Page):
    """The questions; their answers come one by one, for the rulebook `sheet`.

    `by_programs` says that no game was played by people.
    """

    template = "statistics/statistics.html"
    questions: Sequence[Question]
    counts: StoreCounts
    left_out: LeftOut
    sheet: str
    by_programs: bool

    @property
    def data(self) -> object:
        """The questions, and how much is stored."""
        return {"counts": self.counts, "left_out": self.left_out, "questions": self.questions}


@blueprint.page("/statistics", Action.READ, PAGES)
def statistics() -> StatisticsPage:
    """The questions."""
    return StatisticsPage(
        questions=questions.questions(),
        counts=store().counts(),
        left_out=count_deals_left_out(store()),
        sheet=_filters().sheet or busiest_sheet(store()) or ALL_SHEETS[0].id,
        by_programs=is_all_by_programs(store()),
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


class SheetStatisticsPage(Page):
    """The statistics of one rule sheet; `melds_say` is the table of melds in a sentence."""

    template = "statistics/sheet.html"
    sheet: RuleSheet
    key: str
    counts: Mapping[str, int]
    melds: Answer
    melds_say: str
    figures: list[PageFigure]

    @property
    def data(self) -> object:
        """The numbers of that page, and the addresses of its figures."""
        return {
            "sheet": self.key,
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
        key=sheet_id,
        counts=counts,
        melds=melds,
        melds_say=headline(store(), melds),
        figures=[_part(part, sheet_id) for part in overview_questions("sheet")],
    )


def _sheet_statistics(sheet_id: str) -> tuple[RuleSheet, dict[str, Any], Answer]:
    """A sheet, how often it was played, and how often its melds were made."""
    rule_sheet = known_rulebook(sheet_id) or abort(404)
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
    others: Sequence[Question]
    by_programs: bool

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
        by_programs=is_all_by_programs(store(), answer.filters.sheet),
        figure=figure.script,
        scales=figure.scales,
        left_out=figure.left_out,
        others=questions.questions(),
    )


@blueprint.address("/statistics/<name>/figure.json", Action.READ, QUESTIONS)
def figure_json(name: str) -> ResponseReturnValue:
    """The figure of an answer, for Plotly."""
    return figure_response(_requested_answer(name))


@blueprint.address("/statistics/<name>/insight.json", Action.READ, QUESTIONS)
def insight(name: str) -> ResponseReturnValue:
    """The answer in a sentence and the figure for Plotly, without the rows; `figure` is null where nothing is drawn."""
    answer = _requested_answer(name)
    figure = msgspec.Raw((figures.figure_as_json(answer) or "null").encode())
    return json_response({"headline": headline(store(), answer), "figure": figure})


@blueprint.address("/statistics/<name>.csv", Action.READ, QUESTIONS)
def answer_csv(name: str) -> Response:
    """The rows of an answer as CSV."""
    answer = _requested_answer(name)
    name, note = f"{answer.question.name}.csv", answer.left_out.words
    return csv_attachment(answer_as_csv(answer), name, note=note)


def _requested_answer(name: str) -> Answer:
    return questions.run_question(store(), _question(name), _filters())


def _question(name: str) -> Question:
    return questions.find_question(name) or abort(404)


def _filters() -> QuestionFilters:
    return QuestionFilters(sheet=requested_sheet(), every=request.args.get("every") == "1")
