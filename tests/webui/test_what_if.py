"""What if: lines that readers play, checked by the rules, kept in the address and saved in a record."""

import re
from collections import Counter
from html import unescape
from random import Random

import msgspec
import pytest

from records.events import AnyEvent, Declare, Discard, Dix, Draw, Meld, Play
from records.format import codec
from records.record import Line
from records.rules.registry import ALL_SHEETS, resolve_rules, resolve_sheet
from records.selfplay import play_game
from records.validator import check
from tests.machine.cpu_cost import CpuCost
from tests.make.stored_games import store_game
from tests.make.tables import play_with_stock, table
from tests.playouts.test_more_players import PAIRS, known_rulebooks
from webui.replay.what_if import add_line, is_claim, read_line, try_line, write_line


def ask(client, digest, step, line="", deal=1, **more):
    query = {"step": step, "line": line, **more}
    return client.get(f"/games/{digest}/deals/{deal}/what-if.json", query_string=query)


def first_reply(record):
    """The step before the second card of the first deal."""
    events = record.deals[0].events
    plays = [number for number, event in enumerate(events) if isinstance(event, Play)]
    return plays[1]


@pytest.mark.parametrize("sheet", ["bezique", "six-pack-bezique", "zetema"])
def test_a_move_of_a_line_takes_less_than_150_ms(fresh_client, store, sheet):
    record = play_game(sheet, seed=4, deals=1)
    digest = store_game(store, record)
    step, line, times = first_reply(record) if sheet != "zetema" else 20, [], []
    for _ in range(7):
        with CpuCost() as cost:
            found = ask(fresh_client, digest, step, write_line(line)).json
        times.append(cost.seconds)
        line.append(msgspec.convert(found["choices"][-1]["event"], AnyEvent))
    assert sorted(times)[3] < 0.150


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_whatever_is_offered_is_lawful_and_can_be_kept(sheet):
    record = play_game(sheet, seed=4, deals=2)
    resolved = resolve_sheet(sheet, record.rules.edition, record.rules.options)
    random, number = Random(sheet), len(record.deals) - 1
    start = random.randrange(30)
    line = []
    for _ in range(12):
        found = try_line(record, resolved, number, start, line)
        assert found.choices or found.unseen or found.why_none == "The deal is over."
        events = [choice.event for choice in found.choices]
        events += [Draw(seat=found.deal.steps[found.number].seat, card=c) for c in found.unseen]
        if not events:
            break
        line.append(random.choice(events))
        assert read_line(write_line(line), len(record.players)) == line
    kept = add_line(record, Line(at=[number, start], events=line))
    assert codec.decode(kept).digest() == codec.digest(record)
    assert not [f for f in check(kept).findings if f.at.pointer.startswith("/lines")]


@pytest.mark.parametrize(("rulebook", "sides"), [("three-hands", None), ("four-partners", PAIRS)])
def test_more_than_two_at_tricks_try_what_might_have_been(fresh_client, store, rulebook, sides):
    """Whoever may act is offered what is lawful, a partner's melds too; what it is worth is told of games for two alone."""
    with known_rulebooks():
        record = play_game(rulebook, seed=6, sides=sides, deals=1, carry=True)
        digest, melds, nobody = store_game(store, record), [], [0] * len(record.players)
        first = try_line(record, resolve_rules(record.rules), 0, 0, [], nobody)
        assert first.why_no_values.startswith("Only games for two are reviewed.")
        for at in range(0, len(record.deals[0].events), 17):
            line = []
            for _ in range(5):
                found = ask(fresh_client, digest, at, write_line(line)).json
                events = [msgspec.convert(each["event"], AnyEvent) for each in found["choices"]]
                if not events:
                    break
                melds += [each.seat for each in events if isinstance(each, Meld)]
                line.append(Random(at).choice(events))
            kept = check(add_line(record, Line(at=[0, at], events=line)))
            assert not [each for each in kept.findings if each.at.pointer.startswith("/lines")], at
        assert melds


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_every_kind_of_choice_that_was_made_is_offered(sheet):
    """Three of every kind, from a game of every sheet: what was done is marked among what is offered."""
    record = play_game(sheet, seed=6, deals=1)
    resolved = resolve_sheet(sheet, record.rules.edition, record.rules.options)
    times = Counter()
    for at, event in enumerate(record.deals[0].events):
        times[type(event)] += 1
        if is_claim(event) or times[type(event)] > 3:
            continue
        choices = try_line(record, resolved, 0, at, [], [0] * len(record.players)).choices
        kinds = {type(choice.event) for choice in choices if choice.recorded}
        assert kinds == {type(event)}, (at, event)
    assert times.keys() & {Play, Discard}


@pytest.mark.slow
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
        ("~".join(["play-0-QS"] * 601), "at most 600 events"),
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
    links = re.findall(r'<a class="choice[^"]*" href="([^"#]*)', page)
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


