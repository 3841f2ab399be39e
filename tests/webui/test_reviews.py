"""Reviews on the pages: made on first request, shown beside the deal, hidden where the deal is hidden."""

import re
from html import unescape

import msgspec
import pytest
from jsonschema import Draft202012Validator

from analyzer.review import stored
from analyzer.review.annotation_words import best_moves, describe_decision, mistakes, seat_sums
from analyzer.review.annotator import AnalysisTerms, Annotation, annotate
from analyzer.review.last_stock_trick import describe_reasons
from records.format import codec
from records.phrases import name_card
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.make.tables import table
from webui import create_app
from webui.replay.review import review_deal

GAME = play_game("bezique", seed=26, style="random")
DIGEST = codec.digest(GAME)
REVIEW = f"/games/{DIGEST}/review"


@pytest.fixture
def digest(fresh):
    store_game(fresh, GAME)
    return DIGEST


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """Reads the pages of the game, which has been reviewed."""
    app = create_app(data=tmp_path_factory.mktemp("reviewed"), testing=True)
    store_game(app, GAME)
    reader = app.test_client()
    reader.get(REVIEW)
    yield reader
    app.extensions["store"].close()


@pytest.fixture(scope="module")
def notes(reader) -> Annotation:
    """What was found in it."""
    return stored.load_annotation(reader.application.extensions["store"], DIGEST)


@pytest.mark.slow
def test_a_review_is_made_when_it_is_first_asked_for(fresh, fresh_client, digest, monkeypatch):
    assert stored.load_annotation(fresh.extensions["store"], digest) is None
    first = fresh_client.get(f"/games/{digest}/review")
    assert first.status_code == 200
    assert stored.load_annotation(fresh.extensions["store"], digest) is not None
    monkeypatch.setattr(stored, "annotate_stored_game", None)
    again = fresh_client.get(f"/games/{digest}/review")
    token = r'name="csrf_token" value="[^"]*"'  # it names the second in which it was signed
    assert re.sub(token, "", again.text) == re.sub(token, "", first.text)


@pytest.mark.slow
def test_the_summary_says_what_the_annotation_says(reader, notes):
    page = unescape(re.sub(r"<[^>]+>", " ", reader.get(REVIEW).text))
    page = re.sub(r"\s+", " ", page)
    ann, bob = seat_sums(notes)
    assert f" {ann.lost} Points lost after the close {bob.lost} " in page
    assert (
        f"{ann.mistakes} / {ann.choices} Mistakes / decisions {bob.mistakes} / {bob.choices}"
        in page
    )
    worst = mistakes(notes)[0].choice
    assert f"loses {worst.lost} by" in page.partition("Biggest mistakes")[0]


@pytest.mark.slow
def test_every_mistake_is_listed_once_costliest_first_and_opens_with_the_values(reader, notes):
    page = unescape(reader.get(REVIEW).text)
    found = mistakes(notes)
    links = re.findall(r'href="[^"]*/deals/(\d+)\?step=(\d+)&best=1"', page)
    assert links == [(str(each.deal + 1), str(each.choice.event)) for each in found]
    for each in found:
        assert page.count(describe_decision(each.choice, notes.names)) == 1


def test_every_best_card_is_named_or_counted(reader, notes):
    """Of up to four all, of more three and how many are left; none was left out in silence."""
    page = unescape(reader.get(REVIEW).text)
    seen = set()
    for each in mistakes(notes):
        cards = {name_card(way.ply.card[:2]) for way in best_moves(each.choice) if way.ply.card}
        said = describe_decision(each.choice, notes.names).partition("; ")[2]
        named = sum(card in said for card in cards)
        seen.add(len(cards))
        assert said in page
        assert named == len(cards) if len(cards) <= 4 else named == 3
        assert len(cards) <= 4 or f"one of {len(cards) - 3} more was better" in said
    assert {1, 4} <= seen
    assert max(seen) > 4


def test_small_losses_are_not_called_no_loss(reader, notes):
    assert sum(total.lost for total in seat_sums(notes)) > 0
    page = reader.get(f"{REVIEW}?least=9999").text
    assert "No mistakes after the close" in page
    assert "Not a point was lost" not in page


def test_the_costliest_mistake_is_drawn_beside_what_was_better(reader, notes):
    page = reader.get(REVIEW).text
    worst = mistakes(notes)[0].choice
    best = [way.ply.card for way in worst.ways if way.value == worst.ways[0].value]
    drawn = re.findall(r'<li class="card (did|better)" data-card="(\w+)"', page)
    assert drawn == [("did", worst.did.card), *(("better", card) for card in best[:3])]


