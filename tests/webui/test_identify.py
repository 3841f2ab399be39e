"""The page that identifies the rules of a record and suggests corrections."""

import re
from html import unescape

import pytest

from analyzer.identify import matching_rules
from records.format import codec
from records.selfplay import play_game
from webui.display.verdict_words import CUT_SHORT


@pytest.mark.long
def test_a_legal_game_is_accepted_by_its_own_rules(client, stored):
    page = client.get(f"/games/{stored}/doubts").text
    assert "These rulebooks fit, with every score correct" in page
    assert "(as the record says)" in page
    assert "What went wrong?" not in page
    found = client.get(f"/games/{stored}/doubts.json").json
    assert any(each["accepted"] and each["sheet"] == "bezique" for each in found["rules"])
    assert found["did_you_mean"] == []


@pytest.mark.long
def test_an_illegal_game_is_asked_what_it_meant(client, stored_illegal):
    page = unescape(client.get(f"/games/{stored_illegal}/doubts").text)
    assert "No rulebook fits the record as it is" in page
    assert "What went wrong?" in page
    assert "Deal 1, event 2" in page
    first = client.get(f"/games/{stored_illegal}/doubts.json").json["did_you_mean"][0]
    assert (first["deal"], first["event"], first["kind"]) == (0, 1, "seat")
    link = f"/games/{stored_illegal}/doubts"
    assert link in client.get(f"/games/{stored_illegal}").text


@pytest.mark.long
def test_no_breach_is_told_twice_and_what_was_not_tried_is_said(fresh_client, monkeypatch):
    monkeypatch.setattr(matching_rules, "MOST_IDENTIFICATION_STEPS", 1)
    record = codec.encode(play_game("chinese-bezique", seed=0, deals=1))
    fresh_client.post("/", data={"record": record.decode()})
    page = fresh_client.get(f"/games/{codec.decode(record).digest()}/doubts").text
    assert CUT_SHORT in page
    for rulebook in page.partition('id="others"')[2].split("<b>"):
        told = re.findall(r'<p class="muted">([^<]*)</p>', rulebook)
        assert len({*told}) == len(told)


def test_doubts_about_no_game(client):
    assert client.get("/games/nothing/doubts").status_code == 404


@pytest.mark.slow
def test_options_that_the_record_does_not_have_are_not_said_to_be_its_own(fresh_client, store):
    """The record names Bezique with eight cards; nine were dealt, and that is what fits."""
    record = play_game("bezique", seed=2, options={"hand_size": 9, "meld_after_close": True})
    record.rules.options = {}
    data = codec.encode(record)
    fresh_client.post("/", data={"record": data.decode()})
    page = unescape(fresh_client.get(f"/games/{codec.decode(data).digest()}/doubts").text)
    assert "with hand size 9" in page
    assert "(as the record says)" not in page
    assert "(the record names this rulebook with no options)" in page
    part = fresh_client.get(
        f"/games/{codec.decode(data).digest()}/doubts", headers={"X-Requested-With": "fetch"}
    ).text
    assert "with hand size 9" in part


@pytest.mark.long
def test_rulebooks_are_compared_by_the_events_before_a_breach(client, stored):
    page = unescape(client.get(f"/games/{stored}/doubts").text)
    found = client.get(f"/games/{stored}/doubts.json").json["rules"]
    zetema = next(each for each in found if each["sheet"] == "zetema")
    assert zetema["followed"] < zetema["events"]
    assert f"{zetema['followed']:,} of {zetema['events']:,} events before a breach" in page
    assert "breaches of the rules" not in page
