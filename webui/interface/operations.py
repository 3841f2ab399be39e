"""The table of operations: what is not here, the interface does not have."""

from functools import lru_cache
from http import HTTPMethod

from flask import Response, current_app, request

from records.record import Record
from records.validate.report import Report
from webui.access.actions import Action
from webui.http.request_kinds import (
    EXPORTS,
    FILES,
    PAGES,
    QUESTIONS,
    REPLAYS,
    REQUEST_KINDS,
    REVIEWS,
    SQL,
    UPLOADS,
    VALIDATIONS,
)
from webui.http.responses import json_response
from webui.interface.calls import (
    checking,
    deals,
    deep_reviews,
    games,
    reviews,
    rulebooks,
    statistics,
    uploads,
)
from webui.interface.openapi import openapi_document
from webui.interface.operation import LINES_MEDIA_TYPE, NoParameters, Operation, OperationAnswer
from webui.interface.record_answers import RECORD_ANSWERS

GET, POST, DELETE = HTTPMethod.GET, HTTPMethod.POST, HTTPMethod.DELETE
SMALLEST_RECORD = {
    "format": "bezique-record",
    "version": "1.0",
    "rules": {"id": "bezique"},
    "players": [{"name": "Ann"}, {"name": "Bob"}],
    "deals": [],
}
"""A record that says nothing but who played what."""


def describe_openapi(given: NoParameters) -> Response:
    """The interface as OpenAPI 3.1."""
    return json_response(_document(tuple(_rates().items()), request.script_root))


def _rates() -> dict[str, str]:
    return {kind.counted_as: str(current_app.config[kind.setting]) for kind in REQUEST_KINDS}


@lru_cache(4)
def _document(rates: tuple[tuple[str, str], ...], prefix: str) -> dict[str, object]:
    return openapi_document(OPERATIONS, rulebooks.INTERFACE_VERSION, dict(rates), prefix)


