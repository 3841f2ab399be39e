"""Errors as pages, as JSON, or as problems (RFC 9457)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import Flask, Response, current_app, g, jsonify, make_response, request
from flask.globals import request_ctx
from werkzeug.exceptions import (
    Conflict,
    HTTPException,
    InternalServerError,
    NotFound,
    RequestedRangeNotSatisfiable,
    RequestEntityTooLarge,
    ServiceUnavailable,
)

from analyzer.store.store import QueryTimeout, StoreReadOnly
from records.errors import StoreError
from records.phrases import size_in_units
from records.validate.finding import Finding
from webui.server.jobs import QueueFull
from webui.server.machine_errors import RETRY_SECONDS, machine_answer, note_success
from webui.server.page import Page
from webui.server.private_uploads import RoomFull
from webui.server.responses import is_scripted, site_path

# Problems: errors of the interface for programs, as `application/problem+json` (RFC 9457) with types that stay.

INTERFACE_PATH = "/api/v1"
"""Every address of the interface begins so."""
PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEM_PAGE = "/spec/interface"
"""The page that explains every type; the address of a type is an anchor on it."""


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A kind of problem: its name, which never changes, its status and its title."""

    name: str
    status: int
    title: str

    @property
    def address(self) -> str:
        """The type as problems state it: where it is explained, as a path, since sites have different hosts."""
        return f"{PROBLEM_PAGE}#{self.name}"


PROBLEM_TYPES = (
    ProblemType("invalid-request", 400, "The request cannot be read"),
    ProblemType("unknown-parameter", 400, "There is no such parameter"),
    ProblemType("invalid-parameter", 400, "A parameter has a wrong value"),
    ProblemType("invalid-body", 400, "The body cannot be read"),
    ProblemType("invalid-cursor", 400, "The cursor is none of ours"),
    ProblemType("refused-statement", 400, "The statement is not allowed"),
    ProblemType("refused-question", 400, "The question has no answer"),
    ProblemType("unlawful-line", 400, "The line breaks a rule"),
    ProblemType("unknown-token", 401, "The token is not known"),
    ProblemType("not-allowed", 403, "Not allowed"),
    ProblemType("foreign-origin", 403, "Pages of this origin may not ask"),
    ProblemType("not-found", 404, "Not found"),
    ProblemType("not-reviewed", 404, "There is no review yet"),
    ProblemType("not-annotated", 404, "There is no annotation yet"),
    ProblemType("not-weighed", 404, "The choices have not been weighed yet"),
    ProblemType("method-not-allowed", 405, "The address has no such method"),
    ProblemType("not-acceptable", 406, "There is no answer of such a type"),
    ProblemType("conflict", 409, "Not now"),
    ProblemType("refused-rename", 409, "Nobody was renamed"),
    ProblemType("refused-rulebook", 409, "The rulebook was not added or removed"),
    ProblemType("refused-correction", 409, "Nothing was corrected"),
    ProblemType("gone", 410, "Deleted meanwhile"),
    ProblemType("too-large", 413, "Too large"),
    ProblemType("unsupported-media-type", 415, "The body has a type that is not understood"),
    ProblemType("no-such-range", 416, "There are no such bytes"),
    ProblemType("wrong-address", 421, "The server does not answer to this name"),
    ProblemType("unreadable-record", 422, "The record cannot be read"),
    ProblemType("not-reviewable", 422, "Such games are not reviewed"),
    ProblemType("too-many-requests", 429, "Too many requests"),
    ProblemType("server-error", 500, "The server has an error"),
    ProblemType("busy", 503, "The server is busy"),
    ProblemType("no-room", 507, "There is no room left"),
)
"""Every type of problem. The first of a status stands for it where nothing more is known."""

TYPES_BY_NAME = {each.name: each for each in PROBLEM_TYPES}
TYPES_BY_STATUS = {each.status: each for each in reversed(PROBLEM_TYPES)}


