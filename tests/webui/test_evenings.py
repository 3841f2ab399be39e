"""An evening on the site: its forms without a script, what they refuse, who may use them, and what a refresh costs."""

import re
from datetime import date
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from analyzer.ingest.loader import ingest_bytes
from records.format import codec
from records.selfplay import play_game
from tests.webui.public_site import Browser

EVENING = {"event": "Thursday club", "day": "2026-03-05", "system": "swiss"}


@pytest.fixture
def evening(fresh_client):
    """The address of an evening of five, with one round."""
    address = fresh_client.post("/evenings", data=EVENING).headers["Location"]
    send(fresh_client, address, kind="arrival", name=["Ann", "Bob", "Cleo", "", "Ann"])
    send(fresh_client, address, kind="arrival", name=["Dan", "Eve", "Cleo"])
    send(fresh_client, address, kind="pairing", round=1)
    return address


def send(client, address, **fields):
    answer = client.post(address, data=fields)
    assert answer.status_code == 303
    return answer


def tell(client, address, **fields):
    """What the page says after a form was sent."""
    place = send(client, address, **fields).headers["Location"]
    text = client.get(place.partition("#")[0]).text
    return " ".join(re.findall(r'<p class="notice" role="status">(.*?)</p>', text))


def state(client, address):
    return client.get(f"{address}.json").json


def typing(table, outcome, **more):
    return {"kind": "typing", "round": 1, "first": table[0], "second": table[1], "outcome": outcome, "over": 0, **more}  # fmt: skip


def test_an_evening_begins_with_players_and_a_round(fresh_client, evening):
    found = state(fresh_client, evening)
    assert [player["name"] for player in found["players"]] == ["Ann", "Bob", "Cleo", "Dan", "Eve"]
    (first,) = found["rounds"]
    assert [table["players"] for table in first["tables"]] == [["Ann", "Cleo"], ["Bob", "Dan"]]
    assert first["bye"] == "Eve"
    assert found["standing"][0]["name"] == "Eve"
    page = fresh_client.get(evening).text
    for words in ("Table 2", "Eve sits out, for one point", "Pair round 2", "2 results of round 1"):
        assert words in page
    assert "Thursday club, 5 March 2026" in fresh_client.get("/events").text
    assert fresh_client.get("/events.json").json["evenings"] == [
        {"evening": 1, "event": "Thursday club", "day": "2026-03-05"}
    ]
    assert str(date.today()) in fresh_client.get("/events").text


def test_a_table_leads_to_where_its_game_is_entered(fresh_client, evening):
    page = fresh_client.get(evening).text
    places = [unescape(each) for each in re.findall(r'href="(/record[?][^"]+)"', page)]
    assert len(places) == 2
    asked = parse_qs(urlsplit(places[1]).query)
    assert asked.pop("player") == ["Bob", "Dan"]
    assert asked == {"event": ["Thursday club"], "round": ["1"], "table": ["2"], "date": ["2026-03-05"]}  # fmt: skip
    assert fresh_client.get(places[1]).status_code == 200


def test_people_come_late_leave_and_are_renamed(fresh_client, evening):
    send(fresh_client, evening, kind="absence", player=2, away=1)
    send(fresh_client, evening, kind="arrival", name="Zoe")
    send(fresh_client, evening, kind="naming", player=4, name="Daniel")
    page = fresh_client.get(evening).text
    assert "Bob (left)" in page
    assert "<b>Daniel</b>" in page
    send(fresh_client, evening, kind="pairing", round=2)
    second = state(fresh_client, evening)["rounds"][1]
    seated = [name for table in second["tables"] for name in table["players"]] + [second["bye"]]
    assert sorted(seated) == ["Ann", "Cleo", "Daniel", "Eve", "Zoe"]
    assert second["bye"] != "Eve"
    send(fresh_client, evening, kind="arrival", name="Bob")
    assert "Bob (left)" not in fresh_client.get(evening).text


def test_a_round_is_paired_once_however_often_it_is_pressed(fresh_client, evening):
    assert "paired already" in tell(fresh_client, evening, kind="pairing", round=1)
    assert len(state(fresh_client, evening)["rounds"]) == 1
    send(fresh_client, evening, kind="swap", round=1, first=1, second=5)
    first = state(fresh_client, evening)["rounds"][0]
    assert (first["tables"][0]["players"], first["bye"]) == (["Eve", "Cleo"], "Ann")
    send(fresh_client, evening, kind="removal", round=1, typed=0)
    assert state(fresh_client, evening)["rounds"] == []


