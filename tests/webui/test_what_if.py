"""What if: lines that readers try, judged by the rules, kept in the address and in a record."""

import re
from html import unescape
from random import Random

import pytest

from analyzer.load import ingest_bytes
from records import codec
from records.check import check
from records.events import Draw, Play
from records.play import play_game
from records.record import Line
from records.rules.registry import ALL, resolve
from webui.lines import read_line, write_line
from webui.whatif import tried, with_line


def ask(client, digest, step, line="", deal=1, **more):
    query = {"step": step, "line": line, **more}
    return client.get(f"/games/{digest}/deals/{deal}/what-if.json", query_string=query)


def first_reply(record):
    """The step before the second card of the first deal."""
    events = record.deals[0].events
    plays = [number for number, event in enumerate(events) if isinstance(event, Play)]
    return plays[1]


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL])
def test_whatever_is_offered_is_lawful_and_can_be_kept(sheet):
    record = play_game(sheet, seed=4, deals=2)
    resolved = resolve(sheet, record.rules.edition, record.rules.options)
    random, number = Random(sheet), len(record.deals) - 1
    start = random.randrange(30)
    line = []
    for _ in range(12):
        found = tried(record, resolved, number, start, line)
        assert found.choices or found.unseen or found.why_none == "The deal is over."
        events = [choice.event for choice in found.choices]
        events += [Draw(seat=found.deal.steps[found.number].seat, card=c) for c in found.unseen]
        if not events:
            break
        line.append(random.choice(events))
        assert read_line(write_line(line), len(record.players)) == line
    kept = with_line(record, Line(at=[number, start], events=line))
    assert codec.decode(kept).digest() == codec.digest(record)
    assert not [f for f in check(kept).findings if f.at.pointer.startswith("/lines")]


def test_the_card_of_the_record_is_marked_and_the_stock_goes_on_as_recorded(client, stored, legal):
    step = first_reply(legal)
    events = legal.deals[0].events
    choices = ask(client, stored, step).json["choices"]
    assert [c["event"]["card"] for c in choices if c["recorded"]] == [events[step].card]
    other = next(c["event"] for c in choices if not c["recorded"])
    line = f"play-{other['seat']}-{other['card']}"
    drawn = next(event for event in events if isinstance(event, Draw))
    found = ask(client, stored, step, line).json
    draw = next(c["event"] for c in found["choices"] if c["event"]["type"] == "draw")
    assert draw["card"] == drawn.card
    assert drawn.card in found["unseen"]
    for card in found["unseen"][:5]:
        seat = draw["seat"]
        assert ask(client, stored, step, f"{line}~draw-{seat}-{card}").status_code == 200


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "Event 1 of the line"),
        ("play-9-QS", "Event 1 of the line"),
        ("play-0-ZZ", "Event 1 of the line"),
        ("play-0-QS-KS", "Event 1 of the line"),
        ("meld-0-marriage-KS-ZZ", "Event 1 of the line"),
        ("~".join(["play-0-QS"] * 401), "400 events at most"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(client, stored, line, said):
    answer = ask(client, stored, 3, line)
    assert answer.status_code == 400
    assert said in answer.json["error"]["text"]


def test_what_is_unlawful_is_refused_with_its_place_and_reason(client, stored, legal):
    step = first_reply(legal)
    found = ask(client, stored, step).json["choices"][0]["event"]
    good = f"play-{found['seat']}-{found['card']}"
    refused = ask(client, stored, step, f"{good}~{good}")
    assert refused.status_code == 400
    assert refused.json["error"]["text"].startswith("Event 2 of the line: ")
    refused = ask(client, stored, step, f"draw-{found['seat']}-QS")
    assert refused.json["error"]["text"].startswith("Event 1 of the line: ")


def test_the_line_is_exported_with_the_record_and_the_stored_one_stays(client, stored, legal):
    step = first_reply(legal)
    event = ask(client, stored, step).json["choices"][-1]["event"]
    query = {
        "step": step,
        "line": f"play-{event['seat']}-{event['card']}",
        "text": "bolder",
        "by": "Eve",
    }
    before = client.get(f"/games/{stored}/record.json").data
    saved = client.get(f"/games/{stored}/deals/1/what-if/record.json", query_string=query)
    line = codec.decode(saved.data).record.lines[-1]
    assert (line.at, line.text, line.by) == ([0, step], "bolder", "Eve")
    assert [(e.seat, e.card) for e in line.events] == [(event["seat"], event["card"])]
    assert codec.decode(saved.data).digest() == stored
    assert client.get(f"/games/{stored}/record.json").data == before
    query["line"] = ""
    nothing = client.get(f"/games/{stored}/deals/1/what-if/record.json", query_string=query)
    assert nothing.status_code == 400


def test_every_choice_on_the_page_leads_to_a_page(client, stored, legal):
    page = client.get(f"/games/{stored}/deals/1/what-if?step={first_reply(legal)}").text
    links = re.findall(r'class="try[^"]*" href="([^"#]*)', page)
    assert len(links) == len(ask(client, stored, first_reply(legal)).json["choices"])
    for link in links:
        assert client.get(unescape(link)).status_code == 200


def test_a_card_named_in_the_form_is_drawn(client, stored, legal):
    events = legal.deals[0].events
    step = next(number for number, event in enumerate(events) if isinstance(event, Draw))
    found = ask(client, stored, step).json
    card = next(card for card in found["unseen"] if card != events[step].card)
    after = ask(client, stored, step, draws=events[step].seat, card=card).json
    assert after["line"] == [{"type": "draw", "seat": events[step].seat, "card": card}]


def test_where_draws_are_not_written_the_line_says_why_it_ends(fresh_client, store):
    record = play_game("bezique", seed=5, deals=1)
    deal = record.deals[0]
    deal.events = [event for event in deal.events if isinstance(event, Play)]
    deal.knowledge, deal.claims, record.result = "plays", None, None
    ingest_bytes(store, "plays.json", codec.encode(record))
    page = fresh_client.get(f"/games/{codec.digest(record)}/deals/1/what-if?step=2")
    assert page.status_code == 200
    assert "does not say what was drawn" in page.text


def test_a_deal_or_game_that_is_not_there(client, stored):
    assert client.get(f"/games/{stored}/deals/99/what-if").status_code == 404
    assert client.get("/games/none/deals/1/what-if").status_code == 404
