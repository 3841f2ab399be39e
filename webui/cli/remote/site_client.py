"""A site as commands ask it: one request at a time, waiting where it says to wait, refusing in its words."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from io import SEEK_SET, BytesIO
from typing import Any, BinaryIO
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from webui.cli.refusal import Refusal
from webui.cli.remote.server_option import server_address

TOKEN_VARIABLE = "BEZIQUE_TOKEN"
"""The environment variable with the token; an option would show it to whoever lists the processes."""
INTERFACE_PATH = "/api/v1"
LINES_MEDIA_TYPE = "application/x-ndjson"
TIMEOUT_SECONDS = 600.0
MOST_TRIES = 20
LONGEST_WAIT_SECONDS = 300
LARGEST_REFUSAL_BYTES = 64 * 1024
"""How much is read of an answer that refuses."""

Parameters = Mapping[str, Any] | Sequence[tuple[str, Any]]


class SiteProblem(msgspec.Struct):
    """What the site says is wrong."""

    title: str = ""
    detail: str = ""


class SiteClient:
    """Asks the interface of the site at an address, such as `https://club.example.org`; raises Refusal for no address.

    Redirects are not followed: they could lead the token to another host.
    """

    def __init__(self, address: str, token: str = "") -> None:
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError:
            parts, host, port = urlsplit(""), None, None
        if not host or parts.scheme not in ("http", "https") or parts.query:
            raise Refusal(
                f"--server is an address such as https://club.example.org, not {address}."
            )
        self.address = address.rstrip("/")
        self._path = parts.path.rstrip("/").removesuffix(INTERFACE_PATH) + INTERFACE_PATH
        self._place, self._is_secure = (host, port), parts.scheme == "https"
        self._headers = {"Accept-Encoding": "identity", "User-Agent": "bezique"}
        token = token or os.environ.get(TOKEN_VARIABLE, "")
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def get(self, *path: str, parameters: Parameters = ()) -> Any:
        """The JSON of an address below the interface."""
        with self.open("GET", *path, parameters=parameters) as answer:
            return msgspec.json.decode(answer.read())

    @contextmanager
    def open(
        self,
        method: str,
        *path: str,
        parameters: Parameters = (),
        body: bytes | BinaryIO = b"",
        size: int | None = None,
        media_type: str = LINES_MEDIA_TYPE,
    ) -> Iterator[HTTPResponse]:
        """The answer of an address, to be read; raises Refusal, in the words of the site if it refuses.

        A body that is a stream has so many bytes, its `size`. A request that comes too early is sent again as soon as
        the site says.
        """
        stream = BytesIO(body) if isinstance(body, bytes) else body
        headers = dict(self._headers)
        if body:
            length = len(body) if isinstance(body, bytes) else size
            headers |= {"Content-Type": media_type, "Content-Length": str(length)}
        target = "/".join([self._path, *(quote(part, safe="") for part in path)])
        if parameters:
            target += f"?{urlencode(parameters, doseq=True)}"
        for tries_left in reversed(range(MOST_TRIES)):
            stream.seek(0, SEEK_SET)
            connection, answer = self._ask(method, target, stream if body else None, headers)
            try:
                wait = _seconds_to_wait(answer) if tries_left else None
                if wait is None:
                    self._refuse_errors(answer)
                    yield answer
                    return
            except HTTPException as error:
                raise Refusal(f"{self.address} broke off its answer: {error}.") from error
            finally:
                connection.close()
            time.sleep(wait)

    def _ask(
        self, method: str, target: str, body: BinaryIO | None, headers: Mapping[str, str]
    ) -> tuple[HTTPConnection, HTTPResponse]:
        """A connection, and the answer that begins on it; raises Refusal."""
        kind = HTTPSConnection if self._is_secure else HTTPConnection
        connection = kind(*self._place, timeout=TIMEOUT_SECONDS)
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # it refuses before all is sent
                connection.request(method, target, body=body, headers=headers)
            return connection, connection.getresponse()
        except (HTTPException, OSError) as error:
            connection.close()
            reason = getattr(error, "strerror", None) or error or "it closed the connection"
            raise Refusal(f"{self.address} cannot be asked: {reason}.") from error

    def _refuse_errors(self, answer: HTTPResponse) -> None:
        if answer.status < 300:
            return
        data = answer.read(LARGEST_REFUSAL_BYTES)
        try:
            problem = msgspec.json.decode(data, type=SiteProblem)
        except msgspec.DecodeError:
            problem = SiteProblem()
        words = problem.detail or problem.title or answer.reason
        raise Refusal(f"{self.address} answers with status {answer.status}: {words}")


def _seconds_to_wait(answer: HTTPResponse) -> int | None:
    """In how many seconds a refused request may come again; None if it was answered, or will not be."""
    after = answer.headers.get("Retry-After", "")
    if answer.status not in (429, 503) or not after.isdigit() or int(after) > LONGEST_WAIT_SECONDS:
        return None
    return max(1, int(after))


def requested_site() -> SiteClient:
    """The site that the option `--server` of `bezique` names; raises Refusal if it is no address."""
    return SiteClient(server_address())
