"""Try again: a position as its seat saw it; what the choices are worth comes only with the answer."""

import re
from datetime import datetime, timedelta
from html import unescape
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.review.deep_review import ReviewedChoice
from analyzer.review.reviewer import MOST_DEALS_AT_ONCE, NOT_AT_ONCE, review_exactly
from analyzer.review.stored import save_review
from records.cards import describe_card
from records.events import Meld
from records.rules.registry import get_sheet
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.make.weighed_games import first_meld, written_review
from webui import create_app
from webui.application import close_app
from webui.replay.drills import answer_choice, offered_choices
from webui.server.analysed_games import (
    MOST_EXACT_GAMES,
    MOST_NEW_EXACT_GAMES,
    DrillMistake,
    DrillPosition,
    find_decision,
    in_drill_order,
    list_mistakes,
)

GAME = play_game("bezique", seed=3, deals=1, names=["Ann", "Bob"])
REVIEW = written_review(GAME, [(70, 8), (25, 4), (30, 20), (15, 2), (45, 5)])
MELD = first_meld(GAME)
REVIEW.deals[0].decisions.append(MELD)
NOON = datetime(2026, 3, 5, 12)
MISTAKES = [REVIEW.deals[0].decisions[place] for place in (0, 1, 4)]
DIGEST = REVIEW.digest
DRILL = f"/games/{DIGEST}/drill"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """An application with the game, whose choices were weighed."""
    app = create_app(data=tmp_path_factory.mktemp("drilled"), testing=True)
    store_game(app, GAME)
    save_review(app.extensions["store"], REVIEW)
    yield app
    close_app(app)


@pytest.fixture
def reader(site):
    return site.test_client()


def at(decision, **more):
    query = {"deal": 1, "step": decision.event, "least": 20, **more}
    return "&".join(f"{name}={value}" for name, value in query.items())


def costliest_first(decisions):
    return sorted(decisions, key=lambda each: -each.lost)


def key_of(choice):
    return f"play-{choice.cards[0]}"


@pytest.mark.long
def test_the_drill_of_a_game_goes_through_its_mistakes_and_begins_anew(reader):
    address, steps = f"{DRILL}.json?least=20", []
    for _ in MISTAKES:
        found = reader.get(address).json
        steps.append(found["question"]["step"])
        assert (found["total"], found["question"]["number"]) == (3, len(steps))
        address = found["next"].replace("/drill?", "/drill.json?")
    assert steps == [each.event for each in costliest_first(MISTAKES)]
    assert reader.get(address).json["question"]["number"] == 1
    assert DRILL in reader.get(f"/games/{DIGEST}").text


@pytest.mark.long
def test_a_position_that_is_passed_on_is_headed_as_one_question(reader):
    page = reader.get(f"{DRILL}?{at(MISTAKES[0])}").text
    (heading,) = re.findall(r"<h1>(.*)</h1>", page)
    assert not re.search("[0-9]", heading)
    assert "of 3 in this drill." in page


@pytest.mark.long
def test_the_drill_of_a_player_has_that_players_mistakes(reader):
    for seat, name in enumerate(GAME.players):
        found = reader.get(f"/player/drill.json?least=20&name={name.name}").json
        own = [each for each in MISTAKES if each.seat == seat]
        assert found["total"] == len(own)
        if own:
            first = costliest_first(own)[0]
            assert (found["question"]["seat"], found["question"]["step"]) == (seat, first.event)
    assert reader.get("/player/drill?name=Nobody").status_code == 404


def test_a_player_without_mistakes_is_told_so(reader):
    page = reader.get("/player/drill?name=Ann&least=900").text
    assert "No mistake of Ann is there to be tried again" in page


@pytest.mark.long
def test_a_question_is_the_same_whatever_the_choices_are_worth(site, reader):
    """Their values, which is the best, what was done and why: none of it is in the page, nor in its JSON."""
    decision = MISTAKES[1]
    asked = [f"{DRILL}?{at(decision)}", f"{DRILL}.json?{at(decision)}"]
    before = [reader.get(address).data for address in asked]
    other = msgspec.json.decode(msgspec.json.encode(REVIEW), type=type(REVIEW))
    changed = next(each for each in other.deals[0].decisions if each.event == decision.event)
    worth = [name for name in ReviewedChoice.__struct_fields__ if name.startswith("behind")]
    values = [
        (each.value, each.error, [getattr(each, name) for name in worth])
        for each in changed.choices
    ]
    changed.choices.reverse()
    for choice, (value, error, behind) in zip(changed.choices, values, strict=True):
        choice.value, choice.error = value + 100, error * 2
        for name, points in zip(worth, behind, strict=True):
            setattr(choice, name, points)
    changed.why = "Something else altogether."
    try:
        save_review(site.extensions["store"], other)
        assert [reader.get(address).data for address in asked] == before
        answered = reader.get(f"{asked[1]}&choice={key_of(decision.choices[0])}").json["answer"]
    finally:
        save_review(site.extensions["store"], REVIEW)
    assert answered != reader.get(f"{asked[1]}&choice={key_of(decision.choices[0])}").json["answer"]


