"""The server's own rules: deadlines, room for connections, and turns."""

import asyncio
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice

import pytest
from waitress import wasyncore

from records.documents.schemas import SPEC_FOLDER
from tests.crowd.visitors import Answer, ask, get, request_bytes
from tests.waiting import PATIENCE_SECONDS, wait_until
from webui.serving.server import Address, create_fair_server
from webui.serving.settings import ServingSettings
from webui.serving.turns import (
    MOST_REMEMBERED,
    REFUSAL_SECONDS,
    SharedClock,
    TurnDispatcher,
    Usage,
)

HOME = "127.0.0.1"
NEVER = 100 * PATIENCE_SECONDS
PATIENT = {"header": NEVER, "idle": NEVER, "pace_window": NEVER, "sweep": 0.05}
"""Deadlines that do not come; a test shortens the one that it is about."""
LARGE = 40_000_000
INTERFACE_PAGE = (SPEC_FOLDER / "interface.md").read_text(encoding="utf-8")


def answering(environ, start_response):
    """An application with an answer that is too large for the buffers, and one that says what it was sent."""
    if environ["PATH_INFO"] == "/large":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return (b"x" * 100_000 for _ in range(LARGE // 100_000))
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"%d" % len(body)]


def refusing(environ, start_response):
    """An application that is too busy for one of its addresses."""
    status = "429 Too Many Requests" if environ["PATH_INFO"] == "/busy" else "200 OK"
    start_response(status, [("Content-Length", "0")])
    return []


def created(application, **settings):
    """A server with these settings."""
    return create_fair_server(
        application,
        host=HOME,
        port=0,
        address_of=lambda method, path: Address(path.strip("/"), 1_000_000),
        threads_by_kind={"slow": 1},
        settings=ServingSettings(**settings),
    )


@contextmanager
def serving(application=answering, **settings) -> Iterator[int]:
    """The port of a server with these settings, which serves."""
    server = created(application, **settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield int(server.effective_port)
    server.close()
    thread.join(PATIENCE_SECONDS)


@contextmanager
def stepping(**settings) -> Iterator[tuple[int, Callable[[], None]]]:
    """The port of a server, and what lets it look once at all of its connections."""
    server = created(answering, **settings)
    yield (
        int(server.effective_port),
        lambda: wasyncore.loop(timeout=0.0, use_poll=True, map=server._map, count=1),
    )
    server.close()


def connected(port: int) -> socket.socket:
    """A connection whose other end may take its time."""
    return socket.create_connection((HOME, port), timeout=PATIENCE_SECONDS)


def seconds_until_closed(port: int, sent: bytes) -> float:
    """How long the server keeps a connection that sends only this."""
    began = time.monotonic()
    with connected(port) as connection:
        connection.sendall(sent)
        try:
            while connection.recv(2**20):
                pass
        except ConnectionError:
            pass
        return time.monotonic() - began


@pytest.mark.parametrize(
    ("sent", "deadline", "seconds"),
    [
        pytest.param(b"", "idle", 0.6, id="nothing"),
        pytest.param(b"GET / HTTP/1.1\r\nHost", "header", 0.3, id="half a head"),
        pytest.param(
            request_bytes("/", method="POST", length=5000), "pace_window", 0.4, id="no body"
        ),
    ],
)
def test_what_does_not_arrive_in_time_is_not_waited_for(sent, deadline, seconds):
    with serving(**{**PATIENT, deadline: seconds}) as port:
        assert seconds_until_closed(port, sent) > seconds / 2


def test_a_body_that_arrives_at_the_pace_is_taken_however_long_it_takes():
    """It takes longer than two windows, of which each has many times the bytes that it must have."""
    settings = {**PATIENT, "pace_window": 1.5, "least_pace": 1}
    with serving(**settings) as port, connected(port) as slow:
        slow.sendall(request_bytes("/", method="POST", length=1000))
        for _ in range(40):
            time.sleep(0.09)
            slow.sendall(b"x" * 25)
        assert b"".join(iter(lambda: slow.recv(1000), b"")).endswith(b"1000")


def test_an_answer_that_nobody_reads_gives_its_thread_back():
    settings = {**PATIENT, "pace_window": 0.4, "threads": 1}
    with serving(**settings) as port, connected(port) as silent:
        silent.sendall(request_bytes("/large"))
        assert silent.recv(1)
        assert asyncio.run(get(port, "127.0.0.5", "/")).status == 200


def test_an_answer_that_is_read_slowly_comes_whole():
    with serving(**{**PATIENT, "pace_window": 1.5}) as port, connected(port) as slow:
        slow.sendall(request_bytes("/large"))
        taken, began = 0, time.monotonic()
        while piece := slow.recv(1_000_000):
            taken += len(piece)
            time.sleep(max(0.0, 3.5 * taken / LARGE - (time.monotonic() - began)))
    assert taken > LARGE


def test_a_body_that_is_too_large_is_refused_before_it_is_sent():
    with serving(**PATIENT) as port:
        refused = asyncio.run(ask(port, HOME, request_bytes("/", method="POST", length=2_000_000)))
    assert refused.status == 413
    assert b"up to 976 KiB" in refused.body


@pytest.mark.parametrize(
    ("status", "sent"),
    [
        pytest.param(400, b"GET / HTTP/1.1\r\nno header\r\n\r\n", id="not HTTP"),
        pytest.param(413, request_bytes("/", method="POST", length=2_000_000), id="long body"),
        pytest.param(431, request_bytes("/", headers=f"X: {'x' * 65_536}\r\n"), id="long head"),
        pytest.param(
            501,
            b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
            id="another coding",
        ),
    ],
)
def test_what_the_server_itself_refuses_is_on_the_page_of_the_interface(status, sent):
    with serving(**PATIENT) as port, connected(port) as client:
        client.sendall(sent)
        assert client.recv(12).endswith(b" %d" % status)
    assert re.search(rf"^\| {status} \| .", INTERFACE_PAGE, re.M)


@pytest.mark.parametrize("length", [2_000_000, 10**15])
def test_a_browser_gets_a_page_with_a_way_back(length):
    head = {"headers": "Accept: text/html,*/*;q=0.8\r\n", "length": length}
    with serving(**PATIENT) as port:
        asked = request_bytes("/private/new", method="POST", **head)
        refused = asyncio.run(ask(port, HOME, asked))
    assert refused.status == 413
    assert b'<a href="../">Go to the home page</a>' in refused.body
    assert b'href="../static/css/tokens.css"' in refused.body
    assert b"Compress the file" in refused.body


def test_who_sends_it_nevertheless_can_read_why_it_was_refused():
    sent = request_bytes("/", method="POST", body=b"x" * 2_000_000)
    with serving() as port:
        assert asyncio.run(ask(port, HOME, sent)).status == 413


def test_bodies_that_arrive_together_have_a_limit():
    awaited = request_bytes("/", method="POST", length=900_000, headers="Expect: 100-continue\r\n")
    with serving(bodies_per_client=1_500_000) as port, connected(port) as first:
        first.sendall(awaited)
        assert b"100 Continue" in first.recv(1000), "the head of the first request was read"
        second = request_bytes("/", method="POST", body=b"x" * 900_000)
        mine, other = asyncio.run(both(ask(port, HOME, second), ask(port, "127.0.0.5", second)))
    assert (mine.status, other.status) == (503, 200)
    assert int(mine.header("Retry-After")) > 0


async def both(*questions) -> list[Answer]:
    return await asyncio.gather(*questions)


def test_a_client_with_too_many_connections_loses_the_one_that_was_idle_longest():
    with serving(connections_per_client=3) as port:
        mine = [connected(port) for _ in range(3)]
        for connection in mine[1:]:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(1000)
        assert asyncio.run(get(port, HOME, "/")).status == 200
        assert mine[0].recv(1) == b""
        mine[1].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert mine[1].recv(1000)
        for connection in mine:
            connection.close()


def test_when_the_server_is_full_the_client_with_most_connections_makes_room():
    with serving(connections=16, connections_per_client=16) as port:
        greedy = [connected(port) for _ in range(16)]
        assert asyncio.run(get(port, "127.0.0.5", "/")).status == 200
        for connection in greedy:
            connection.close()


def test_a_new_connection_does_not_inherit_what_was_seen_on_the_one_it_replaces():
    """The system gives a new connection the number of one that was closed, also within a round of the loop."""
    with stepping(connections_per_client=1) as (port, step):
        greedy = socket.create_connection((HOME, port))
        step()
        greedy.sendall(
            b"G"
        )  # the next round sees this, and closes the connection before it reads it
        instead = socket.create_connection((HOME, port))
        reader = socket.create_connection((HOME, port), source_address=("127.0.0.5", 0))
        step()
        reader.sendall(request_bytes("/"))
        reader.settimeout(0.01)
        answer = b""
        for _ in range(500):
            step()
            with suppress(TimeoutError):
                answer = reader.recv(1000)
                break
        for each in (greedy, instead, reader):
            each.close()
    assert answer.startswith(b"HTTP/1.1 200")


def test_many_requests_at_once_on_one_connection_are_cut_off():
    with serving(requests_ahead=4) as port, connected(port) as greedy:
        greedy.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 200)
        data = b""
        try:
            while piece := greedy.recv(10_000):
                data += piece
        except ConnectionError:
            pass
    assert data.count(b"200 OK") < 200


def test_too_many_waiting_requests_of_one_client_are_refused_with_a_sentence():
    begun, gate = threading.Event(), threading.Event()

    def slow(environ, start_response):
        begun.set()
        gate.wait(PATIENCE_SECONDS)
        return answering(environ, start_response)

    async def flood(port: int) -> tuple[list[Answer], list[Answer]]:
        asking = [asyncio.ensure_future(get(port, HOME, "/slow"))]
        await asyncio.to_thread(begun.wait, PATIENCE_SECONDS)
        asking += [asyncio.ensure_future(get(port, HOME, "/slow")) for _ in range(7)]
        first = [await each for each in islice(asyncio.as_completed(asking), 4)]
        gate.set()
        return first, await asyncio.gather(*asking)

    with serving(slow, waiting_per_client=3) as port:
        first, answers = asyncio.run(flood(port))
    assert [answer.status for answer in first] == [429] * 4
    assert all(int(answer.header("Retry-After")) > 0 and answer.body for answer in first)
    assert sorted(answer.status for answer in answers) == [200] * 4 + [429] * 4


class Request:
    """A request that notes when it is served."""

    was_refused = False

    def __init__(self, client: str, kind: str, served: list[str], work: Callable[[], object]):
        self.client, self.kind, self.served, self.work = client, kind, served, work

    def service(self) -> None:
        self.served.append(self.client)
        self.work()

    def refuse(self) -> None:
        self.work = lambda: None

    def cancel(self) -> None:
        pass


@contextmanager
def dispatching(kinds: dict[str, int] | None = None, **settings) -> Iterator[TurnDispatcher]:
    """A dispatcher with its threads."""
    dispatcher = TurnDispatcher(ServingSettings(**settings), kinds or {})
    dispatcher.set_thread_count(dispatcher.settings.threads)
    yield dispatcher
    dispatcher.shutdown()


def test_the_next_turn_is_the_client_s_who_used_least():
    served, gate = [], threading.Event()
    with dispatching(threads=1, threads_per_client=1) as dispatcher:
        dispatcher.usage.add("greedy", 0.5)
        dispatcher.add_task(Request("first", "", served, gate.wait))
        wait_until(lambda: served == ["first"])
        for client in ("greedy", "greedy", "modest", "new"):
            dispatcher.usage.add("modest", 0.1)
            dispatcher.add_task(Request(client, "", served, lambda: time.sleep(0.01)))
        gate.set()
        wait_until(lambda: len(served) == 5)
    assert served == ["first", "new", "modest", "greedy", "greedy"]


def test_a_client_has_its_share_of_the_threads():
    served, gate = [], threading.Event()
    with dispatching(threads=4, threads_per_client=2) as dispatcher:
        for client in ("a", "a", "a", "b"):
            dispatcher.add_task(Request(client, "", served, gate.wait))
        wait_until(lambda: len(served) == 3)
        time.sleep(0.1)
        assert sorted(served) == ["a", "a", "b"]
        gate.set()
        wait_until(lambda: len(served) == 4)


def test_those_who_used_much_share_few_threads_and_hold_up_nobody_else():
    served, gate = [], threading.Event()
    with dispatching(threads=6, threads_for_greedy=2) as dispatcher:
        for client in ("a", "b", "c"):
            dispatcher.usage.add(client, 5)
            for _ in range(2):
                dispatcher.add_task(Request(client, "", served, gate.wait))
        wait_until(lambda: len(served) == 2)
        time.sleep(0.1)
        assert len(served) == 2
        for client in ("d", "e", "f"):
            dispatcher.add_task(Request(client, "", served, gate.wait))
        wait_until(lambda: len(served) == 5)
        assert {"d", "e", "f"} < set(served)
        gate.set()
        wait_until(lambda: len(served) == 9)


def test_who_is_at_work_for_long_becomes_greedy_before_the_answer():
    served, gate = [], threading.Event()
    settings = {"threads": 4, "threads_for_greedy": 1, "little_use": 0.05}
    with dispatching(**settings) as dispatcher:
        dispatcher.add_task(Request("a", "", served, gate.wait))
        wait_until(lambda: served == ["a"])
        time.sleep(0.1)
        dispatcher.add_task(Request("a", "", served, gate.wait))
        dispatcher.add_task(Request("b", "", served, gate.wait))
        wait_until(lambda: "b" in served)
        assert served == ["a", "b"]
        gate.set()
        wait_until(lambda: len(served) == 3)


def test_requests_at_work_share_the_time_that_is_counted():
    now = [100.0]
    clock = SharedClock(lambda: now[0])
    assert clock.read(0) == 0
    now[0] += 6
    assert clock.read(3) == 2  # six seconds, shared by three
    now[0] += 6
    assert clock.read(1) == 8  # the others have ended
    now[0] += 1
    assert clock.read(0) == 9


def test_a_kind_has_its_share_of_the_threads_and_does_not_hold_up_others():
    served, gate = [], threading.Event()
    with dispatching({"slow": 1}, threads=4, threads_per_client=4) as dispatcher:
        for _ in range(3):
            dispatcher.add_task(Request("a", "slow", served, gate.wait))
        wait_until(lambda: len(served) == 1)
        dispatcher.add_task(Request("a", "quick", served, lambda: None))
        wait_until(lambda: len(served) == 2)
        time.sleep(0.1)
        assert len(served) == 2
        gate.set()
        wait_until(lambda: len(served) == 4)


def test_whoever_waits_runs_when_its_use_has_faded():
    served, gate = [], threading.Event()
    with dispatching(threads=2, threads_for_greedy=0, use_half_life=0.1) as dispatcher:
        dispatcher.add_task(Request("other", "", served, gate.wait))
        dispatcher.usage.add("greedy", 5)
        dispatcher.add_task(Request("greedy", "", served, lambda: None))
        wait_until(lambda: served == ["other", "greedy"])
        gate.set()


def test_a_refusal_counts_as_use():
    server = created(refusing)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    usage = server.task_dispatcher.usage
    port = int(server.effective_port)
    assert asyncio.run(get(port, "127.0.0.6", "/")).status == 200
    assert asyncio.run(get(port, "127.0.0.7", "/busy")).status == 429
    wait_until(lambda: usage.of("127.0.0.7") > 0.9 * REFUSAL_SECONDS)
    assert usage.of("127.0.0.6") < 0.5 * REFUSAL_SECONDS
    server.close()
    thread.join(PATIENCE_SECONDS)


def test_use_is_remembered_for_a_bounded_number_of_clients():
    usage = Usage(10, clock=lambda: 0.0)
    usage.add("greedy", 100)
    for number in range(3 * MOST_REMEMBERED):
        usage.add(str(number), 0.01)
    assert len(usage) <= MOST_REMEMBERED + 1
    assert usage.of("greedy") == 100
