"""An evening on the site: its forms without a script, what they refuse, who may use them, and what a refresh costs."""

import re
from datetime import date
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.ingest.renaming import rename_player
from records.format import codec
from records.selfplay import play_game
from tests.webui.public_site import Browser
from webui.views import evenings as views

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
    """What the page says after a form was sent that was taken."""
    place = send(client, address, **fields).headers["Location"]
    text = client.get(place.partition("#")[0]).text
    return " ".join(re.findall(r'<p class="notice" role="status">(.*?)</p>', text))


def refuse(client, address, **fields):
    """The page after a form was sent that was refused, and what it says."""
    answer = client.post(address, data=fields)
    assert answer.status_code == 409
    (words,) = re.findall(
        r'<p class="problem" role="alert" id="refused"[^>]*>(.*?)</p>', answer.text
    )
    return answer.text, unescape(words)


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
    send(fresh_client, evening, kind="pairing", round=2, all_the_same=1)
    second = state(fresh_client, evening)["rounds"][1]
    seated = [name for table in second["tables"] for name in table["players"]] + [second["bye"]]
    assert sorted(seated) == ["Ann", "Cleo", "Daniel", "Eve", "Zoe"]
    assert second["bye"] != "Eve"
    send(fresh_client, evening, kind="arrival", name="Bob")
    assert "Bob (left)" not in fresh_client.get(evening).text


