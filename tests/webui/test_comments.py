"""Notes and lines of a record: shown at their steps, hidden where they would reveal cards."""

import re

import pytest
from click import unstyle
from msgspec.structs import replace

from records.events import Irregular, Play, Trick
from records.format import codec
from records.record import Line, Note
from records.rules.registry import resolve_rules
from tests.make.stored_games import store_game
from webui import create_app
from webui.application import close_app
from webui.replay.board import render_step_text
from webui.replay.steps import MOST_CHARACTERS_SHOWN, read_deal_steps
from webui.replay.what_if import read_line, try_line, write_line
from webui.server.game_cache import encode_permalink

LATE = 60


def first_reply(events):
    return [n for n, event in enumerate(events) if isinstance(event, Play)][1]


def resolved_of(record):
    return resolve_rules(record.rules)


@pytest.fixture(scope="module")
def annotated(legal):
    """The legal game with notes, a line that is lawful, one that is not, one of claims, one of another deal."""
    events = legal.deals[0].events
    at = first_reply(events)
    found = try_line(legal, resolved_of(legal), 0, at, [])
    other = next(choice.event for choice in found.choices if not choice.recorded)
    lines = [
        Line(at=[0, at], events=[other, other], by="Cleo", text="twice the same card"),
        Line(at=[0, at], events=[other, Trick(winner=0)], text="<i>bolder</i>"),
        Line(at=[0, at], events=[other, Irregular(seat=0, what="revoke")], by="Dan"),
        Line(at=[1, 0], events=[legal.deals[1].events[0]]),
    ]
    notes = [
        Note(at=[0], text="The deal.", by="Eve"),
        Note(at=[0, at], text="Why <b>this</b>?", by="Eve"),
        Note(at=[0, LATE], text="Much later."),
        Note(at=[1, 0], text="Of another deal."),
    ]
    return replace(legal, notes=notes, lines=lines)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    app = create_app(data=tmp_path_factory.mktemp("margin"), testing=True, wtf_csrf_enabled=False)
    yield app
    close_app(app)


@pytest.fixture(scope="module")
def visitor(house):
    return house.test_client()


@pytest.fixture(scope="module")
def store(house):
    return house.extensions["store"]


@pytest.fixture(scope="module")
def shown(store, annotated):
    """The address of the first deal of that game."""
    store_game(store, annotated)
    return f"/games/{codec.digest(annotated)}/deals/1"


@pytest.mark.long
def test_notes_and_lines_stand_at_their_steps(visitor, shown, annotated):
    at = first_reply(annotated.deals[0].events)
    margin = visitor.get(f"{shown}.json").json["margin"]
    assert [(n["step"], n["by"], n["text"]) for n in margin["notes"]] == [
        (0, "Eve", "The deal."), (at + 1, "Eve", "Why <b>this</b>?"), (LATE + 1, "", "Much later."),
    ]  # fmt: skip
    assert [(line["number"], line["step"], line["by"]) for line in margin["lines"]] == [
        (0, at, "Cleo"), (1, at, ""), (2, at, "Dan"),
    ]  # fmt: skip
    assert margin["left"] == 0
    assert margin["lines"][0]["wrong_at"] == 1
    assert margin["lines"][0]["wrong"]
    assert not margin["lines"][1]["wrong"]
    page = visitor.get(f"{shown}?step={at + 1}").text
    assert "Why &lt;b&gt;this&lt;/b&gt;?" in page
    assert "&lt;i&gt;bolder&lt;/i&gt;" in page
    assert "Of another deal" not in page
    spoken = re.findall(r'data-comment-step="(\d+)"( hidden)?', page)
    assert [step for step, hidden in spoken if not hidden] == [str(at + 1)]


@pytest.mark.parametrize(
    ("view", "notes"), [("see=0", 0), ("see=1&until=90", 0), ("until=0", 1), ("until=59", 2)]
)
def test_what_may_tell_too_much_is_not_sent(visitor, shown, view, notes):
    margin = visitor.get(f"{shown}.json?{view}").json["margin"]
    assert (len(margin["notes"]), margin["lines"], margin["left"]) == (notes, [], 6 - notes)
    page = visitor.get(f"{shown}?{view}").text
    assert "Much later." not in page
    assert "bolder" not in page
    assert "may reveal what this view hides" in page
    assert "not shown here" not in visitor.get(shown).text


def test_a_line_opens_with_its_moves_replayed(visitor, shown, annotated):
    opened = visitor.get(f"{shown}/what-if.json?kept=1").json
    assert opened["step"] == first_reply(annotated.deals[0].events)
    assert [event["type"] for event in opened["line"]] == ["play"]
    assert opened["opened"] == {"by": "", "text": "<i>bolder</i>", "wrong": "", "left": []}
    page = visitor.get(f"{shown}/what-if?kept=1").text
    assert "&lt;i&gt;bolder&lt;/i&gt;" in page
    assert "Not played here" not in page
    assert (
        visitor.get(shown).text.count(", play it in What if<") == 6
    )  # each in the list and at its step


