"""Corrections of stored games while the site runs: by its interface, and by its pages."""

import re

import pytest

from analyzer.ingest.loader import ingest_bytes
from records.format import codec
from records.selfplay import play_game
from tests.webui.public_site import Browser
from tests.webui.test_sent import upload_small
from webui.server.game_cache import decode_permalink

pytestmark = pytest.mark.long


@pytest.fixture
def digest(fresh_client, store):
    record = play_game("marjolet", seed=1, names=["Anm", "Bob"])
    record.meta = {"started": "2026-03-04T19:30:00+01:00", "event": "Cup"}
    (outcome,) = ingest_bytes(store, "one.json", codec.encode(record))
    return outcome.digest


def test_the_interface_corrects_lists_and_undoes(fresh_client, store, digest):
    address, before = f"/api/v1/games/{digest}/corrections", store.record_bytes(digest)
    assert fresh_client.get(address).json == {"corrections": []}
    wanted = {"subject": "name", "place": 0, "value": "Ann", "reason": "a slip"}
    made = fresh_client.post(address, json=wanted).json
    assert (made["number"], made["uploaded"], made["value"], made["made_by"]) == (1, "Anm", "Ann", "person")  # fmt: skip
    assert fresh_client.get(f"/api/v1/games/{digest}").json["names"] == ["Ann", "Bob"]
    assert "Ann" in fresh_client.get(f"/games/{digest}").text
    assert fresh_client.get("/player?name=Ann").status_code == 200
    assert fresh_client.get("/player?name=Anm").status_code == 404
    assert fresh_client.get(f"/api/v1/games/{digest}/record").data == before
    assert fresh_client.get(address).json["corrections"] == [made]
    undone = fresh_client.delete(f"{address}/1").json
    assert undone["undone_by"] == "person"
    assert fresh_client.get(f"/api/v1/games/{digest}").json["names"] == ["Anm", "Bob"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"subject": "name", "place": 7, "value": "Ann"},
        {"subject": "name", "place": 0, "value": "Anm"},
        {"subject": "date", "value": "some day"},
    ],
)
def test_the_interface_says_why_it_refuses(fresh_client, digest, wanted):
    refused = fresh_client.post(f"/api/v1/games/{digest}/corrections", json=wanted)
    assert refused.status_code == 409
    assert refused.json["type"].endswith("#refused-correction")
    assert fresh_client.delete(f"/api/v1/games/{digest}/corrections/1").status_code == 409


def change(client, digest, **form):
    return client.post(f"/games/{digest}/corrections", data=form, follow_redirects=True)


def test_the_page_corrects_shows_and_undoes(fresh_client, store, digest):
    before = store.record_bytes(digest)
    assert (
        'name="name1" type="text" maxlength="200" value="Anm"'
        in fresh_client.get(f"/games/{digest}").text
    )
    page = change(fresh_client, digest, name1="Ann", event="Cup", site="Leeds", why="a slip").text
    assert "Corrected 2 entries." in page
    assert "Ann" in page.partition("</h1>")[0]
    assert "<b>Leeds</b>, where the record tells nothing" in page
    assert ": a slip" in page
    assert "Nothing was changed." in change(fresh_client, digest, name1=" Ann ", event="Cup").text
    told = codec.decode(fresh_client.get(f"/games/{digest}/corrected.json").data).record
    assert [player.name for player in told.players] == ["Ann", "Bob"]
    assert fresh_client.get(f"/games/{digest}/record.json").data == before
    for number in (1, 2):
        fresh_client.post(f"/games/{digest}/corrections/{number}/undo")
    page = fresh_client.get(f"/games/{digest}").text
    assert "Anm" in page.partition("</h1>")[0]
    assert page.count("Undone by the person at the server’s machine") == 2
    assert fresh_client.get(f"/games/{digest}/corrected.json").data == before
    assert fresh_client.post(f"/games/{digest}/corrections/1/undo").status_code == 409


def test_the_head_of_the_page_tells_the_round_the_table_and_the_comment(fresh_client, digest):
    page = change(fresh_client, digest, round="3", table="By the window", comment="Late.").text
    head = page.partition('<header class="game-head">')[2].partition("</header>")[0]
    for words in ("<span>Round 3</span>", "<span>By the window</span>", "<p>Late.</p>"):
        assert words in head
    page = change(fresh_client, digest, round="A1", table="-3", site="Leeds").text
    for words in ("<span>Round A1</span>", "<span>Table -3</span>", "<span>at Leeds</span>"):
        assert words in page


def test_a_form_with_one_wrong_entry_corrects_nothing(fresh_client, store, digest):
    refused = change(fresh_client, digest, name1="Ann", date="some day")
    assert refused.status_code == 409
    assert "A date is written as 2026-03-05" in refused.text
    assert 'value="Ann"' in refused.text, "what was typed is still there"
    assert store.game(digest).names == ["Anm", "Bob"]


def test_a_day_that_is_corrected_leaves_the_clock(fresh_client, digest):
    assert 'type="date" value="2026-03-04"' in fresh_client.get(f"/games/{digest}").text
    assert "Nothing was changed." in change(fresh_client, digest, date="2026-03-04").text
    change(fresh_client, digest, date="2026-03-05")
    told = codec.decode(fresh_client.get(f"/games/{digest}/corrected.json").data).record
    assert told.meta["started"] == "2026-03-05T19:30:00+01:00"


