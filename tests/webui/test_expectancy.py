"""The chance of winning beside the replay: after every trick, as far as the viewer may see."""

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.players import expectancy
from records import codec
from records.selfplay import play_game


@pytest.fixture
def digest(store, monkeypatch):
    monkeypatch.setattr(expectancy, "FEWEST_MATCHES", 3)
    records = [play_game("marjolet", seed=seed, names=["Ann", "Bob"]) for seed in range(5)]
    for record in records:
        ingest_bytes(store, "game.json", codec.encode(record))
    return codec.digest(records[0])


def test_there_is_a_chance_for_every_trick(fresh_client, digest):
    found = fresh_client.get(f"/games/{digest}/deals/1/expectancy.json").json
    deal = fresh_client.get(f"/games/{digest}/deals/1.json").json
    assert (found["who"], found["matches"]) == ("Ann", 4)
    assert len(found["chances"]) == max(step["trick"] for step in deal["steps"]) + 1
    assert found["chances"][-1]["step"] == len(deal["steps"]) - 1
    assert all(0 < one["chance"] < 1 for one in found["chances"])
    assert "The players' strength is not considered" in found["caveat"]


def test_later_steps_are_not_given_away(fresh_client, digest):
    found = fresh_client.get(f"/games/{digest}/deals/1/expectancy.json?until=20").json
    assert found["chances"][-1]["step"] <= 20


def test_the_replay_has_a_place_for_it(fresh_client, digest):
    assert "data-expectancy" in fresh_client.get(f"/games/{digest}/deals/1").text


def test_what_is_not_there_is_404(fresh_client, digest):
    assert fresh_client.get(f"/games/{digest}/deals/99/expectancy.json").status_code == 404
    assert fresh_client.get("/games/nothing/deals/1/expectancy.json").status_code == 404