def test_a_question_hides_what_its_seat_could_not_see(reader):
    """Neither the cards of the other hand nor what comes later; and nothing leads there."""
    for decision in MISTAKES:
        found = reader.get(f"{DRILL}.json?{at(decision)}").json["question"]
        other = found["position"]["seats"][1 - decision.seat]
        assert other["hand"] == []
        assert other["backs"] > 0
        page = reader.get(f"{DRILL}?{at(decision)}").text
        shown = re.search(r"<main.*</main>", page, re.DOTALL)[0]
        assert "/deals/" not in shown
        assert "/review" not in shown
        assert "±" not in shown
        hand = re.search(rf'data-hand="{1 - decision.seat}".*?</ul>', shown, re.DOTALL)[0]
        assert {*re.findall(r'data-card="([^"]+)"', hand)} == {"??"}


def test_every_choice_is_a_link_without_script_and_says_what_it_is(reader):
    decision = MISTAKES[0]
    page = unescape(reader.get(f"{DRILL}?{at(decision)}").text)
    links = re.findall(r'class="choice" href="([^"]+)".*?aria-label="([^"]+)"', page)
    cards = {choice.cards[0] for choice in decision.choices}
    assert {words for _, words in links} == {f"Play the {describe_card(card)}" for card in cards}
    for address, _ in links:
        assert reader.get(address).status_code == 200


def test_the_answer_has_every_value_and_what_was_done(reader):
    decision = MISTAKES[0]
    best, made = decision.choices[0], decision.choices[decision.chosen]
    for choice, found in ((best, True), (made, False)):
        answer = reader.get(f"{DRILL}.json?{at(decision, choice=key_of(choice))}").json["answer"]
        assert answer["found"] is found
        assert len(answer["choices"]) == len(decision.choices)
        assert all("±" in each["value"] for each in answer["choices"])
        assert [each["is_yours"] for each in answer["choices"]].index(
            True
        ) == decision.choices.index(choice)
        assert [each["was_made"] for each in answer["choices"]].index(True) == decision.chosen
        assert answer["why"] == decision.why
    assert "is probably better by 70 ±\u00a08 points" in answer["says"]
    page = reader.get(f"{DRILL}?{at(decision, choice=key_of(made))}").text
    assert 'data-found="no"' in page


def test_a_meld_is_tried_again_with_its_points_or_held_back(reader):
    page = unescape(reader.get(f"{DRILL}?{at(MELD, melding=1)}").text)
    assert "What would you meld?" in page
    labels = re.findall(r'class="choice" .*?aria-label="([^"]+)"', page)
    points = next(event.points for event in GAME.deals[0].events if isinstance(event, Meld))
    assert labels[0].startswith("Meld ")
    assert labels[0].endswith(f", {points} points")
    assert labels[1] == "Meld nothing"
    answer = reader.get(f"{DRILL}.json?{at(MELD, melding=1, choice='hold_back')}").json["answer"]
    assert not answer["found"]
    assert "probably better by 30 ±\u00a03 points" in answer["says"]
    assert reader.get(f"{DRILL}?{at(MELD)}").status_code == 404  # there was no card to play


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("deal=1&step=100000", 404),
        ("deal=9&step=1", 404),
        ("deal=x&step=1", 400),
        ("deal=1&step=-1", 400),
        (f"{at(MISTAKES[0], melding=1)}", 404),
        (f"{at(MISTAKES[0], choice='play-??')}", 400),
        (f"{at(MISTAKES[0], least=0)}", 400),
    ],
)
def test_what_is_not_there_is_said(reader, query, status):
    for path in (DRILL, f"{DRILL}.json"):
        assert reader.get(f"{path}?{query}").status_code == status


