"""Reviews on the pages: made on first request, shown beside the deal, hidden where the deal is hidden."""

import re
import threading
from html import unescape

import msgspec
import pytest
from jsonschema import Draft202012Validator

from analyzer.review import stored
from analyzer.review.annotation import AnalysisTerms, Annotation, annotate
from analyzer.review.deep_review import DEFAULT_LEAST, GameReview, ReviewTerms
from analyzer.review.last_stock_trick import describe_reasons
from analyzer.review.review_sums import (
    count_mistakes,
    find_match_turns,
    list_costly_choices,
    seat_sums,
)
from analyzer.review.review_words import explain_loss
from analyzer.review.reviewer import review_record
from records.format import codec
from records.phrases import name_card
from records.selfplay import play_game
from tests.machine.waiting import wait_until
from tests.make.stored_games import store_game
from tests.make.tables import table
from webui import create_app
from webui.application import close_app
from webui.replay.deal_reviews import review_deal

GAME = play_game("bezique", seed=26, style="random")
DIGEST = codec.digest(GAME)
REVIEW = f"/games/{DIGEST}/review"


@pytest.fixture
def digest(fresh):
    store_game(fresh, GAME)
    return DIGEST


def whole(client, page=REVIEW):
    """The page once everything exact is on it."""
    wait_until(lambda: not is_in_the_making(client, page))
    return client.get(page)


def is_in_the_making(client, page):
    client.get(page)
    progress = client.get(f"{page.partition('?')[0]}/weighing.json")
    return progress.status_code == 200 and progress.json["goes_on"]


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """Reads the pages of the game, which has been reviewed."""
    app = create_app(data=tmp_path_factory.mktemp("reviewed"), testing=True)
    store_game(app, GAME)
    reader = app.test_client()
    whole(reader)
    yield reader
    close_app(app)


@pytest.fixture(scope="module")
def found(reader) -> GameReview:
    """What was found in it."""
    return stored.load_review(reader.application.extensions["store"], DIGEST)


def text_of(page):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page)))


@pytest.mark.slow
def test_a_review_is_made_when_it_is_first_asked_for_and_the_page_does_not_wait_for_it(
    fresh, fresh_client, digest, monkeypatch
):
    assert stored.load_review(fresh.extensions["store"], digest) is None
    monkeypatch.setattr("webui.views.reviews.PATIENCE", 0)
    first = fresh_client.get(f"/games/{digest}/review")
    assert first.status_code == 200
    assert "so far" in first.text
    whole(fresh_client, f"/games/{digest}/review")
    assert stored.load_review(fresh.extensions["store"], digest).is_read
    monkeypatch.setattr(stored, "begin_reading", None)
    assert "so far" not in fresh_client.get(f"/games/{digest}/review").text


@pytest.mark.slow
def test_the_closes_come_first_and_what_was_found_is_shown_meanwhile(
    fresh, fresh_client, digest, monkeypatch
):
    """The last trick before the close waits here until the page has been looked at."""
    looked_at = threading.Event()
    begin = stored.begin_reading

    def begin_slowly(store, game, call, models=None):
        assert models is None or looked_at.wait(60)
        return begin(store, game, call, models)

    monkeypatch.setattr(stored, "begin_reading", begin_slowly)
    page = f"/games/{digest}/review"
    fresh_client.get(page)
    wait_until(lambda: f"{len(GAME.deals)} of {len(GAME.deals)} closes" in counted(fresh_client))
    text = text_of(fresh_client.get(page).text)
    part = fresh_client.get(f"{page}/weighing/found", headers={"X-Requested-With": "fetch"}).text
    looked_at.set()
    assert "on average" not in text
    for shown in (text, text_of(part)):
        assert "with best play" in shown
        assert "mistakes so far" in shown
    review = whole(fresh_client, page).text
    assert "so far" not in review


def counted(client):
    return client.get(f"{REVIEW}/weighing.json").json["counted"]


def test_the_summary_says_what_the_review_says(reader, found):
    page = text_of(reader.get(REVIEW).text)
    (made, of), (others, of_others) = count_mistakes(found)
    assert f"{made} / {of} Mistakes / decisions {others} / {of_others}" in page
    assert f"{made + others} mistakes" in page
    ann, bob = seat_sums(found)
    assert f" {ann.lost} Points lost after the close {bob.lost} " in page


def test_every_costly_choice_is_listed_once_costliest_first_and_opens_with_the_values(
    reader, found
):
    page = unescape(reader.get(REVIEW).text).partition('id="mistakes"')[2]
    costly = list_costly_choices(found)
    links = re.findall(r'href="[^"]*/deals/(\d+)\?step=(\d+)(?:&near=1)?&best=1"', page)
    assert links == [(str(each.deal + 1), str(each.event)) for each in costly]
    costs = [each.cost for each in costly]
    assert costs == sorted(costs, reverse=True)
    worst = max(each.lost for deal in found.deals for each in deal.decisions)
    assert costs[0] >= worst
    for each in costly:
        if each.decision:
            assert page.count(explain_loss(each.decision, found.names).says) == 1


