"""Brisques that count to settle a deal belong to its points (C15), and to everything that is counted from them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.store.store import Store
from records.validator import check_record
from tests.analyzer.ingest.settled_deals import ENDED_DEALS
from tests.make.empty_store import with_empty_database
from tests.make.stored_games import store_game
from tests.make.tables import deal_of, record_of

PLAYED = 1
"""The event that completes the last trick of these deals."""


@pytest.fixture
def ended(tmp_path: Path, how: str) -> Iterator[Store]:
    with Store(with_empty_database(tmp_path)) as store:
        store_game(store, ENDED_DEALS[how].record)
        yield store


@pytest.mark.parametrize("how", ENDED_DEALS)
def test_points_of_the_deal_are_those_of_the_match(ended: Store, how: str) -> None:
    scores = ENDED_DEALS[how].scores
    assert check_record(ENDED_DEALS[how].record).scores == scores
    assert ended.rows("SELECT scores FROM games").rows == [(scores,)]
    winner = None if scores[0] == scores[1] else scores.index(max(scores))
    found = ended.rows("SELECT scores, winner, margin FROM deals").rows
    assert found == [(scores, winner, abs(scores[0] - scores[1]))]
    assert ended.rows("SELECT deal_winner FROM tricks").rows == [(winner,)]


@pytest.mark.parametrize("how", ENDED_DEALS)
def test_seats_have_them(ended: Store, how: str) -> None:
    scores, sql = ENDED_DEALS[how].scores, "SELECT points, points_against, outcome FROM seats"
    assert ended.rows(f"{sql} ORDER BY seat").rows == [
        (own, other, 0.5 if own == other else float(own > other))
        for own, other in (scores, scores[::-1])
    ]


@pytest.mark.parametrize("how", ENDED_DEALS)
def test_the_last_trick_earns_them(ended: Store, how: str) -> None:
    """Every seat that has some has a row of scores, in the order of the game."""
    told = ENDED_DEALS[how]
    brisques = [10 * each if told.counted else 0 for each in told.brisques]
    rows = ended.rows("SELECT event, trick, seat, source, points FROM scores").rows
    expected = [(PLAYED, 1, seat, "brisques", each) for seat, each in enumerate(brisques) if each]
    assert [row for row in rows if row[3] == "brisques"] == expected
    assert rows == sorted(rows, key=lambda row: row[0])
    found = ended.rows("SELECT brisques_points, scorings FROM seats ORDER BY seat").rows
    scorings = [sum(row[2] == seat for row in rows) for seat in (0, 1)]
    assert found == list(zip(brisques, scorings, strict=True))


@pytest.mark.parametrize("how", ["saved and ahead"])
def test_leads_after_the_last_trick_count_them(ended: Store) -> None:
    """Ahead by the points of the last trick and behind by 30 of brisques, as the points before the position are not known."""
    assert ended.rows("SELECT points_ahead FROM tricks").rows == [(50 - 30,)]
    sql = "SELECT points_ahead_led, leads, leads_held, own_leads FROM seats ORDER BY seat"
    assert ended.rows(sql).rows == [(20, 1, 0, 20), (0, 0, 0, -20)]


@pytest.mark.long
def test_where_points_are_open_no_brisques_count(store: Store) -> None:
    """South may have played an ace: nobody knows who has how many brisques."""
    deal = deal_of(
        "N: 9S | S: ?? | trump H | scores 660 710 | brisques 9 9 | N leads", "N 9S, S ??"
    )
    deal.knowledge = "public"
    store_game(store, record_of([deal], sheet="rubicon-bezique"))
    assert store.rows("SELECT scores, winner, margin FROM deals").rows == [
        ([None, None], None, None)
    ]
    assert store.rows("SELECT count(*) FROM scores WHERE source = 'brisques'").rows == [(0,)]
    found = store.rows("SELECT DISTINCT points, brisques_points, points_of_partners FROM seats")
    assert found.rows == [(None, None, None)]
