"""Errors as pages, and as JSON where a program asked."""

from flask import Flask, Response, jsonify, make_response, request
from werkzeug.exceptions import HTTPException, InternalServerError, NotFound, ServiceUnavailable

from analyzer.db.store import QueryTimeout, StoreReadOnly
from webui.games.cache import GameNotFound
from webui.pages import ErrorPage

ERROR_TITLES = {
    400: "That cannot be read",
    403: "Not here",
    404: "Nothing lies here",
    405: "Not this way",
    413: "That is too large",
    415: "Not this kind of file",
    429: "Too many at once",
    500: "Something broke",
    503: "That took too long",
}
ERROR_TEXTS = {
    404: "There is no such page, game or deal. Perhaps the game was never uploaded here.",
    429: "More came from your address than this server takes. Wait a minute and try again.",
    500: "The error is ours, and it has been written to the server's log.",
    503: "The question took longer than this server allows. Ask it of fewer games, or later.",
}
READ_ONLY_TEXT = "This collection can only be read: it is shown from Parquet files, and nothing can be added to it or taken away."


def init_app(app: Flask) -> None:
    """Answer every error of an application in its own words."""
    app.register_error_handler(HTTPException, _answer_http_error)
    app.register_error_handler(GameNotFound, lambda _: _error_response(404, ""))
    app.register_error_handler(QueryTimeout, lambda _: _answer_http_error(ServiceUnavailable()))
    app.register_error_handler(StoreReadOnly, lambda _: _error_response(403, READ_ONLY_TEXT))
    app.register_error_handler(InternalServerError, _answer_http_error)


def _answer_http_error(error: HTTPException) -> Response:
    response = _error_response(error.code or 500, error.description or "")
    for name, value in error.get_headers(request.environ):
        if name.lower() in ("allow", "retry-after"):
            response.headers[name] = value
    return response


def _error_response(status: int, description: str) -> Response:
    own = status == NotFound.code and description not in ("", NotFound.description)
    text = description if own else ERROR_TEXTS.get(status, description)
    if status == 413:
        largest = (request.max_content_length or 0) // (1024 * 1024)
        text = f"This server takes up to {largest:,} MiB at a time. Compress the file, or send it in parts."
    title = ERROR_TITLES.get(status, f"Error {status}")
    if _wants_json():
        response = jsonify(error={"status": status, "title": title, "text": text})
    else:
        response = make_response(ErrorPage(status=status, title=title, text=text).render())
    response.status_code = status
    return response


def _wants_json() -> bool:
    """Whether a program asked: by the address, by what it accepts, or as a script of ours."""
    if request.headers.get("X-Requested-With") == "fetch":
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"], "text/html")
    path = request.path
    return (
        path.startswith("/api/") or path.endswith((".json", ".csv")) or best == "application/json"
    )
