"""A misdealt deal is stored, and counts in no statistic."""

import io

from analyzer.db.store import Store
from analyzer.ingest.loader import ingest
from records import codec
from records.events import Irregular
from records.record import Deal
from records.selfplay import play_game
from records.validator import check_record


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
    ingest(store, codec.read_entries(io.BytesIO(codec.encode(record)), name="one.json"))
    cursor = store.cursor()
    rows = cursor.execute("SELECT complete, clean, scores FROM deals ORDER BY deal").fetchall()
    assert [row[:2] for row in rows] == [(True, True), (False, False), (True, True)]
    assert rows[1][2] == [0, 0]