OPERATIONS = (
    Operation(name="describe", method=GET, path="", subject="this interface",
        action=Action.LOOK, cost=FILES, call=rulebooks.describe_interface),
    Operation(
        name="openapi", method=GET, path="/openapi.json", subject="this interface",
        action=Action.LOOK, cost=FILES, call=describe_openapi,
        answers=[OperationAnswer(200, {"type": "object"})],
    ),
    Operation(
        name="validate", method=POST, path="/validate", subject="records",
        action=Action.VALIDATE, cost=VALIDATIONS, call=checking.validate,
        answers=[OperationAnswer(200, Report), OperationAnswer(200, Report, LINES_MEDIA_TYPE)], example=SMALLEST_RECORD,
    ),
    Operation(
        name="redact_record", method=POST, path="/redact", subject="records",
        action=Action.VALIDATE, cost=UPLOADS, call=games.redact_record,
        answers=RECORD_ANSWERS, problems=["unreadable-record", "not-acceptable"], example=SMALLEST_RECORD,
    ),
    Operation(
        name="identify_record", method=POST, path="/identify", subject="records",
        action=Action.VALIDATE, cost=REVIEWS, call=reviews.identify_record,
        problems=["unreadable-record"], example=SMALLEST_RECORD,
    ),
    Operation(
        name="store_games", method=POST, path="/games", subject="games",
        action=Action.UPLOAD, cost=UPLOADS, call=uploads.store_games,
        answers=[OperationAnswer(200, uploads.UploadAnswer), OperationAnswer(202, uploads.ImportAnswer)], example=SMALLEST_RECORD,
    ),
    Operation(
        name="list_games", method=GET, path="/games", subject="games",
        action=Action.READ, cost=PAGES, call=games.list_games,
        problems=["invalid-cursor"],
    ),
    Operation(
        name="export_games", method=GET, path="/games/records", subject="games",
        action=Action.READ, cost=EXPORTS, call=games.export_games,
        answers=[OperationAnswer(200, Record, LINES_MEDIA_TYPE)],
    ),
    Operation(name="game", method=GET, path="/games/{digest}", subject="games",
        action=Action.READ, cost=PAGES, call=games.game),
    Operation(
        name="delete_game", method=DELETE, path="/games/{digest}", subject="games",
        action=Action.DELETE, cost=PAGES, call=games.delete_game,
        answers=[OperationAnswer(204, None)],
    ),
    Operation(
        name="record", method=GET, path="/games/{digest}/record", subject="games",
        action=Action.READ, cost=PAGES, call=games.record,
        answers=RECORD_ANSWERS, problems=["not-acceptable"],
    ),
    Operation(
        name="redact_game", method=GET, path="/games/{digest}/record/redacted", subject="games",
        action=Action.READ, cost=REPLAYS,
        call=games.redact_game, answers=RECORD_ANSWERS, problems=["not-acceptable"],
    ),
    Operation(name="report", method=GET, path="/games/{digest}/report", subject="games",
        action=Action.READ, cost=PAGES, call=games.report),
    Operation(
        name="show_import", method=GET, path="/imports/{upload}", subject="games",
        action=Action.READ, cost=PAGES, call=uploads.show_import,
    ),
    Operation(
        name="delete_upload", method=DELETE, path="/sent/{key}", subject="games",
        action=Action.USE_LINK, cost=PAGES, call=uploads.delete_upload,
        problems=["conflict"],
    ),
    Operation(
        name="frames", method=GET, path="/games/{digest}/deals/{deal}/frames", subject="deals",
        action=Action.READ, cost=REPLAYS, call=deals.frames,
        answers=[OperationAnswer(200, deals.FRAMES_CONTENT)],
    ),
    Operation(
        name="position", method=GET, path="/games/{digest}/deals/{deal}/position", subject="deals",
        action=Action.READ, cost=REPLAYS,
        call=deals.position, problems=["unlawful-line"],
    ),
    Operation(
        name="what_if", method=POST, path="/games/{digest}/deals/{deal}/what-if", subject="deals",
        action=Action.READ, cost=REPLAYS,
        call=deals.what_if, problems=["unlawful-line"], example={"step": 0, "events": [], "finish": True},
    ),
    Operation(
        name="annotation", method=GET, path="/games/{digest}/annotation", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=reviews.annotation, problems=["not-annotated"],
    ),
    Operation(
        name="start_annotation", method=POST, path="/games/{digest}/annotation", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=reviews.start_annotation, answers=[OperationAnswer(202, reviews.AnnotationJob)], problems=["not-reviewable"],
    ),
    Operation(
        name="start_luck", method=POST, path="/games/{digest}/annotation/luck", subject="analysis",
        action=Action.ROLL_OUT, cost=PAGES,
        call=reviews.start_luck, answers=[OperationAnswer(202, reviews.AnnotationJob)], problems=["not-reviewable"],
        example={"rollouts": 20},
    ),
    Operation(
        name="annotation_job", method=GET, path="/games/{digest}/annotation/job", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=reviews.annotation_job, problems=["not-annotated"],
    ),
    Operation(
        name="deep_review", method=GET, path="/games/{digest}/deep-review", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=deep_reviews.deep_review, problems=["not-weighed"],
    ),
    Operation(
        name="start_deep_review", method=POST, path="/games/{digest}/deep-review", subject="analysis",
        action=Action.ROLL_OUT, cost=PAGES,
        call=deep_reviews.start_deep_review, answers=[OperationAnswer(202, deep_reviews.DeepReviewJob)],
        problems=["not-reviewable"], example={"width": "quick"},
    ),
    Operation(
        name="deep_review_job", method=GET, path="/games/{digest}/deep-review/job", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=deep_reviews.deep_review_job, problems=["not-weighed"],
    ),
    Operation(
        name="identify_game", method=GET, path="/games/{digest}/identified", subject="analysis",
        action=Action.READ, cost=REVIEWS,
        call=reviews.identify_stored,
    ),
    Operation(
        name="list_statistics", method=GET, path="/statistics", subject="statistics",
        action=Action.READ, cost=PAGES, call=statistics.list_statistics,
    ),
    Operation(
        name="answer_question", method=GET, path="/statistics/{name}", subject="statistics",
        action=Action.READ, cost=QUESTIONS,
        call=statistics.answer_question, answers=[OperationAnswer(200, statistics.StatisticsAnswer)],
    ),
    Operation(
        name="explore", method=GET, path="/explore", subject="statistics",
        action=Action.READ, cost=QUESTIONS, call=statistics.explore,
        answers=[OperationAnswer(200, statistics.StatisticsAnswer)], problems=["refused-question"],
    ),
    Operation(name="list_tables", method=GET, path="/sql/tables", subject="statistics",
        action=Action.READ, cost=PAGES, call=statistics.list_tables),
    Operation(
        name="answer_statement", method=POST, path="/sql", subject="statistics",
        action=Action.READ, cost=SQL, call=statistics.answer_statement,
        problems=["refused-statement"], example={"sql": "SELECT sheet, count(*) AS games FROM games GROUP BY sheet"},
    ),
    Operation(name="list_sheets", method=GET, path="/sheets", subject="rules",
        action=Action.LOOK, cost=FILES, call=rulebooks.list_sheets),
    Operation(
        name="sheet", method=GET, path="/sheets/{sheet}", subject="rules",
        action=Action.LOOK, cost=FILES, call=rulebooks.sheet,
        answers=[OperationAnswer(200, rulebooks.SHEET_CONTENT)],
    ),
    Operation(name="list_schemas", method=GET, path="/schemas", subject="rules",
        action=Action.LOOK, cost=FILES, call=rulebooks.list_schemas),
    Operation(
        name="schema", method=GET, path="/schemas/{name}", subject="rules",
        action=Action.LOOK, cost=FILES, call=rulebooks.schema,
        answers=[OperationAnswer(200, rulebooks.SCHEMA_CONTENT)],
    ),
)  # fmt: skip
"""Every operation, in the order of the document."""