@pytest.mark.long
def test_a_typed_result_stands_until_a_record_comes(fresh_client, store, evening):
    send(fresh_client, evening, **typing((2, 4), "second", first_points=760, second_points="1050"))
    page = fresh_client.get(evening).text
    assert "0 – 1" in page
    assert "1 result is typed, and no record has it" in page
    record = play_game("zique", seed=1, names=["Dan", "Bob"])
    record.meta = {"event": "Thursday club", "round": 1, "started": "2026-03-05T19:30:00Z"}
    scores = record.result.scores
    ingest_bytes(store, "game.json", codec.encode(record))
    (_, table) = state(fresh_client, evening)["rounds"][0]["tables"]
    assert table["source"] == "record"
    assert table["points"] == scores[::-1]
    assert table["winner"] == ("Dan", "Bob")[scores[1] > scores[0]]
    page = fresh_client.get(evening).text
    assert ("typed as 0 – 1; the record counts" in page) == (table["winner"] == "Bob")
    assert "One of them has a record" in tell(fresh_client, evening, kind="swap", round=1, first=2, second=1)  # fmt: skip
    assert "/evenings/1" in fresh_client.get("/standings?event=Thursday+club").text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "typing"}, "Choose who won"),
        (typing((1, 3), "first", first_points="5"), "Write the points of both"),
        (typing((1, 3), "first", first_points="5", second_points="-1"), "A number"),
        (typing((1, 2), "first"), "do not meet"),
        (typing((1, 3), "first", over=7), "Somebody else typed a result"),
        ({"kind": "absence", "player": "9" * 40, "away": 1}, "A number"),
        ({"kind": "absence", "player": 6}, "no such player"),
        ({"kind": "naming", "player": 1, "name": "Bob"}, "among the players already"),
        ({"kind": "arrival", "name": "x" * 1000}, "at most 100"),
        ({"kind": "arrival", "name": [f"Player {n}" for n in range(90)]}, "at most 64 players"),
        ({"kind": "swap", "round": 1, "first": 1, "second": 1}, "two players"),
        ({"kind": "removal", "round": 1, "typed": 3}, "Somebody else changed"),
        ({"kind": "opening", "event": "Club", "day": "tomorrow", "system": "swiss"}, "A day"),
        ({"kind": "opening", "event": "Club", "day": "2026-03-05", "system": "cup"}, "Choose how"),
        ({"kind": "opening", "event": "x" * 300, "day": "2026-03-05", "system": "swiss"}, "at most 200"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_and_changes_nothing(fresh_client, evening, fields, words):
    before = state(fresh_client, evening)
    assert words in tell(fresh_client, evening, **fields)
    assert state(fresh_client, evening) == before


def test_addresses_that_lead_nowhere(fresh_client, evening):
    for key in ("2", "0", "9" * 30):
        assert fresh_client.get(f"/evenings/{key}").status_code == 404
    assert fresh_client.post(evening, data={"kind": "other"}).status_code == 400
    assert fresh_client.get(f"{evening}?round=9").status_code == 200
    assert fresh_client.post("/evenings", data={}).status_code == 303
    send(fresh_client, f"{evening}/delete")
    assert state(fresh_client, evening)["rounds"]
    send(fresh_client, evening, kind="removal", round=1, typed=0)
    send(fresh_client, f"{evening}/delete")
    assert fresh_client.get(evening).status_code == 404


def test_a_refresh_gets_nothing_while_nothing_has_changed(fresh_client, evening):
    commit = re.search(r'data-refresh="(\d+)"', fresh_client.get(evening).text)[1]
    assert fresh_client.get(f"{evening}?since={commit}").status_code == 204
    send(fresh_client, evening, kind="absence", player=1, away=1)
    assert fresh_client.get(f"{evening}?since={commit}").status_code == 200


@pytest.mark.long
def test_visitors_see_an_evening_and_no_form(open_site):
    site = open_site()
    place = Browser(site).log_in().post("/evenings", form="/events", **EVENING).headers["Location"]
    visitor = Browser(site)
    page = visitor.get(place).text
    assert "Thursday club" in page
    assert "<form" not in page.split("<main")[1].split("</main>")[0]
    assert visitor.post(place, kind="arrival", name="Eve").status_code == 403
