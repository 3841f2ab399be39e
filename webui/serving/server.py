"""Waitress with the application: its settings, and what it counts and logs of each answer.

Waitress is used as it comes. It stands on loopback or behind a proxy, and what guards against slow clients, many
connections and floods is the proxy's: see the examples beside this module.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Flask
from waitress import create_server

from webui.http.limits import KIND_IN_ENVIRONMENT
from webui.http.metrics.request_tally import RequestTally
from webui.serving.access_log import AccessLog, AnsweredRequest

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

THREADS = 64
"""Few of them are at work: requests wait in their threads for a turn of their queue (`webui/http/limits.py`)."""
CONNECTIONS = 500
"""The most open connections; behind a proxy each is a request."""
IDLE_SECONDS = 60
"""How long a connection on which nothing moves stays open."""
LARGEST_HEADER = 64 * 1024
MEMORY_PER_BODY, MEMORY_PER_ANSWER = 64 * 1024, 256 * 1024
"""The bytes of a body and of an answer that are kept in memory; the rest waits in a file."""


def serve_application(
    app: Flask, host: str, port: int, *, prefix: str = "", access_log: AccessLog | None = None
) -> Any:
    """The server of an application: `run` serves until SystemExit or Ctrl-C, and `effective_port` is its port.

    `prefix` stands before every path of the site, as in `/bezique`; a path without it is taken as one with it. Raises
    OSError if it cannot listen, and ValueError if the host has no address.
    """
    logging.getLogger("waitress.queue").setLevel(
        logging.ERROR
    )  # it warns of every request that waits
    note = partial(_note_answer, app.extensions["request_tally"], access_log)
    server = create_server(
        WatchedApplication(app, note),
        host=host,
        port=port,
        url_prefix=prefix,
        threads=THREADS,
        ident="bezique",
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_SECONDS,
        asyncore_use_poll=True,  # select() fails at the 1024th file
        max_request_header_size=LARGEST_HEADER,
        max_request_body_size=app.config["MAX_UPLOAD_LENGTH"],
        inbuf_overflow=MEMORY_PER_BODY,
        outbuf_overflow=MEMORY_PER_ANSWER,
        log_socket_errors=False,
        clear_untrusted_proxy_headers=False,  # the application must see that there is a proxy
    )
    if not hasattr(server, "effective_port"):  # a name with several addresses
        server.effective_port = server.effective_listen[0][1]
    return server


def _note_answer(
    tally: RequestTally, access_log: AccessLog | None, answered: AnsweredRequest
) -> None:
    tally.add(answered.kind, int(answered.status), answered.seconds)
    if access_log is not None:
        access_log.note(answered)


class WatchedApplication:
    """An application that lets `note` know of every answer when the last of it has been handed over."""

    def __init__(
        self, application: "WSGIApplication", note: Callable[[AnsweredRequest], None]
    ) -> None:
        self.application, self.note = application, note

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer a request."""
        answer = _WatchedAnswer(environ, self.note)

        def begin(status: str, *more: Any) -> Any:
            answer.status = status[:3]
            return start_response(status, *more)

        answer.pieces = self.application(environ, begin)
        return answer


class _WatchedAnswer:
    """The pieces of an answer; the server closes it, also if the client has gone."""

    def __init__(self, environ: "WSGIEnvironment", note: Callable[[AnsweredRequest], None]) -> None:
        self.environ, self.note = environ, note
        self.began, self.sent, self.status = time.monotonic(), 0, ""
        self.pieces: Iterable[bytes] = ()

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.sent += len(piece)
            yield piece

    def close(self) -> None:
        """End the answer, and let it be noted."""
        try:
            if (close := getattr(self.pieces, "close", None)) is not None:
                close()
        finally:
            self.note(self._answered())

    def _answered(self) -> AnsweredRequest:
        said = self.environ.get
        return AnsweredRequest(
            client=said(
                "REMOTE_ADDR", ""
            ),  # where there is a proxy, the application has put its word here
            kind=said(KIND_IN_ENVIRONMENT, ""),
            method=said("REQUEST_METHOD", ""),
            path=said("SCRIPT_NAME", "") + said("PATH_INFO", ""),
            version=said("SERVER_PROTOCOL", "").removeprefix("HTTP/"),
            status=self.status,
            sent=self.sent,
            came_from=said("HTTP_REFERER", ""),
            browser=said("HTTP_USER_AGENT", ""),
            seconds=time.monotonic() - self.began,
        )