def test_an_unlawful_line_opens_as_far_as_it_goes_with_the_judgement(visitor, shown):
    opened = visitor.get(f"{shown}/what-if.json?kept=0").json
    assert len(opened["line"]) == 1
    told = visitor.get(f"{shown}.json").json["margin"]["lines"][0]
    assert opened["opened"]["wrong"] == told["wrong"]
    assert opened["opened"]["left"] == told["said"][1:]
    page = visitor.get(f"{shown}/what-if?kept=0").text
    assert "A line proposed here" in page
    assert "Not played here" in page
    report = visitor.get(f"{shown.partition('/deals')[0]}/report.json").json
    assert told["wrong"] in [finding["message"] for finding in report["findings"]]


def test_a_line_is_opened_up_to_what_an_address_cannot_hold(visitor, shown):
    opened = visitor.get(f"{shown}/what-if.json?kept=2").json
    assert len(opened["line"]) == 1
    assert opened["opened"]["left"][0].startswith("Irregular")
    assert not opened["opened"]["wrong"]


@pytest.mark.parametrize("kept", [3, 4, 99])
def test_a_line_that_is_not_of_this_deal_is_not_there(visitor, shown, kept):
    assert visitor.get(f"{shown}/what-if?kept={kept}").status_code == 404


def test_a_line_beyond_what_can_be_followed_is_listed_and_not_opened(visitor, store, illegal):
    line = Line(at=[0, 9], events=[illegal.deals[0].events[9]], text="too far")
    hand = illegal.deals[0].hands[illegal.deals[0].events[0].seat]
    foreign = next(
        card for card in ("AS", "KS", "QS", "JS", "AH", "KH", "QH", "JH", "AC") if card not in hand
    )
    first, *rest = illegal.deals[0].events
    deal = replace(illegal.deals[0], events=[replace(first, card=foreign), *rest])
    record = replace(
        illegal, deals=[deal], result=None, lines=[line], notes=[Note(at=[0, 9], text="there")]
    )
    store_game(store, record)
    address = f"/games/{codec.digest(record)}/deals/1"
    told = visitor.get(f"{address}.json").json
    last = len(told["steps"]) - 1
    assert told["margin"]["lines"][0]["step"] < 9
    assert not told["margin"]["lines"][0]["opens"]
    assert told["margin"]["notes"][0]["step"] == last
    assert ", play it in What if<" not in visitor.get(address).text
    assert visitor.get(f"{address}/what-if?kept=0").status_code == 400


@pytest.mark.parametrize(
    "text",
    ["play-0-QS-table", "dix-1-exchange-7D.1", "cut-0-24-26", "cut-1-9", "declare-0-bezique-QS-JD",
     "meld-1-marriages-KS-QS-on-QS", "carte_blanche-0", "draw-1-7H~discard-1-7H"],
)  # fmt: skip
def test_every_kind_of_event_stands_in_an_address(text):
    assert write_line(read_line(text, 2)) == text


def test_a_record_in_an_address_brings_its_notes(client, legal, annotated):
    small = replace(
        annotated, deals=annotated.deals[:1], result=None, notes=annotated.notes[:3], lines=None
    )
    page = client.get(
        "/replay", query_string={"record": encode_permalink(codec.encode(small)), "deal": 1}
    ).text
    assert "Much later." in page


def test_the_text_of_a_step_has_them_too(visitor, shown, annotated):
    at = first_reply(annotated.deals[0].events)
    text = visitor.get(f"{shown}.txt?step={at + 1}").text
    assert "Eve: Why <b>this</b>?" in text
    assert "Cleo" not in text
    before = visitor.get(f"{shown}.txt?step={at}").text
    assert "Line by Cleo: twice the same card" in before
    assert "A line proposed here" in before
    assert "Eve" not in visitor.get(f"{shown}.txt?step={at + 1}&see=0").text


def test_a_note_does_not_steer_a_terminal(legal):
    record = replace(legal, notes=[Note(at=[0], text="a\x1b[2Jb\nc", by="\x1bEve")])
    deal = read_deal_steps(record, resolved_of(record), 0)
    assert "\x1b" not in unstyle("".join(render_step_text(deal, 0)))


def test_the_terminal_says_that_a_line_goes_on(legal):
    events = legal.deals[0].events[:5]
    deal = read_deal_steps(
        replace(legal, lines=[Line(at=[0, 0], events=events)]), resolved_of(legal), 0
    )
    (said,) = [line for line in render_step_text(deal, 0) if "Line" in line]
    assert unstyle(said).endswith(". …")


def test_of_a_long_text_the_beginning_is_shown(legal):
    long = "x" * (MOST_CHARACTERS_SHOWN + 1)
    record = replace(
        legal,
        notes=[Note(at=[0], text=long, by=long), Note(at=[0], text="x" * MOST_CHARACTERS_SHOWN)],
        lines=[Line(at=[0, 0], events=legal.deals[0].events[:1], by=long, text=long)],
    )
    margin = read_deal_steps(record, resolved_of(record), 0).margin
    cut = long[:MOST_CHARACTERS_SHOWN] + "…"
    assert [(note.by, note.text) for note in margin.notes] == [
        (cut, cut),
        ("", "x" * MOST_CHARACTERS_SHOWN),
    ]
    assert [(line.by, line.text) for line in margin.lines] == [(cut, cut)]
