"""Luck and skill on the pages: requested, computed in the background, drawn so that the parts add up."""

import re

import msgspec
import pytest

from analyzer.play.seat_players import base_player_for
from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.reviewer import review_record
from records.cards import card_sign
from records.errors import StoreError
from records.event_words import describe_event
from records.events import Draw, Meld, Play, Trick
from records.format import codec
from records.rules.registry import get_sheet
from records.selfplay import play_game
from tests.machine.waiting import wait_until
from tests.make.stored_games import store_game
from webui.replay.deal_reviews import CHART_WIDTH, build_luck_chart

pytestmark = pytest.mark.long

GAME = play_game("marjolet", seed=3, style="random", deals=2)
LONG = play_game("six-pack-bezique", seed=3)
POLLING_PAUSE = 0.1
"""Seconds between two questions; whoever asks more often for a minute is refused."""
DIGEST, SLOW = codec.digest(GAME), codec.digest(LONG)


@pytest.fixture
def client(fresh, fresh_client):
    for game in (GAME, LONG):
        store_game(fresh, game)
    yield fresh_client
    fresh.extensions["rollouts"].close()


def ask(client, digest, rollouts):
    return client.post(f"/games/{digest}/review/luck", data={"rollouts": rollouts})


def told(client, digest):
    return client.get(f"/games/{digest}/review/luck.json").json


def ended(client, digest):
    """What is told at the end."""
    wait_until(lambda: not told(client, digest)["goes_on"], pause=POLLING_PAUSE)
    return told(client, digest)


@pytest.mark.slow
def test_luck_is_told_behind_the_page_and_kept(client, fresh):
    store = fresh.extensions["store"]
    before = client.get(f"/games/{DIGEST}/review").text
    assert "Estimate luck and skill" in before
    assert "<figure" not in before
    answer = ask(client, DIGEST, 20)
    assert (answer.status_code, answer.location) == (303, f"/games/{DIGEST}/review#luck")
    assert ended(client, DIGEST)["state"] == "done"
    page = client.get(f"/games/{DIGEST}/review").text
    assert page.count('<figure class="luck">') == 2
    assert "from 20 simulations" in page
    assert "<figure" in client.get(f"/games/{DIGEST}/deals/1").text
    kept = stored.load_review(store, DIGEST)
    here = review_record(GAME, digest=DIGEST, terms=ReviewTerms(worlds=0, rollouts=20))
    assert [deal.luck for deal in kept.deals] == [deal.luck for deal in here.deals]
    assert kept.terms == here.terms


@pytest.mark.slow
def test_what_goes_on_is_shown_and_can_be_stopped(client, fresh):
    kept = client.get(f"/games/{SLOW}/review.json").data
    ask(client, SLOW, 200)
    ask(client, DIGEST, 20)
    page = client.get(f"/games/{SLOW}/review").text
    assert f'data-progress="/games/{SLOW}/review/luck.json"' in page
    assert "Estimate luck and skill" not in page
    assert told(client, DIGEST)["words"] == "Waiting for 1 other game"
    answer = client.post(f"/games/{SLOW}/review/luck/stop")
    assert answer.status_code == 303
    assert ended(client, SLOW)["state"] == "stopped"
    assert ended(client, DIGEST)["state"] == "done"
    assert "Estimate luck and skill" in client.get(f"/games/{SLOW}/review").text
    assert client.get(f"/games/{SLOW}/review.json").data == kept


@pytest.mark.slow
def test_what_waits_is_stopped_at_once(client):
    ask(client, SLOW, 200)
    ask(client, DIGEST, 20)
    client.post(f"/games/{DIGEST}/review/luck/stop")
    assert told(client, DIGEST)["state"] == "stopped"
    client.post(f"/games/{SLOW}/review/luck/stop")


@pytest.mark.slow
def test_a_game_that_is_gone_is_said(client, fresh):
    ask(client, SLOW, 200)
    ask(client, DIGEST, 20)
    rollings = fresh.extensions["rollouts"]
    asked = rollings.job(DIGEST)
    client.post(f"/games/{DIGEST}/delete")
    rollings.stop(SLOW)
    wait_until(lambda: not asked.is_active)
    assert asked.state == "failed"
    assert "was deleted" in asked.reason


@pytest.mark.slow
def test_a_game_that_is_deleted_meanwhile_is_not_kept(client, fresh):
    store = fresh.extensions["store"]
    shares = stored.add_luck_estimate(store, DIGEST, 4)
    next(shares)
    client.post(f"/games/{DIGEST}/delete")
    with pytest.raises(StoreError, match="no game"):
        list(shares)
    assert store.rows("SELECT count(*) FROM game_reviews").rows == [(0,)]


