"""A body in chunks keeps to the same limits as one whose length is announced, and its framing to limits of its own."""

import itertools
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.cpu_cost import CpuCost
from tests.waiting import is_true_soon, wait_until
from tests.webui.test_serving import PATIENT, connected, serving

LARGEST = 1_000_000
"""What every address of these servers takes."""
MIB = 1024 * 1024
HEAD = b"POST /private/new HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
MOST_SECONDS = 0.3
"""CPU seconds of server and client for what ends as soon as it is too long; without an end, 16 MiB take some seconds."""


def chunked(size: int, count: int) -> bytes:
    return (b"%x\r\n" % size + b" " * size + b"\r\n") * count


def answer_to(port: int, head: bytes, pieces: Iterable[bytes]) -> bytes:
    """What the server says, whatever it takes of these pieces."""
    with connected(port) as connection:
        connection.sendall(head + b"\r\n")
        try:
            for piece in pieces:
                connection.sendall(piece)
        except ConnectionError:
            pass
        return b"".join(iter(lambda: received(connection), b""))


def received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(MIB)
    except ConnectionError:
        return b""


def files_of_bodies() -> int:
    """The bytes of bodies that this process keeps in files without a name."""
    total = 0
    for link in Path("/proc/self/fd").iterdir():
        try:
            if "(deleted)" in str(link.readlink()):
                total += link.stat().st_size
        except OSError:
            continue
    return total


@pytest.mark.parametrize("status", [b"413 Content Too Large", b"200 OK"])
def test_a_chunked_body_has_the_limit_of_its_address(status):
    size = LARGEST + (0 if status.startswith(b"200") else 1)
    pieces = [chunked(size - 1, 1), chunked(1, 1), b"0\r\n\r\n"]
    with serving(**PATIENT) as port:
        said = answer_to(port, HEAD + b"Connection: close\r\n", pieces)
    assert said.startswith(b"HTTP/1.1 " + status)


def test_a_chunked_body_that_is_too_large_is_not_kept():
    largest = 0

    def pieces() -> Iterator[bytes]:
        nonlocal largest
        for _ in range(64):
            yield chunked(MIB, 1)
            largest = max(largest, files_of_bodies())

    with serving(**PATIENT) as port:
        said = answer_to(port, HEAD + b"Accept: text/html\r\n", pieces())
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"up to 976 KiB" in said
    assert b'<a href="../">Go to the home page</a>' in said
    assert largest < 2 * LARGEST


ENDLESS = {
    "the line before a chunk": (b"", b"0" * MIB),
    "what stands behind a size": (b"1;", b"a" * MIB),
    "the trailer": (b"0\r\n", b"X: " + b"0" * MIB),
    "empty lines": (b"", b"\r\n" * (MIB // 2)),
    "tiny chunks": (b"", chunked(1, MIB // 6)),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_a_body_whose_framing_never_ends_is_refused(what):
    """It is neither collected nor searched from its beginning again and again."""
    start, piece = ENDLESS[what]
    with serving(**PATIENT) as port, CpuCost() as cost:
        said = answer_to(port, HEAD, itertools.chain([start], itertools.repeat(piece, 16)))
    assert said.startswith(b"HTTP/1.1 400 ")
    assert cost.seconds < MOST_SECONDS


def test_a_trailer_and_chunks_of_any_usual_size_are_taken():
    body = chunked(100, 2000) + b"5;name=value\r\nhello\r\n0\r\nX: y\r\n\r\n"
    with serving(**PATIENT) as port:
        said = answer_to(port, HEAD + b"Connection: close\r\n", [body])
    assert said.startswith(b"HTTP/1.1 200 ")
    assert said.endswith(b"200005")


TWO_ENDS = {
    "both": "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "both, the other way round": "transfer-encoding: CHUNKED\r\ncontent-length: x\r\n",
    "chunked twice": "Transfer-Encoding: chunked, chunked\r\n",
    "chunked twice, in two lines": "Transfer-Encoding: chunked\r\nTransfer-encoding:chunked\r\n",
    "chunked twice, in a folded line": "Transfer-Encoding: chunked,\r\n chunked\r\n",
    "a length beyond numbers": f"Content-Length: {'9' * 5000}\r\n",
}


@pytest.mark.parametrize("what", TWO_ENDS)
def test_a_head_that_does_not_say_where_its_body_ends_closes_the_connection(what):
    """What one server takes for the body, another would take for the next request."""
    next_one = b"2\r\n{}\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\n{TWO_ENDS[what]}".encode()
    with serving(**PATIENT) as port:
        said = answer_to(port, head, [next_one])
    assert said.startswith(b"HTTP/1.1 400 ")
    assert said.count(b"HTTP/1.1") == 1


def test_only_the_version_that_has_chunks_may_announce_them():
    head = b"POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n"
    with serving(**PATIENT) as port:
        said = answer_to(port, head, [b"0\r\n\r\nGET / HTTP/1.0\r\n\r\n"])
    assert said.startswith(b"HTTP/1.0 400 ")
    assert said.count(b"HTTP/1.0") == 1


def test_an_address_that_cannot_be_read_is_answered(caplog):
    with serving(**PATIENT) as port:
        said = answer_to(port, b"GET http://[/ HTTP/1.1\r\nHost: localhost\r\n", [])
    assert said.startswith(b"HTTP/1.1 400 ")
    assert not caplog.records


@pytest.mark.parametrize("head", [HEAD, b"POST / HTTP/1.1\r\nContent-Length: 900000\r\n"])
def test_what_came_of_a_body_is_given_up_with_its_connection(head):
    body = (chunked(800_000, 1) if b"chunked" in head else b"") + b"x" * 800_000
    before = files_of_bodies()
    with serving(**PATIENT) as port:
        with connected(port) as connection:
            connection.sendall(head + b"\r\n" + body[:800_000])
            wait_until(lambda: files_of_bodies() >= before + 700_000)
        assert is_true_soon(lambda: files_of_bodies() <= before)
