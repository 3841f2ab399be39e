"""Opening a game: its record is read and decoded once, and replayed once for each thing that needs it."""

import sys
from collections import Counter

import pytest
from msgspec.structs import replace

from analyzer.ingest.loader import ingest_bytes
from analyzer.review.stored import load_review
from analyzer.store.store import Store
from records import replay as replay_module
from records.format import codec
from records.record import Line, Note
from records.selfplay import play_game
from tests.make.stored_games import store_game
from webui.server.game_cache import encode_permalink

WORK = {
    "": {"bytes": 1, "decoded": 1, "replayed": 1},
    ".json": {"bytes": 1, "decoded": 1, "replayed": 1},
    "/report.json": {"bytes": 1, "decoded": 1, "replayed": 1},
    "/record.json": {"bytes": 1, "decoded": 1},
    "/delete": {"bytes": 1, "decoded": 1},
    "/deals/1": {"bytes": 1, "decoded": 1, "replayed": 1},
    "/deals/1.json": {"bytes": 1, "decoded": 1, "replayed": 1},
    "/deals/1.svg": {"bytes": 1, "decoded": 1, "replayed": 1},
    "/deals/1.png": {"bytes": 1, "decoded": 1, "replayed": 1},
    "/deals/1?see=0&until=3": {"bytes": 1, "decoded": 1, "replayed": 1},
    "/deals/1/expectancy.json": {"bytes": 1, "decoded": 1, "replayed": 1},
    "/deals/1/what-if": {"bytes": 1, "decoded": 1, "replayed": 2},  # the deal, and its line
}
"""What is done when nothing is in memory, by what stands behind a game's address."""


@pytest.fixture
def work(monkeypatch):
    """Counts records read from the store, records decoded and replays started."""
    counts = Counter()

    def counted(name, function):
        def count(*given, **named):
            counts[name] += 1
            return function(*given, **named)

        return count

    original = replay_module.replay
    for module in list(sys.modules.values()):
        if getattr(module, "replay", None) is original:
            monkeypatch.setattr(module, "replay", counted("replayed", original))
    monkeypatch.setattr(codec, "decode", counted("decoded", codec.decode))
    monkeypatch.setattr(Store, "record_bytes", counted("bytes", Store.record_bytes))
    return counts


@pytest.fixture
def zetema(fresh):
    """The digest of a stored game, the second of its file, with a wrong score of its first deal."""
    record = play_game("zetema", seed=1)
    deal = record.deals[0]
    record.deals[0] = replace(deal, claims=replace(deal.claims, scores=[1, 1]))
    lines = [codec.encode(play_game("zetema", seed=2)), codec.encode(record)]
    ingest_bytes(fresh.extensions["store"], "games.jsonl", b"\n".join(lines))
    return codec.digest(record)


@pytest.mark.sampled(8)
@pytest.mark.long
@pytest.mark.parametrize("path", WORK)
def test_a_cold_game_is_decoded_once_and_replayed_once(fresh, fresh_client, work, path):
    record = play_game("bezique", seed=3)
    note = Note(at=[0, 5], text="Now look at this.")
    line = Line(at=[0, 1], events=[record.deals[0].events[1]])
    record = replace(record, notes=[note], lines=[line])
    store_game(fresh, record)
    work.clear()
    assert fresh_client.get(f"/games/{codec.digest(record)}{path}").status_code == 200
    assert work == WORK[path]


@pytest.mark.long
def test_a_review_that_is_stored_is_not_made_again(fresh, fresh_client, work):
    record = play_game("bezique", seed=3)
    store_game(fresh, record)
    address = f"/games/{codec.digest(record)}/review"
    fresh_client.get(f"{address}.json")
    assert load_review(fresh.extensions["store"], codec.digest(record)) is not None
    work.clear()
    assert fresh_client.get(address).status_code == 200
    assert work == {}


@pytest.mark.long
def test_what_if_of_a_permalink_replays_the_deal_once_and_its_line_once(fresh_client, work):
    record = encode_permalink(codec.encode(play_game("bezique", seed=3)))
    work.clear()
    assert fresh_client.get(f"/replay/what-if?record={record}&step=3").status_code == 200
    assert work == {"decoded": 1, "replayed": 2}


@pytest.mark.long
def test_a_finding_on_the_end_of_a_deal_leads_to_its_last_step(fresh, fresh_client, zetema, work):
    page = fresh_client.get(f"/games/{zetema}").text
    events = len(play_game("zetema", seed=1).deals[0].events)
    assert f"/games/{zetema}/deals/1?step={events + 1}" in page
    assert work["replayed"] == 1
