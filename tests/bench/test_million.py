"""The large database and lake of the benchmarks can be made: a benchmark that fails at once measures nothing."""

from pathlib import Path

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_store import LakeStore
from analyzer.store.store import Store
from records.format import codec
from records.selfplay import play_game
from tests.bench.lakes import copy_often
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


@pytest.mark.long
def test_every_part_of_a_lake_has_games_of_its_own(tmp_path: Path) -> None:
    game = play_game("marjolet", seed=1)
    with Store(tmp_path / "small") as store:
        ingest_bytes(store, "game.json", codec.encode(game))
    make(tmp_path / "small", tmp_path / "large", 2 * len(game.deals))
    lake = LakePlace(str(tmp_path / "lake"))
    copy_often(lake, tmp_path / "small", tmp_path / "large", 3, tmp_path)
    with LakeStore(tmp_path / "lake") as store:
        digests = [digest for (digest,) in store.rows("SELECT digest FROM games").rows]
        assert len(set(digests)) == 6
        assert all(store.record_bytes(digest) == codec.encode(game) for digest in digests)
        ((names, deals),) = store.rows("SELECT count(DISTINCT names[1]), (SELECT count(*) FROM deals) FROM games").rows  # fmt: skip
        assert (names, deals) == (6, 6 * len(game.deals))