def test_a_dix_to_be_shown_is_among_what_could_be_chosen():
    position = "N: AS 7S 8H | S: 8S 9H 7D | trump S | N leads"
    again = {"sheet": "bezique-enhanced", "dix_once_per_card": False}
    record = table(position, "N AS, S 8S, N 8H, S 9H, S 7D, N 7S", **again).record
    steps = msgspec.json.decode(review_deal(annotate(record), 0, record.deals[0].events).json)
    first = steps["best"]["2"]["offers"][0]
    assert (first["says"], first["worth"], first["card"]) == ("show 7♠ (10)", "+20", None)
    assert steps["best"]["2"]["line"].startswith("North shows 7♠, 10; North 8♥")


def test_the_annotation_and_its_text_can_be_taken_along(reader):
    notes = msgspec.json.decode(reader.get(f"{REVIEW}.json").data, type=Annotation)
    assert notes.digest == DIGEST
    text = reader.get(f"{REVIEW}.txt")
    assert text.mimetype == "text/plain"
    assert text.text.startswith("Ann and Bob play Bezique.")


@pytest.mark.slow
def test_the_replay_shows_it_beside_the_events(fresh_client, digest):
    before = fresh_client.get(f"/games/{digest}/deals/1").text
    assert "Review this game" in before
    fresh_client.get(f"/games/{digest}/review")
    page = fresh_client.get(f"/games/{digest}/deals/1").text
    assert "Review this game" not in page
    notes = stored.load_annotation(fresh_client.application.extensions["store"], digest)
    lost = [choice for choice in notes.deals[0].close.decisions if choice.lost]
    marks = re.findall(r'class="event-lost figure">.*?</span>(−[\d.]+)</span>', page)
    means = [each.lost for each in notes.deals[0].brink if each.lost >= 10]
    assert marks == [f"−{points:g}" for points in (*means, *(choice.lost for choice in lost))]
    steps = msgspec.json.decode(re.search(r'id="review">(.*?)</script>', page).group(1))
    before = [each.event for each in notes.deals[0].brink if each.lost >= 10]
    assert steps["mistakes"] == [*before, *(choice.event for choice in lost)]
    assert steps["outlook"][-1][1] == notes.deals[0].close.result - notes.deals[0].close.apart


@pytest.mark.long
def test_what_is_hidden_is_not_reviewed(reader):
    for ask in ("see=0", "until=20", "see=1&until=30"):
        page = reader.get(f"/games/{DIGEST}/deals/1?{ask}").text
        assert 'id="review"' not in page
        assert "event-lost" not in page
        assert "panel-review" not in page


@pytest.mark.long
def test_a_deal_with_a_loss_in_its_last_trick_is_not_said_to_miss_nothing(fresh, fresh_client):
    """Before the close a card of this deal lost points on average, and after it nobody lost any."""
    record = play_game("bezique", seed=4, deals=1)
    store_game(fresh, record)
    page = fresh_client.get(f"/games/{codec.digest(record)}/review").text
    assert "on average" in page
    assert "No mistakes after the close." in page
    assert "no missed chances" not in page


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
    for words in ("Value", "Lost", "Outlook", "Made late", "Never made", "Passed up", "rubicon"):
        assert words in page


def test_what_counts_as_a_mistake_is_the_readers_and_stays_in_the_address(reader):
    few = reader.get(f"/games/{DIGEST}/review?least=40").text
    assert 'name="least" type="number" min="1" max="9999" value="40" required' in few
    loses = re.findall(r"loses (\d+) by", few)
    assert loses == [
        lost for lost in re.findall(r"loses (\d+) by", all_of(reader)) if int(lost) >= 40
    ]
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
    assert all(int(lost) >= 40 for lost in re.findall(r"loses (\d+) by", text))


def test_the_twin_of_a_review_is_asked_the_same(reader):
    address = f"/games/{DIGEST}/review.json"
    for ask, least in (("?least=40", 40), ("", 10)):
        notes = msgspec.json.decode(reader.get(address + ask).data, type=Annotation)
        assert notes.terms.least == least
    assert reader.get("/reviews.json").json["least"] == 10


@pytest.mark.long
def test_a_last_trick_without_a_value_says_why_on_every_page(fresh_client):
    """In Rubicon Bezique two cards lie face down; in a game of two packs both decisions have a value."""
    game = play_game("rubicon-bezique", seed=1)
    digest = store_game(fresh_client.application, game)
    (gap,) = annotate(game, terms=AnalysisTerms(positions=10)).deals[0].brink_gaps
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
    assert stored.load_annotation(fresh.extensions["store"], digest) is None
