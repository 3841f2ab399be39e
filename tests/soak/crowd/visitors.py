"""Visitors: connections from addresses of their own, that ask, and say how long the answer took."""

import asyncio
import ssl
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from tests.machine.waiting import PATIENCE_SECONDS

T = TypeVar("T")


def run(question: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, run in a thread of its own: in that of a test a browser may have a loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, question).result()


class Site(NamedTuple):
    """Where visitors go: a port of this machine, the name and the prefix of the site, and its TLS, if it has any.

    `plain_port` is that of http, where the proxy has one.
    """

    port: int
    host: str = "localhost"
    prefix: str = ""
    context: ssl.SSLContext | None = None
    plain_port: int = 0


class Answer(NamedTuple):
    """An answer: status 0 if there was none, and the seconds it took from the wish to connect to the last byte."""

    status: int
    seconds: float
    head: bytes = b""
    body: bytes = b""

    def header(self, name: str) -> str:
        """A header of the answer; empty if it is not there."""
        for line in self.head.split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name.lower().encode():
                return value.strip().decode()
        return ""


def request_bytes(
    site: Site,
    path: str,
    *,
    method: str = "GET",
    body: bytes = b"",
    headers: str = "",
    length: int | None = None,
) -> bytes:
    """A request that closes its connection; `length` announces another length than the body has."""
    size = len(body) if length is None else length
    head = f"{method} {site.prefix}{path} HTTP/1.1\r\nHost: {site.host}\r\n"
    head += f"Connection: close\r\nReferer: https://{site.host}/\r\n{headers}"
    if size or method == "POST":
        head += f"Content-Length: {size}\r\n"
    return f"{head}\r\n".encode() + body


async def connect(site: Site, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from one of this machine's addresses."""
    return await asyncio.open_connection(
        "127.0.0.1",
        site.port,
        local_addr=(address, 0),
        limit=2**20,
        ssl=site.context,
        server_hostname=site.host if site.context else None,
    )


async def ask(site: Site, address: str, request: bytes) -> Answer:
    """Send a request on a connection of its own, and read the whole answer."""
    began = time.perf_counter()
    data = b""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            reader, writer = await connect(site, address)
            try:
                writer.write(request)
                data = await reader.read(-1)
            finally:
                writer.close()
    except (OSError, TimeoutError):
        pass
    head, _, body = data.partition(b"\r\n\r\n")
    first = head.split(b" ", 2)
    status = int(first[1]) if len(first) > 1 and first[1].isdigit() else 0
    return Answer(status, time.perf_counter() - began, head, body)


async def get(site: Site, address: str, path: str) -> Answer:
    """Ask for a page."""
    return await ask(site, address, request_bytes(site, path))
