"""Those who mean no good: each takes as much of the server as it gets, until it is stopped."""

import asyncio
from contextlib import suppress
from urllib.parse import quote as quoted

from tests.soak.crowd.visitors import Site, ask, connect, get, request_bytes

SLOW_STATEMENT = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 100000000) SELECT max(n) FROM t"
"""SQL that runs into the time limit, whatever is stored."""


async def stay_idle(site: Site, address: str, number: int) -> None:
    """Open connections and say nothing; open new ones when they are closed."""
    await asyncio.gather(*(_stay_idle(site, address) for _ in range(number)))


async def _stay_idle(site: Site, address: str) -> None:
    while True:
        with suppress(OSError):
            reader, writer = await connect(site, address)
            try:
                await reader.read(1)
            finally:
                writer.close()
        await asyncio.sleep(0.5)


async def trickle_heads(site: Site, address: str, number: int) -> None:
    """Send the head of a request byte by byte."""
    await asyncio.gather(
        *(_trickle(site, address, b"GET / HTTP/1.1\r\nX: ") for _ in range(number))
    )


async def trickle_bodies(site: Site, address: str, number: int) -> None:
    """Announce a large body, and send it byte by byte."""
    head = request_bytes(site, "/api/validate", method="POST", length=60_000_000)
    await asyncio.gather(*(_trickle(site, address, head) for _ in range(number)))


async def _trickle(site: Site, address: str, head: bytes) -> None:
    while True:
        with suppress(OSError):
            _, writer = await connect(site, address)
            try:
                writer.write(head)
                while not writer.is_closing():
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(0.5)
            finally:
                writer.close()
        await asyncio.sleep(0.5)


async def read_nothing(site: Site, address: str, number: int, path: str = "/games.jsonl") -> None:
    """Ask for something long, and do not read the answer."""
    request = request_bytes(site, path)
    await asyncio.gather(
        *(_send_and_read_nothing(site, address, request, seconds=60) for _ in range(number))
    )


async def _send_and_read_nothing(site: Site, address: str, sent: bytes, *, seconds: float) -> None:
    """Send this on a connection, read nothing for so long, and begin again."""
    while True:
        with suppress(OSError):
            _, writer = await connect(site, address)
            try:
                transport = writer.transport
                assert isinstance(transport, asyncio.ReadTransport)
                transport.pause_reading()
                writer.write(sent)
                await asyncio.sleep(seconds)
            finally:
                writer.close()
        await asyncio.sleep(0.5)


async def pipeline(site: Site, address: str, number: int, path: str = "/rules") -> None:
    """Send hundreds of requests at once on each connection, and read no answer."""
    many = f"GET {site.prefix}{path} HTTP/1.1\r\nHost: {site.host}\r\n\r\n".encode() * 300
    await asyncio.gather(
        *(_send_and_read_nothing(site, address, many, seconds=20) for _ in range(number))
    )


async def repeat(site: Site, address: str, number: int, request: bytes) -> None:
    """Ask the same from so many connections, again and again."""
    await asyncio.gather(*(_repeat(site, address, request) for _ in range(number)))


async def _repeat(site: Site, address: str, request: bytes) -> None:
    while True:
        answer = await ask(site, address, request)
        await asyncio.sleep(0.0 if answer.status == 200 else 0.3)


async def run_statements(site: Site, address: str, number: int) -> None:
    """Run slow SQL."""
    await repeat(
        site, address, number, request_bytes(site, f"/sql.json?q={quoted(SLOW_STATEMENT)}")
    )


async def walk(site: Site, address: str, number: int, paths: list[str]) -> None:
    """Ask for these pages from so many connections, one after the other."""
    await asyncio.gather(*(_walk(site, address, paths[start::number]) for start in range(number)))


async def _walk(site: Site, address: str, paths: list[str]) -> None:
    while True:
        for path in paths:
            answer = await get(site, address, path)
            if answer.status != 200:
                await asyncio.sleep(0.3)
        await asyncio.sleep(0.01)
