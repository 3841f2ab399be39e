"""Every view is of one kind, and every kind has a rate and an end."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from analyzer.ingest.loader import MOST_DEPOSITS
from analyzer.sql.guard import STATEMENTS_AT_ONCE
from tests.machine.waiting import PATIENCE_SECONDS, wait_until
from tests.make.empty_store import with_empty_database
from webui import create_app
from webui.server.limits import MOST_COUNTERS, BoundedMemoryStorage, Busy, Places, Turns
from webui.server.page import cost_of
from webui.server.request_kinds import MOST_WAITING, REQUEST_KINDS, TURNS, RequestKind
from webui.server.serving import THREADS


def test_every_kind_has_a_rate(app):
    with app.app_context():
        assert all(app.config[kind.setting].count("per minute") for kind in REQUEST_KINDS)


def test_what_is_expensive_never_has_all_threads():
    at_once = sum(kind.at_once or 0 for kind in REQUEST_KINDS) + STATEMENTS_AT_ONCE
    assert at_once + sum(TURNS.values()) < THREADS // 2
    queued = sum(TURNS.values()) + len(TURNS) * MOST_WAITING
    queued += MOST_DEPOSITS  # they have ended their turns
    assert queued <= THREADS - 32, "full queues leave threads to what waits in none"
    assert queued + at_once < THREADS
    assert {kind.queue for kind in REQUEST_KINDS} == {*TURNS, ""}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", REQUEST_KINDS, ids=lambda kind: kind.name)
def test_every_kind_has_its_budget_for_each_client(tmp_path, kind):
    app = create_app(
        data=with_empty_database(tmp_path),
        testing=True,
        wtf_csrf_enabled=False,
        **{kind.setting: "2 per minute"},
    )
    rule = next(
        rule
        for rule in app.url_map.iter_rules()
        if cost_of(rule.endpoint, app) == kind
        and rule.endpoint not in ("static", "admin.backup", "admin.local_backup")
    )
    method = "POST" if "POST" in rule.methods else "GET"
    address = rule.build(dict.fromkeys(rule.arguments, "1"))[1]

    def status(client: str) -> int:
        environ = {"REMOTE_ADDR": client}
        return app.test_client().open(address, method=method, environ_base=environ).status_code

    answers = [
        status("127.0.2.1"),
        status("127.0.2.1"),
        status("127.0.2.1"),
        status("127.0.2.2"),
    ]
    app.extensions["store"].close()
    assert [answer == 429 for answer in answers] == [False, False, True, False]


def test_an_export_keeps_its_place_until_it_is_sent(app):
    first = app.test_client().get("/games.jsonl", buffered=False)
    assert app.test_client().get("/games.jsonl").status_code == 429
    refused = app.test_client().get("/games.jsonl.gz", headers={"Accept": "application/json"})
    assert refused.json["error"]["title"] == "Busy"
    assert int(refused.headers["Retry-After"]) > 0
    first.close()
    assert app.test_client().get("/games.jsonl").data


def test_a_place_is_given_back_whatever_happens(app):
    client = app.test_client()
    for _ in range(4):
        assert client.head("/games.jsonl").status_code == 200
        assert client.get("/sql.json?q=nonsense").status_code == 400
        assert client.get("/games/none/review").status_code == 404
    assert all(not places.taken for places in app.extensions["places"].values())


def test_places_have_an_end_for_each_client_and_for_all(app):
    places = Places(RequestKind("", "", at_once=3, at_once_per_client=2))
    taken = [places.take("a"), places.take("a")]
    with pytest.raises(Exception, match="two of these at a time") as mine:
        places.take("a")
    taken.append(places.take("b"))
    with pytest.raises(Exception, match="as many of these as it can") as all_taken:
        places.take("c")
    assert (mine.value.code, all_taken.value.code) == (429, 503)
    taken[0].give_back()
    taken[0].give_back()
    taken.append(places.take("c"))
    assert places.taken == 3


def test_rates_are_counted_for_a_bounded_number_of_clients():
    storage = BoundedMemoryStorage()
    for number in range(MOST_COUNTERS + 500):
        storage.incr(f"client {number}", 60)
    assert len(storage.expirations) <= MOST_COUNTERS
    assert storage.incr(f"client {MOST_COUNTERS + 499}", 60) == 2
    assert len(storage.storage) <= MOST_COUNTERS


def test_a_counter_begins_again_when_its_time_is_over(monkeypatch):
    storage, now = BoundedMemoryStorage(), [1000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    assert [storage.incr("client", 60) for _ in range(3)] == [1, 2, 3]
    now[0] += 61
    assert (storage.get("client"), storage.incr("client", 60)) == (0, 1)


def test_requests_of_many_threads_are_all_counted_and_start_no_thread(monkeypatch):
    """The library starts a thread after a request, and raised RuntimeError when two threads started the same one."""
    storage = BoundedMemoryStorage()
    with ThreadPoolExecutor(8) as pool:
        every_thread = threading.Barrier(8)
        list(pool.map(lambda _: every_thread.wait(), range(8)))
        monkeypatch.setattr(threading.Thread, "start", None)
        counts = list(pool.map(lambda _: storage.incr("client", 60), range(2000)))
    assert sorted(counts) == list(range(1, 2001))


def test_turns_are_given_in_the_order_in_which_requests_came():
    turns, order = Turns(2), []
    turns.take(0)
    turns.take(0)

    def wait(number: int) -> None:
        turns.take(PATIENCE_SECONDS)
        order.append(number)

    waiting = [threading.Thread(target=wait, args=(number,)) for number in range(5)]
    for number, thread in enumerate(waiting):
        thread.start()
        wait_until(lambda number=number: len(turns._waiting) == number + 1)
    with pytest.raises(Busy):
        turns.take(0.01)
    assert len(turns._waiting) == 5
    for number, thread in enumerate(waiting):
        turns.give_back()
        thread.join(PATIENCE_SECONDS)
        assert order[-1] == number
    for _ in range(2):
        turns.give_back()
    turns.take(0)
    turns.take(0)
    with pytest.raises(Busy):
        turns.take(0.01)


def test_so_many_wait_for_a_turn_and_one_more_is_refused_at_once():
    turns = Turns(1)
    turns.take(0)
    waiting = [
        threading.Thread(target=turns.take, args=(PATIENCE_SECONDS,)) for _ in range(MOST_WAITING)
    ]
    for each in waiting:
        each.start()
    wait_until(lambda: len(turns._waiting) == MOST_WAITING)
    with pytest.raises(Busy) as refused:
        turns.take(PATIENCE_SECONDS)
    assert refused.value.code == 503
    assert len(turns._waiting) == MOST_WAITING
    for _ in waiting:
        turns.give_back()
    for each in waiting:
        each.join(PATIENCE_SECONDS)
    turns.give_back()
    turns.take(0)


def test_uploads_do_not_wait_behind_pages_nor_pages_behind_uploads(app):
    """Whatever one queue is busy with, the others go on; a turn ends with its request, whatever becomes of it."""
    client, turns = app.test_client(), app.extensions["turns"]
    paths = {
        "pages": "/rules",
        "questions": "/statistics/points_by_source",
        "uploads": "/verdicts?game=none",
    }
    for path in (*paths.values(), "/games/none", "/verdicts"):
        for _ in range(5):
            client.get(path)
    for queue in turns:
        for _ in range(TURNS[queue]):
            turns[queue].take(1)
        assert client.get("/health/live").status_code == 200
        assert (
            client.get(paths["questions" if queue != "questions" else "pages"]).status_code == 200
        )
        assert client.get(paths["uploads" if queue != "uploads" else "pages"]).status_code in (
            200,
            400,
            404,
        )
        for _ in range(TURNS[queue]):
            turns[queue].give_back()
