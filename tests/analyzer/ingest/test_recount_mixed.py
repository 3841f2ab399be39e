"""Every table, row by row, beside a slow recount: mixed games of all sheets, at all tables, in all styles.

`python -m tests.soak --loading` does the same with 2,000 games.
"""

import io
from pathlib import Path

import pytest

from analyzer.ingest.loader import ingest
from analyzer.store.store import Store
from records.format import codec
from records.format.files import read_entries
from records.selfplay import play_game
from tests.playouts.games import STANDARD
from tests.referee.recount import compare
from tests.soak.loading import mixed

GAMES = 2 * len(STANDARD)


@pytest.mark.slow
def test_every_row_of_every_table_is_as_recounted(tmp_path: Path) -> None:
    data = mixed(range(GAMES))
    with Store(tmp_path) as store:
        ingest(store, read_entries(io.BytesIO(data), name="games.jsonl"))
        counts = compare(store, data)
    assert counts["games"] == GAMES
    assert counts["findings"] == 0
    assert all(count for table, count in counts.items() if table != "findings")


SETTLED = (("rubicon-bezique", 23), ("rubicon-bezique-club", 3), ("chinese-bezique", 14))
"""Matches of one deal that are settled with brisques: two are level without them, in one they save the rubicon."""


@pytest.mark.long
def test_brisques_that_settle_a_deal_are_recounted(tmp_path: Path) -> None:
    data = b"".join(codec.encode(play_game(sheet, seed=seed)) + b"\n" for sheet, seed in SETTLED)
    with Store(tmp_path) as store:
        ingest(store, read_entries(io.BytesIO(data), name="games.jsonl"))
        assert compare(store, data)["games"] == len(SETTLED)
        sql = "SELECT count(DISTINCT game) FROM scores WHERE source = 'brisques' AND clean"
        assert store.rows(sql).rows == [(len(SETTLED),)]


@pytest.mark.long
@pytest.mark.parametrize(
    "change",
    ["UPDATE seats SET melds = melds + 1 WHERE seat = 1", "DELETE FROM tricks WHERE trick = 3"],
)
def test_what_differs_is_noticed(tmp_path: Path, change: str) -> None:
    data = mixed(range(1))
    with Store(tmp_path) as store:
        ingest(store, read_entries(io.BytesIO(data), name="games.jsonl"))
        with store.writing() as cursor:
            cursor.execute(change)
        with pytest.raises(AssertionError):
            compare(store, data)