@pytest.mark.long
def test_the_exact_mistakes_of_a_game_can_be_tried_at_once(fresh, fresh_client):
    """Before any choice was weighed: those after the close and in the trick before it, by the game and by the player."""
    store_game(fresh, GAME)
    assert DRILL in fresh_client.get(f"/games/{DIGEST}").text
    exact = review_exactly(GAME)
    mistakes = in_drill_order(list_mistakes(exact, 1, NOON))
    assert mistakes
    lost = [find_decision(exact, each).lost for each in mistakes]
    assert lost == sorted(lost, reverse=True)
    found = fresh_client.get(f"{DRILL}.json?least=1").json
    assert found["total"] == len(mistakes)
    first = find_decision(exact, mistakes[0])
    answer = fresh_client.get(f"{DRILL}.json?{at(first)}&choice={key_of(first.choices[0])}").json
    assert answer["answer"]["found"]
    for seat, name in enumerate(exact.names):
        own = [each for each in mistakes if find_decision(exact, each).seat == seat]
        asked = f"/player/drill.json?least=1&name={name}"
        assert fresh_client.get(asked).json["total"] == len(own)
    assert fresh_client.get(f"{DRILL}?{at(MISTAKES[0])}").status_code == 404


@pytest.mark.slow
def test_a_long_record_takes_no_longer_at_once_than_its_last_deals():
    """However many deals it has, the last ones are reviewed as they are alone."""
    many = msgspec.structs.replace(GAME, deals=GAME.deals * (MOST_DEALS_AT_ONCE + 5), result=None)
    (alone,) = review_exactly(GAME).deals
    *others, last = review_exactly(many).deals
    assert last.decisions == alone.decisions
    read = [deal for deal in others if deal.decisions]
    assert len(read) == MOST_DEALS_AT_ONCE - 1
    assert {deal.why_not for deal in others if not deal.decisions} == {NOT_AT_ONCE}


def test_choices_of_all_kinds_are_offered_by_kind_and_as_they_stand_in_the_hand():
    (decision, *_) = MISTAKES
    choices = [
        ReviewedChoice("hold_back", [], 9.0),
        ReviewedChoice("meld", ["KH.1", "QH.2"], 8.0, behind=1.0, meld="marriage"),
        ReviewedChoice("exchange", ["7H"], 7.0, behind=2.0),
        ReviewedChoice("meld", ["QS", "JD"], 6.0, behind=3.0, meld="bezique"),
    ]
    melding = msgspec.structs.replace(
        decision, choices=choices, chosen=1, lost=1.0, certain=True, phase="close"
    )
    hand = ["QS", "KH", "QH", "7H", "JD"]
    offers = offered_choices(melding, hand, get_sheet("bezique"), "H")
    assert [offer.words for offer in offers] == [
        "Meld a bezique: the queen of spades and the jack of diamonds, 40 points",
        "Meld a royal marriage: the king of hearts and the queen of hearts, 40 points",
        "Exchange the 7 of hearts",
        "Meld nothing",
    ]
    answer = answer_choice(melding, offers[0].key, ["Ann", "Bob"], 2)
    assert answer.says == "Mistake: no meld is certainly better by 3 points."


mistakes = st.builds(
    lambda number, exact, lost, days: DrillMistake(
        DrillPosition("ab", 0, number, melding=False), exact, lost, NOON + timedelta(days=days)
    ),
    st.integers(0, 500), st.booleans(), st.sampled_from([20.0, 30.0, 45.5]), st.integers(0, 3),
)  # fmt: skip


@given(st.lists(mistakes, unique_by=lambda each: each.position))
def test_exact_mistakes_come_first_then_the_costliest_then_the_most_recent(found):
    by_position = {each.position: each for each in found}
    ordered = [by_position[position] for position in in_drill_order(found)]
    assert sorted(ordered) == sorted(found)
    for one, other in pairwise(ordered):
        assert (one.is_exact, one.lost, one.stored_at) >= (other.is_exact, other.lost, other.stored_at)  # fmt: skip


@pytest.mark.slow
def test_the_exact_mistakes_of_all_games_are_added_a_few_games_at_a_time(fresh, fresh_client):
    """Each time the drill is begun; the pages between take no longer, and lead on among those found."""
    games = [play_game("zique", seed=seed, deals=1, names=["Ann", "Bob"], style="random") for seed in range(5)]  # fmt: skip
    for game in games:
        store_game(fresh, game)
    expected, totals = [], []
    for game in reversed(games):
        seat_of_ann = 0
        expected.append(len(list_mistakes(review_exactly(game), 1, NOON, seat_of_ann)))
    asked = "/player/drill.json?least=1&name=Ann"
    for _ in range(4):
        begun = fresh_client.get(asked).json
        totals.append(begun["total"])
        if begun["next"]:
            on = begun["next"].replace("/drill?", "/drill.json?")
            assert fresh_client.get(on).json["total"] == begun["total"]
    step = MOST_NEW_EXACT_GAMES
    assert totals == [sum(expected[: step * number]) for number in range(1, 5)]
    assert totals[-1] > totals[0]
    assert step < MOST_EXACT_GAMES