def test_turning_points_are_what_changed_the_chance_of_winning_most(reader, found):
    """Looked for again in all decisions: no other surely changed it by more."""
    assert found.chances
    turns = find_match_turns(found)
    changes = [each.choices[each.chosen].chance_behind for _, each in turns]
    assert changes == sorted(changes, reverse=True)
    sure = [
        made.chance_behind
        for deal in found.deals
        for each in deal.decisions
        if (made := each.choices[each.chosen]).chance_behind >= 2 * made.chance_behind_error
    ]
    assert changes == sorted(sure, reverse=True)[: len(changes)]
    page = unescape(reader.get(REVIEW).text)
    steps = re.findall(r'"screen-only" src="[^"]*/deals/(\d+)\.svg\?step=(\d+)', page)
    assert steps == [(str(deal + 1), str(each.event)) for deal, each in turns]
    assert "changed the chance of winning the match most" in page


def test_every_best_card_is_named_or_counted(reader, found):
    """Of up to four all, of more three and how many are left; none was left out in silence."""
    page = unescape(reader.get(REVIEW).text)
    seen = set()
    for each in list_costly_choices(found):
        if not each.decision:
            continue
        best = [way for way in each.decision.choices if way.behind == 0 and way.kind == "play"]
        cards = {name_card(way.cards[0][:2]) for way in best}
        said = explain_loss(each.decision, found.names).says.partition("; ")[2]
        named = sum(card in said for card in cards)
        seen.add(len(cards))
        assert said in page
        assert named == len(cards) if len(cards) <= 4 else named == 3
        assert len(cards) <= 4 or f"one of {len(cards) - 3} others was better" in said
    assert {1, 4} <= seen
    assert max(seen) > 4


def test_small_losses_are_not_called_no_loss(reader, found):
    assert sum(total.lost for total in seat_sums(found)) > 0
    page = reader.get(f"{REVIEW}?least=9999").text
    assert "No choice was a mistake by this limit" in page
    assert "Not a point was lost" not in page


def test_a_dix_to_be_shown_is_among_what_could_be_chosen():
    position = "N: AS 7S 8H | S: 8S 9H 7D | trump S | N leads"
    again = {"sheet": "bezique-enhanced", "dix_once_per_card": False}
    record = table(position, "N AS, S 8S, N 8H, S 9H, S 7D, N 7S", **again).record
    review = review_record(record, terms=ReviewTerms(worlds=0))
    steps = msgspec.json.decode(review_deal(review, 0, record.deals[0].events).json)
    first = steps["best"]["2"]["offers"][0]
    assert (first["says"], first["worth"], first["card"]) == ("show 7♠", "+40", None)
    assert steps["best"]["2"]["line"].startswith("North shows 7♠, 10; North 8♥")


def test_the_annotation_and_its_text_can_be_taken_along(reader):
    notes = msgspec.json.decode(reader.get(f"{REVIEW}.json").data, type=Annotation)
    assert notes.digest == DIGEST
    text = reader.get(f"{REVIEW}.txt")
    assert text.mimetype == "text/plain"
    assert text.text.startswith("Ann and Bob play Bezique.")


@pytest.mark.slow
def test_the_replay_shows_it_beside_the_events(fresh_client, digest, reader, found):
    assert "Review this game" in fresh_client.get(f"/games/{digest}/deals/1").text
    page = unescape(reader.get(f"/games/{digest}/deals/1").text)
    assert "Review this game" not in page
    deal = found.deals[0]
    worse = [each for each in deal.decisions if each.lost >= DEFAULT_LEAST / 2]
    marks = re.findall(r'class="event-lost figure">\w+ −([\d.]+)', page)
    assert marks == [f"{each.lost:g}" for each in worse]
    steps = msgspec.json.decode(re.search(r'id="review">(.*?)</script>', page).group(1))
    costly = [each for each in list_costly_choices(found) if each.deal == 0 and each.decision]
    assert steps["mistakes"] == sorted(each.event for each in costly)
    assert steps["outlook"][-1][1] == deal.close.result


@pytest.mark.long
def test_what_is_hidden_is_not_reviewed(reader):
    for ask in ("see=0", "until=20", "see=1&until=30"):
        page = reader.get(f"/games/{DIGEST}/deals/1?{ask}").text
        assert 'id="review"' not in page
        assert "event-lost" not in page
        assert "panel-review" not in page


