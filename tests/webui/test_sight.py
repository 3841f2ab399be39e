"""What is not to be seen is not in what the page was sent."""

import re
from xml.etree import ElementTree

import pytest

from records.cards import FACE_OF, sign
from records.events import Draw, Meld, Play

CARD = re.compile(r"\b[A2-9TJQK][SHDC]\b")


def steps(client, digest, deal=1, **view):
    return client.get(f"/games/{digest}/deals/{deal}.json", query_string=view).json


def shown_to(record, seat, until, deal=0):
    """The faces that a seat has seen by then: its own, those played, melded and turned up."""
    dealt = record.deals[deal]
    seen = {dealt.turn_up, *dealt.hands[seat]}
    for event in dealt.events[:until]:
        match event:
            case Draw(seat=who, card=card) if who == seat or card == dealt.turn_up:
                seen.add(card)
            case Play(card=card):
                seen.add(card)
            case Meld(cards=cards):
                seen.update(cards)
    return {FACE_OF[card] for card in seen}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("until", [0, 1, 40, 90])
def test_a_seat_is_sent_no_card_that_it_has_not_seen(client, stored, legal, seat, until):
    answer = client.get(f"/games/{stored}/deals/1.json", query_string={"see": seat, "until": until})
    assert set(CARD.findall(answer.text)) <= shown_to(legal, seat, until)
    page = client.get(f"/games/{stored}/deals/1", query_string={"see": seat, "until": until})
    _, embedded = page.text.split('id="deal">')
    assert set(CARD.findall(embedded)) <= shown_to(legal, seat, until)


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


def test_a_picture_and_a_text_hide_what_the_page_hides(client, stored, legal):
    other = {FACE_OF[card] for card in legal.deals[0].hands[1]}
    mine = shown_to(legal, 0, 0)
    picture = client.get(f"/games/{stored}/deals/1.svg?step=0&see=0").text
    assert set(re.findall(r'id="([A2-9TJQK][SHDC])"', picture)) <= mine
    text = client.get(f"/games/{stored}/deals/1.txt?step=0&see=0").text
    assert "Ann" in text
    for card in other - mine:
        assert sign(card) not in text
        assert sign(card) in client.get(f"/games/{stored}/deals/1.txt?step=0").text
