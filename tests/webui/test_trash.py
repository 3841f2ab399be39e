"""A deleted game goes to the trash, from which its sender and the admin bring it back; for good it is deleted on request."""

import re
from datetime import datetime, timedelta
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from analyzer.upkeep.trash import TRASH_DAYS
from records.format import codec
from records.selfplay import play_game
from tests.webui.public_site import Browser
from tests.webui.test_sent import upload_small

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


@pytest.mark.slow
def test_a_sender_sees_all_games_in_the_order_of_the_file(fresh_client: FlaskClient):
    many = [codec.encode(play_game("zique", seed=seed, deals=1)) for seed in range(43)]
    files = {"files": (BytesIO(b"\n".join(many)), "a.jsonl")}
    address = fresh_client.post("/look", data=files).location
    fresh_client.application.extensions["looks"].wait(address.rpartition("/")[2], None)
    address = fresh_client.post(f"{address}/store").location
    seen, lines = [], []
    for number in (1, 2, 3):
        page = fresh_client.get(f"{address}?page={number}").text
        assert ('rel="next"' in page) == (number < 3)
        lines += [int(line) for line in re.findall(r"a\.jsonl, line (\d+)</button>", page)]
        seen += re.findall(r'class="game-link" href="/games/(\w+)"', page)
    wanted = [codec.digest(codec.decode(record).record)[:12] for record in many]
    assert [digest[:12] for digest in seen] == wanted
    assert lines == [*range(1, 44)]
    assert fresh_client.get(f"{address}?page=99999999999999999999").status_code == 200


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
    asked = fresh_client.get(f"/games/{first}/delete").text
    assert 'name="for_good"' not in asked
    asked = fresh_client.get(f"/games/{first}/delete?for_good=1").text
    assert "Delete this game for good?" in asked
    assert stored(fresh_client) == sorted(RECORDS), "asking deletes nothing"
    fresh_client.post(f"/games/{first}/delete", data={"for_good": "1"})
    assert "The trash is empty." in fresh_client.get("/trash").text
    for digest in (second, third):
        fresh_client.post(f"/games/{digest}/delete")
    fresh_client.post("/trash/empty", data={"game": second})
    assert [each["digest"] for each in fresh_client.get("/trash.json").json] == [third]
    fresh_client.post("/trash/empty")
    assert fresh_client.get("/trash.json").json == []
    assert stored(fresh_client) == []


def deleted(client: FlaskClient, digest: str) -> str:
    """The page after deleting a game."""
    return client.post(f"/games/{digest}/delete", follow_redirects=True).text


@pytest.mark.long
def test_what_was_deleted_by_mistake_is_one_click_away(fresh_client: FlaskClient):
    send(fresh_client)
    one = digests(fresh_client)[0]
    page = deleted(fresh_client, one)
    notice = page.partition('<div class="notice">')[2].partition("</div></div>")[0]
    assert 'href="/trash"' in notice
    assert 'action="/trash/restore"' in notice
    assert f'name="game" value="{one}"' in notice
    gone = fresh_client.get(f"/games/{one}")
    assert gone.status_code == 404
    assert "in the trash" in gone.text
    assert 'href="/trash">' in gone.text
    unknown = fresh_client.get(f"/games/{'0' * 64}")
    assert "in the trash" not in unknown.text
    assert 'href="/games">All games' in unknown.text
    assert 'href="/trash"' in fresh_client.get("/games").text
    fresh_client.post("/trash/restore", data={"game": one})
    assert stored(fresh_client) == sorted(RECORDS)


@pytest.mark.long
def test_a_row_of_the_trash_tells_the_day_and_the_score(fresh_client: FlaskClient):
    record = play_game("zique", seed=5, deals=1)
    record.meta = {"date": "2026-03-05"}
    fresh_client.post("/", data={"record": codec.encode(record).decode()})
    (game,) = fresh_client.get("/index.json").json["games"]
    deleted(fresh_client, game["digest"])
    (row,) = fresh_client.get("/trash.json").json
    assert row["day"] == "2026-03-05"
    assert row["scores"] == game["scores"]
    page = fresh_client.get("/trash").text
    for words in ("5 March 2026", *(f"{points:,}</b>" for points in game["scores"])):
        assert words in page


@pytest.mark.long
def test_nothing_is_deleted_for_good_at_one_tap(fresh_client: FlaskClient):
    send(fresh_client)
    one, two, _ = digests(fresh_client)
    for digest in (one, two):
        deleted(fresh_client, digest)
    page = fresh_client.get("/trash").text
    assert 'action="/trash/empty"' not in page
    assert "Empty the trash?" in fresh_client.get("/trash/empty").text
    assert "2 games for good" in fresh_client.get("/trash/empty").text
    assert "Delete this game for good?" in fresh_client.get(f"/trash/empty?game={one}").text
    assert len(fresh_client.get("/trash.json").json) == 2, "asking deletes nothing"


