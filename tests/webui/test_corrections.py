"""Corrections of stored games while the site runs: by its interface, and by its pages."""

import pytest

from analyzer.ingest.loader import ingest_bytes
from records.format import codec
from records.selfplay import play_game

pytestmark = pytest.mark.long


@pytest.fixture
def digest(fresh_client, store):
    record = play_game("marjolet", seed=1, names=["Anm", "Bob"])
    record.meta = {"started": "2026-03-04T19:30:00+01:00", "event": "Cup"}
    (outcome,) = ingest_bytes(store, "one.json", codec.encode(record))
    return outcome.digest


def test_the_interface_corrects_lists_and_undoes(fresh_client, store, digest):
    address, before = f"/api/v1/games/{digest}/corrections", store.record_bytes(digest)
    assert fresh_client.get(address).json == {"corrections": []}
    wanted = {"subject": "name", "place": 0, "value": "Ann", "reason": "a slip"}
    made = fresh_client.post(address, json=wanted).json
    assert (made["number"], made["uploaded"], made["value"], made["made_by"]) == (1, "Anm", "Ann", "person")  # fmt: skip
    assert fresh_client.get(f"/api/v1/games/{digest}").json["names"] == ["Ann", "Bob"]
    assert "Ann" in fresh_client.get(f"/games/{digest}").text
    assert fresh_client.get("/player?name=Ann").status_code == 200
    assert fresh_client.get("/player?name=Anm").status_code == 404
    assert fresh_client.get(f"/api/v1/games/{digest}/record").data == before
    assert fresh_client.get(address).json["corrections"] == [made]
    undone = fresh_client.delete(f"{address}/1").json
    assert undone["undone_by"] == "person"
    assert fresh_client.get(f"/api/v1/games/{digest}").json["names"] == ["Anm", "Bob"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"subject": "name", "place": 7, "value": "Ann"},
        {"subject": "name", "place": 0, "value": "Anm"},
        {"subject": "date", "value": "some day"},
    ],
)
def test_the_interface_says_why_it_refuses(fresh_client, digest, wanted):
    refused = fresh_client.post(f"/api/v1/games/{digest}/corrections", json=wanted)
    assert refused.status_code == 409
    assert refused.json["type"].endswith("#refused-correction")
    assert fresh_client.delete(f"/api/v1/games/{digest}/corrections/1").status_code == 409
