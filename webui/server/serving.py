"""The server of the application: its settings, its start, the log of what it answers, and how busy it is."""

import logging
import os
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from io import TextIOWrapper
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from flask import Flask
from waitress import create_server

from analyzer.store.durable_files import make_private
from analyzer.store.schema import own_version
from analyzer.store.trouble_log import TroubleLog
from webui.server.limits import KIND_IN_ENVIRONMENT
from webui.server.private_links import mask_keys

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


# What the server has answered so far: how many requests, of which kind, with which status, in which time.


class AnswerKind(NamedTuple):
    """What answers are counted by: the kind of the request, as in `REQUEST_KINDS`, and the status of the answer."""

    kind: str
    status: int


class RequestTally:
    """Counts of answers, and the seconds that they took; `began` is when counting began, in seconds since 1970."""

    def __init__(self) -> None:
        self.began = time.time()
        self._lock = threading.Lock()
        self._answers: Counter[AnswerKind] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def add(self, kind: str, status: int, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            self._answers[AnswerKind(kind, status)] += 1
            self._seconds[kind] += seconds

    def answers(self) -> dict[AnswerKind, int]:
        """How many answers there were, by kind and status."""
        with self._lock:
            return dict(self._answers)

    def seconds(self) -> dict[str, float]:
        """How many seconds the answers of each kind took."""
        with self._lock:
            return dict(self._seconds)


# The counts of a server in the text format of Prometheus.

PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
GAUGES = {
    "games_stored": "Games in the database.",
    "deals_stored": "Deals in the database.",
    "imports_unfinished": "Imports that run or wait.",
    "disk_free_bytes": "Room on the disk of the data folder.",
}
"""What each number of the moment means."""


def metric_lines(tally: RequestTally, gauges: Mapping[str, int]) -> Iterator[str]:
    """The lines for what was answered so far, for the numbers in `GAUGES`, and for the process."""
    yield from _head("bezique_info", "gauge", "The version of the program.")
    yield f'bezique_info{{version="{own_version()}"}} 1\n'
    yield from _head("bezique_answers_total", "counter", "Answers by kind of request and status.")
    for key, count in sorted(tally.answers().items()):
        yield f'bezique_answers_total{{kind="{key.kind}",status="{key.status}"}} {count}\n'
    yield from _head("bezique_answer_seconds_total", "counter", "Seconds that the answers took.")
    for kind, seconds in sorted(tally.seconds().items()):
        yield f'bezique_answer_seconds_total{{kind="{kind}"}} {seconds:.6f}\n'
    for name, value in gauges.items():
        yield from _head(f"bezique_{name}", "gauge", GAUGES[name])
        yield f"bezique_{name} {value}\n"
    times = os.times()
    yield from _head("process_cpu_seconds_total", "counter", "Processor time of the server itself.")
    yield f"process_cpu_seconds_total {times.user + times.system:.2f}\n"
    yield from _head("process_start_time_seconds", "gauge", "When the server began, since 1970.")
    yield f"process_start_time_seconds {tally.began:.0f}\n"


def _head(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}\n"
    yield f"# TYPE {name} {kind}\n"


# The access log: a line for each answer, in the combined format that log readers know, and without secrets.
#
# `203.0.113.7 - - [23/Nov/2026:08:20:53 +0000] "GET /games HTTP/1.1" 200 5120 "-" "curl/8.5"`
#
# A query is left out, that of the address as that of the page which led to it: it may hold a record that no server
# keeps, a statement, or a private link to come back to. The path is written as the server understood it, so that a key
# of a private link is masked however it was spelt.

STANDARD_OUTPUT = "-"
LONGEST_FIELD = 500
"""The most characters of a path, of the page that led to it, or of a browser's name."""
SAFE_IN_PATHS = "/:@!$&'()*+,;=~-._[]"
NOTHING = "-"
MASK = "..."


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredRequest:
    """A request and its answer.

    The path is as it was decoded, a character for each byte; `status` has three digits; `sent` are the bytes of the
    answer's body, and `seconds` what it took to make and to hand them over.
    """

    client: str
    kind: str
    method: str
    path: str
    version: str
    status: str
    sent: int
    came_from: str
    browser: str
    seconds: float


class AccessLog:
    """Writes to a file, or to the standard output if that is named `-`.

    A file that was moved away is begun anew, as programs that rotate logs expect. The server goes on if nothing can be
    written, and its own log says so once. Raises OSError if the file cannot be opened at first.
    """

    def __init__(self, target: str) -> None:
        to_output = target == STANDARD_OUTPUT
        self._handler = logging.StreamHandler(sys.stdout) if to_output else _LogFile(target)

    def note(self, request: AnsweredRequest) -> None:
        """Write the line of a request that was answered just now."""
        line = combined_line(request, time.time())
        self._handler.handle(logging.makeLogRecord({"msg": line}))


class _LogFile(WatchedFileHandler):
    """A file that only its owner may read, since it says who looked at what."""

    def __init__(self, target: str) -> None:
        self._troubles = TroubleLog()
        super().__init__(target, encoding="ascii")

    def _open(self) -> TextIOWrapper:
        stream = super()._open()
        make_private(Path(self.baseFilename))
        return stream

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        try:
            self.reopenIfNeeded()
            super().emit(record)
        except OSError:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Say once that nothing can be written."""
        self._troubles.begin("log", f"the access log cannot be written: {sys.exception()}")


def combined_line(request: AnsweredRequest, now: float) -> str:
    """The line for an answer at this time, in seconds since 1970; all of it is printable ASCII."""
    moment = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now))
    path = _shown_path(request.path.encode("latin-1", "replace")) or NOTHING
    came_from = _shown_address(request.came_from) or NOTHING
    asked = f"{_shown(request.method)} {path} HTTP/{_shown(request.version)}"
    browser = _shown(request.browser) or NOTHING
    client = _shown(request.client).replace(" ", "_") or NOTHING
    return f'{client} - - [{moment}] "{asked}" {request.status} {request.sent} "{came_from}" "{browser}"'


def _shown_address(address: str) -> str:
    """The address of the page that led here, without what a query says."""
    plain = address.partition("#")[0].partition("?")[0]
    return _shown_path(unquote_to_bytes(plain.encode("latin-1", "replace")))


def _shown_path(path: bytes) -> str:
    text = mask_keys(path.decode("utf-8", "replace"), MASK)
    return quote(text[:LONGEST_FIELD], safe=SAFE_IN_PATHS)


def _shown(text: str) -> str:
    """A text that cannot end its field or its line."""
    return "".join(
        sign if " " <= sign <= "~" and sign not in '"\\' else f"\\x{ord(sign):02x}"
        for sign in text[:LONGEST_FIELD]
    )


# Waitress with the application: its start, and what it counts and logs of each answer.
#
# Waitress is used as it comes. What guards against slow clients, many connections and floods is the proxy's: see the
# examples beside this module. Without one, as on loopback or in a network of one's own (`--no-proxy`), nothing does.

THREADS = 288
"""Few of them are at work: requests wait in their threads for a turn of their queue (`webui/server/limits.py`)."""
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
    # It warns of every request that waits.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
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
        channel_request_lookahead=1,  # so that it notices a client that goes while it waits
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
            # Where there is a proxy, the application has put its word here.
            client=said("REMOTE_ADDR", ""),
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
