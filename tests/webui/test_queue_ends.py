"""Queues have ends: whoever asks for too much is told at once, and what waits is bounded."""

import errno
import threading
import time
from io import BytesIO

import pytest

from analyzer.store.store import Store
from records.selfplay import play_game
from tests.machine.waiting import PATIENCE_SECONDS, wait_until
from tests.make.stored_games import store_game
from webui.application import close_app
from webui.server import game_jobs
from webui.server.game_jobs import GameJob, GameJobQueue
from webui.server.imports_queue import ImportJob, IncomingFile, utc_now
from webui.server.jobs import JobQueue, QueueFull

GAMES = 6


@pytest.fixture
def busy(fresh, monkeypatch):
    """An application with some games, whose roll-outs and imports do not end."""
    gate = threading.Event()

    def wait(*arguments, **more):
        gate.wait(PATIENCE_SECONDS)
        return (part for part in ())

    monkeypatch.setattr(game_jobs.stored, "add_luck_estimate", wait)
    monkeypatch.setattr(type(fresh.extensions["imports"]), "work_on", wait)
    for seed in range(GAMES):
        store_game(fresh, play_game("bezique", seed=seed))
    yield fresh
    gate.set()
    close_app(fresh)


def ask(app, path, client, **how):
    return app.test_client().post(path, environ_base={"REMOTE_ADDR": client}, **how)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.EACCES, "Permission denied", "/secret"), "Permission denied"),
        (OSError("/secret is not a zip file"), "unknown error"),
        (OSError(), "unknown error"),
        (OSError(0, ""), "unknown error"),
        (TimeoutError(), "unknown error"),
    ],
)
def test_a_job_that_failed_says_why_and_never_that_it_succeeded(error, reason):
    class Failing(JobQueue[ImportJob]):
        def work_on(self, job):
            raise error

    queue = Failing("work", "job", 1, 1)
    job = ImportJob(id="a", files=[], created_at=utc_now(), queued_at=utc_now())
    queue._put(job)
    wait_until(lambda: not job.is_active)
    queue.close()
    assert (job.state, job.reason) == ("failed", f"A file cannot be used: {reason}.")


@pytest.mark.long
def test_rollouts_of_one_client_and_of_all_have_an_end(busy, monkeypatch):
    monkeypatch.setattr(busy.extensions["rollouts"], "most", 4)
    games = [game.digest for game in busy.extensions["store"].games().games]

    def start(number, client):
        return ask(busy, f"/games/{games[number]}/review/luck", client, data={"rollouts": 20})

    assert [start(number, "127.0.2.1").status_code for number in range(3)] == [303] * 3
    refused = start(3, "127.0.2.1")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert "3 luck estimates of yours are not finished" in refused.text
    assert start(0, "127.0.2.1").status_code == 303, "what waits already is not asked for again"
    assert start(3, "127.0.2.2").status_code == 303
    assert start(4, "127.0.2.3").status_code == 503
    ask(busy, f"/games/{games[2]}/review/luck/stop", "127.0.2.1")
    assert start(4, "127.0.2.3").status_code == 303


@pytest.mark.long
def test_imports_of_one_client_have_an_end(busy):
    def send(client):
        file = (BytesIO(b"x" * 2_000_000), "games.jsonl")
        return ask(busy, "/", client, data={"files": file}, headers={"X-Requested-With": "fetch"})

    assert [send("127.0.2.1").status_code for _ in range(5)] == [303] * 5
    refused = send("127.0.2.1")
    assert refused.status_code == 429
    assert "5 imports of yours are not finished" in refused.json["error"]["text"]
    assert send("127.0.2.2").status_code == 303
    queue = busy.extensions["imports"]
    assert len(list(queue.folder.iterdir())) == 6


def test_an_upload_that_fails_keeps_no_place(fresh):
    queue = fresh.extensions["imports"]

    def fail(path):
        raise OSError("no space")

    for number in range(10):
        with pytest.raises(OSError, match="no space"):
            queue.add(f"upload-{number}", [IncomingFile("a.jsonl", 1, fail)], "127.0.2.1")


class Errand(GameJob, eq=False, kw_only=True):
    """A job whose work is its name."""


