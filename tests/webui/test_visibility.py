"""Hidden information never leaves the server."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from records.events import Draw, Irregular
from records.format import codec
from records.rules.registry import resolve_rules
from tests.make.stored_games import store_game
from tests.make.tables import table
from webui.replay.pictures import render_step_svg
from webui.replay.steps import Visibility, read_deal_steps


def steps(client, digest, deal=1, **view):
    return client.get(f"/games/{digest}/deals/{deal}.json", query_string=view).json


def test_a_hidden_hand_has_as_many_backs_as_it_had_cards(client, stored):
    for all_seen, seen in zip(
        steps(client, stored)["steps"], steps(client, stored, see=0)["steps"], strict=True
    ):
        open_hand, hidden = all_seen["seats"][1], seen["seats"][1]
        assert len(open_hand["hand"]) + open_hand["backs"] == len(hidden["hand"]) + hidden["backs"]
        assert all("half" in item for item in hidden["hand"])
        assert seen["seats"][0]["laid"] == all_seen["seats"][0]["laid"]
        if all_seen["seat"] == 1:
            assert not seen["plays"]
            assert not seen["options"]


def test_a_draw_of_another_is_a_card_and_the_turn_up_lies_open(client, stored, legal):
    events, told = legal.deals[0].events, steps(client, stored, see=0)["steps"]
    drawn = [
        (told[n + 1]["say"], event.card)
        for n, event in enumerate(events)
        if isinstance(event, Draw) and event.seat == 1
    ]
    assert drawn[0][0] == "<Bob> draws a card."
    last = max(n for n, event in enumerate(events) if isinstance(event, Draw))
    assert told[last + 1]["say"] != f"{['Ann', '<Bob>'][events[last].seat]} draws a card."


def test_steps_held_back_shorten_the_deal(client, stored):
    held = steps(client, stored, until=7)
    assert (len(held["steps"]), held["more"]) == (8, True)
    assert not steps(client, stored)["more"]
    page = client.get(f"/games/{stored}/deals/1?until=7&step=99").text
    assert 'max="7"' in page
    assert "/ 7<" in page


def test_a_choice_has_several_lawful_ways_on(client, stored, legal):
    for deal in range(1, len(legal.deals) + 1):
        told = steps(client, stored, deal)["steps"]
        choices = [step for step in told if step["choice"]]
        assert choices
        assert all(len(step["plays"]) > 1 or step["options"] for step in choices)
    forced = [s for s in told if len(s["plays"]) == 1 and not s["options"]]
    assert forced
    assert not any(step["choice"] for step in forced)


def test_the_last_step_shown_does_not_tell_what_comes(legal):
    events = [*legal.deals[0].events]
    events.insert(1, Irregular(seat=0, what="exposed_card"))
    exposed = replace(legal, deals=[replace(legal.deals[0], events=events)], result=None)
    resolved = resolve_rules(legal.rules)
    for record, chosen in ((exposed, False), (legal, True)):
        assert read_deal_steps(record, resolved, 0).steps[1].choice is chosen
        assert read_deal_steps(record, resolved, 0, Visibility(until=1)).steps[1].choice


def test_no_name_breaks_a_picture(legal):
    players = [replace(player, name="\x1b\x00\u202eEve") for player in legal.players]
    events = [*legal.deals[0].events[:1], Irregular(seat=0, what="other", text="\x1b[2J")]
    record = replace(
        legal, players=players, deals=[replace(legal.deals[0], events=events)], result=None
    )
    deal = read_deal_steps(record, resolve_rules(legal.rules), 0)
    for step in range(len(deal.steps)):
        drawn = "".join(ElementTree.fromstring(render_step_svg(deal, step, 0)).itertext())
        assert "Eve" in drawn
        assert "\u202e" not in drawn


@pytest.mark.parametrize("query", ["see=2", "see=x", "near=2", "until=-1", "step=1.5"])
def test_a_view_that_cannot_be_is_refused_in_a_sentence(client, stored, query):
    answer = client.get(f"/games/{stored}/deals/1?{query}")
    assert answer.status_code == 400
    assert "number" in answer.text


def test_links_of_a_page_keep_what_is_seen(client, stored):
    page = client.get(f"/games/{stored}/deals/1?step=5&see=1&until=9").text
    assert "step=6&amp;see=1&amp;until=9" in page
    assert 'href="?step=3&amp;see=1&amp;until=9"' in page


@pytest.mark.parametrize("step", [0, 40, 9999])
def test_a_position_is_a_picture_that_stands_by_itself(client, stored, step):
    answer = client.get(f"/games/{stored}/deals/1.svg?step={step}")
    assert answer.mimetype == "image/svg+xml"
    root = ElementTree.fromstring(answer.data)
    svg = "{http://www.w3.org/2000/svg}"
    known = {symbol.get("id") for symbol in root.iter(f"{svg}symbol")}
    used = [use.get("href").removeprefix("#") for use in root.iter(f"{svg}use")]
    assert used
    assert set(used) <= known
    assert not any("class" in e.attrib or "style" in e.attrib for e in root.iter())
    shown = steps(client, stored)["steps"][min(step, 154)]
    hands = [item.split()[0][:2] for seat in shown["seats"] for item in seat["hand"]]
    assert all(used.count(card) >= hands.count(card) for card in hands)


A_QUEEN_LIES = (
    "N: QS 9H 8H 7H 9C 8C | N lays marriage KS QS | S: AS 9D 8D 7D TD AD JD KD"
    " | trump C | stock 20 | N leads"
)


@pytest.fixture
def in_two_places(fresh_client, store):
    """A game of one deal: a queen is played of which one lies melded and one is held."""

    def ingest(played, position=A_QUEEN_LIES):
        told = table(position, played)
        store_game(store, told.record)
        return f"/games/{codec.digest(told.record)}/deals/1"

    return ingest


@pytest.mark.long
def test_a_card_that_may_lie_in_two_places_is_drawn_so_and_explained(fresh_client, in_two_places):
    address = in_two_places("N QS, S AS")
    before, after = fresh_client.get(f"{address}.json").json["steps"][:2]
    assert not before["seats"][0]["unsure"]
    seat = after["seats"][0]
    assert seat["unsure"]
    assert [card for card in seat["hand"] if "half" in card] == ["QS half"]
    assert seat["laid"][0]["cards"] == ["KS", "QS half"]
    page = fresh_client.get(f"{address}?step=1").text
    said = "queen of spades, position uncertain: in the hand or on the table"
    assert page.count(f'aria-label="{said}"') == 2
    assert re.search(r'data-unsure="0"><span>Pale: </span>position uncertain', page)
    assert re.search(r'data-unsure="1" hidden', page)
    assert "wherever it may be" in page
    text = fresh_client.get(f"{address}.txt?step=1").text
    assert text.count("Q♠?") == 2
    assert "position uncertain (in the hand or on the table" in text
    picture = fresh_client.get(f"{address}.svg?step=1").text
    assert picture.count("stroke-dasharray") == 2
    assert "Pale: position uncertain (in the hand or on the table" in picture


@pytest.mark.long
def test_a_record_that_says_where_the_card_lay_leaves_nothing_open(fresh_client, in_two_places):
    address = in_two_places("N QS from table, S AS")
    seat = fresh_client.get(f"{address}.json").json["steps"][1]["seats"][0]
    assert (seat["unsure"], seat["laid"][0]["cards"]) == (False, ["KS"])
    assert "in every place" not in fresh_client.get(f"{address}?step=1").text
    for kind in ("txt", "svg"):
        answer = fresh_client.get(f"{address}.{kind}?step=1").text
        assert "leaves open" not in answer
        assert "stroke-dasharray" not in answer


@pytest.mark.long
def test_a_card_that_may_lie_in_two_melds_is_drawn_in_both(fresh_client, in_two_places):
    """Two kings of clubs lie there, one of them married since; one is played."""
    address = in_two_places(
        "N melds marriage KC QC, N draws 7C, S draws 7S, N KC, S 8C",
        "N: QC 9H 8H 7H | N lays four_kings KC KC KH KS | S: AS 9D 8D 7D TD AD JD 8C"
        " | trump D | stock 20 | N won",
    )
    before, after = (
        fresh_client.get(f"{address}.json").json["steps"][n]["seats"][0] for n in (3, 4)
    )
    laid = [(group["words"], group["cards"]) for group in before["laid"]]
    assert laid == [
        ("four kings", ["KC legal", "KH legal", "KS legal"]),
        ("marriage", ["KC legal", "QC legal"]),
    ]
    assert not before["unsure"]
    laid = [(group["words"], group["cards"]) for group in after["laid"]]
    assert laid == [("four kings", ["KC either", "KH", "KS"]), ("marriage", ["KC either", "QC"])]
    assert after["unsure"]
    assert after["hand"] == ["9H", "8H", "7H", "7C"]
    page = fresh_client.get(f"{address}?step=4").text
    said = "king of clubs, position uncertain: in this meld or in another"
    assert page.count(f'aria-label="{said}"') == 2
    assert fresh_client.get(f"{address}.svg?step=4").text.count("stroke-dasharray") == 2
    assert fresh_client.get(f"{address}.txt?step=4").text.count("K♣?") == 2


@pytest.mark.long
def test_where_what_comes_is_hidden_no_later_deal_is_told_of(client, stored, legal):
    held = client.get(f"/games/{stored}/deals/1?until=7").text
    assert steps(client, stored, until=7)["deals"] == 1
    assert "Deal 1</span>" in held
    assert 'data-go="deal-on"' not in held
    last = len(steps(client, stored)["steps"]) - 1
    ended = client.get(f"/games/{stored}/deals/1?until={last}&see=1").text
    link = unescape(re.search(r'href="([^"]*)" data-go="deal-on"', ended)[1])
    assert link == f"/games/{stored}/deals/2?see=1&until=0"
    second = client.get(link).text
    assert 'max="0"' in second
    back = unescape(re.search(r'href="([^"]*)" data-go="deal-back"', second)[1])
    first = client.get(back).text
    assert f'max="{last}"' in first
    assert "until=0" in unescape(re.search(r'href="([^"]*)" data-go="deal-on"', first)[1])
    assert f"of {len(legal.deals)}</span>" in client.get(f"/games/{stored}/deals/1?see=1").text
