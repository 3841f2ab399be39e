import hashlib
import re

import pytest
from msgspec.structs import replace

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import GAME_ORDERS
from records.format import codec
from records.record import Claims, Deal
from records.selfplay import play_game
from tests.make.stored_games import store_game


def test_the_list_can_be_filtered_and_is_json_too(client, stored, stored_illegal):
    assert client.get("/games.json").json["total"] == 2
    found = client.get("/games.json?verdict=illegal").json
    assert [game["digest"] for game in found["games"]] == [stored_illegal]
    page = client.get("/games?player=bob&verdict=illegal").text
    assert stored_illegal in page
    assert stored not in page


@pytest.mark.long
@pytest.mark.parametrize("order", GAME_ORDERS)
def test_the_list_says_its_order_and_leads_to_that_by_date(client, stored, stored_illegal, order):
    page = client.get(f"/games?order={order}&verdict=").text
    (said,) = re.findall(r"2 games, ([^(.<]*)", page)
    others = [client.get(f"/games?order={other}").text for other in GAME_ORDERS if other != order]
    assert not any(f"2 games, {said.strip()}" in other for other in others)
    assert client.get("/games").text.count('href="/games?order=latest">by date instead<') == 1


def test_a_filter_that_fits_nothing_shows_the_way_back(client, stored):
    assert "No games match" in client.get("/games?player=nobody").text


@pytest.mark.long
def test_the_list_names_the_event_of_a_game_and_the_program_where_there_is_none(
    fresh_client, store
):
    for seed, meta in ((1, {"event": "Thursday club"}), (2, None)):
        record = play_game("zique", seed=seed)
        record.meta = meta
        store_game(store, record)
    shown = re.findall(
        r"<span>(Thursday club|bezique play) ?[^<]*</span>", fresh_client.get("/games").text
    )
    assert sorted(shown) == ["Thursday club", "bezique play"]


def test_a_game_of_which_only_scores_are_known_shows_no_question_mark(fresh_client, store):
    told = [Deal(dealer=0, knowledge="scores", claims=Claims(scores=[600, 200]))]
    store_game(store, replace(play_game("bezique", seed=1), deals=told, result=None))
    (game,) = re.findall(r'<li class="game">.*?</li>', fresh_client.get("/games").text, re.DOTALL)
    assert "only scores written down" in game
    assert "?" not in re.sub(r"<[^>]*>", "", game)


def test_pages_beyond_the_last_are_empty_and_not_an_error(client, stored):
    for number in ("0", "-1", "999999999999999999999", "x"):
        assert client.get(f"/games?page={number}").status_code == 200


def test_a_game_shows_its_deals_scores_and_verdict(client, stored, legal):
    page = client.get(f"/games/{stored}").text
    assert "The game follows every rule" in page
    for number, deal in enumerate(legal.deals, 1):
        assert f"/deals/{number}" in page
        assert str(deal.claims.scores[0]) in page


def test_a_game_shows_findings_with_the_way_to_their_step(client, stored_illegal):
    page = client.get(f"/games/{stored_illegal}").text
    assert "but it is Bob&#39;s turn to play" in page
    assert f"/games/{stored_illegal}/deals/1?step=2" in page
    assert "In the record" in page
    assert "<dt>By the rules</dt><dd>Bob</dd>" in page
    assert "seat 0" not in page


@pytest.mark.long
def test_an_option_is_told_in_the_words_of_the_rulebook(fresh_client, store):
    record = play_game("six-pack-bezique", seed=1, options={"singles_then_double": False})
    digest = store_game(store, record)
    page = fresh_client.get(f"/games/{digest}").text
    assert "Whether two beziques scored singly make a double as well: <b>no</b>" in page
    assert "singles_then_double false" not in page


@pytest.mark.long
def test_the_record_comes_back_byte_for_byte(fresh_client, store, legal):
    data = b" " + codec.encode(legal).replace(b'"format"', b'\n"format"', 1) + b"\n"
    (outcome,) = ingest_bytes(store, "spaced.json", data)
    answer = fresh_client.get(f"/games/{outcome.digest}/record.json")
    assert hashlib.sha256(answer.data).digest() == hashlib.sha256(data).digest()
    assert "attachment" in answer.headers["Content-Disposition"]


def test_the_twin_holds_game_record_and_report(client, stored, legal):
    twin = client.get(f"/games/{stored}.json").json
    assert twin["game"]["digest"] == twin["report"]["digest"] == stored
    assert len(twin["record"]["deals"]) == len(legal.deals)
    assert client.get(f"/games/{stored}/report.json").json == twin["report"]


@pytest.mark.long
def test_an_unknown_game_is_404_until_it_is_uploaded(fresh_client, store, legal):
    digest = codec.digest(legal)
    assert fresh_client.get(f"/games/{digest}").status_code == 404
    store_game(store, legal)
    assert fresh_client.get(f"/games/{digest}").status_code == 200


def test_twelve_letters_of_a_digest_lead_to_a_game_wherever_all_do(client, stored):
    short = stored[:12]
    for path in (
        "",
        ".json",
        "/deals/1",
        "/deals/1.json",
        "/deals/1.svg",
        "/deals/1/what-if",
        "/record.json",
    ):
        pages = [client.get(f"/games/{digest}{path}").data for digest in (short, stored)]
        told = {re.sub(rb'name="csrf_token" value="[^"]*"', b"", page) for page in pages}
        assert len(told) == 1, path  # but for the tokens of forms, which change with the second
    assert client.get(f"/embed/games/{short}/deals/1").status_code == 200
    assert client.get(f"/games/{short.upper()}").status_code == 200
    assert client.get(f"/games/{stored[:11]}").status_code == 404
    assert client.get(f"/games/{short[:-1]}%").status_code == 404


def test_the_page_of_a_step_describes_itself_to_programs_that_preview_links(client, stored):
    page = client.get(f"/games/{stored}/deals/1?step=3").text
    assert '<meta name="description" content="Step 3 of a deal of ' in page
    assert f'content="http://localhost/games/{stored[:12]}/deals/1?step=3"' in page
    assert f'rel="canonical" href="/games/{stored}/deals/1"' in page