@pytest.mark.long
def test_two_tabs_are_told_what_became_of_a_game(fresh_client: FlaskClient):
    send(fresh_client)
    one, two, _ = digests(fresh_client)

    def told(address: str, digest: str) -> str:
        return fresh_client.post(address, data={"game": digest}, follow_redirects=True).text

    deleted(fresh_client, one)
    assert "Brought back 1 game." in told("/trash/restore", one)
    assert "The game was brought back already." in told("/trash/empty", one)
    assert "The game was brought back already." in told("/trash/restore", one)
    deleted(fresh_client, two)
    told("/trash/empty", two)
    assert "The game was deleted for good already." in told("/trash/restore", two)
    again = fresh_client.get(f"/trash/empty?game={two}").text
    assert "The game was deleted for good already." in again
    assert stored(fresh_client) == [line for line in sorted(RECORDS) if codec.digest(codec.decode(line).record) != two]  # fmt: skip


def test_strangers_learn_nothing_of_what_was_deleted(open_site):
    site = open_site()
    admin, visitor = Browser(site).log_in(), Browser(site)
    record = play_game("zique", seed=6, deals=1)
    upload_small(admin, codec.encode(record))
    digest = codec.digest(record)
    admin.post(f"/games/{digest}/delete", form=f"/games/{digest}/delete")
    assert "in the trash" in admin.get(f"/games/{digest}").text
    gone = visitor.get(f"/games/{digest}")
    assert gone.status_code == 404
    assert "trash" not in gone.text
    assert "trash" not in visitor.get("/games").text


@pytest.mark.long
def test_a_sender_is_told_what_became_of_the_own_game_and_nobody_else(open_site):
    site = open_site(visitors_may=["upload", "read"])
    sender, other = Browser(site), Browser(site)
    records = [play_game("zique", seed=seed, deals=1) for seed in (6, 7)]
    link = upload_small(sender, codec.encode(records[0]))
    upload_small(other, codec.encode(records[1]))
    digest = codec.digest(records[0])
    unknown = other.get(f"/games/{'0' * 64}").text
    Browser(site).log_in().post(f"/games/{digest}/delete", form=f"/games/{digest}/delete")
    for name in (digest, digest[:12]):
        for path in (f"/games/{name}", f"/games/{name}/deals/1"):
            told = sender.get(path)
            assert told.status_code == 404
            assert "This game is in the trash" in told.text
            days = re.search("deleted on (.*?). You can bring it back until (.*?)[.]", told.text)
            deleted, until = (datetime.strptime(each, "%d %B %Y") for each in days.groups())
            assert until - deleted == timedelta(days=TRASH_DAYS)
            assert f'href="{link.partition("#")[0]}"' in told.text
            assert other.get(path).text == unknown
            assert Browser(site).get(path).text == unknown
        assert "trash" not in sender.get(f"/api/v1/games/{name}").text
    sender.post(f"{link.partition('#')[0]}/delete", form=link.partition("#")[0])
    assert "trash" not in sender.get(f"/games/{digest}").text


@pytest.mark.long
def test_programs_list_bring_back_and_empty_the_trash(fresh: Flask, fresh_client: FlaskClient):
    send(fresh_client)
    deleted_ones = digests(fresh_client)
    for digest in deleted_ones:
        fresh_client.delete(f"/api/v1/games/{digest}")
    listed = fresh_client.get("/api/v1/trash").json
    assert listed == {"games": fresh_client.get("/trash.json").json, "total": 3}
    (second,) = fresh_client.get("/api/v1/trash?limit=1&offset=1").json["games"]
    assert second == listed["games"][1]
    asked = {"games": [deleted_ones[0][:12], "0" * 64, deleted_ones[0]]}
    assert fresh_client.post("/api/v1/trash/restore", json=asked).json == {"restored": 1}
    assert digests(fresh_client) == deleted_ones[:1]
    assert fresh_client.delete(f"/api/v1/trash/{deleted_ones[1][:12]}").status_code == 204
    for unknown in (deleted_ones[1], deleted_ones[0], "0" * 64):
        gone = fresh_client.delete(f"/api/v1/trash/{unknown}")
        assert (gone.status_code, gone.json["title"]) == (404, "Not found")
    assert fresh_client.delete("/api/v1/trash").json == {"deleted": 1}
    assert fresh_client.get("/api/v1/trash").json == {"games": [], "total": 0}
    assert fresh_client.post("/api/v1/trash/restore", json={"games": []}).status_code == 400


def test_a_game_stored_at_once_is_undone_as_the_answer_says(fresh_client: FlaskClient):
    page = fresh_client.post("/", data={"record": RECORDS[0].decode()}, follow_redirects=True).text
    assert "delete the game at the foot of its page" in page
    again = fresh_client.post("/", data={"record": RECORDS[0].decode()}, follow_redirects=True).text
    assert "at the foot of its page" not in again


def test_a_refusal_leads_back_to_where_the_form_was(fresh_client: FlaskClient):
    address = send(fresh_client)
    form = {"subject": "x"}
    digest = digests(fresh_client)[0]
    undo = f"/games/{digest}/corrections/7/undo"
    own = f"http://localhost/games/{digest}"
    page = fresh_client.post(undo, data=form, headers={"Referer": own})
    assert page.status_code == 409
    assert f'href="{own}">Go back</a>' in page.text
    for other in ("https://elsewhere.example/", "//elsewhere.example", "http://localhost.example/", ""):  # fmt: skip
        page = fresh_client.post(undo, data=form, headers={"Referer": other})
        assert "Go back" not in page.text
    assert address


def test_strangers_see_no_trash(open_site):
    visitor = open_site().test_client()
    for path in ("/trash", "/trash.json"):
        assert visitor.get(path, base_url="https://bezique.example").status_code in (401, 403, 421)
