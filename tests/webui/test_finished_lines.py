"""Lines that simple players finish, and values that take a longer search, or that there cannot be."""

import re

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from analyzer.play.greedy import play_out
from analyzer.play.setting_up import fast_deal_at
from records.events import Draw, Play
from records.record import Record
from records.replay import replay
from records.rules.registry import resolve_sheet
from records.selfplay import play_game
from tests.make.stored_games import store_game
from webui.replay.what_if import finish_line, try_line

SHEETS = ("bezique", "zique", "rubicon-bezique", "chinese-bezique", "marjolet", "polish-bezique")


def lead_of(record: Record, start: int, line: list) -> int:
    found = try_line(record, resolve_sheet(record.rules.id), 0, start, line, [0, 0])
    assert found.why_none == "The deal is over."
    one, other = found.deal.steps[-1].seats
    assert one.points is not None
    assert other.points is not None
    return one.points - other.points


def played_out(record: Record, start: int) -> int:
    """Seat 0's lead if simple players play a deal on from a step, with the cards that the record draws."""
    for frame in replay(replace(record, result=None)):
        if frame.index + 1 == start:
            drawn = [e.card for e in record.deals[0].events[start:] if isinstance(e, Draw)]
            return play_out(fast_deal_at(frame.table, drawn[: frame.table.stock.left]))
    raise AssertionError(start)


@pytest.mark.parametrize("sheet", SHEETS)
def test_simple_players_finish_a_deal_as_they_finish_worlds(sheet):
    record = play_game(sheet, seed=9, deals=1, style="random")
    for start in (0, 7, 40):
        line = finish_line(record, resolve_sheet(sheet), 0, start, [])
        assert line
        assert lead_of(record, start, line) == played_out(record, start)


def test_a_line_is_finished_from_where_it_is():
    record = play_game("bezique", seed=9, deals=1)
    resolved = resolve_sheet("bezique")
    choices = try_line(record, resolved, 0, 0, [], [0, 0]).choices
    first = next(each.event for each in choices if not each.recorded)
    line = finish_line(record, resolved, 0, 0, [first])
    assert line[0] == first
    assert lead_of(record, 0, line) is not None
    assert finish_line(record, resolved, 0, 0, line) == line


def test_draws_that_a_record_leaves_to_its_stock_are_not_written():
    record = play_game("bezique", seed=9, deals=1)
    deal = record.deals[0]
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    stock = [*drawn[:-1]] if drawn[-1] == deal.turn_up else drawn
    events = [event for event in deal.events if not isinstance(event, Draw)]
    silent = replace(record, deals=[replace(deal, stock=stock, events=events)])
    line = finish_line(silent, resolve_sheet("bezique"), 0, 0, [])
    assert not [event for event in line if isinstance(event, Draw)]
    written = finish_line(record, resolve_sheet("bezique"), 0, 0, [])
    assert [e for e in written if isinstance(e, Play)] == [e for e in line if isinstance(e, Play)]
    assert lead_of(silent, 0, line) == lead_of(record, 0, written)


def test_where_the_record_ends_the_line_ends():
    """The next card of the stock is not known there."""
    record = play_game("bezique", seed=9, deals=1)
    deal = record.deals[0]
    draws = [n for n, event in enumerate(deal.events) if isinstance(event, Draw)]
    cut = replace(
        record, deals=[replace(deal, events=deal.events[: draws[5] + 1], claims=None)], result=None
    )
    line = finish_line(cut, resolve_sheet("bezique"), 0, 0, [])
    assert sum(isinstance(event, Draw) for event in line) == 6
    found = try_line(cut, resolve_sheet("bezique"), 0, 0, line, [0, 0])
    assert found.unseen, "the reader may name the next card"


@pytest.mark.parametrize("sheet", ["bezique", "rubicon-bezique", "marjolet", "polish-bezique"])
def test_a_line_ends_where_a_hand_has_too_few_cards(sheet):
    """A record may lack a hand, or have a part of it; the players play what is there, and the line can be read."""
    record = play_game(sheet, seed=9, deals=1)
    resolved, deal = resolve_sheet(sheet), record.deals[0]
    whole = finish_line(record, resolved, 0, 0, [])
    one, other = deal.hands
    cut = [[one], *([one[:m], other[:n]] for m, n in ((9, 0), (0, 9), (9, 1), (1, 9), (5, 3)))]
    for hands in cut:
        for stock in (deal.stock, None):
            short = replace(
                record,
                deals=[replace(deal, hands=hands, stock=stock, events=[], claims=None)],
                result=None,
            )
            line = finish_line(short, resolved, 0, 0, [])
            assert len(line) < len(whole), hands
            assert try_line(short, resolved, 0, 0, line, [0, 0]).line == line


def test_the_page_offers_it_before_the_close_and_says_who_plays(client: FlaskClient, stored):
    page = client.get(f"/games/{stored}/deals/1/what-if?step=9").text
    assert "No choice has an exact value while cards can be drawn." in page
    (link,) = re.findall(r'href="([^"]+)"[^>]* data-finish>Let simple players finish', page)
    done = client.get(link.replace("&amp;", "&").partition("#")[0])
    assert done.status_code == 200
    assert "The deal is over." in done.text
    assert "Simple players played on for both." in done.text
    (undo,) = re.findall(r'data-undo href="([^"]+)"', done.text)
    assert client.get(undo.replace("&amp;", "&").partition("#")[0]).status_code == 200


def test_nobody_finishes_zetema(client: FlaskClient):
    page = client.get("/examples/zetema/deals/1/what-if?step=9").text
    assert "Zetema has no tricks and no close." in page
    assert "data-finish" not in page


@pytest.fixture(scope="module")
def long_close() -> Record:
    """A close of Polish Bezique in which melds count to the end: its values take more positions than a page searches."""
    return play_game("polish-bezique", seed=1, deals=1)


@pytest.mark.slow
def test_values_beyond_the_limit_come_on_request(
    fresh_client: FlaskClient, store, long_close: Record
):
    digest = store_game(store, long_close)
    plays = [n for n, event in enumerate(long_close.deals[0].events) if isinstance(event, Play)]
    address = f"/games/{digest}/deals/1/what-if?step={plays[-12]}"
    page = fresh_client.get(address).text
    assert "Exact values would take a search of more than 1,500 positions." in page
    assert "data-worth" not in page
    (link,) = re.findall(r'href="([^"]+)" data-search', page)
    answer = fresh_client.get(link.replace("&amp;", "&"))
    assert answer.status_code == 303
    searched = fresh_client.get(answer.location).text
    assert "data-worth" in searched
    assert "data-search" not in searched
    worths = {int(text.replace("−", "-")) for text in re.findall(r'data-worth="([^"]+)"', searched)}
    shorter = try_line(
        long_close, resolve_sheet("polish-bezique"), 0, plays[-12], [], [0, 0], positions=100_000
    )
    assert worths == {choice.worth for choice in shorter.choices if choice.worth is not None}


@pytest.mark.long
def test_what_even_a_long_search_does_not_find_is_said(
    fresh_client: FlaskClient, store, long_close: Record, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("webui.replay.what_if.MOST_POSITIONS_ON_REQUEST", 1_600)
    digest = store_game(store, long_close)
    plays = [n for n, event in enumerate(long_close.deals[0].events) if isinstance(event, Play)]
    address = f"/games/{digest}/deals/1/what-if/values?step={plays[-12]}"
    page = fresh_client.get(address, follow_redirects=True).text
    assert "Exact values would take a search of more than 1,600 positions." in page
    assert "data-search" not in page
