"""Large uploads: imported in the background, one at a time, and resumed after an interruption."""

import io
import re
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from records.format import codec
from records.selfplay import play_game
from records.validator import check
from tests.machine.waiting import wait_until
from tests.make.empty_store import with_empty_database
from tests.webui.held_imports import held_imports
from webui import create_app
from webui.application import close_app
from webui.views.home import MOST_RECORDS_AT_ONCE

GAMES = 40


@pytest.fixture(scope="module")
def lines() -> bytes:
    games = [codec.encode(play_game("marjolet", seed=seed)) for seed in range(GAMES)]
    return b"\n".join([*games, b"{}"]) + b"\n"


def site(data: Path, **settings: object) -> Flask:
    given = {"wtf_csrf_enabled": False, "large_upload": 1000, "import_processes": 0}
    return create_app(data=with_empty_database(data), testing=True, **{**given, **settings})


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = site(tmp_path)
    yield app
    close_app(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    with held_imports(2_000) as gate:
        yield gate


def upload(client: FlaskClient, data: bytes, name: str = "season.jsonl") -> str:
    answer = client.post("/", data={"files": (io.BytesIO(data), name)})
    assert answer.status_code == 303
    return answer.location


def wait(client: FlaskClient, address: str, states: tuple[str, ...] = ("done",)) -> dict:
    wait_until(lambda: client.get(f"{address}.json").json["state"] in states, pause=0.05)
    return client.get(f"{address}.json").json


def begun(client: FlaskClient) -> None:
    """Wait until something of an import is stored."""
    wait_until(lambda: client.application.extensions["store"].counts().games)


@pytest.mark.long
def test_a_large_file_is_stored_behind_the_page(client, app, lines):
    address = upload(client, lines)
    told = wait(client, address)
    assert (told["games"], told["rejected"], told["percent"]) == (f"{GAMES}", "1", "100 %")
    assert app.extensions["store"].counts().games == GAMES
    text = client.get(address).text
    assert f"{GAMES} games stored, 1 unreadable" in text
    assert "season.jsonl, line 41" in text
    assert 'http-equiv="refresh"' not in text
    key = address.rsplit("/", 1)[1]
    assert f"{GAMES} games" in client.get(f"/games?import={key}").text
    assert not list((Path(app.config["DATA"]) / "uploads" / key).glob("0-*"))
    assert "season.jsonl" in client.get("/imports").text


@pytest.mark.long
def test_what_was_found_leads_to_its_games(client, app, illegal):
    address = upload(
        client, codec.encode(illegal) + b"\n" + codec.encode(play_game("zique", seed=1))
    )
    wait(client, address)
    text = client.get(address).text
    ((link, games),) = re.findall(r'href="(/games\?[^"]*finding=out-of-turn[^"]*)">(\d+)<', text)
    assert games == "1"
    listed = client.get(link.replace("&amp;", "&")).text
    assert "1 game" in listed
    assert "finding out-of-turn" in listed


@pytest.mark.long
def test_nobody_waits_for_very_many_records_however_small(tmp_path):
    app = site(tmp_path, large_upload=1_000_000)
    client, most = app.test_client(), b"{}\n" * MOST_RECORDS_AT_ONCE
    file, pasted = {"files": (io.BytesIO(most + b"{}"), "a.jsonl")}, {"record": most + b"{}"}
    answers = [client.post("/", data=data) for data in (file, pasted, {"record": most})]
    close_app(app)
    assert [answer.status_code for answer in answers] == [303, 413, 200]
    assert answers[0].location.startswith("/imports/")
    assert f"Up to {MOST_RECORDS_AT_ONCE} records can be pasted." in answers[1].text


@pytest.mark.long
def test_the_page_says_what_each_number_counts(client):
    known, illegal = play_game("marjolet", seed=1), play_game("marjolet", seed=2)
    for record in (known, illegal):
        events = record.deals[0].events
        events[1] = replace(events[1], seat=events[0].seat)
    upload_alone = upload(client, codec.encode(known), "known.json")
    wait(client, upload_alone)
    parts = [codec.encode(known), codec.encode(illegal), b"{}"]
    address = upload(client, b"\n".join(parts) + b"\n")
    told, text = wait(client, address), client.get(address).text
    own, others = (len(check(part).findings) for part in parts[1:2] + parts[:1])
    listed = re.findall(r'<td class="number">(\d+)</td><td class="number"><a href="/games', text)
    assert sum(map(int, listed)) == own
    assert "<h3>Findings in the games stored</h3>" in text
    assert int(told["findings"]) > own + others, "the record that cannot be read has one, too"
    assert "<dt>Findings in all records</dt>" in text
    assert f"All records together have {told['findings']} findings: these, and those in" in text
    deals = len(known.deals) + len(illegal.deals)
    assert "1 game stored, 1 already stored, 1 unreadable." in text
    assert re.search(
        rf"{deals} deals were read in .*, including those of games already stored\.", text
    )
    alone = client.get(upload_alone).text
    assert "All records together" not in alone
    assert re.search(rf"1 game stored. {len(known.deals)} deals were read in \d+ seconds?\.", alone)


@pytest.mark.slow
def test_one_import_waits_for_the_other(client, lines, gate):
    first, second = upload(client, lines), upload(client, lines, "again.jsonl")
    begun(client)
    assert client.get(f"{first}.json").json["state"] == "running"
    page = client.get(second).text
    assert "Waiting for 1 other import" in page
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "Import in progress" in client.get("/").text
    gate.set()
    wait(client, first)
    assert wait(client, second)["games"] == f"{GAMES}"
    assert f"0 games stored, {GAMES} already stored" in client.get(second).text


@pytest.mark.slow
def test_a_stopped_import_goes_on_from_there(client, app, lines, gate):
    address = upload(client, lines)
    begun(client)
    assert client.post(f"{address}/stop").status_code == 303
    gate.set()
    stopped = wait(client, address, ("stopped",))
    kept = app.extensions["store"].counts().games
    assert 0 < kept < GAMES
    assert stopped["games"] == f"{kept}"
    assert re.search(rf"\b{kept} games? (was|were) stored", client.get(address).text)
    client.post(f"{address}/resume")
    wait(client, address)
    assert f"{GAMES} games stored, 1 unreadable" in client.get(address).text


@pytest.mark.slow
def test_the_end_of_the_server_is_told_and_survived(tmp_path, lines, gate):
    app = site(tmp_path)
    address = upload(app.test_client(), lines)
    waiting = upload(app.test_client(), lines, "later.jsonl")
    begun(app.test_client())
    threading.Timer(0.2, gate.set).start()
    close_app(app)
    app = site(tmp_path)
    client = app.test_client()
    text = client.get(address).text
    assert "Interrupted: the server was stopped" in text
    assert "Import not finished" in client.get("/").text
    assert client.get(f"{waiting}.json").json["state"] == "interrupted"
    for one in (address, waiting):
        client.post(f"{one}/resume")
        wait(client, one)
    assert f"{GAMES} games stored" in client.get(address).text
    assert app.extensions["store"].counts().games == GAMES
    close_app(app)


@pytest.mark.long
def test_what_is_discarded_is_gone_and_what_was_stored_stays(client, app, lines, gate):
    address = upload(client, lines)
    begun(client)
    assert client.post(f"{address}/discard").status_code == 303
    assert client.get(address).status_code == 200, "it is still at work"
    client.post(f"{address}/stop")
    gate.set()
    wait(client, address, ("stopped",))
    client.post(f"{address}/discard")
    assert client.get(address).status_code == 404
    assert client.get(f"/games?import={address.rsplit('/', 1)[1]}").status_code == 404
    assert app.extensions["store"].counts().games > 0


@pytest.mark.slow
def test_a_file_that_vanished_is_told(client, app, lines, gate):
    first, second = upload(client, lines), upload(client, lines, "gone.jsonl")
    begun(client)
    (path,) = (Path(app.config["DATA"]) / "uploads" / second.rsplit("/", 1)[1]).glob("0-*")
    path.unlink()
    gate.set()
    wait(client, first)
    wait(client, second, ("failed",))
    assert "No such file" in client.get(second).text


def test_an_import_is_asked_for_by_its_own_key_only(client):
    assert client.get("/imports/..%2f..%2fsession-key").status_code == 404
    assert client.get("/imports/none.json").status_code == 404
    assert client.post("/imports/none/resume").status_code == 404
    assert "No large file has been imported yet" in client.get("/imports").text


def test_a_wait_for_an_import_that_is_cut_short_leaves_no_other_work_going(tmp_path, monkeypatch):
    """A thread at work keeps the process alive, so a second Ctrl-C must still reach every queue."""
    app = create_app(data=tmp_path)
    closed = []

    def cut_short() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(app.extensions["imports"], "close", cut_short)
        for name in ("rollouts", "ratings"):
            patch.setattr(app.extensions[name], "close", partial(closed.append, name))
        with pytest.raises(KeyboardInterrupt):
            close_app(app)
    assert closed == ["rollouts", "ratings"]
    close_app(app)