@pytest.mark.long
def test_where_draws_are_not_written_the_line_says_why_it_ends(fresh_client, store):
    record = play_game("bezique", seed=5, deals=1)
    deal = record.deals[0]
    deal.events = [event for event in deal.events if isinstance(event, Play)]
    deal.knowledge, deal.claims, record.result = "plays", None, None
    store_game(store, record)
    page = fresh_client.get(f"/games/{codec.digest(record)}/deals/1/what-if?step=2")
    assert page.status_code == 200
    assert "does not show what was drawn" in page.text


def test_what_comes_is_not_told_where_it_is_hidden_and_the_way_back_hides_it_still(
    client, stored, legal
):
    step = first_reply(legal)
    address = f"/games/{stored}/deals/1/what-if?step={step}"
    open_page, page = client.get(address).text, client.get(f"{address}&until={step}&near=1").text
    for told in ("In the record:", "As in the record."):
        assert told in open_page
        assert told not in page
    assert f'/deals/1?step={step}&amp;until={step}&amp;near=1"' in page
    later = ask(client, stored, step + 20, until=step).json
    assert later["step"] == step
    assert not [choice for choice in later["choices"] if choice["recorded"]]


def test_a_deal_or_game_that_is_not_there(client, stored):
    assert client.get(f"/games/{stored}/deals/99/what-if").status_code == 404
    assert client.get("/games/none/deals/1/what-if").status_code == 404


def next_in(told, *line):
    """What is offered after a line in a position."""
    record, rules = told.record, told.record.rules
    resolved = resolve_sheet(rules.id, None, rules.options)
    return try_line(record, resolved, 0, len(record.deals[0].events), list(line)).choices


def test_a_meld_is_shown_and_scored_later():
    told = table(
        "N: KS QS 9H 8H 7H 9C 8C 7C | S: AS 9D 8D 7D TD AD JD KD | trump C | stock 20 | N won"
    )
    (shown,) = [choice for choice in next_in(told) if choice.is_shown]
    assert shown.event == Declare(seat=0, meld="marriage", cards=["KS", "QS"])
    after = next_in(told, shown.event)
    assert not [choice for choice in after if choice.is_shown]  # it lies there
    assert [c.event.meld for c in after if isinstance(c.event, Meld)] == ["marriage"]


def test_a_card_of_which_one_lies_there_and_one_is_held_is_played_from_either():
    told = table(
        "N: QS 9H 8H 7H 9C 8C | N lays marriage KS QS | S: AS 9D 8D 7D TD AD JD KD | trump C | stock 20 | N leads"
    )
    queens = [choice for choice in next_in(told) if choice.cards == ["QS"]]
    assert [(choice.place, choice.words) for choice in queens] == [
        ("hand", "North plays the queen of spades from the hand."),
        ("table", "North plays the queen of spades from the table."),
    ]
    assert [choice.place for choice in next_in(told) if choice.cards == ["9H"]] == [""]


@pytest.mark.long
def test_the_dealer_cuts_any_number_before_anything_else(fresh_client, store):
    record = play_game("six-pack-bezique", seed=4)
    store_game(store, record)
    digest, dealer = codec.digest(record), record.deals[0].dealer
    page = fresh_client.get(f"/games/{digest}/deals/1/what-if").text
    assert 'name="packet"' in page
    form = {"cuts": dealer, "packet": 24, "guess": 24}
    after = ask(fresh_client, digest, 0, **form).json
    assert after["line"] == [{"type": "cut", "seat": dealer, "packet": 24, "guess": 24}]
    assert [seat["points"] for seat in after["table"]["seats"]] in ([250, 150], [150, 250])
    assert ask(fresh_client, digest, 0, cuts=dealer, packet=24).json["line"][0]["packet"] == 24
    assert ask(fresh_client, digest, 0, cuts=dealer, packet=999).status_code == 400
    assert ask(fresh_client, digest, 0, cuts=1 - dealer, packet=24).status_code == 400
    assert 'name="packet"' not in fresh_client.get(f"/games/{digest}/deals/1/what-if?step=4").text


def test_an_answer_is_kept_and_forgotten_with_the_game(app, client, stored):
    game_cache = app.extensions["game_cache"]
    ask(client, stored, 7)
    before = game_cache.line.cache_info()
    first, second = ask(client, stored, 7), ask(client, stored, 7)
    assert first.json == second.json
    assert game_cache.line.cache_info().hits == before.hits + 2
    assert game_cache.line.most_answers < 1000
    game_cache.clear()
    assert game_cache.line.cache_info().currsize == 0


