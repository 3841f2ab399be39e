"""The large database of the benchmark can be made: a benchmark that fails at once measures nothing."""

from pathlib import Path

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import Store
from records.format import codec
from records.selfplay import play_game
from tests.bench.million import make


@pytest.mark.long
def test_every_copy_of_a_clean_game_has_rows_of_its_own(tmp_path: Path) -> None:
    game = play_game("marjolet", seed=1)
    with Store(tmp_path / "small") as store:
        ingest_bytes(store, "game.json", codec.encode(game))
    deals = 3 * len(game.deals)
    assert make(tmp_path / "small", tmp_path / "large", deals) == deals
    with Store(tmp_path / "large") as store:
        assert store.counts().games == 3
