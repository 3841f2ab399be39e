"""Every operation of the interface, its address, and a view for each."""

import re
from functools import lru_cache
from http import HTTPMethod
from math import ceil
from time import time
from typing import Any

from flask import Flask, Response, current_app, request
from flask.sansio.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue
from flask_limiter import Limiter
from werkzeug.routing import Map, UnicodeConverter

from records.record import Record
from records.validate.report import Report
from webui.api import (
    evenings,
    game_corrections,
    games,
    players,
    reviews,
    rulebooks,
    statistics,
    trash,
    uploads,
)
from webui.api.openapi import openapi_document
from webui.api.requests import (
    BLUEPRINT_NAME,
    LINES_MEDIA_TYPE,
    RECORD_ANSWERS,
    NoParameters,
    Operation,
    OperationAnswer,
    SentFile,
    read_body,
    read_parameters,
)
from webui.server.actions import Action
from webui.server.error_pages import INTERFACE_PATH, is_interface_request
from webui.server.page import DeclaredAddress, Views, cost_of
from webui.server.request_kinds import (
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
from webui.server.responses import accepted_encoding, compress_pieces, json_response

# The table of operations: what is not here, the interface does not have.

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
        action=Action.VALIDATE, cost=VALIDATIONS, call=uploads.validate,
        answers=[
            OperationAnswer(200, Report),
            OperationAnswer(200, Report, LINES_MEDIA_TYPE, last_line=uploads.RecordsNotExamined),
        ],
        example=SMALLEST_RECORD,
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
        action=Action.READ, cost=REPLAYS, call=games.frames,
        answers=[OperationAnswer(200, games.FRAMES_CONTENT)],
    ),
    Operation(
        name="position", method=GET, path="/games/{digest}/deals/{deal}/position", subject="deals",
        action=Action.READ, cost=REPLAYS,
        call=games.position, problems=["unlawful-line"],
    ),
    Operation(
        name="what_if", method=POST, path="/games/{digest}/deals/{deal}/what-if", subject="deals",
        action=Action.READ, cost=REPLAYS,
        call=games.what_if, problems=["unlawful-line"], example={"step": 0, "events": [], "finish": True},
    ),
    Operation(
        name="review", method=GET, path="/games/{digest}/review", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=reviews.review, problems=["not-reviewed"],
    ),
    Operation(
        name="start_review", method=POST, path="/games/{digest}/review", subject="analysis",
        action=Action.ROLL_OUT, cost=PAGES,
        call=reviews.start_review, answers=[OperationAnswer(202, reviews.ReviewJob)],
        problems=["not-reviewable"], example={"width": "quick"},
    ),
    Operation(
        name="review_job", method=GET, path="/games/{digest}/review/job", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=reviews.review_job, problems=["not-reviewed"],
    ),
    Operation(
        name="annotation", method=GET, path="/games/{digest}/annotation", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=reviews.annotation, problems=["not-annotated"],
    ),
    Operation(
        name="start_annotation", method=POST, path="/games/{digest}/annotation", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=reviews.start_annotation, answers=[OperationAnswer(202, reviews.ReviewJob)], problems=["not-reviewable"],
    ),
    Operation(
        name="start_luck", method=POST, path="/games/{digest}/annotation/luck", subject="analysis",
        action=Action.ROLL_OUT, cost=PAGES,
        call=reviews.start_luck, answers=[OperationAnswer(202, reviews.ReviewJob)], problems=["not-reviewable"],
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
        call=reviews.deep_review, problems=["not-weighed"],
    ),
    Operation(
        name="start_deep_review", method=POST, path="/games/{digest}/deep-review", subject="analysis",
        action=Action.ROLL_OUT, cost=PAGES,
        call=reviews.start_deep_review, answers=[OperationAnswer(202, reviews.ReviewJob)],
        problems=["not-reviewable"], example={"width": "quick"},
    ),
    Operation(
        name="deep_review_job", method=GET, path="/games/{digest}/deep-review/job", subject="analysis",
        action=Action.READ, cost=PAGES,
        call=reviews.deep_review_job, problems=["not-weighed"],
    ),
    Operation(
        name="identify_game", method=GET, path="/games/{digest}/identified", subject="analysis",
        action=Action.READ, cost=REVIEWS,
        call=reviews.identify_stored,
    ),
    Operation(
        name="list_corrections", method=GET, path="/games/{digest}/corrections", subject="games",
        action=Action.CORRECT, cost=PAGES, call=game_corrections.list_corrections,
    ),
    Operation(
        name="correct_game", method=POST, path="/games/{digest}/corrections", subject="games",
        action=Action.CORRECT, cost=UPLOADS, call=game_corrections.correct_game,
        problems=["refused-correction"], example={"subject": "name", "place": 0, "value": "Anne", "reason": "a slip"},
    ),
    Operation(
        name="undo_game_correction", method=DELETE, path="/games/{digest}/corrections/{number}", subject="games",
        action=Action.CORRECT, cost=UPLOADS, call=game_corrections.undo_game_correction,
        problems=["refused-correction"],
    ),
    Operation(
        name="list_trash", method=GET, path="/trash", subject="games",
        action=Action.DELETE, cost=PAGES, call=trash.list_trash,
    ),
    Operation(
        name="restore_games", method=POST, path="/trash/restore", subject="games",
        action=Action.DELETE, cost=PAGES, call=trash.restore_games,
        example={"games": ["11ad4046c884"]},
    ),
    Operation(
        name="forget_game", method=DELETE, path="/trash/{digest}", subject="games",
        action=Action.DELETE, cost=PAGES, call=trash.forget_game,
        answers=[OperationAnswer(204, None)],
    ),
    Operation(
        name="empty_trash", method=DELETE, path="/trash", subject="games",
        action=Action.DELETE, cost=PAGES, call=trash.empty_trash,
    ),
    Operation(
        name="list_evenings", method=GET, path="/evenings", subject="players",
        action=Action.READ, cost=QUESTIONS, call=evenings.list_evenings,
    ),
    Operation(
        name="evening", method=GET, path="/evenings/{number}", subject="players",
        action=Action.READ, cost=QUESTIONS, call=evenings.evening,
    ),
    Operation(
        name="list_renames", method=GET, path="/players/renames", subject="players",
        action=Action.RENAME, cost=PAGES, call=players.list_renames,
    ),
    Operation(
        name="rename_player", method=POST, path="/players/renames", subject="players",
        action=Action.RENAME, cost=PAGES, call=players.rename_player,
        problems=["refused-rename"], example={"old": "Ann", "new": "Anne", "plan": True},
    ),
    Operation(
        name="take_back_rename", method=DELETE, path="/players/renames", subject="players",
        action=Action.RENAME, cost=PAGES, call=players.take_back_rename,
        problems=["refused-rename"],
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


# The addresses: a view for every operation of the table, and what all their answers have.

REVALIDATED = "private, no-cache"
"""Answers may be kept by who got them, and are asked for again with their ETag."""


class OtherWord(UnicodeConverter):
    """A part of an address that may be any word but some, which stand for addresses of their own."""

    def __init__(self, rules: Map, *words: str) -> None:
        super().__init__(rules)
        self.regex = rf"(?!(?:{'|'.join(map(re.escape, words))})\Z){self.regex}"


def make_blueprint() -> Views:
    """The views of all operations."""
    blueprint = Views(BLUEPRINT_NAME, __name__, url_prefix=INTERFACE_PATH)
    blueprint.record_once(_add_converter)
    for operation in OPERATIONS:
        declared = DeclaredAddress(
            operation.action, operation.cost, takes_files=operation.body is SentFile
        )
        blueprint.declare(
            _rule(operation), operation.name, _view(operation), declared, method=operation.method
        )
    return blueprint


def _add_converter(state: BlueprintSetupState) -> None:
    state.app.url_map.converters["other"] = OtherWord


def _rule(operation: Operation) -> str:
    """The path of an operation as Flask writes it.

    No part of it stands for a word that is there already: `DELETE games/records` deletes no game of that name.
    """
    folder, _, last = operation.path.rpartition("/")
    if not last.startswith("{"):
        return operation.rule
    paths = (each.path.rpartition("/") for each in OPERATIONS)
    words = sorted(
        {word for above, _, word in paths if above == folder and not word.startswith("{")}
    )
    name = last.strip("{}")
    quoted = ", ".join(f"'{word}'" for word in words)
    return (
        operation.rule.replace(f"<{name}>", f"<other({quoted}):{name}>")
        if words
        else operation.rule
    )


def init_app(app: Flask) -> None:
    """Add to every answer of the interface how it may be kept, and how much more may be asked for."""
    app.after_request(_complete)


def _view(operation: Operation) -> Any:
    def view(**_: Any) -> ResponseReturnValue:
        arguments = [read_parameters(operation), read_body(operation)]
        result = operation.call(*arguments[: 1 if operation.body is None else 2])
        return result if isinstance(result, Response) else json_response(result)

    # The rates of a view are kept by these names.
    view.__name__ = view.__qualname__ = operation.name
    view.__doc__ = operation.summary
    return view


def _complete(response: Response) -> Response:
    if not is_interface_request():
        return response
    is_reading = request.method in ("GET", "HEAD")
    if response.status_code == 200 and is_reading and not response.is_streamed:
        response.headers.setdefault("Cache-Control", REVALIDATED)
        response.vary.add("Authorization")
        if response.get_etag()[0] is None:
            response.add_etag()
    else:
        response.headers.setdefault("Cache-Control", "no-store")
    if response.is_streamed and response.mimetype == LINES_MEDIA_TYPE:
        _compress_lines(response)
    _tell_rates(response)
    return response


def _compress_lines(response: Response) -> None:
    """Compress lines that are made while they are sent, each so that it can be read at once."""
    response.vary.add("Accept-Encoding")
    encoding = accepted_encoding()
    if encoding:
        response.response = compress_pieces(response.iter_encoded(), encoding)
        response.headers["Content-Encoding"] = encoding


def _tell_rates(response: Response) -> None:
    """The rates that were counted, as RFC drafts name them: what is allowed, and what is left."""
    limiter: Limiter = current_app.extensions["limiter_of_kinds"]
    counted = limiter.current_limits if request.endpoint else []
    if not counted:
        return
    name = cost_of(request.endpoint).counted_as
    now = time()
    policies, left = [], []
    for each in counted:
        seconds = each.limit.get_expiry()
        policies.append(f'"{name}";q={each.limit.amount};w={seconds}')
        left.append(
            f'"{name}";r={each.remaining};t={min(seconds, max(0, ceil(each.reset_at - now)))}'
        )
    response.headers["RateLimit-Policy"] = ", ".join(policies)
    response.headers["RateLimit"] = ", ".join(left)