def test_a_line_that_does_as_the_record_did_is_marked_on_and_on(legal):
    chosen = [event for event in legal.deals[0].events[:30] if not is_claim(event)]
    resolved = resolve_sheet("bezique", None, {})
    line = []
    for event in chosen:
        choices = try_line(legal, resolved, 0, 0, line, [0, 0]).choices
        (recorded,) = [choice.event for choice in choices if choice.recorded]
        assert type(recorded) is type(event)
        line.append(recorded)


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_a_line_draws_from_the_stock_where_the_record_writes_no_draw(sheet):
    """A line goes on after the first trick or turn, and all that is offered on the way is lawful."""
    record = play_with_stock(sheet, seed=4)
    resolved = resolve_sheet(sheet, record.rules.edition, record.rules.options)
    random, line = Random(sheet), []
    for _ in range(16):
        found = try_line(record, resolved, 0, 0, line)
        assert found.unseen == []
        assert found.choices or found.why_none == "The deal is over."
        if not found.choices:
            break
        line.append(random.choice(found.choices).event)
    assert not any(isinstance(event, Draw) for event in line)
    assert sum(isinstance(event, Play | Discard) for event in line) > 4
    kept = add_line(record, Line(at=[0, 0], events=line))
    assert not [f for f in check(kept).findings if f.at.pointer.startswith("/lines")]


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_what_was_done_is_marked_where_the_record_writes_no_draw(sheet):
    """Melds before the draw and cards played after it are offered side by side."""
    record = play_with_stock(sheet, seed=6)
    resolved = resolve_sheet(sheet, record.rules.edition, record.rules.options)
    for at, event in enumerate(record.deals[0].events[:60]):
        if is_claim(event):
            continue
        choices = try_line(record, resolved, 0, at, [], [0] * len(record.players)).choices
        kinds = {type(choice.event) for choice in choices if choice.recorded}
        assert kinds == {type(event)}, (at, event)


def test_before_the_draws_of_a_stock_a_meld_is_offered_and_the_card_that_will_be_drawn():
    told = table(
        "N: KS QS 9H 8H 7H 9C 8C 7C | S: AS 9D 8D 7D TD AD JD KD | trump C | stock 4 | N won",
    )
    told.record.deals[0].stock = ["AC", "AH", "TH", "JH"]
    choices = next_in(told)
    assert [c.event.meld for c in choices if isinstance(c.event, Meld)] == ["marriage"]
    assert "AC" in [c.event.card for c in choices if isinstance(c.event, Play)]
    lead = next(c.event for c in choices if c.cards == ["AC"])
    replies = [c.event.card for c in next_in(told, lead)]
    assert "AH" in replies
    assert "TH" not in replies


def test_a_seven_that_the_stock_brings_is_offered_at_once_where_it_may_be_shown_at_any_time():
    told = table(
        "N: KS QS | S: AS 9D | trump C | turn-up 9C | stock 4 | N won", sheet="zique", dix=True
    )
    told.record.deals[0].stock = ["7C", "AH", "TH", "JH"]
    choices = next_in(told)
    shown = [c.event for c in choices if isinstance(c.event, Dix)]
    assert [(event.seat, event.action) for event in shown] == [(0, "show")]
    assert [c for c in next_in(told, shown[0]) if isinstance(c.event, Play)]


def test_where_the_record_writes_its_draws_a_line_draws_by_an_event(legal):
    """So it is from the first card on, although no draw stands before the line."""
    record = codec.decode(codec.encode(legal)).record
    deal = record.deals[0]
    deal.stock = [event.card for event in deal.events if isinstance(event, Draw)][:-1]
    plays = [event for event in deal.events if isinstance(event, Play)][:2]
    resolved = resolve_sheet("bezique", None, {})
    found = try_line(record, resolved, 0, 0, plays, [0, 0])
    (drawn,) = [choice.event for choice in found.choices if isinstance(choice.event, Draw)]
    assert drawn.card == deal.stock[0]
    assert not [choice for choice in found.choices if isinstance(choice.event, Play)]


@pytest.mark.long
@pytest.mark.parametrize(
    "sheet", ["bezique", "zique", "rubicon-bezique", "marjolet", "six-pack-bezique"]
)
def test_after_the_close_choices_differ_at_the_end_by_what_they_are_said_to_be_worth(sheet):
    """Each of some choices, and then the best line, is played to the end of the deal by the engine."""
    record = play_game(sheet, seed=5, deals=1)
    resolved = resolve_sheet(sheet, record.rules.edition, record.rules.options)
    plays = [n for n, event in enumerate(record.deals[0].events) if isinstance(event, Play)]
    compared = 0
    for start in plays[-8:-1:3]:
        choices = [
            each
            for each in try_line(record, resolved, 0, start, []).choices
            if each.worth is not None
        ]
        ends = {
            choice.worth: lead_at_the_end(record, resolved, start, choice.event)
            for choice in choices[:3]
        }
        compared += len(ends)
        assert len({worth - end for worth, end in ends.items()}) <= 1
        assert {
            choice.best for choice in choices if choice.worth == max(each.worth for each in choices)
        } <= {True}
    assert compared > 2


def lead_at_the_end(record, resolved, start, first):
    """The lead of the seat that makes a choice, after it and the best play of both."""
    after = try_line(record, resolved, 0, start, [first])
    ended = try_line(record, resolved, 0, start, [first, *after.best_line])
    assert ended.why_none == "The deal is over."
    points = [seat.points for seat in ended.deal.steps[-1].seats]
    return points[first.seat] - points[1 - first.seat]


def test_while_cards_can_be_drawn_no_choice_has_a_value(client, stored):
    answer = ask(client, stored, 1).json
    assert {choice["worth"] for choice in answer["choices"]} == {None}
