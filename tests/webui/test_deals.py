import json
import re
from html import unescape

import pytest

from records.events import Play
from records.selfplay import play_game
from tests.machine.cpu_cost import CpuCost
from tests.make.stored_games import store_game

EMBEDDED = re.compile(r'<script type="application/json" id="deal">(.*?)</script>', re.DOTALL)


def test_a_step_is_drawn_by_the_server(client, stored):
    page = client.get(f"/games/{stored}/deals/1?step=1").text
    assert "Ann plays the 9 of spades." in page
    assert 'class="card lifted" data-card="9S"' in page
    assert "&lt;Bob&gt; plays" in page
    assert 'href="?step=1" data-step="1" aria-current="step"' in page


def test_without_script_links_lead_to_the_steps_around(client, stored):
    page = client.get(f"/games/{stored}/deals/1?step=10").text
    for step in (0, 9, 11):
        assert f"/deals/1?step={step}" in page


def test_all_steps_travel_with_the_page_and_cannot_break_out_of_it(client, stored):
    page = client.get(f"/games/{stored}/deals/1").text
    (embedded,) = EMBEDDED.findall(page)
    assert "<" not in embedded
    deal = json.loads(embedded)
    assert deal["names"] == ["Ann", "<Bob>"]
    assert deal == client.get(f"/games/{stored}/deals/1.json").json


def test_cards_that_may_be_played_are_marked_for_the_seat_to_act_only(client, stored):
    steps = client.get(f"/games/{stored}/deals/1.json").json["steps"]
    first = steps[0]
    assert all("legal" in item for item in first["seats"][first["seat"]]["hand"])
    assert not any("legal" in item for item in first["seats"][1 - first["seat"]]["hand"])


COPY = re.compile(r"[♠♥♦♣sdc]\(?\s?\(\d\)")
"""A card with the label of its copy: `Q♠(3)`, `queen of spades (3)`."""


@pytest.mark.long
def test_players_cannot_tell_copies_apart(fresh_client, store):
    """Where a record has labels, no sentence, list or name of a card on the table has any; each face is offered once."""
    record = play_game("rubicon-bezique", seed=5, labels=True)
    digest = store_game(store, record)
    address = f"/games/{digest}"
    game_page = fresh_client.get(address).text
    assert "melds four" in game_page
    assert not COPY.search(unescape(game_page))
    for step in (40, 41, 42, 43, 44):
        page = unescape(fresh_client.get(f"{address}/deals/1?step={step}").text)
        assert not COPY.search(page)
        (plays,) = re.findall(r"data-plays>(.*?)</span> <a", page)
        faces = re.findall(r">(10|[AKQJ987])([♠♥♦♣])<", plays)
        assert len(faces) == len(set(faces))
        assert faces or "to draw" in page or "takes the trick" in page


def test_points_rise_where_they_are_made(client, stored, legal):
    deal = client.get(f"/games/{stored}/deals/2.json").json
    assert deal["before"] == legal.deals[0].claims.scores
    for before, after in zip(deal["steps"], deal["steps"][1:], strict=False):
        made = [0, 0]
        for gain in after["gains"]:
            made[gain["seat"]] += gain["points"]
        points = [seat["points"] for seat in before["seats"]]
        assert [seat["points"] for seat in after["seats"]] == [
            a + b for a, b in zip(points, made, strict=True)
        ]
    assert [seat["points"] for seat in deal["steps"][-1]["seats"]] == legal.deals[1].claims.scores


def test_the_list_says_why_a_trick_is_taken_and_what_points_are_for(client, stored, legal):
    page = client.get(f"/games/{stored}/deals/1").text
    listed = page[page.index("data-events") : page.index("panel view-panel")]
    tricks = sum(isinstance(event, Play) for event in legal.deals[0].events) // 2
    assert listed.count(" takes the trick: ") == tricks
    assert "scores 10 for winning the last trick." in listed
    assert re.search(r"scores \d+ for \d+ brisques\.", listed)


def test_a_finding_stands_at_its_step(client, stored_illegal):
    deal = client.get(f"/games/{stored_illegal}/deals/1.json").json
    assert deal["steps"][2]["findings"] == [0, 1]
    assert deal["findings"][0]["code"] == "out-of-turn"
    page = client.get(f"/games/{stored_illegal}/deals/1?step=2").text
    note = re.search(r'<p class="note [^"]*" data-finding="0"([^>]*)>', page)
    assert note
    assert "hidden" not in note[1]


def test_the_way_from_a_finding_to_its_step_keeps_the_view(client, stored_illegal):
    page = client.get(f"/games/{stored_illegal}/deals/1?see=0&near=1").text
    ways = re.findall(r'class="finding-go"><a class="button" href="([^"]*)"', page)
    assert ways
    assert all(way.endswith("?step=2&amp;see=0&amp;near=1") for way in ways)


@pytest.mark.parametrize("step", ["x", "-1", "1.5", "", "٣", "9" * 30])
def test_a_step_that_is_no_number_is_refused(client, stored, step):
    assert client.get(f"/games/{stored}/deals/1?step={step}").status_code == 400


def test_a_step_beyond_the_end_is_the_last(client, stored):
    assert "The deal is over" in client.get(f"/games/{stored}/deals/1?step=999999").text


@pytest.mark.parametrize("deal", ["0", "99", "x"])
def test_an_unknown_deal_is_404(client, stored, deal):
    assert client.get(f"/games/{stored}/deals/{deal}").status_code == 404


@pytest.mark.long
def test_a_step_page_is_answered_in_less_than_50_ms(client, app, stored):
    client.get(f"/games/{stored}/deals/1")
    times = []
    for _ in range(7):
        app.extensions["game_cache"].deal.cache_clear()
        with CpuCost() as cost:
            assert client.get(f"/games/{stored}/deals/1?step=60").status_code == 200
        times.append(cost.seconds)
    assert sorted(times)[3] < 0.050
