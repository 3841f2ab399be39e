"""A deleted game goes to the trash, from which its sender and the admin bring it back; for good it is deleted on request."""

from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from records.format import codec
from records.selfplay import play_game

RECORDS = [codec.encode(play_game("zique", seed=seed, deals=1)) for seed in range(3)]


def stored(client: FlaskClient) -> list[bytes]:
    return sorted(client.get("/games.jsonl").data.splitlines())


def send(client: FlaskClient) -> str:
    """Store three games; the address of the upload."""
    files = {"files": (BytesIO(b"\n".join(RECORDS)), "a.jsonl")}
    address = client.post("/look", data=files).location
    client.application.extensions["looks"].wait(address.rpartition("/")[2], None)
    return client.post(f"{address}/store").location


def digests(client: FlaskClient) -> list[str]:
    return [game["digest"] for game in client.get("/index.json").json["games"]]


@pytest.mark.long
def test_a_sender_undoes_an_upload_as_a_whole_and_brings_it_back(fresh_client: FlaskClient):
    address = send(fresh_client)
    page = fresh_client.post(f"{address}/undo", follow_redirects=True).text
    assert "Moved 3 games to the trash." in page
    assert stored(fresh_client) == []
    page = fresh_client.post(f"{address}/restore", follow_redirects=True).text
    assert "Brought back 3 games." in page
    assert stored(fresh_client) == sorted(RECORDS)


@pytest.mark.long
def test_a_sender_undoes_one_game(fresh_client: FlaskClient):
    address = send(fresh_client)
    one = digests(fresh_client)[0]
    fresh_client.post(f"{address}/undo", data={"game": one})
    assert len(stored(fresh_client)) == 2
    assert one not in digests(fresh_client)
    assert [each["digest"] for each in fresh_client.get("/trash.json").json] == [one]
    fresh_client.post(f"{address}/restore", data={"game": one})
    assert stored(fresh_client) == sorted(RECORDS)


@pytest.mark.long
def test_a_sender_reaches_no_game_of_another(fresh: Flask, fresh_client: FlaskClient):
    own = send(fresh_client)
    other = fresh.test_client()
    other.post("/", data={"record": codec.encode(play_game("zique", seed=9, deals=1)).decode()})
    (game,) = set(digests(other)) - set(fresh_client.get(f"{own}.json").json["games"])
    assert fresh_client.post(f"{own}/undo", data={"game": game}).status_code == 404
    assert fresh.test_client().post(f"{own}/undo").status_code == 404
    assert len(stored(fresh_client)) == 4


@pytest.mark.long
def test_the_admin_sees_the_trash_and_empties_it(fresh_client: FlaskClient):
    send(fresh_client)
    for digest in digests(fresh_client):
        fresh_client.post(f"/games/{digest}/delete")
    assert "3 deleted games" in fresh_client.get("/trash").text
    fresh_client.post("/trash/restore")
    assert stored(fresh_client) == sorted(RECORDS)
    first, second, third = digests(fresh_client)
    fresh_client.post(f"/games/{first}/delete", data={"for_good": "1"})
    assert "The trash is empty." in fresh_client.get("/trash").text
    for digest in (second, third):
        fresh_client.post(f"/games/{digest}/delete")
    fresh_client.post("/trash/empty", data={"game": second})
    assert [each["digest"] for each in fresh_client.get("/trash.json").json] == [third]
    fresh_client.post("/trash/empty")
    assert fresh_client.get("/trash.json").json == []
    assert stored(fresh_client) == []


def test_strangers_see_no_trash(open_site):
    visitor = open_site().test_client()
    for path in ("/trash", "/trash.json"):
        assert visitor.get(path, base_url="https://bezique.example").status_code in (401, 403, 421)
