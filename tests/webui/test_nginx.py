"""The shipped settings of nginx, tried in the real nginx before a server that says what it was asked.

Only ports and certificates are others than in the file; what stands before it in a test is said there.
"""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.machine.waiting import PATIENCE_SECONDS, is_true_soon, wait_until
from tests.soak.crowd.running import EXAMPLES, NGINX, running_nginx
from tests.soak.crowd.visitors import Answer, Site, ask, connect, get, request_bytes, run

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not NGINX, reason="nginx is not installed"),
]

ONE, OTHER = "127.0.0.2", "127.0.0.3"
KEY = "Abcdefghijklmnopqrstuvwxyz-_0123"
"""As long as the keys of private links are."""
MOST_AT_ONCE, MOST_SENT_AT_ONCE, MOST_UPLOADS_AT_ONCE, MOST_SLOW_AT_ONCE = 64, 8, 4, 8
PAGES_AT_ONCE, PAGES_WAITING = 40, 200
"""The limits in the file: `test_the_limits_are_those_of_the_file` compares them."""
MIB = 1024 * 1024


LOOK_SECONDS = 0.02
"""How often the server looks whether it is to end."""


class CrowdServer(ThreadingHTTPServer):
    """Lets a crowd connect at once: who finds the queue full tries again after seconds."""

    daemon_threads = True
    request_queue_size = 512


