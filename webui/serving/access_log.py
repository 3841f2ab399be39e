"""The access log: a line for each answer, in the combined format that log readers know, and without secrets.

`203.0.113.7 - - [23/Nov/2026:08:20:53 +0000] "GET /games HTTP/1.1" 200 5120 "-" "curl/8.5"`

A query is left out, that of the address as that of the page which led to it: it may hold a record that no server
keeps, a statement, or a private link to come back to. The path is written as the server understood it, so that a key
of a private link is masked however it was spelt.
"""

import logging
import sys
import time
from dataclasses import dataclass
from io import TextIOWrapper
from logging.handlers import WatchedFileHandler
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from analyzer.durable_files import make_private
from analyzer.trouble_log import TroubleLog
from webui.access.private_links import mask_keys

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

    def close(self) -> None:
        """Close the file."""
        self._handler.close()


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