@pytest.mark.long
def test_games_that_have_none_say_why(fresh, fresh_client):
    record = play_game("zetema", seed=1)
    digest = store_game(fresh, record)
    assert "has no tricks and no close" in fresh_client.get(f"/games/{digest}/review").text
    assert "panel-review" not in fresh_client.get(f"/games/{digest}/deals/1").text
    assert "What should have been played" not in fresh_client.get(f"/games/{digest}").text


def test_a_review_of_no_game_is_not_found(fresh_client):
    assert fresh_client.get("/games/nothing/review").status_code == 404
    assert fresh_client.get("/games/nothing/review.json").status_code == 404


def test_the_numbers_are_explained(fresh_client):
    page = fresh_client.get("/reviews").text
    for words in (
        "Value",
        "Lost",
        "Turning point",
        "Made late",
        "Never made",
        "Passed up",
        "rubicon",
    ):
        assert words in page


def test_what_counts_as_a_mistake_is_the_readers_and_stays_in_the_address(reader):
    few = reader.get(f"/games/{DIGEST}/review?least=40").text
    assert 'name="least" type="number" min="1" max="9999" value="40" required' in few
    loses = re.findall(r"loses ([\d.]+) points", few)
    assert loses
    assert all(float(lost) >= 40 for lost in loses)
    assert len(loses) < len(re.findall(r"loses ([\d.]+) points", all_of(reader)))
    steps = re.findall(rf'href="/games/{DIGEST}/deals/\d+\?[^"]*"', few)
    assert steps
    assert all("least=40" in step for step in steps)
    page = unescape(reader.get(f"/games/{DIGEST}/deals/1?least=40&step=3").text)
    shown = msgspec.json.decode(re.search(r'id="review">(.*?)</script>', page).group(1))
    assert all(shown["best"][str(step)]["lost"] >= 40 for step in shown["mistakes"])
    assert 'href="?step=4&least=40"' in page
    assert 'deals/1?step=3&least=20"' in page
    assert f'/games/{DIGEST}/review?least=40"' in page
    text = reader.get(f"/games/{DIGEST}/review.txt?least=40").text
    assert all(float(lost) >= 40 for lost in re.findall(r"loses ([\d.]+) points", text))


def test_the_twin_of_a_review_is_asked_the_same(reader):
    address = f"/games/{DIGEST}/review.json"
    for ask, least in (("?least=40", 40), ("", DEFAULT_LEAST)):
        notes = msgspec.json.decode(reader.get(address + ask).data, type=Annotation)
        assert notes.terms.least == least
    assert reader.get("/reviews.json").json["least"] == DEFAULT_LEAST


@pytest.mark.long
def test_a_last_trick_without_a_value_says_why_on_every_page(fresh_client):
    """In Rubicon Bezique two cards lie face down; in a game of two packs both decisions have a value."""
    game = play_game("rubicon-bezique", seed=1)
    digest = store_game(fresh_client.application, game)
    (gap,) = annotate(game, terms=AnalysisTerms(positions=10)).deals[0].brink_gaps
    whole(fresh_client, f"/games/{digest}/review")
    for address in ("review", "deals/1", "review.txt"):
        assert gap.why_not in unescape(fresh_client.get(f"/games/{digest}/{address}").text)
    shown = fresh_client.get(f"/games/{digest}/review.json").json["deals"][0]["brink_gaps"]
    assert shown == [{"reason": "no-turn-up", "why_not": gap.why_not}]


@pytest.mark.long
def test_the_schema_of_an_annotation_and_the_reasons_are_published(reader):
    told = reader.get("/reviews.json").json
    schema = Draft202012Validator(told["schema"])
    assert told["brink_gaps"] == describe_reasons()
    page = unescape(reader.get("/reviews").text)
    for code, words in describe_reasons().items():
        assert f"<code>{code}</code>" in page
        assert words[1:] in page
    notes = reader.get(f"/games/{DIGEST}/review.json").json
    schema.validate(notes)
    gap = {"reason": "no-turn-up", "why_not": "So it is."}
    notes["deals"][0]["brink_gaps"] = [gap]
    schema.validate(notes)
    notes["deals"][0]["brink_gaps"] = [{**gap, "reason": "too-late"}]
    assert not schema.is_valid(notes)


def all_of(client) -> str:
    return client.get(f"/games/{DIGEST}/review?least=1").text


@pytest.mark.long
@pytest.mark.parametrize("least", ["0", "-5", "many"])
def test_a_limit_that_is_none_is_refused_before_anything_is_searched(
    fresh, fresh_client, digest, least
):
    for page in ("review", "deals/1", "review.txt", "review.json"):
        assert fresh_client.get(f"/games/{digest}/{page}?least={least}").status_code == 400
    assert stored.load_review(fresh.extensions["store"], digest) is None