class Backend:
    """Stands for the application: notes every request, says what it heard, and lets some wait at a gate."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.gate = threading.Event()
        backend = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                backend.heard.append(f"{self.command} {self.path}")
                size = len(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                if "wait" in self.path:
                    backend.gate.wait(PATIENCE_SECONDS)
                body = json.dumps({"size": size, **{k.lower(): v for k, v in self.headers.items()}})
                data = b"x" * 50_000_000 if "large" in self.path else body.encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self.server = CrowdServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=[LOOK_SECONDS], daemon=True).start()

    @property
    def port(self) -> int:
        return self.server.server_port

    def close(self) -> None:
        """Stop answering."""
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def proxied(folder: Path, more: str = "") -> Iterator[tuple[Site, Backend]]:
    """nginx before a server of its own, so that no test has used up what another one needs."""
    backend = Backend()
    with running_nginx(backend.port, folder, more) as site:
        yield site, backend
    backend.close()


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Site, Backend]]:
    with proxied(tmp_path) as found:
        yield found


def answers(*questions) -> list[Answer]:
    async def together() -> list[Answer]:
        return await asyncio.gather(*questions)

    return run(together())


def statuses(found: list[Answer]) -> dict[int, int]:
    return {each: [a.status for a in found].count(each) for each in {a.status for a in found}}


def test_the_limits_are_those_of_the_file():
    text = (EXAMPLES / "nginx.conf").read_text()
    assert f"limit_conn bezique_at_once {MOST_AT_ONCE};" in text
    assert f"limit_conn bezique_sent_at_once {MOST_SENT_AT_ONCE};" in text
    assert f"limit_conn bezique_sent_at_once {MOST_UPLOADS_AT_ONCE};" in text
    assert f"limit_conn bezique_slow_at_once {MOST_SLOW_AT_ONCE};" in text
    assert f"burst={PAGES_WAITING} delay={PAGES_AT_ONCE};" in text


def test_what_a_client_says_of_itself_is_not_passed_on(both):
    site, _ = both
    forged = (
        "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: localhost\r\n"
    )
    (answer,) = answers(ask(site, ONE, request_bytes(site, "/rules", headers=forged)))
    heard = json.loads(answer.body)
    assert heard["x-forwarded-for"] == ONE
    assert heard["x-forwarded-proto"] == "https"
    assert heard["x-forwarded-host"] == heard["host"] == site.host


@pytest.mark.parametrize(
    ("path", "method", "most"),
    [
        ("/wait", "GET", MOST_AT_ONCE),
        ("/games.jsonl?wait", "GET", MOST_SLOW_AT_ONCE),
        ("/check?wait", "POST", MOST_SENT_AT_ONCE),
        ("/?wait", "POST", MOST_UPLOADS_AT_ONCE),
    ],
)
def test_a_client_has_so_many_requests_at_a_time_and_others_are_answered(both, path, method, most):
    site, backend = both
    request = request_bytes(site, path, method=method, body=b"x" if method == "POST" else b"")

    async def crowd() -> tuple[list[Answer], Answer]:
        asking = [asyncio.create_task(ask(site, ONE, request)) for _ in range(most + 3)]
        refused = []
        for each in asyncio.as_completed(asking):
            refused.append(await each)
            if len(refused) == 3:
                break
        other = await get(site, OTHER, "/rules")
        backend.gate.set()
        return [*refused, *await asyncio.gather(*asking)], other

    found, other = run(crowd())
    assert other.status == 200
    assert [answer.status for answer in found[:3]] == [429] * 3
    assert (
        found[0].body
        == b"Too many requests come from your address. Wait a few seconds, and try again.\n"
    )
    assert int(found[0].header("Retry-After")) > 0
    assert statuses(found[3:]) == {200: most, 429: 3}


def test_a_static_file_counts_as_a_file_also_if_it_has_the_name_of_a_slow_page(both):
    site, backend = both
    slow = re.search(r"location ~ (\S+\(sql\S+) {", (EXAMPLES / "nginx.conf").read_text())
    assert slow is not None
    static = EXAMPLES.parents[1] / "static"
    paths = [f"/static/{p.relative_to(static)}" for p in static.rglob("*") if p.is_file()]
    named = [path for path in paths if re.match(slow[1], f"/bezique{path}")]
    assert named
    wanted = [f"{path}?wait-{n}" for path in named for n in range(MOST_SLOW_AT_ONCE)][:MOST_AT_ONCE]

    async def crowd() -> list[Answer]:
        asking = [asyncio.create_task(get(site, ONE, path)) for path in wanted]
        while len(backend.heard) < len(wanted) and not any(each.done() for each in asking):
            await asyncio.sleep(0.01)
        backend.gate.set()
        return await asyncio.gather(*asking)

    assert len(wanted) > MOST_SLOW_AT_ONCE
    assert statuses(run(crowd())) == {200: len(wanted)}


@pytest.mark.slow
def test_who_asks_fast_waits_and_who_asks_much_faster_is_refused(both):
    site, backend = both
    number = PAGES_AT_ONCE + PAGES_WAITING + 60

    async def flood() -> tuple[list[Answer], Answer]:
        asking = [asyncio.create_task(get(site, ONE, f"/rules?{n}")) for n in range(number)]
        other = await get(site, OTHER, "/rules")
        return await asyncio.gather(*asking), other

    found, other = run(flood())
    assert other.status == 200
    counted = statuses(found)
    assert set(counted) == {200, 429}
    assert counted[429] >= 20
    assert len([heard for heard in backend.heard if "?" in heard]) == counted[200]


MOST_MIB = {"/": 1024, "/api/v1/games": 1024, "/check": 64, "/api/v1/validate": 64, "/static/x": 64}


def must_be_too_large(answer: Answer) -> None:
    assert answer.status == 413
    assert b"more than the site takes at a time" in answer.body


@pytest.mark.slow
def test_a_body_is_refused_by_its_length_at_the_limit_of_its_address(both):
    site, backend = both
    found = answers(*(
        ask(site, ONE, request_bytes(site, path, method="POST", length=most * MIB + 1))
        for path, most in MOST_MIB.items()
    ))  # fmt: skip
    for (
        answer
    ) in found:  # nginx waits five seconds for each body that it has refused: here for all at once
        must_be_too_large(answer)
    assert backend.heard == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [path for path, most in MOST_MIB.items() if most == 64]
)  # the others: a gigabyte
def test_a_body_in_chunks_is_refused_at_the_limit_of_its_address(both, path):
    site, backend = both
    head = "Transfer-Encoding: chunked\r\n"
    request = request_bytes(site, path, headers=head).replace(b"GET", b"POST", 1)
    piece = b"100000\r\n" + b"x" * MIB + b"\r\n"
    (answer,) = answers(ask(site, ONE, request + piece * (MOST_MIB[path] + 1)))
    must_be_too_large(answer)
    assert backend.heard == []


@pytest.mark.slow
def test_what_is_small_enough_arrives_whole(both):
    site, _ = both
    sent = [
        request_bytes(site, path, method="POST", body=b"x" * (60 * MIB)) for path in ("/", "/check")
    ]
    found = answers(*(ask(site, ONE, request) for request in sent))
    assert [json.loads(answer.body)["size"] for answer in found] == [60 * MIB] * 2


async def seconds_until_closed(site: Site, sent: bytes, trickle: bytes = b"") -> float:
    """How long nginx keeps a connection that sends only this, and then a little at a time."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    reader, writer = await connect(site, ONE)
    writer.write(sent)

    async def drip() -> None:
        while trickle:
            writer.write(trickle)
            await asyncio.sleep(0.5)

    dripping = asyncio.create_task(drip())
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await reader.read(65536):
                pass
    except ConnectionError:
        pass
    dripping.cancel()
    writer.close()
    return loop.time() - began


