"""A misdealt deal is stored, and counts in no statistic; findings are tainted from the first breach of their deal."""

import io

from analyzer.ingest.loader import ingest
from analyzer.store.store import Store
from records.events import Irregular
from records.format import codec
from records.format.files import read_entries
from records.record import Deal
from records.selfplay import play_game
from records.validator import check_record
from tests.make import turns
from tests.make.stored_games import store_game
from tests.make.tables import deal_of, record_of


def test_a_misdealt_deal_is_neither_complete_nor_clean(store: Store) -> None:
    record = play_game("bezique", seed=3, deals=2)
    scores = check_record(record).scores
    whole, later = record.deals
    annulled = Deal(
        dealer=later.dealer,
        hands=later.hands,
        turn_up=later.turn_up,
        events=[*later.events[:30], Irregular(seat=0, what="misdeal")],
    )
    record.deals = [whole, annulled, later]
    assert check_record(record).scores == scores
    ingest(store, read_entries(io.BytesIO(codec.encode(record)), name="one.json"))
    cursor = store.cursor()
    rows = cursor.execute("SELECT complete, clean, scores FROM deals ORDER BY deal").fetchall()
    assert [row[:2] for row in rows] == [(True, True), (False, False), (True, True)]
    assert rows[1][2] == [0, 0]


def test_a_deal_annulled_after_its_last_trick_is_not_complete(store: Store) -> None:
    deal = deal_of("N: 9C | S: 8C | trump H | N leads", "N 9C, S 8C, irregular N misdeal")
    store_game(store, record_of([deal]))
    assert store.rows("SELECT complete FROM deals").rows == [(False,)]


def test_the_points_of_an_unfinished_deal_are_stored(store: Store) -> None:
    deal = deal_of(
        "N: KS QS 9C | S: 7S 8S 8C | trump H | stock 8 | N won", "N melds marriage KS QS"
    )
    deal.knowledge = "full"
    store_game(store, record_of([deal], sheet="rubicon-bezique"))
    assert store.rows("SELECT complete, scores FROM deals").rows == [(False, [20, 0])]


def test_of_three_players_whose_points_are_open_none_has_a_best_opponent(store: Store) -> None:
    deal = turns.deal_of("A: KS QS 2H | B: ?? ?? ?? | C: ?? ?? ?? | stock 20", "A discards KS")
    deal.knowledge = "public"
    store_game(store, turns.record_of(deal))
    assert store.rows("SELECT scores FROM deals").rows == [([None, None, None],)]
    assert store.rows("SELECT DISTINCT points, points_against FROM seats").rows == [(None, None)]