def test_only_what_holds_can_be_undone(fresh_client, digest):
    for name in ("Ann", "Anna"):
        page = change(fresh_client, digest, name1=name).text
    undo = f'action="/games/{digest}/corrections/{{}}/undo"'
    assert undo.format(1) not in page
    assert undo.format(2) in page
    assert page.count("Overtaken by a later one") == 1
    fresh_client.post(f"/games/{digest}/corrections/2/undo")
    page = fresh_client.get(f"/games/{digest}").text
    assert undo.format(1) in page, "it holds again"
    assert "Overtaken" not in page


def test_the_answer_stands_where_the_page_jumps_to(fresh_client, digest):
    changed = change(fresh_client, digest, name1="Ann").text
    same = change(fresh_client, digest, name1="Ann").text
    undone = fresh_client.post(f"/games/{digest}/corrections/1/undo", follow_redirects=True).text
    for page, words in (
        (changed, "Corrected 1 entry."), (same, "Nothing was changed."), (undone, "Undid correction 1."),
    ):  # fmt: skip
        assert page.count(words) == 1
        assert words in page.partition('id="corrections"')[2]


@pytest.mark.parametrize("name", ["Bob", " Bob ", "B\u200bob", "Bob\u2800"])
def test_two_seats_do_not_get_one_name(fresh_client, store, digest, name):
    refused = change(fresh_client, digest, name1=name)
    assert refused.status_code == 409
    assert "Two seats of this match would be Bob" in refused.text
    wanted = {"subject": "name", "place": 0, "value": name}
    assert fresh_client.post(f"/api/v1/games/{digest}/corrections", json=wanted).status_code == 409
    assert store.game(digest).names == ["Anm", "Bob"]
    assert "Corrected 2 entries." in change(fresh_client, digest, name1="Bob", id1="b1").text
    assert "Two seats" in change(fresh_client, digest, id1="").text


def test_two_names_change_places(fresh_client, store, digest):
    assert "Corrected 2 entries." in change(fresh_client, digest, name1="Bob", name2="Anm").text
    assert store.game(digest).names == ["Bob", "Anm"]


def test_correcting_a_game_that_another_tab_deleted_says_so(fresh_client, digest):
    fresh_client.post(f"/games/{digest}/delete")
    answer = change(fresh_client, digest, name1="Ann")
    assert answer.status_code == 404
    assert "This game is in the trash" in answer.text


def test_what_is_told_is_escaped(fresh_client, digest):
    page = change(fresh_client, digest, name1='<b>&"', comment="</textarea><i>").text
    assert "<i>" not in page
    assert 'value="&lt;b&gt;&amp;&#34;"' in page


def test_exports_are_as_uploaded_or_as_corrected(fresh_client, store, digest):
    before = store.record_bytes(digest)
    change(fresh_client, digest, name1="Ann")
    corrected = before.replace(b'"Anm"', b'"Ann"')
    one, all_of_them = f"/api/v1/games/{digest}/record", "/api/v1/games/records"
    for address, more in (
        (one, "?corrected=true"),
        (all_of_them, "?corrected=true"),
        ("/games.jsonl", "?corrected=1"),
    ):
        assert fresh_client.get(address).data.strip() == before
        assert fresh_client.get(address + more).data.strip() == corrected
    notation = {"Accept": "text/vnd.bezique"}
    assert '"Anm"' in fresh_client.get(one, headers=notation).text
    assert '"Ann"' in fresh_client.get(one + "?corrected=true", headers=notation).text


def test_a_sender_corrects_for_thirty_days_and_nobody_else(open_site):
    site = open_site()
    record = play_game("marjolet", seed=2, names=["Anm", "Bob"])
    digest = codec.digest(record)
    sender, stranger, admin = Browser(site), Browser(site), Browser(site).log_in()
    upload_small(sender, codec.encode(record))
    address = f"/games/{digest}/corrections"
    assert "Correct this game" not in stranger.get(f"/games/{digest}").text
    assert stranger.post(address, form="/", name1="Ann").status_code == 403
    assert "Correct this game" in sender.get(f"/games/{digest}").text
    assert sender.post(address, form="/", name1="Ann").status_code == 303
    page = stranger.get(f"/games/{digest}").text
    assert "<b>Ann</b>, where the record tells Anm" in page
    assert "By the sender" in page
    assert "Undo" not in page
    assert stranger.post(f"{address}/1/undo", form="/").status_code == 403
    store = site.extensions["store"]
    with store.writing() as cursor:
        for table, column in (
            ("records", "stored_at"),
            ("games", "stored_at"),
            ("import_batches", "committed_at"),
        ):
            cursor.execute(f"UPDATE {table} SET {column} = {column} - to_days(31)")
    assert "Correct this game" not in sender.get(f"/games/{digest}").text
    assert sender.post(f"{address}/1/undo", form="/").status_code == 403
    assert admin.post(f"{address}/1/undo", form="/").status_code == 303
    assert store.game(digest).names == ["Anm", "Bob"]


def test_the_page_as_json_and_a_shared_link_tell_what_is_corrected(fresh_client, digest):
    change(fresh_client, digest, name1="Ann")
    told = fresh_client.get(f"/games/{digest}.json").json
    assert [made["value"] for made in told["corrections"]] == ["Ann"]
    assert told["record"]["players"][0]["name"] == "Ann"
    page = fresh_client.get(f"/games/{digest}/deals/1").text
    (link,) = re.findall(r'data-copy="record" data-address="[^"]*[?&;]record=([\w-]+)', page)
    assert b'"Ann"' in decode_permalink(link)