@pytest.mark.slow
def test_what_is_stopping_can_be_asked_for_again(client):
    ask(client, SLOW, 200)
    client.post(f"/games/{SLOW}/review/luck/stop")
    ask(client, SLOW, 50)
    wait_until(lambda: told(client, SLOW)["share"], pause=POLLING_PAUSE)
    assert told(client, SLOW)["state"] == "running"
    client.post(f"/games/{SLOW}/review/luck/stop")


@pytest.mark.slow
def test_what_the_reader_calls_a_mistake_stays_in_the_address(client):
    page = client.get(f"/games/{DIGEST}/review?least=40").text
    assert f'action="/games/{DIGEST}/review/luck?least=40"' in page
    answer = client.post(f"/games/{DIGEST}/review/luck?least=40", data={"rollouts": 20})
    assert answer.location == f"/games/{DIGEST}/review?least=40#luck"
    ended(client, DIGEST)


def test_what_was_passed_over_is_to_be_seen_after_the_trick():
    """No trick is written: the step is the one at which the trick is complete."""
    player = base_player_for(get_sheet("bezique"))
    game = play_game("bezique", seed=4, deals=1, seat_players={0: player, 1: player})
    (deal,) = game.deals
    queens = next(e for e in deal.events if isinstance(e, Meld) and e.meld == "four_queens")
    events = [each for each in deal.events if each is not queens and not isinstance(each, Trick)]
    passed = msgspec.structs.replace(
        game, deals=[msgspec.structs.replace(deal, events=events, claims=None)]
    )
    notes = review_record(
        passed, terms=ReviewTerms(worlds=0, rollouts=20, last_trick=False, least=1)
    )
    found = build_luck_chart(notes.deals[0].luck, events, notes)
    steps = [line.step for line in found.choices if "passes up" in line.say]
    assert steps
    for step in steps:
        assert isinstance(events[step - 1], Play)
        assert sum(isinstance(each, Play) for each in events[:step]) % 2 == 0


def test_a_deal_without_an_end_is_said(client, fresh):
    (deal, *_) = GAME.deals
    short = msgspec.structs.replace(deal, events=deal.events[:30], claims=None)
    cut = msgspec.structs.replace(GAME, deals=[short], result=None)
    digest = store_game(fresh, cut)
    ask(client, digest, 20)
    assert ended(client, digest)["state"] == "done"
    assert "No estimate is possible" in client.get(f"/games/{digest}/review").text


@pytest.mark.parametrize("rollouts", ["", "7", "x", "-20", "1000000"])
def test_only_some_numbers_can_be_asked_for(client, rollouts):
    answer = ask(client, DIGEST, rollouts)
    assert answer.status_code == 400
    assert "20, 50 or 200" in answer.text


def test_where_nothing_was_asked_nothing_is_told(client):
    assert client.get(f"/games/{DIGEST}/review/luck.json").status_code == 404
    assert client.post(f"/games/{'0' * 64}/review/luck").status_code == 404


def test_every_bar_begins_where_the_one_before_ended():
    notes = review_record(GAME, terms=ReviewTerms(worlds=0, rollouts=8, last_trick=False))
    for deal in notes.deals:
        found = build_luck_chart(deal.luck, GAME.deals[deal.deal].events, notes)
        at = found.zero
        for bar in found.bars[:-1]:
            left, right = bar.x, bar.x + bar.width
            start, end = (right, left) if bar.side == 1 else (left, right)
            assert start == pytest.approx(at, abs=0.2)
            assert bar.low <= end <= bar.high
            at = end
        result = found.bars[-1]
        reached = result.x if result.side == 1 else result.x + result.width
        assert reached == pytest.approx(at, abs=0.5)
        assert all(0 <= bar.low <= bar.high <= CHART_WIDTH for bar in found.bars)


@pytest.mark.slow
def test_draws_and_choices_lead_to_their_steps(client):
    ask(client, DIGEST, 50)
    ended(client, DIGEST)
    page = client.get(f"/games/{DIGEST}/review?least=10").text
    lines = re.findall(
        r'deals/(\d)\?step=(\d+)(?:&(?:amp;)?least=10)?".*?<span>((?:After t|T)rick \d+: [^<]*)</span>',
        page,
    )
    kinds = set()
    for deal, step, words in lines:
        events = GAME.deals[int(deal) - 1].events
        if words.startswith("Trick"):
            kinds.add(Play)
            assert describe_event(events[int(step)], ["Ann", "Bob"]).rstrip(".") in words
        elif re.match(r"After trick \d+: \S+ .{2,3}, \S+ .{2,3}:", words):
            kinds.add(Draw)
            pair = events[int(step) - 2 : int(step)]
            assert [type(each) for each in pair] == [Draw, Draw]
            assert all(card_sign(each.card) in words for each in pair)
    assert kinds == {Play, Draw}