class InterfaceProblem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What went wrong: `type` and `status` say it to programs, `title` and `detail` to people.

    `parameter` names the parameter that is wrong; `findings` are those of a record that cannot be read.
    """

    type: str
    title: str
    status: int
    detail: str = ""
    instance: str = ""
    parameter: str = ""
    findings: list[Finding] = []


class ProblemRaised(HTTPException):
    """Ends a request with a problem of a named type."""

    def __init__(
        self, name: str, detail: str, *, parameter: str = "", findings: list[Finding] | None = None
    ) -> None:
        super().__init__(detail)
        self.problem_type = TYPES_BY_NAME[name]
        self.code = self.problem_type.status
        self.parameter, self.findings = parameter, findings or []


def is_interface_request() -> bool:
    """Whether the current request asks the interface, so that errors are problems and cookies say nothing."""
    return request.path == INTERFACE_PATH or request.path.startswith(f"{INTERFACE_PATH}/")


def interface_address(path: str) -> str:
    """The address of a path of the interface, such as `games/3f786850e387`, for the current request."""
    return site_path(f"{INTERFACE_PATH}/{path}")


def problem_response(status: int, detail: str, error: HTTPException | None = None) -> Response:
    """The answer to an error: the problem of its type, or of its status."""
    fallback = TYPES_BY_STATUS.get(status) or ProblemType("invalid-request", status, "Not possible")
    kind, more = fallback, dict[str, Any]()
    if isinstance(error, ProblemRaised):
        kind = error.problem_type
        more = {"parameter": error.parameter, "findings": error.findings}
    problem = InterfaceProblem(
        type=kind.address,
        title=kind.title,
        status=status,
        detail=detail,
        instance=site_path(request.path),
        **more,
    )
    return current_app.response_class(
        msgspec.json.encode(problem), status, mimetype=PROBLEM_MEDIA_TYPE
    )


# The answers: pages, or JSON where a program asked.

ERROR_TITLES = {
    400: "The request could not be read",
    401: "Not known here",
    403: "Not allowed",
    404: "Page not found",
    405: "Method not allowed",
    409: "Not now",
    413: "Too large",
    415: "Unsupported file type",
    421: "Wrong address",
    429: "Too many requests",
    500: "Something went wrong",
    503: "The query took too long",
}
ERROR_TEXTS = {
    404: "There is no such page, game or deal. A game may have been deleted, or never uploaded here.",
    429: "Your address sent more requests than this server accepts. Wait a minute and try again.",
    500: "The server has an error. Details are in its log.",
    503: "The query took longer than this server allows. Try fewer games, or try again later.",
}
QUEUE_RETRY_SECONDS = 30
RETRY_STATUSES = (429, 503)
"""The only answers that say when to try again."""
READ_ONLY_TEXT = "This collection is read-only. Games cannot be added or deleted."


class ErrorPage(Page):
    """An error in words, and the `ways` to go on from there: each an address and what leads to it is called."""

    template = "errors/error.html"
    at_its_address = False
    status: int
    title: str
    text: str
    ways: Sequence[tuple[str, str]] = ()


def init_app(app: Flask) -> None:
    """Answer every error with a page of the site, or with JSON."""
    app.register_error_handler(HTTPException, _answer_http_error)
    app.register_error_handler(QueryTimeout, lambda _: _answer_http_error(ServiceUnavailable()))
    app.register_error_handler(StoreReadOnly, lambda _: _error_response(403, READ_ONLY_TEXT))
    app.register_error_handler(QueueFull, _answer_full_queue)
    app.register_error_handler(
        RoomFull, lambda error: _error_response(507, str(error), "No room left")
    )
    for kind in (StoreError, OSError, MemoryError):
        app.register_error_handler(kind, _answer_machine_error)
    app.register_error_handler(InternalServerError, _answer_http_error)
    app.after_request(_note_success)
    app.after_request(_keep_retry_time)


def tell_retry_time(seconds: int) -> None:
    """Let the answer to the current request say after how many seconds to try again."""
    g.retry_seconds = seconds


def _keep_retry_time(response: Response) -> Response:
    """Say what the view said: the rate limits put the end of their own period in its place, whatever the answer is."""
    if response.status_code not in RETRY_STATUSES:
        response.headers.pop("Retry-After", None)
    elif "retry_seconds" in g:
        response.headers["Retry-After"] = str(g.retry_seconds)
    return response


def _way_back() -> tuple[tuple[str, str], ...]:
    """The page of this site from which the request came, if the browser says so."""
    came_from = request.referrer or ""
    is_own = came_from.startswith(request.host_url) and came_from.isprintable()
    return ((came_from, "Go back"),) if is_own and came_from != request.url else ()


def _answer_full_queue(error: QueueFull) -> Response:
    response = _error_response(429 if error.is_own else 503, str(error), "Too much to do")
    response.headers["Retry-After"] = str(QUEUE_RETRY_SECONDS)
    return response


def _answer_http_error(error: HTTPException) -> Response:
    # A program that asks for a part of a file reads no page.
    if isinstance(error, RequestedRangeNotSatisfiable) and not is_interface_request():
        response = make_response(
            "The file has no such bytes.\n", 416, {"Content-Type": "text/plain"}
        )
    else:
        title = getattr(error, "title", "")
        response = _error_response(error.code or 500, error.description or "", title, error)
    for name, value in error.get_headers(request.environ):
        if name.lower() in ("allow", "content-range", "retry-after", "www-authenticate"):
            response.headers[name] = value
    return response


def _answer_machine_error(error: Exception) -> Response:
    """Answer a full disk and the like in words; an error that may be the program's own is raised again."""
    answer = machine_answer(error)
    if answer is None:
        raise error
    try:
        response = answer_error(answer.status, answer.title, answer.text)
    except (OSError, MemoryError):  # not even the page can be read or built
        response = make_response(f"{answer.title}: {answer.text}\n", answer.status)
        response.mimetype = "text/plain"
    if answer.status == ServiceUnavailable.code:
        response.headers["Retry-After"] = RETRY_SECONDS
    return response


