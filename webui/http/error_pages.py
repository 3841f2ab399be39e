"""Errors as pages, or as JSON where a program asked."""

from dataclasses import dataclass

from flask import Flask, Response, g, jsonify, make_response, request
from flask.globals import request_ctx
from werkzeug.exceptions import (
    HTTPException,
    InternalServerError,
    NotFound,
    RequestedRangeNotSatisfiable,
    RequestEntityTooLarge,
    ServiceUnavailable,
)

from analyzer.db.store import QueryTimeout, StoreReadOnly
from records.errors import StoreError
from records.phrases import size_in_units
from webui.disk_room import RoomFull
from webui.games.cache import GameNotFound
from webui.http.answers.problems import is_interface_request, problem_response
from webui.http.machine_errors import RETRY_SECONDS, machine_answer, note_success
from webui.http.page import Page
from webui.jobs.jobs import QueueFull

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
READ_ONLY_TEXT = "This collection is read-only. Games cannot be added or deleted."


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPage(Page):
    """An error in words."""

    template = "errors/error.html"
    status: int
    title: str
    text: str


def init_app(app: Flask) -> None:
    """Answer every error with a page of the site, or with JSON."""
    app.register_error_handler(HTTPException, _answer_http_error)
    app.register_error_handler(GameNotFound, lambda _: _error_response(404, ""))
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
    """Say what the view said: the rate limits put the end of their own period in its place."""
    if "retry_seconds" in g:
        response.headers["Retry-After"] = str(g.retry_seconds)
    return response


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
        response = _respond(answer.status, answer.title, answer.text)
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
    return _respond(status, title or ERROR_TITLES.get(status, f"Error {status}"), text, error)


def _respond(status: int, title: str, text: str, error: HTTPException | None = None) -> Response:
    if is_interface_request():
        return problem_response(status, text, error)
    if _wants_json():
        response = jsonify(error={"status": status, "title": title, "text": text})
    # Under a host name that is none, no page can link to another.
    elif request_ctx.url_adapter is None:
        response = make_response(f"{title}: {text}\n", {"Content-Type": "text/plain"})
    else:
        response = make_response(ErrorPage(status=status, title=title, text=text).render())
    response.status_code = status
    return response


def _wants_json() -> bool:
    """Whether a program asked: by the address, by the Accept header, or as one of our scripts."""
    if request.headers.get("X-Requested-With") == "fetch":
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"], "text/html")
    path = request.path
    return (
        path.startswith("/api/") or path.endswith((".json", ".csv")) or best == "application/json"
    )
