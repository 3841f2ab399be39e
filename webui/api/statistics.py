"""Statistics: the questions with fixed answers, any measure by any dimension, and SQL."""

from typing import Annotated, Any, TypeAlias

import msgspec
from flask import Response, request
from msgspec import Meta
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest
from werkzeug.http import generate_etag

from analyzer.sql.guard import LONGEST_STATEMENT, TableDescription, describe_tables
from analyzer.statistics import answer as answers
from analyzer.statistics import questions
from analyzer.statistics.answer import headline
from analyzer.statistics.ask import Refused, read_ask
from analyzer.statistics.catalogue import dimensions, metrics
from analyzer.statistics.left_out import LeftOut
from analyzer.statistics.questions import Answer, QuestionFilters
from records.rules.registry import is_sheet_key
from webui.api.requests import NoParameters, SentStruct
from webui.display.csv import answer_as_data
from webui.server.error_pages import ProblemRaised, interface_address
from webui.server.responses import json_response
from webui.views import store
from webui.views.sql import run_statement

AnswerCell: TypeAlias = bool | int | float | str | None
"""What stands in a row of an answer; a day is a text."""
StatementCell: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None
"""What stands in a row of a statement. What is no number, truth, list or struct of SQL is a text, such as a day."""
EVERY_DEAL = "Also count deals with errors, unfinished and partly known ones, as far as their numbers are known."


class ListedQuestion(msgspec.Struct, frozen=True):
    """A question with a fixed answer, or a measure: its name, what it answers, and where."""

    name: str
    answers: str
    address: str


class ListedDimension(msgspec.Struct, frozen=True):
    """Something by which measures can be split and filtered."""

    name: str
    title: str


class StatisticsList(msgspec.Struct, frozen=True):
    """Everything that can be asked."""

    questions: list[ListedQuestion]
    measures: list[ListedQuestion]
    dimensions: list[ListedDimension]


class QuestionParameters(SentStruct, frozen=True):
    """Which question, and of which games."""

    name: Annotated[str, Meta(description="The name of a question.", examples=["points_by_source"])]
    sheet: Annotated[str | None, Meta(description="Only games by this rule sheet.")] = None
    every: Annotated[bool, Meta(description=EVERY_DEAL)] = False


class StatisticsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of an answer with their meaning, and the SQL that found them in `ms` milliseconds.

    They rest on `n` of what `over` names, such as deals or matches, and `over_one` is the word for one. `left_out` says of
    the deals, matches or records that pass the filters how many are counted, and how many are not, by why not. `headline`
    is the answer to a question in a sentence.
    """

    name: str
    title: str
    answers: str
    unit: str
    over: str
    n: int
    left_out: LeftOut
    over_one: str
    ms: float
    caveat: str
    sql: str
    headline: str
    columns: list[str]
    rows: list[list[AnswerCell]]


class StatementRequest(SentStruct, frozen=True):
    """A statement that reads."""

    sql: Annotated[str, Meta(min_length=1, max_length=LONGEST_STATEMENT)]


class TableList(msgspec.Struct, frozen=True):
    """Tables; a column has its name, its type and what it means."""

    tables: list[TableDescription]


class StatementAnswer(msgspec.Struct, frozen=True):
    """The rows of a statement; `more` says that it has more than these."""

    sql: str
    columns: list[str]
    rows: list[list[StatementCell]]
    more: bool


def list_statistics(given: NoParameters) -> StatisticsList:
    """Every question, every measure and every dimension."""
    place = interface_address("statistics")
    return StatisticsList(
        [
            ListedQuestion(each.name, each.answers, f"{place}/{each.name}")
            for each in questions.questions()
        ],
        [
            ListedQuestion(name, each.asks, interface_address(f"explore?metric={name}"))
            for name, each in metrics().items()
        ],
        [ListedDimension(name, each.title) for name, each in dimensions().items()],
    )


def answer_question(given: QuestionParameters) -> Response:
    """The answer to a question."""
    question = questions.find_question(given.name)
    if question is None:
        raise ProblemRaised("not-found", f"There is no question “{given.name[:100]}”.")
    if given.sheet and not is_sheet_key(given.sheet):
        detail = f"There is no rule sheet “{given.sheet[:100]}”."
        raise ProblemRaised("invalid-parameter", detail, parameter="sheet")
    filters = QuestionFilters(sheet=given.sheet, every=given.every)
    found = questions.run_question(store(), question, filters)
    return _answer(found, headline(store(), found))


def _explore_parameters() -> type[msgspec.Struct]:
    """A struct with a parameter for every dimension, since measures can be filtered by any."""
    measure = Annotated[str, Meta(description="The name of a measure.", examples=["points"])]
    split = "Split it by this dimension."
    fields: list[Any] = [
        ("metric", measure),
        ("by", Annotated[str | None, Meta(description=split)], None),
        ("split", Annotated[str | None, Meta(description="Split it by a second one, too.")], None),
        ("every", Annotated[bool, Meta(description=EVERY_DEAL)], False),
    ]
    for name, each in dimensions().items():
        words = f"Only where this is so: {each.title}. A value, or a range such as 5..10; repeat it for several."
        field = f"only_{name.replace('.', '_')}"
        fields.append(
            (
                field,
                Annotated[list[str], Meta(description=words)],
                msgspec.field(default_factory=list, name=name),
            )
        )
    return msgspec.defstruct(
        "ExploreParameters",
        fields,
        module=__name__,
        forbid_unknown_fields=True,
        frozen=True,
        kw_only=True,
    )


ExploreParameters = _explore_parameters()


def explore(given: ExploreParameters) -> Response:  # type: ignore[valid-type]
    """Any measure by up to two dimensions, with any filters."""
    asked = request.args.to_dict(flat=False)
    asked["every"] = ["1" if given.every else ""]  # type: ignore[attr-defined]
    try:
        ask = read_ask(asked)
    except Refused as why:
        raise ProblemRaised("refused-question", str(why), parameter=why.parameter) from why
    return _answer(answers.run_ask(store(), ask), "")


def list_tables(given: NoParameters) -> TableList:
    """The tables and columns that statements may read."""
    return TableList(describe_tables(store()))


def answer_statement(given: NoParameters, asked: StatementRequest) -> StatementAnswer:
    """The rows of a statement of your own; it may only read."""
    try:
        found = run_statement(asked.sql)
    except BadRequest as why:
        raise ProblemRaised("refused-statement", why.description or "") from why
    return StatementAnswer(
        found.sql, list(found.result.columns), [list(row) for row in found.result.rows], found.more
    )


def _answer(found: Answer, in_a_sentence: str) -> Response:
    answer = StatisticsAnswer(
        **answer_as_data(found),
        headline=in_a_sentence,
        over_one=found.question.over_one,
        ms=found.ms,
    )
    response = json_response(answer)
    # How long it took is never the same, and whoever has the rest has the answer.
    response.set_etag(generate_etag(msgspec.json.encode(replace(answer, ms=0.0))))
    return response
