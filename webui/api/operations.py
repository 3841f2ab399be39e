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
    game_changes,
    games,
    players,
    reviews,
    rulebooks,
    statistics,
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


def openapi(given: NoParameters) -> Response:
    """The interface as OpenAPI 3.1."""
    return json_response(_document(tuple(_rates().items()), request.script_root))


def _rates() -> dict[str, str]:
    return {kind.counted_as: str(current_app.config[kind.setting]) for kind in REQUEST_KINDS}


@lru_cache(4)
def _document(rates: tuple[tuple[str, str], ...], prefix: str) -> dict[str, object]:
    return openapi_document(OPERATIONS, rulebooks.INTERFACE_VERSION, dict(rates), prefix)


# The method, the path, the subject, the action, the cost, and what is called, whose name is that of the operation.
OPERATIONS = (
    Operation(GET, "", "this interface", Action.LOOK, FILES, rulebooks.describe),
    Operation(GET, "/openapi.json", "this interface", Action.LOOK, FILES, openapi,
        answers=[OperationAnswer(200, {"type": "object"})]),
    Operation(POST, "/validate", "records", Action.VALIDATE, VALIDATIONS, uploads.validate,
        answers=[OperationAnswer(200, Report), OperationAnswer(200, Report, LINES_MEDIA_TYPE, last_lines=uploads.LAST_LINES)],
        example=SMALLEST_RECORD),
    Operation(POST, "/redact", "records", Action.VALIDATE, UPLOADS, games.redact_record,
        answers=RECORD_ANSWERS, problems=["unreadable-record", "not-acceptable"], example=SMALLEST_RECORD),
    Operation(POST, "/identify", "records", Action.VALIDATE, REVIEWS, reviews.identify_record,
        problems=["unreadable-record"], example=SMALLEST_RECORD),
    Operation(POST, "/games", "games", Action.UPLOAD, UPLOADS, uploads.store_games,
        answers=[OperationAnswer(200, uploads.UploadAnswer), OperationAnswer(202, uploads.ImportAnswer)],
        example=SMALLEST_RECORD),
    Operation(GET, "/games", "games", Action.READ, PAGES, games.list_games, problems=["invalid-cursor"]),
    Operation(GET, "/games/records", "games", Action.READ, EXPORTS, games.export_games,
        answers=[OperationAnswer(200, Record, LINES_MEDIA_TYPE)]),
    Operation(GET, "/games/{digest}", "games", Action.READ, PAGES, games.game),
    Operation(DELETE, "/games/{digest}", "games", Action.DELETE, PAGES, game_changes.delete_game,
        answers=[OperationAnswer(204, None)]),
    Operation(GET, "/games/{digest}/record", "games", Action.READ, PAGES, games.record,
        answers=RECORD_ANSWERS, problems=["not-acceptable"]),
    Operation(GET, "/games/{digest}/record/redacted", "games", Action.READ, REPLAYS, games.redact_game,
        answers=RECORD_ANSWERS, problems=["not-acceptable"]),
    Operation(GET, "/games/{digest}/report", "games", Action.READ, PAGES, games.report),
    Operation(GET, "/imports/{upload}", "games", Action.READ, PAGES, uploads.show_import),
    Operation(DELETE, "/sent/{key}", "games", Action.USE_LINK, PAGES, uploads.delete_upload, problems=["conflict"]),
    Operation(GET, "/games/{digest}/deals/{deal}/frames", "deals", Action.READ, REPLAYS, games.frames,
        answers=[OperationAnswer(200, games.FRAMES_CONTENT)]),
    Operation(GET, "/games/{digest}/deals/{deal}/position", "deals", Action.READ, REPLAYS, games.position,
        problems=["unlawful-line"]),
    Operation(POST, "/games/{digest}/deals/{deal}/what-if", "deals", Action.READ, REPLAYS, games.what_if,
        problems=["unlawful-line"], example={"step": 0, "events": [], "finish": True}),
    Operation(GET, "/games/{digest}/review", "analysis", Action.READ, PAGES, reviews.review, problems=["not-reviewed"]),
    Operation(POST, "/games/{digest}/review", "analysis", Action.ROLL_OUT, PAGES, reviews.start_review,
        answers=[OperationAnswer(202, reviews.ReviewJob)], problems=["not-reviewable"], example={"width": "quick"}),
    Operation(GET, "/games/{digest}/review/job", "analysis", Action.READ, PAGES, reviews.review_job,
        problems=["not-reviewed"]),
    Operation(GET, "/games/{digest}/annotation", "analysis", Action.READ, PAGES, reviews.annotation,
        problems=["not-annotated"]),
    Operation(POST, "/games/{digest}/annotation", "analysis", Action.READ, PAGES, reviews.start_annotation,
        answers=[OperationAnswer(202, reviews.ReviewJob)], problems=["not-reviewable"]),
    Operation(POST, "/games/{digest}/annotation/luck", "analysis", Action.ROLL_OUT, PAGES, reviews.start_luck,
        answers=[OperationAnswer(202, reviews.ReviewJob)], problems=["not-reviewable"], example={"rollouts": 20}),
    Operation(GET, "/games/{digest}/annotation/job", "analysis", Action.READ, PAGES, reviews.annotation_job,
        problems=["not-annotated"]),
    Operation(GET, "/games/{digest}/deep-review", "analysis", Action.READ, PAGES, reviews.deep_review,
        problems=["not-weighed"]),
    Operation(POST, "/games/{digest}/deep-review", "analysis", Action.ROLL_OUT, PAGES, reviews.start_deep_review,
        answers=[OperationAnswer(202, reviews.ReviewJob)], problems=["not-reviewable"], example={"width": "quick"}),
    Operation(GET, "/games/{digest}/deep-review/job", "analysis", Action.READ, PAGES, reviews.deep_review_job,
        problems=["not-weighed"]),
    Operation(GET, "/games/{digest}/identified", "analysis", Action.READ, REVIEWS, reviews.identify_game),
    Operation(GET, "/games/{digest}/corrections", "games", Action.CORRECT, PAGES, game_changes.list_corrections),
    Operation(POST, "/games/{digest}/corrections", "games", Action.CORRECT, UPLOADS, game_changes.correct_game,
        problems=["refused-correction"],
        example={"subject": "name", "place": 0, "value": "Anne", "reason": "a slip"}),
    Operation(DELETE, "/games/{digest}/corrections/{number}", "games", Action.CORRECT, UPLOADS, game_changes.undo_game_correction,
        problems=["refused-correction"]),
    Operation(GET, "/trash", "games", Action.DELETE, PAGES, game_changes.list_trash),
    Operation(POST, "/trash/restore", "games", Action.DELETE, PAGES, game_changes.restore_games,
        example={"games": ["416659011bbc"]}),
    Operation(DELETE, "/trash/{digest}", "games", Action.DELETE, PAGES, game_changes.forget_game,
        answers=[OperationAnswer(204, None)]),
    Operation(DELETE, "/trash", "games", Action.DELETE, PAGES, game_changes.empty_trash),
    Operation(GET, "/evenings", "players", Action.READ, QUESTIONS, players.list_evenings),
    Operation(GET, "/evenings/{number}", "players", Action.READ, QUESTIONS, players.evening),
    Operation(GET, "/players/renames", "players", Action.RENAME, PAGES, players.list_renames),
    Operation(POST, "/players/renames", "players", Action.RENAME, PAGES, players.rename_player,
        problems=["refused-rename"], example={"old": "Ann", "new": "Anne", "plan": True}),
    Operation(DELETE, "/players/renames", "players", Action.RENAME, PAGES, players.take_back_rename,
        problems=["refused-rename"]),
    Operation(GET, "/statistics", "statistics", Action.READ, PAGES, statistics.list_statistics),
    Operation(GET, "/statistics/{name}", "statistics", Action.READ, QUESTIONS, statistics.answer_question,
        answers=[OperationAnswer(200, statistics.StatisticsAnswer)]),
    Operation(GET, "/explore", "statistics", Action.READ, QUESTIONS, statistics.explore,
        answers=[OperationAnswer(200, statistics.StatisticsAnswer)], problems=["refused-question"]),
    Operation(GET, "/sql/tables", "statistics", Action.READ, PAGES, statistics.list_tables),
    Operation(POST, "/sql", "statistics", Action.READ, SQL, statistics.answer_statement,
        problems=["refused-statement"], example={"sql": "SELECT sheet, count(*) AS games FROM games GROUP BY sheet"}),
    Operation(GET, "/sheets", "rules", Action.LOOK, FILES, rulebooks.list_sheets),
    Operation(GET, "/sheets/{sheet}", "rules", Action.LOOK, FILES, rulebooks.sheet,
        answers=[OperationAnswer(200, rulebooks.SHEET_CONTENT)]),
    Operation(GET, "/rulebooks", "rules", Action.KEEP_RULEBOOKS, PAGES, rulebooks.list_rulebooks),
    Operation(POST, "/rulebooks", "rules", Action.KEEP_RULEBOOKS, UPLOADS, rulebooks.add_rulebook,
        problems=["refused-rulebook"],
        example={"text": 'base = "zique"\nid = "ours"\nname = "Our Zique"\n', "toml": True}),
    Operation(DELETE, "/rulebooks", "rules", Action.KEEP_RULEBOOKS, PAGES, rulebooks.remove_rulebook,
        problems=["refused-rulebook"]),
    Operation(GET, "/schemas", "rules", Action.LOOK, FILES, rulebooks.list_schemas),
    Operation(GET, "/schemas/{name}", "rules", Action.LOOK, FILES, rulebooks.schema,
        answers=[OperationAnswer(200, rulebooks.SCHEMA_CONTENT)]),
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
        parameters = read_parameters(operation)
        as_stream = getattr(parameters, "stream", False)
        arguments = [parameters, read_body(operation, as_stream=as_stream)]
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