def test_a_round_is_paired_once_however_often_it_is_pressed(fresh_client, evening):
    assert "paired already" in refuse(fresh_client, evening, kind="pairing", round=1)[1]
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
    said = " ".join(re.sub("<[^>]+>", "", page).split())
    is_otherwise = table["winner"] == "Bob"
    assert ("record counts, and not 0 – 1, as somebody typed" in said) == is_otherwise
    late = typing((2, 4), "draw", first_points="1", second_points="2", over=10)
    assert "result of this table" in refuse(fresh_client, evening, **late)[1]
    assert "One of them has a record" in refuse(fresh_client, evening, kind="swap", round=1, first=2, second=1)[1]  # fmt: skip
    assert "/evenings/1" in fresh_client.get("/standings?event=Thursday+club").text


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "typing"}, "Choose who won"),
        (typing((1, 3), ""), "Choose who won, or write the points of both"),
        (typing((1, 3), "first", first_points="5"), "Write the points of both"),
        (typing((1, 3), "first", first_points="5", second_points="-1"), "A number"),
        (typing((1, 2), "first"), "do not meet"),
        (typing((1, 3), "first", first_points="100", second_points="900"), "Ann cannot have won"),
        (typing((1, 3), "draw", first_points="10", second_points="900"), "same points"),
        ({"kind": "arrival", "name": ["", " "]}, "Nobody was named"),
        ({"kind": "deletion", "player": 1}, "Ann can only leave"),
        ({"kind": "deletion", "player": 9}, "no such player"),
        ({"kind": "pairing", "round": 2}, "2 results of round 1 are open"),
        ({"kind": "removal", "round": 9, "typed": 0, "shown": "9" * 5000}, "not paired"),
        (typing((1, 3), "first", over=7), "Somebody else typed a result"),
        ({"kind": "absence", "player": "9" * 40, "away": 1}, "A number"),
        ({"kind": "absence", "player": 6}, "no such player"),
        ({"kind": "naming", "player": 1, "name": "Bob"}, "The list has"),
        ({"kind": "arrival", "name": "x" * 1000}, "at most 100"),
        ({"kind": "arrival", "name": [f"Player {n}" for n in range(90)]}, "at most 64 players"),
        ({"kind": "swap", "round": 1, "first": 1, "second": 1}, "two players"),
        ({"kind": "removal", "round": 1, "typed": 3}, "Somebody else changed"),
        ({"kind": "opening", "event": "Club", "day": "tomorrow", "system": "swiss"}, "A day"),
        ({"kind": "opening", "event": "Club", "day": "2026-02-30", "system": "swiss"}, "2026-02-30 is no day"),
        ({"kind": "opening", "event": "Club", "day": "2026-03-05", "system": "cup"}, "Choose how"),
        ({"kind": "opening", "event": "x" * 300, "day": "2026-03-05", "system": "swiss"}, "at most 200"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_and_changes_nothing(fresh_client, evening, fields, words):
    before = state(fresh_client, evening)
    assert words in refuse(fresh_client, evening, **fields)[1]
    assert state(fresh_client, evening) == before


def shown_round(text):
    return int(re.search(r'data-round="(\d+)"', text)[1])


def test_a_page_shows_the_last_round_unless_it_is_asked_for_another(fresh_client, evening):
    asked = send(fresh_client, evening, kind="pairing", round=2, shown=1, all_the_same=1)
    assert asked.headers["Location"] == f"{evening}#round"
    assert shown_round(fresh_client.get(evening).text) == 2
    for number, shown in ((1, 1), (9, 2), (0, 2), ("x", 2)):
        assert shown_round(fresh_client.get(f"{evening}?round={number}").text) == shown
    kept = send(fresh_client, evening, kind="swap", round=1, first=1, second=5, shown=1)
    assert kept.headers["Location"] == f"{evening}?round=1#round"
    back = send(fresh_client, evening, kind="removal", round=2, typed=0, shown=2)
    assert back.headers["Location"] == f"{evening}#round"
    page = fresh_client.get(f"{evening}?round=2").text
    assert shown_round(page) == 1
    assert "No round is paired yet" not in page


def test_open_results_are_asked_about_before_the_next_round(fresh_client, evening):
    page, words = refuse(fresh_client, evening, kind="pairing", round=2)
    assert "Tick the box" in words
    assert re.search('name="all_the_same" value="1" required', page)
    for table in ((1, 3), (2, 4)):
        send(fresh_client, evening, **typing(table, "draw"))
    assert "all_the_same" not in fresh_client.get(evening).text
    send(fresh_client, evening, kind="pairing", round=2)
    assert len(state(fresh_client, evening)["rounds"]) == 2
    assert "of round 2 are open" in fresh_client.get(f"{evening}?round=1").text


@pytest.mark.parametrize(
    ("fields", "form", "kept"),
    [
        (typing((2, 4), "first", first_points="17", second_points="976"), "table-1-2", ["17", "976", "first"]),
        ({"kind": "arrival", "name": ["x" * 101, "Zoe"]}, "players", ["x" * 101, "Zoe"]),
        ({"kind": "naming", "player": 3, "name": "Bob"}, "players", ["3", "Bob"]),
        ({"kind": "swap", "round": 1, "first": 3, "second": 3}, "pairing", ["3"]),
        ({"kind": "opening", "event": "Other", "day": "5.3.", "system": "swiss"}, "settings", ["Other", "5.3."]),
    ],
)  # fmt: skip
def test_what_is_refused_stands_at_its_form_with_what_was_typed(fresh_client, evening, fields, form, kept):  # fmt: skip
    page, _ = refuse(fresh_client, evening, **fields)
    before, after = page.split('id="refused"')
    assert re.findall('id="(players|table-1-[12]|pairing|settings)"', before)[-1] == form
    assert re.findall("<details([^>]*)>", before)[-1].endswith(" open")
    rest = after.split("</section>")[0]
    for value in kept:
        assert re.search(
            f'value="{value}"(?: selected| name| type|>| maxlength| autocomplete| required)', rest
        )
    assert 'value="976"' not in fresh_client.get(evening).text
    forms = re.findall('action="([^"]+)"', page.split("<main")[1].split("</main>")[0])
    assert {each for each in forms if "/delete" not in each} == {f"{evening}#refused"}


def test_somebody_entered_by_mistake_is_taken_off_the_list(fresh_client, evening):
    send(fresh_client, evening, kind="arrival", name="Zoe")
    assert (
        ">Zoe</option>"
        in fresh_client.get(evening).text.split('id="mistake"')[1].split("</select>")[0]
    )
    send(fresh_client, evening, kind="deletion", player=6)
    assert "Zoe" not in [player["name"] for player in state(fresh_client, evening)["players"]]
    assert 'id="mistake"' not in fresh_client.get(evening).text


def test_names_written_twice_and_similar_names_are_said(fresh_client, evening):
    said = tell(fresh_client, evening, kind="arrival", name=["Zoe", " Zoe", "Ann"])
    assert "Zoe was written 2 times" in said
    assert "The list has Ann already" in said
    assert "Perhaps the same player" not in fresh_client.get(evening).text
    send(fresh_client, evening, kind="arrival", name="zoé")
    assert "Perhaps the same player: Zoe, zoé." in fresh_client.get(evening).text


def test_six_names_fit_and_those_of_other_evenings_are_offered(fresh_client, evening):
    other = {**EVENING, "event": "Another club"}
    address = fresh_client.post("/evenings", data=other).headers["Location"]
    page = fresh_client.get(address).text
    assert len(re.findall('<input id="name-', page)) == 6
    assert 'for="name-0">Name<' in page
    assert "<option>Cleo</option>" in page.split('<datalist id="known-names">')[1]
    assert 'for="name-0">Somebody else<' in fresh_client.get(evening).text


def test_the_same_evening_begun_again_leads_to_the_one_that_exists(fresh_client, evening):
    again = {**EVENING, "event": " Thursday club "}
    said = tell(fresh_client, "/evenings", **again)
    assert "Thursday club has an evening on this day already. This is it." in said
    assert fresh_client.post("/evenings", data=again).headers["Location"] == evening
    assert len(fresh_client.get("/events.json").json["evenings"]) == 1


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"day": "2026-02-30"}, "2026-02-30 is no day of the calendar"),
        ({"day": "Friday"}, "A day is written as"),
        ({"event": "x" * 201}, "at most 200"),
        ({"system": "cup"}, "Choose how"),
    ],
)
def test_an_evening_that_cannot_begin_keeps_what_was_typed(fresh_client, changed, words):
    typed = {**EVENING, **changed}
    page, said = refuse(fresh_client, "/evenings", **typed)
    assert words in said
    form = page.split('id="refused"')[1].split("</form>")[0]
    assert f'name="event" value="{typed["event"]}"' in form
    assert f'value="{typed["day"]}" required' in form
    assert '<option value="swiss" selected>' in form or "system" in changed
    assert fresh_client.get("/events.json").json["evenings"] == []
    assert "selected" not in fresh_client.get("/events").text


