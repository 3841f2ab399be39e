"""Queues have ends: whoever asks for too much is told at once, and what waits is bounded."""

import threading
from io import BytesIO

import pytest

from analyzer.ingest.loader import ingest_bytes
from records import codec
from records.selfplay import play_game
from tests.waiting import PATIENCE_SECONDS
from webui.application import close_app
from webui.jobs import game_jobs, rollouts
from webui.jobs.imports import IncomingFile
from webui.jobs.queue_end import QueueEnd, QueueFull

GAMES = 6


@pytest.fixture
def busy(fresh, monkeypatch):
    """An application with some games, whose roll-outs and imports do not end."""
    gate = threading.Event()

    def wait(*arguments, **more):
        gate.wait(PATIENCE_SECONDS)
        return (part for part in ())

    monkeypatch.setattr(rollouts.stored_annotations, "add_luck_estimate", wait)
    monkeypatch.setattr(type(fresh.extensions["imports"]), "_import", wait)
    for seed in range(GAMES):
        ingest_bytes(
            fresh.extensions["store"], "game.json", codec.encode(play_game("bezique", seed=seed))
        )
    yield fresh
    gate.set()
    close_app(fresh)


def ask(app, path, client, **how):
    return app.test_client().post(path, environ_base={"REMOTE_ADDR": client}, **how)


def test_rollouts_of_one_client_and_of_all_have_an_end(busy, monkeypatch):
    monkeypatch.setattr(busy.extensions["rollouts"]._end, "most", 4)
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


def test_ended_tasks_give_their_place_back():
    unfinished = {"a", "b"}
    end = QueueEnd("task", 2, 2, unfinished.__contains__)
    end.enter("a", "x")
    end.enter("b", "y")
    with pytest.raises(QueueFull, match="2 tasks are not finished"):
        end.enter("c", "z")
    unfinished.remove("a")
    end.enter("c", "z")


def test_ended_rollouts_are_remembered_up_to_a_number(fresh, monkeypatch):
    monkeypatch.setattr(game_jobs, "MOST_ENDED_JOBS", 5)
    queue = fresh.extensions["rollouts"]
    queue._queue.close()
    for number in range(20):
        queue.start(str(number), 20, str(number))
        queue._jobs[str(number)].state = "done"
    assert len(queue._jobs) <= 6
