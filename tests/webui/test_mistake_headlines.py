"""A mistake is the headline of its step: on the page, in its title and description, and in the picture beside a link."""

import json
import re
from html import unescape

import pytest
from msgspec.structs import replace

from analyzer.review.deep_review import MatchScores, ReviewTerms
from analyzer.review.reviewer import review_record
from analyzer.review.stored import save_review
from records.format import codec
from records.rules.registry import resolve_rules
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.webui.page_heads import meta
from webui.replay.deal_reviews import headline_at, review_deal
from webui.replay.mistakes import describe_mistake
from webui.replay.pictures import CHOICE_EDGES, render_preview_svg
from webui.replay.steps import read_deal_steps
from webui.replay.what_if import read_line

GAME = play_game("bezique", seed=26, style="random")
REVIEW = review_record(GAME, terms=ReviewTerms(worlds=0))
DECISIONS = {each.event: each for each in REVIEW.deals[0].decisions}
DEAL = read_deal_steps(GAME, resolve_rules(GAME.rules), 0)
TOLD = review_deal(REVIEW, 0, GAME.deals[0].events)
assert TOLD is not None


def test_the_headline_says_what_was_done_how_bad_it_was_and_what_was_better():
    for event, told in TOLD.headlines.items():
        decision = DECISIONS[event]
        verb = "leads" if "to lead" in DEAL.steps[event].turn else "plays"
        done = rf"{GAME.players[decision.seat].name} {verb} \S+[♠♥♦♣]{re.escape(told.mark)}"
        assert re.fullmatch(rf"{done} .+ is {decision.lost:g} points better\.", told.headline)
        assert told.bad == decision.choices[decision.chosen].cards[0][:2]
        assert told.better == list(
            dict.fromkeys(each.cards[0][:2] for each in decision.choices if each.behind == 0)
        )


@pytest.mark.parametrize(
    ("kind", "meld", "cards", "does"),
    [
        ("exchange", "", ["7H.1"], "exchanges 7♥"),
        ("show", "", ["7H"], "shows 7♥"),
        ("meld", "royal_marriage", ["KH", "QH"], "melds royal marriage K♥ Q♥"),
        ("hold_back", "", [], "melds nothing"),
    ],
)
def test_every_kind_of_choice_is_told_as_people_say_it(kind, meld, cards, does):
    decision = next(DECISIONS[event] for event in TOLD.headlines)
    choices = [*decision.choices]
    made = replace(choices[decision.chosen], kind=kind, meld=meld, cards=cards)
    choices[decision.chosen] = made
    told = describe_mistake(replace(decision, choices=choices), ["Ann", "Bob"], 20, leads=False)
    assert re.match(rf"(Ann|Bob) {does}\?", told.headline)


def test_a_card_that_lost_the_match_is_told_by_that():
    decision = replace(
        next(DECISIONS[event] for event in TOLD.headlines),
        match=MatchScores(best=(910, 850), played=(800, 880)),
    )
    told = describe_mistake(decision, ["Emil", "Ivan"], 20, leads=True)
    assert re.fullmatch(r"(Emil|Ivan) leads \S+\?\? .+ wins the match\.", told.headline)
    doubtful = describe_mistake(replace(decision, doubtful=True), ["Emil", "Ivan"], 20, leads=True)
    assert doubtful.headline.endswith("perhaps wins the match.")
    unlawful = describe_mistake(replace(decision, lawful=False), ["Emil", "Ivan"], 20, leads=False)
    assert unlawful.headline.endswith("?? This breaks a rule.")


def test_a_mistake_is_told_once_it_is_made_and_before_that_only_to_who_asks():
    for event, told in TOLD.headlines.items():
        assert headline_at(DEAL, event + 1, TOLD, best=False) == told
        assert headline_at(DEAL, event, TOLD, best=True) == told
    others = {*range(len(DEAL.steps))} - {event + 1 for event in TOLD.headlines}
    assert {headline_at(DEAL, step, TOLD, best=False) for step in others} == {None}