@pytest.mark.slow
def test_nobody_is_waited_for_forever_and_the_application_does_not_hear_of_it(both):
    """The times are those in the file: 10 seconds for a head, 20 for the next bytes of a body."""
    site, backend = both
    body = request_bytes(site, "/check", method="POST", length=5000)

    async def slow() -> list[float]:
        return await asyncio.gather(
            seconds_until_closed(site, b""),
            seconds_until_closed(site, b"GET /bezique/ HTTP/1.1\r\nX: ", b"x"),
            seconds_until_closed(site, body),
        )

    idle, head, stalled = run(slow())
    assert idle > 9
    assert head > 9
    assert stalled > 19
    assert max(idle, head, stalled) < PATIENCE_SECONDS / 2
    assert backend.heard == []


@pytest.mark.slow
def test_a_slow_body_and_an_answer_that_nobody_reads_keep_the_application_from_nothing(both):
    site, backend = both
    finished = []

    async def slow() -> None:
        reader, writer = await connect(site, ONE)
        writer.write(request_bytes(site, "/check", method="POST", length=20))
        for _ in range(19):
            writer.write(b"x")
            await asyncio.sleep(0.1)
        finished.extend(backend.heard)
        writer.write(b"x")
        assert b"200" in await reader.readline()
        writer.close()
        _, silent = await connect(site, ONE)
        silent.transport.pause_reading()
        silent.write(request_bytes(site, "/large"))
        answered = asyncio.create_task(
            asyncio.to_thread(is_true_soon, lambda: "GET /bezique/large" in backend.heard)
        )
        assert await answered
        assert (await get(site, OTHER, "/rules")).status == 200
        silent.close()

    run(slow())
    assert finished == [], "the application hears of a request when all of it has come"


TWO_ENDS = {
    "both": "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "chunked twice": "Transfer-Encoding: chunked, chunked\r\n",
    "two lengths": "Content-Length: 5\r\nContent-Length: 6\r\n",
    "a length beyond numbers": f"Content-Length: {'9' * 500}\r\n",
}


@pytest.mark.parametrize("what", TWO_ENDS)
def test_a_head_that_does_not_say_where_its_body_ends_is_one_request_at_most(both, what):
    """What one server takes for the body, another would take for the next request."""
    site, backend = both
    head = f"POST {site.prefix}/check HTTP/1.1\r\nHost: {site.host}\r\n{TWO_ENDS[what]}\r\n"
    hidden = f"2\r\n{{}}\r\n0\r\n\r\nGET {site.prefix}/hidden HTTP/1.1\r\nHost: {site.host}\r\n\r\n"
    (answer,) = answers(ask(site, ONE, (head + hidden).encode()))
    assert answer.status in (400, 501)
    assert answer.head.count(b"HTTP/1.1") == 1
    assert backend.heard == []


