"""How commands find the server that runs on the same data folder, and prove that they may ask it.

The server leaves its address and a key in the folder. Whoever may read that file may read the database beside it.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hmac import compare_digest
from http.client import HTTPResponse
from pathlib import Path
from typing import TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

import msgspec

from analyzer.store.sealed_files import read_sealed_json, write_sealed
from records.errors import StoreError

SERVER_FILE_NAME = "serving.json"
KEY_HEADER = "X-Bezique-Key"
REQUEST_TIMEOUT_SECONDS = 600
LARGEST_REFUSAL_BYTES = 64 * 1024


ServerAnswer = TypeVar("ServerAnswer")


class ServerRefused(StoreError):
    """The server does not do what it was asked for, and says why."""


class _Refusal(msgspec.Struct):
    detail: str = ""


class LocalServer(msgspec.Struct, frozen=True):
    """The address of a running server, and its key.

    What it is asked for raises StoreError if it fails, and ServerRefused, in its words, if the server says why it refuses.
    """

    address: str
    key: str

    def open(self, path: str, body: bytes | None = None, method: str = "POST") -> HTTPResponse:
        """Send it a request, with JSON if there is a body."""
        headers = {KEY_HEADER: self.key} | ({"Content-Type": "application/json"} if body else {})
        request = Request(f"{self.address}{path}", data=body, method=method, headers=headers)
        try:
            answer = build_opener(ProxyHandler({})).open(request, timeout=REQUEST_TIMEOUT_SECONDS)
        except HTTPError as error:
            raise self._refusal(error) from error
        except (URLError, OSError) as error:
            raise StoreError(
                f"the request to the server at {self.address} failed: {error}"
            ) from error
        assert isinstance(answer, HTTPResponse)
        return answer

    def ask(
        self, path: str, kind: type[ServerAnswer], body: object = None, method: str = ""
    ) -> ServerAnswer:
        """What it answers at a path: to POST if there is a body, and to GET without one, if nothing else is said."""
        sent = None if body is None else msgspec.json.encode(body)
        with self.open(path, sent, method or ("POST" if sent else "GET")) as answer:
            return msgspec.json.decode(answer.read(), type=kind)

    def _refusal(self, error: HTTPError) -> StoreError:
        """What the server says is wrong, if it says so."""
        with suppress(msgspec.DecodeError, OSError):
            detail = msgspec.json.decode(error.read(LARGEST_REFUSAL_BYTES), type=_Refusal).detail
            if detail:
                return ServerRefused(detail)
        return StoreError(f"the request to the server at {self.address} failed: {error}")


@contextmanager
def announce_server(folder: Path, address: str, key: str) -> Iterator[None]:
    """Announce the server in the data folder while it runs; only the folder's owner can read the file."""
    path = folder / SERVER_FILE_NAME
    write_sealed(path, msgspec.json.encode(LocalServer(address, key)))
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def new_key() -> str:
    """A random key."""
    return secrets.token_urlsafe(24)


def key_matches(given: str, key: str) -> bool:
    """Whether the key of a request is the right one."""
    return bool(key) and compare_digest(given.encode(), key.encode())


def find_server(folder: Path) -> LocalServer | None:
    """The server that runs on a data folder; None if none has announced itself. Raises FileBroken."""
    return read_sealed_json(folder / SERVER_FILE_NAME, LocalServer)