@pytest.mark.parametrize("number", range(len(REVIEW.deals)))
def test_the_better_choice_can_be_played_in_what_if(number):
    reviewed = review_deal(REVIEW, number, GAME.deals[number].events)
    assert reviewed is not None
    for step, best in json.loads(reviewed.json)["best"].items():
        (event,) = read_line(best["move"], 2)
        assert event.seat == best["seat"], step
        assert best["offers"][0]["says"] in ("show",) or event.card[:2] == best["offers"][0]["card"]


def test_the_picture_marks_the_card_and_raises_the_better_ones():
    for event, told in TOLD.headlines.items():
        plain, marked = (render_preview_svg(DEAL, event, told.seat, each) for each in (None, told))
        assert told.headline[:40].replace("’", "&#8217;") in marked
        for edge in CHOICE_EDGES.values():
            assert edge in marked
            assert edge not in plain
        places = [
            re.findall(r'<use href="#(..)" x="\S+" y="(\S+)"', svg) for svg in (plain, marked)
        ]
        moved = {
            card for (card, y), (_, above) in zip(*places, strict=True) if float(above) < float(y)
        }
        assert moved == {*told.better}


def test_the_page_is_told_by_its_mistake(fresh, fresh_client):
    digest = store_game(fresh, GAME)
    save_review(fresh.extensions["store"], REVIEW)
    event, told = next(iter(TOLD.headlines.items()))
    for ask in (f"step={event + 1}", f"step={event}&best=1"):
        page = fresh_client.get(f"/games/{digest}/deals/1?{ask}").text
        head = meta(page)
        assert re.search(r"data-say[^>]*>([^<]*)", page)[1] == told.headline
        assert unescape(re.search("<title>(.*?)</title>", page).group(1)).startswith(
            told.headline[:-1]
        )
        assert told.headline in head["description"][0]
        picture = fresh_client.get(head["og:image"][0].removeprefix("http://localhost"))
        assert picture.status_code == 200
    silent = fresh_client.get(f"/games/{digest}/deals/1?step={event}").text
    assert told.headline not in meta(silent)["description"][0]
    seen = fresh_client.get(f"/games/{digest}/deals/1?step={event + 1}&see=0").text
    assert told.headline not in unescape(seen), "what is hidden is not reviewed"
    assert codec.digest(GAME) == digest


def test_what_is_passed_on_names_the_mistake_or_asks_for_it(fresh, fresh_client):
    """The text that is copied tells what the page tells, by the count of the page; the question keeps it to itself."""
    digest = store_game(fresh, GAME)
    save_review(fresh.extensions["store"], REVIEW)
    deal = f"/games/{digest}/deals/1"
    page = fresh_client.get(f"{deal}?step=1").text
    asked = json.loads(unescape(re.search(r'data-addresses="([^"]*)"', page)[1]))
    last = re.search(r'data-number>\d+</span><span class="muted"> / (\d+)<', page)[1]
    assert TOLD.headlines
    for event, told in TOLD.headlines.items():
        text = fresh_client.get(f"{deal}.txt?step={event + 1}").text
        assert text.startswith("Rules: Bezique\n")
        assert f"step {event + 1} of {last}," in text
        assert text.endswith(f"\n{told.headline}\n")
        if DECISIONS[event].lawful:
            question = fresh_client.get(asked[f"{event + 1}"], follow_redirects=True)
            assert question.status_code == 200
            assert "You are" in question.text
            assert told.headline not in unescape(question.text)
    assert TOLD.headlines[event].headline not in fresh_client.get(f"{deal}.txt?step={event + 1}&see=0").text  # fmt: skip
    assert "data-addresses" not in fresh_client.get(f"{deal}?step=1&see=0").text


def test_what_stands_behind_a_card_is_explained_where_it_stands(fresh, fresh_client):
    digest = store_game(fresh, GAME)
    save_review(fresh.extensions["store"], REVIEW)
    event, told = next(iter(TOLD.headlines.items()))
    page = unescape(fresh_client.get(f"/games/{digest}/deals/1?step={event + 1}").text)
    address, place = re.search(r'href="([^"]*)#(marks)"', page).groups()
    assert f"“{told.mark}”" in page
    assert f'id="{place}"' in fresh_client.get(address).text