class Errands(GameJobQueue[Errand]):
    """Three errands may wait. They stay at work until they are let go; the broken one fails."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, "errands", "errand")
        self.most = 3
        self.begun: list[str] = []
        self.noted: list[str] = []
        self.let_go = threading.Event()

    def terms_of(self, job):
        return "null"

    def progress_of(self, job):
        self.begun.append(job.digest)
        self.noted += [
            digest for (digest,) in self.store.rows("SELECT digest FROM work_requests").rows
        ]
        self.let_go.wait(PATIENCE_SECONDS)
        if job.digest == "broken":
            raise ValueError("broken")
        yield 1, 2
        yield 2, 2

    def ask(self, name, client=""):
        self.enter(Errand(digest=name), client or name)

    def state(self, name):
        return self.job(name).state


@pytest.fixture
def errands(fresh):
    queue = Errands(fresh.extensions["store"])
    yield queue
    queue.let_go.set()
    queue.close()


def test_what_is_asked_for_again_while_it_is_stopped_stays_noted(errands):
    errands.ask("a")
    wait_until(lambda: errands.begun == ["a"])
    errands.stop("a")
    errands.ask("a")
    errands.let_go.set()
    wait_until(lambda: errands.begun == ["a", "a"] and errands.state("a") == "done")
    assert errands.noted == ["a", "a"]
    wait_until(lambda: not errands.store.rows("SELECT digest FROM work_requests").rows)


def test_readers_of_a_queue_do_not_wait_for_the_store(errands):
    errands.ask("a")
    with errands.store.writing():
        asking = threading.Thread(target=errands.ask, args=("b",))
        asking.start()
        time.sleep(0.1)
        assert errands.jobs_before(errands.job("a")) == 0
    asking.join()
    assert errands.state("b") == "waiting"


def test_ended_jobs_give_their_place_back(errands):
    for name in ("a", "b", "c"):
        errands.ask(name)
    with pytest.raises(QueueFull, match="3 errands are not finished"):
        errands.ask("d")
    errands.stop("b")
    errands.ask("d")
    assert errands.state("d") == "waiting"


def test_jobs_are_done_in_their_order_but_for_those_that_are_stopped(errands):
    for name in ("first", "second", "third"):
        errands.ask(name)
    wait_until(lambda: errands.begun)
    assert [errands.jobs_before(errands.job(name)) for name in ("first", "second", "third")] == [0, 1, 2]  # fmt: skip
    errands.stop("second")
    errands.stop("second")
    assert errands.state("second") == "stopped"
    errands.ask("second")
    assert errands.jobs_before(errands.job("second")) == 2
    errands.let_go.set()
    wait_until(lambda: errands.state("second") == "done")
    assert errands.begun == ["first", "third", "second"]


def test_a_job_at_work_is_stopped_after_its_part(errands):
    errands.ask("first")
    wait_until(lambda: errands.begun)
    errands.stop("first")
    assert errands.job("first").is_active
    errands.let_go.set()
    wait_until(lambda: errands.state("first") == "stopped")
    assert errands.job("first").done == 1


def test_closing_waits_for_the_job_at_work_and_begins_no_other(errands):
    errands.ask("first")
    errands.ask("second")
    wait_until(lambda: errands.begun)
    threading.Timer(0.1, errands.let_go.set).start()
    errands.close()
    errands.ask("third")
    errands.close()
    assert [errands.state(name) for name in ("first", "second", "third")] == ["stopped", "waiting", "waiting"]  # fmt: skip
    assert errands.begun == ["first"]


def test_a_job_that_fails_is_told_and_logged_and_the_next_one_is_done(errands, caplog):
    errands.let_go.set()
    errands.ask("broken")
    errands.ask("whole")
    wait_until(lambda: errands.state("whole") == "done")
    assert errands.state("broken") == "failed"
    assert errands.job("broken").reason == "The server has an error. Details are in its log."
    assert "errands of broken failed" in caplog.text


def test_ended_rollouts_are_remembered_up_to_a_number(fresh, monkeypatch):
    monkeypatch.setattr(game_jobs, "MOST_ENDED_JOBS", 5)
    queue = fresh.extensions["rollouts"]
    queue.close()  # nothing is begun any more
    for number in range(20):
        queue.start(str(number), 20, client=str(number))
        queue.job(str(number)).end("done", "")
    assert [number for number in range(20) if queue.job(str(number))] == list(range(14, 20))