@pytest.mark.long
def test_a_renamed_player_is_called_so_at_the_evening(fresh_client, store, evening):
    record = play_game("zique", seed=1, names=["Bob", "Dan"])
    record.meta = {"event": "Thursday club", "round": 1, "started": "2026-03-05T19:30:00Z"}
    ingest_bytes(store, "game.json", codec.encode(record))
    rename_player(store, "Bob", "Robert")
    found = state(fresh_client, evening)
    (_, table) = found["rounds"][0]["tables"]
    assert (table["players"], table["source"]) == (["Robert", "Dan"], "record")
    assert "Robert" in [line["name"] for line in found["standing"]]
    assert "The list has Robert" in tell(fresh_client, evening, kind="arrival", name="Bob")
    assert "The list has Robert" in tell(fresh_client, evening, kind="arrival", name="Robert")


def test_paper_has_nobody_who_left_before_playing(fresh_client, evening):
    send(fresh_client, evening, kind="arrival", name="Zoe")
    send(fresh_client, evening, kind="absence", player=6, away=1)
    send(fresh_client, evening, kind="absence", player=5, away=1)
    page = fresh_client.get(evening).text
    hidden = re.findall(
        r'<tr class="screen-only"><td class="number">\d+</td><th scope="row">(\w+)', page
    )
    assert hidden == ["Zoe"]
    assert re.search('class="screen-only js-only"><button[^>]*data-print', page)
    assert "Ctrl" not in page


def test_addresses_that_lead_nowhere(fresh_client, evening):
    for key in ("2", "0", "9" * 30):
        assert fresh_client.get(f"/evenings/{key}").status_code == 404
    assert fresh_client.post(evening, data={"kind": "other"}).status_code == 400
    assert fresh_client.get(f"{evening}?round=9").status_code == 200
    assert fresh_client.post("/evenings", data={}).status_code == 409
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


def test_a_refresh_misses_nothing_that_is_stored_while_a_page_is_read(
    fresh, fresh_client, evening, monkeypatch
):
    read, changes = views.read_evening, ["absence"]

    def read_and_change(*arguments):
        found = read(*arguments)
        if changes:
            send(fresh.test_client(), evening, kind=changes.pop(), player=1, away=1)
        return found

    monkeypatch.setattr(views, "read_evening", read_and_change)
    commit = re.search(r'data-refresh="(\d+)"', fresh_client.get(evening).text)[1]
    assert not changes
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


def test_typed_results_count_in_the_standing_of_the_event(fresh_client, evening):
    """Marked as typed, by CSV, JSON and page alike; not where a rulebook or another season is chosen."""
    send(fresh_client, evening, **typing((2, 4), "second", first_points=760, second_points="1050"))
    address = "/standings{}?event=Thursday+club"
    lines = fresh_client.get(address.format(".json")).json["standing"]
    told = [(line["name"], line["points"], line["typed"], line["made"]) for line in lines]
    assert told == [("Dan", 1.0, 1, 1050), ("Bob", 0.0, 1, 760)]
    page = fresh_client.get(address.format("")).text
    assert "1 result was typed at an evening" in page
    assert "/player?name=Dan" not in page.partition("<main")[2]
    assert "1050" in fresh_client.get(address.format(".csv")).text
    for more in ("&sheet=zique", "&season=2025"):
        assert fresh_client.get(address.format(".json") + more).json["standing"] == []
    assert len(fresh_client.get(address.format(".json") + "&season=2026").json["standing"]) == 2
    send(fresh_client, evening, **typing((2, 4), "open", over=8))
    assert fresh_client.get(address.format(".json")).json["standing"] == []


def test_equal_lines_share_a_place(fresh_client, evening):
    page = fresh_client.get(evening).text
    rows = re.findall(r'<tr[^>]*><td class="number">(\d+)</td>', page)
    assert rows == ["1", "2", "2", "2", "2"], "Eve sat out, for a point"


@pytest.mark.parametrize(
    ("points", "winner"), [((760, 1050), "Dan"), ((3, 2), "Bob"), ((0, 0), None)]
)
def test_points_alone_say_who_won(fresh_client, evening, points, winner):
    first, second = points
    send(fresh_client, evening, **typing((2, 4), "", first_points=first, second_points=second))
    (table,) = [
        each for each in state(fresh_client, evening)["rounds"][0]["tables"] if each["source"]
    ]
    assert (table["winner"], table["points"]) == (winner, [first, second])
