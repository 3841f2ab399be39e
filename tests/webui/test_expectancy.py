"""The chance of winning beside the replay, as far as the viewer may see; and the page that says how far to trust it."""

from html import unescape
from unittest.mock import Mock

import pytest

from analyzer.players import expectancy
from records.format import codec
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.make.stored_games import store_game

RECORDS = [play_game("marjolet", seed=seed, names=["Ann", "Bob"]) for seed in range(5)]


@pytest.fixture
def digest(store):
    for record in RECORDS:
        store_game(store, record)
    return codec.digest(RECORDS[0])


@pytest.mark.long
def test_there_is_a_chance_for_every_trick(fresh_client, digest):
    found = fresh_client.get(f"/games/{digest}/deals/1/expectancy.json").json
    deal = fresh_client.get(f"/games/{digest}/deals/1.json").json
    assert (found["who"], found["sheet"], found["matches"]) == ("Ann", "marjolet", 5)
    assert found["simulated"] > 100
    assert len(found["chances"]) == max(step["trick"] for step in deal["steps"]) + 1
    assert found["chances"][-1]["step"] == len(deal["steps"]) - 1
    for one in found["chances"]:
        assert 0 < one["low"] < one["chance"] < one["high"] < 1
        assert not one["decided"]
    assert "The players' strength is not considered" in found["caveat"]


@pytest.mark.long
def test_later_steps_are_not_given_away(fresh_client, digest):
    whole = fresh_client.get(f"/games/{digest}/deals/1/expectancy.json").json["chances"]
    deals = len(RECORDS[0].deals)
    last = fresh_client.get(f"/games/{digest}/deals/{deals}/expectancy.json").json["chances"]
    for deal, chances in ((1, whole), (deals, last)):
        until = chances[-3]["step"]
        address = f"/games/{digest}/deals/{deal}/expectancy.json?until={until}"
        found = fresh_client.get(address).json["chances"]
        assert found == chances[:-2]
        assert not any(one["decided"] for one in found)


@pytest.mark.long
def test_a_game_without_tricks_has_a_start_and_an_end(fresh_client, store):
    record = play_game("zetema", seed=1, players=2)
    store_game(store, record)
    address = f"/games/{codec.digest(record)}/deals/{len(record.deals)}/expectancy.json"
    first, last = fresh_client.get(address).json["chances"]
    assert (first["step"], first["decided"], last["decided"]) == (0, False, True)


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_every_rulebook_has_a_page_that_says_how_far_to_trust_it(fresh_client, store, sheet):
    page = unescape(fresh_client.get(f"/statistics/expectancy/{sheet}").text)
    assert "so all chances come from" in page
    assert "simulated matches that the model has not seen" in page
    found = fresh_client.get(f"/statistics/expectancy/{sheet}.json").json
    assert page.count('<th scope="row">') >= len(found["calibration"])
    for tenth in found["calibration"]:
        assert f"{100 * tenth['won']:.1f}" in page
    figure = fresh_client.get(f"/statistics/expectancy/{sheet}/figure.json").json
    assert figure["data"]
    (true,) = figure["layout"]["shapes"]
    assert (true["x0"], true["y0"], true["x1"], true["y1"]) == (0, 0, 100, 100)


@pytest.mark.slow
def test_the_page_shows_stored_matches_once_there_are_some(fresh_client, store):
    for seed in range(32):
        record = play_game("marjolet", seed=seed, options={"target": 500})
        store_game(store, record)
    page = fresh_client.get("/statistics/expectancy/marjolet").text
    assert "Estimated from 32 stored matches for two, played to 500 points" in page
    assert "each judged by a model that has not seen it" in page
    found = fresh_client.get("/statistics/expectancy/marjolet.json").json
    assert (found["matches"], found["judged"], found["on_stored"]) == (32, 32, True)
    assert sum(tenth["predictions"] for tenth in found["calibration"]) == 32 * 8


@pytest.mark.parametrize(
    "address", ["/statistics/expectancy/whist", "/statistics/expectancy/whist.json",
                "/statistics/expectancy/whist/figure.json", "/games/nothing/deals/1/expectancy.json"],
)  # fmt: skip
def test_what_is_not_there_is_404(fresh_client, address):
    assert fresh_client.get(address).status_code == 404


@pytest.mark.long
def test_a_deal_that_is_not_there_is_404(fresh_client, digest):
    assert fresh_client.get(f"/games/{digest}/deals/99/expectancy.json").status_code == 404


@pytest.mark.long
def test_a_model_is_judged_once(fresh_client, digest, monkeypatch):
    monkeypatch.setattr(expectancy, "FEWEST_MATCHES_TO_CALIBRATE", len(RECORDS))
    judged = Mock(side_effect=expectancy.cross_validated)
    monkeypatch.setattr(expectancy, "cross_validated", judged)
    for end in ("", ".json", "/figure.json", ""):
        assert fresh_client.get(f"/statistics/expectancy/marjolet{end}").status_code == 200
    assert judged.call_count == 1
    assert fresh_client.get("/statistics/expectancy/marjolet.json").json["on_stored"]