def _note_success(response: Response) -> Response:
    if request.method not in ("GET", "HEAD") and response.status_code < 400:
        note_success()
    return response


def _error_response(
    status: int, description: str, title: str = "", error: HTTPException | None = None
) -> Response:
    """The answer to an error; one with a title of its own has a text of its own, too."""
    own = status == NotFound.code and description not in ("", NotFound.description)
    text = description if own or title else ERROR_TEXTS.get(status, description)
    if status == 413 and description in ("", RequestEntityTooLarge.description):
        largest = size_in_units(request.max_content_length or 0)
        text = f"This server accepts up to {largest} at a time. Compress the file, or send it in parts."
    return answer_error(status, title or ERROR_TITLES.get(status, f"Error {status}"), text, error)


def answer_error(
    status: int,
    title: str,
    text: str,
    error: HTTPException | None = None,
    *,
    ways: Sequence[tuple[str, str]] = (),
) -> Response:
    """An error in words, or as a problem or JSON where a program asked; the `ways` are those of an `ErrorPage`."""
    if is_interface_request():
        return problem_response(status, text, error)
    if _wants_json():
        response = jsonify(error={"status": status, "title": title, "text": text})
    # Under a host name that is none, no page can link to another.
    elif request_ctx.url_adapter is None:
        response = make_response(f"{title}: {text}\n", {"Content-Type": "text/plain"})
    else:
        ways = ways or (_way_back() if status == Conflict.code else ())
        page = ErrorPage(status=status, title=title, text=text, ways=ways)
        response = make_response(page.render())
    response.status_code = status
    return response


def _wants_json() -> bool:
    """Whether a program asked: by the address, by the Accept header, or as one of our scripts."""
    if is_scripted():
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"], "text/html")
    path = request.path
    return (
        path.startswith("/api/") or path.endswith((".json", ".csv")) or best == "application/json"
    )
