"""What a server leaves in its data folder, so that commands on the same machine can ask it for things.

Whoever may read the file may read the database beside it; the key in it says that a request comes from there.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from hmac import compare_digest
from http.client import HTTPResponse
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

import msgspec

from records.errors import StoreError

SERVER_FILE_NAME = "serving.json"
KEY_HEADER = "X-Bezique-Key"
REQUEST_TIMEOUT_SECONDS = 600


class LocalServer(msgspec.Struct, frozen=True):
    """Where a server is to be reached, and its key."""

    address: str
    key: str


@contextmanager
def announce_server(folder: Path, address: str, key: str) -> Iterator[None]:
    """Say where the server is, as long as it is there; only the owner of the folder can read it."""
    path = folder / SERVER_FILE_NAME
    draft = path.with_suffix(f".{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_bytes(msgspec.json.encode(LocalServer(address, key)))
    draft.replace(path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def new_key() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(24)


def key_matches(given: str, key: str) -> bool:
    """Whether a request came with the key."""
    return bool(key) and compare_digest(given.encode(), key.encode())


def find_server(folder: Path) -> LocalServer | None:
    """The server that works on a data folder, if one has said so."""
    try:
        return msgspec.json.decode((folder / SERVER_FILE_NAME).read_bytes(), type=LocalServer)
    except (OSError, msgspec.DecodeError):
        return None


def ask_server(server: LocalServer, path: str) -> HTTPResponse:
    """Ask the server for something; raises StoreError if it does not answer."""
    request = Request(f"{server.address}{path}", method="POST", headers={KEY_HEADER: server.key})
    try:
        answer = build_opener(ProxyHandler({})).open(request, timeout=REQUEST_TIMEOUT_SECONDS)
    except (HTTPError, URLError, OSError) as error:
        raise StoreError(f"the server at {server.address} did not do it: {error}") from error
    assert isinstance(answer, HTTPResponse)
    return answer