NETWORKS = {
    "one network": ("2001:db8:1:2::1", "2001:db8:1:2:ffff:0:0:9", True),
    "a network with zeros": ("2001:db8::1", "2001:db8::7:8:9:1", True),
    "two networks": ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
    "two networks, one with zeros": ("2001:db8:1::1", "2001:db8:1:2::1", False),
    "two addresses": ("203.0.113.7", "203.0.113.8", False),
    "one address in two forms": ("203.0.113.7", "::ffff:203.0.113.7", True),
    "two addresses in one form": ("::ffff:203.0.113.8", "::ffff:203.0.113.7", False),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", NETWORKS)
def test_a_client_is_an_address_or_a_network_of_ipv6(tmp_path, what):
    """The loopback has one address of IPv6: here a header of the test says who asks."""
    first, second, is_same = NETWORKS[what]
    more = "set_real_ip_from 127.0.0.1; real_ip_header X-Test-Client;"

    async def crowd(site: Site, backend: Backend) -> int:
        request = {
            name: request_bytes(site, "/wait", headers=f"X-Test-Client: {name}\r\n")
            for name in (first, second)
        }
        asking = [
            asyncio.create_task(ask(site, "127.0.0.1", request[first])) for _ in range(MOST_AT_ONCE)
        ]
        await asyncio.to_thread(wait_until, lambda: len(backend.heard) == MOST_AT_ONCE)
        last = asyncio.create_task(ask(site, "127.0.0.1", request[second]))
        await asyncio.wait([last], timeout=None if is_same else 0.5)
        backend.gate.set()
        await asyncio.gather(*asking)
        return (await last).status

    with proxied(tmp_path, more) as (site, backend):
        assert run(crowd(site, backend)) == (429 if is_same else 200)


async def refused_often(site: Site, path: str) -> None:
    """Ask so fast that many are refused; nobody waits for the answers that come late."""
    asking = [asyncio.create_task(get(site, OTHER, path)) for _ in range(400)]
    refused = 0
    for each in asyncio.as_completed(asking):
        refused += (await each).status == 429
        if refused == 100:
            break
    assert refused == 100
    for each in asking:
        each.cancel()


@pytest.mark.slow
def test_no_log_holds_the_key_of_a_private_link(tmp_path):
    """Links of earlier versions, and the address where programs take uploads back, have it in their path."""
    with proxied(tmp_path) as (site, backend):
        paths = [
            f"/sent/{KEY}",
            f"/sent/{KEY}/records/1",
            f"/api/v1/sent/{KEY}",
            f"//sent/{KEY}",
            f"/%73ent/{KEY}",
        ]
        plain = site._replace(port=site.plain_port, context=None)

        async def every_error(number: int, path: str) -> list[Answer]:
            client = f"127.0.0.{10 + number}"
            large = request_bytes(site, path, method="POST", length=2_000 * MIB)
            long = request_bytes(site, path, headers=f"X: {'x' * 200_000}\r\n")
            return await asyncio.gather(
                get(site, client, path), ask(site, client, large), ask(site, client, long), get(plain, client, path),
                ask(plain, client, large),
                ask(site, client, request_bytes(site, path).replace(b"HTTP/1.1", b"HTTP/9")),
                ask(site, client, request_bytes(site, path).replace(b"Host:", b"No-Host:")),
            )  # fmt: skip

        def all_errors() -> list[dict[int, int]]:
            return [
                statuses(found)
                for found in answers(*(every_error(*each) for each in enumerate(paths)))
            ]

        assert all(found.keys() >= {200, 301, 400, 413} for found in all_errors())
        run(refused_often(site, paths[0]))
        backend.close()
        assert all(503 in found for found in all_errors())
        (away,) = answers(get(site, ONE, "/rules"))
        assert (away.status, b"not running" in away.body) == (503, True)
    logs = {path.name: path.read_text() for path in tmp_path.glob("*.log")}
    assert "/bezique/rules" in logs["error.log"], "it does log what fails elsewhere"
    assert all(KEY not in text for text in logs.values())
