"""The server: waitress as it comes, the limits of the application, and what is counted of its answers."""

import re
import resource
import socket
import threading
from collections.abc import Iterator

import pytest
from flask import Flask

from analyzer.review.stored import load_review
from records.documents.schemas import SPEC_FOLDER
from records.format import codec
from records.selfplay import play_game
from tests.machine.serving import served
from tests.machine.waiting import PATIENCE_SECONDS, wait_until
from tests.soak.crowd.visitors import Answer, Site, ask, get, request_bytes, run
from webui.server.limits import BUSY_TEXT
from webui.server.request_kinds import MOST_WAITING, TURNS
from webui.server.serving import THREADS, AnswerKind

HOME = "127.0.0.1"
LARGEST, LARGEST_UPLOAD = 100_000, 300_000
INTERFACE_PAGE = (SPEC_FOLDER / "interface.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_work_stops_when_nobody_waits_for_it_any_more(tmp_path):
    record = play_game("rubicon-bezique", seed=3)
    deals = [deal for seed in range(30) for deal in play_game("rubicon-bezique", seed=seed).deals]
    record.deals, record.result = deals[:45], None
    files = {
        "long.json": codec.encode(record),
        "short.json": codec.encode(play_game("zique", seed=1, deals=1)),
    }
    with served(tmp_path, files, page_processes=1) as (address, app):
        site, pool = Site(int(address.rpartition(":")[2])), app.extensions["processes_on_call"]
        long, short = (f"/games/{codec.decode(data).digest()}/review" for data in files.values())
        with socket.create_connection((HOME, site.port), timeout=PATIENCE_SECONDS) as client:
            client.sendall(request_bytes(site, long))
            wait_until(lambda: pool._busy)
            left = cpu_seconds()
        wait_until(lambda: not app.extensions["places"]["reviews"].taken)
        assert cpu_seconds() - left < 8, "the whole takes some twenty"
        assert load_review(app.extensions["store"], long.split("/")[2]) is None
        assert run(get(site, HOME, short)).status == 200, (
            "who waits gets an answer, and the place is free"
        )


def cpu_seconds() -> float:
    """The processor time that this process and those that ended have used."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


@pytest.fixture(scope="module")
def served_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Flask]]:
    """A server that takes bodies of some length."""
    with served(tmp_path_factory.mktemp("serving"), {}) as (address, app):
        app.config.update(MAX_CONTENT_LENGTH=LARGEST, MAX_UPLOAD_LENGTH=LARGEST_UPLOAD)
        yield Site(int(address.rpartition(":")[2])), app


def answer_to(site: Site, request: bytes) -> Answer:
    return run(ask(site, HOME, request))


CHUNKED = "Transfer-Encoding: chunked\r\n"


@pytest.mark.parametrize(
    ("status", "head", "body"),
    [
        pytest.param(400, "no header\r\n", b"", id="not HTTP"),
        pytest.param(413, f"Content-Length: {LARGEST + 1}\r\n", b"x" * (LARGEST + 1), id="length"),
        pytest.param(413, CHUNKED, b"20000\r\n" + b"x" * 0x20000 + b"\r\n0\r\n\r\n", id="chunks"),
        pytest.param(431, f"X: {'x' * 70_000}\r\n", b"", id="long head"),
        pytest.param(501, "Transfer-Encoding: gzip\r\n", b"", id="another coding"),
    ],
)
def test_what_no_address_takes_is_refused_as_the_page_of_the_interface_says(
    served_app, status, head, body
):
    site, _ = served_app
    request = (
        "POST /api/v1/validate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\n{head}\r\n"
    )
    with socket.create_connection((HOME, site.port), timeout=PATIENCE_SECONDS) as client:
        client.sendall(request.encode() + body)
        assert client.recv(12).endswith(b" %d" % status)
    assert re.search(rf"^\| {status} \| .", INTERFACE_PAGE, re.M)


SILENCE_SECONDS = 0.3


@pytest.mark.long
def test_a_stream_is_answered_when_all_of_it_has_arrived_as_the_page_of_the_interface_says(
    served_app,
):
    site, _ = served_app
    game = codec.encode(play_game("zique", seed=1, deals=1)) + b"\n"
    chunk = b"%x\r\n%b\r\n" % (len(game), game)
    head = (
        "POST /api/v1/validate?stream=true HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/x-ndjson\r\n{CHUNKED}\r\n"
    )
    with socket.create_connection((HOME, site.port), timeout=SILENCE_SECONDS) as client:
        client.sendall(head.encode() + chunk)
        with pytest.raises(TimeoutError):
            client.recv(1)
        client.settimeout(PATIENCE_SECONDS)
        client.sendall(chunk + b"0\r\n\r\n")
        answer = b"".join(iter(lambda: client.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 200")
    assert b'{"ended":"whole","examined":2}' in answer
    assert "when the last byte of the body has arrived" in INTERFACE_PAGE


@pytest.mark.parametrize(
    ("path", "size", "is_refused"),
    [
        ("/", LARGEST + 1, False),
        ("/", LARGEST_UPLOAD + 1, True),
        ("/api/v1/games", LARGEST + 1, False),
        ("/api/v1/games", LARGEST_UPLOAD + 1, True),
        ("/check", LARGEST + 1, True),
        ("/api/validate", LARGEST, False),
        ("/api/validate", LARGEST + 1, True),
    ],
)
def test_every_address_has_its_largest_body(served_app, path, size, is_refused):
    site, _ = served_app
    form = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
    kind = f"Content-Type: {form}\r\n"
    request = request_bytes(site, path, method="POST", body=b"x" * size, headers=kind)
    assert (answer_to(site, request).status == 413) is is_refused


def test_a_browser_gets_a_page_with_a_way_back(served_app):
    site, _ = served_app
    request = request_bytes(
        site, "/check", method="POST", body=b"x" * (LARGEST + 1), headers="Accept: text/html,*/*;q=0.8\r\n"
    )  # fmt: skip
    refused = answer_to(site, request)
    assert refused.status == 413
    assert b"text/html" in refused.header("Content-Type").encode()
    assert b'href="/"' in refused.body


def test_answers_are_counted_by_kind_and_status(served_app):
    site, app = served_app
    tally = app.extensions["request_tally"]
    before = tally.answers()

    def counted(kind: str, status: int) -> int:
        return tally.answers().get(AnswerKind(kind, status), 0) - before.get(AnswerKind(kind, status), 0)  # fmt: skip

    for path in ("/rules", "/static/css/tokens.css", "/nowhere", "/games.jsonl"):
        run(get(site, HOME, path))
    run(ask(site, HOME, request_bytes(site, "/rules", method="HEAD")))
    wait_until(lambda: counted("exports", 200) == 1)
    assert (counted("pages", 200), counted("pages", 404), counted("files", 200)) == (2, 1, 1)
    refused = request_bytes(site, "/rules", headers="").replace(b"localhost", b"club.example.org")
    assert answer_to(site, refused).status == 421
    wait_until(lambda: counted("pages", 421) == 1)
    assert tally.seconds()["pages"] > 0


@pytest.mark.slow
def test_an_answer_that_is_cut_off_is_counted_too(served_app):
    site, app = served_app
    before = sum(app.extensions["request_tally"].answers().values())
    with socket.create_connection((HOME, site.port), timeout=PATIENCE_SECONDS) as client:
        client.sendall(request_bytes(site, "/rules"))
        assert client.recv(1), "of who has gone before, nothing is begun"
    wait_until(lambda: sum(app.extensions["request_tally"].answers().values()) > before)


QUEUED_PATHS = {
    "pages": "/rules",
    "questions": "/statistics/points_by_source",
    "uploads": "/verdicts?game=none",
}
SOON_SECONDS = 5
"""Far less than a request waits for a turn."""


def test_with_every_queue_full_the_rest_is_answered_at_once(served_app):
    """Whoever watches the server must not take it for dead, and readers get the files of their pages."""
    site, app = served_app
    turns = app.extensions["turns"]
    for queue, number in TURNS.items():
        for _ in range(number):
            turns[queue].take(1)
    asking = [
        threading.Thread(target=run, args=(get(site, HOME, path),), daemon=True)
        for path in QUEUED_PATHS.values()
        for _ in range(THREADS)
    ]
    for each in asking:
        each.start()
    wait_until(lambda: all(len(turns[queue]._waiting) >= MOST_WAITING for queue in TURNS))
    for path in ("/health/live", "/health/ready", "/version", "/metrics", "/static/css/tokens.css"):
        answer = run(get(site, HOME, path))
        assert (answer.status, answer.seconds < SOON_SECONDS) == (200, True), path
    for path in QUEUED_PATHS.values():
        answer = run(get(site, HOME, path))
        assert (answer.status, answer.seconds < SOON_SECONDS) == (503, True), path
        assert int(answer.header("Retry-After")) > 0
        assert BUSY_TEXT.encode() in answer.body
    for queue, number in TURNS.items():
        for _ in range(number):
            turns[queue].give_back()
    for each in asking:
        each.join(PATIENCE_SECONDS)
    for path in QUEUED_PATHS.values():
        assert run(get(site, HOME, path)).status in (200, 404)
