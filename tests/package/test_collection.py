"""Collections: a data folder and its Parquet files are read alike, as records and as tables of other packages."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import bezique
from analyzer.ingest.loader import ingest
from analyzer.store.parquet import export_parquet
from analyzer.store.store import Store
from bezique import RulesError, StoreError, encode, play, read, write
from records.format.files import read_entries
from records.format.redaction import redact
from tests.make.own_rulebooks import own_game


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three games: as a file, as a data folder, and as Parquet files."""
    folder = tmp_path_factory.mktemp("collection")
    file = folder / "games.jsonl"
    write(
        [
            play("zique", ["simple", "base"], seed=seed, deals=1, names=["Ann", "Bob"])
            for seed in range(3)
        ],
        file,
    )
    with Store(folder / "data", files=folder) as store:
        ingest(store, read_entries(file))
        export_parquet(store, folder / "tables")
    return [file, folder / "data", folder / "tables"]


@pytest.mark.parametrize("number", [1, 2])
def test_records_come_out_as_they_went_in(folders: list[Path], number: int) -> None:
    with bezique.open(folders[number]) as games:
        assert len(games) == 3
        assert list(games.records()) == list(read(folders[0]))
        assert list(games.records(sheet="bezique")) == []
        assert len(list(games.records(player="ann"))) == 3


def test_records_are_chosen_by_the_id_of_a_rulebook_of_ones_own(tmp_path: Path) -> None:
    path = "/rules/melds/bezique/points"
    games = [own_game("zique", (path, 60 + 10 * each), seed=each) for each in (1, 1, 2, 3)]
    write(games, tmp_path / "games.jsonl")
    with Store(tmp_path / "data", files=tmp_path) as store:
        ingest(store, read_entries(tmp_path / "games.jsonl"))
        export_parquet(store, tmp_path / "tables")
    for folder in ("data", "tables"):
        with bezique.open(tmp_path / folder) as stored:
            keys = [row["sheet"] for row in stored.rows("SELECT DISTINCT sheet FROM games")]
            assert len(list(stored.records(sheet="ours"))) == len(keys) == 3
            assert [len(list(stored.records(sheet=key))) for key in keys] == [1, 1, 1]
            with pytest.raises(RulesError, match='no rulebook "our"; did you mean ours'):
                stored.records(sheet="our")


def test_a_game_that_is_stored_twice_is_two_records(tmp_path: Path) -> None:
    whole = play("zique", ["simple", "base"], seed=1, deals=1, names=["Ann", "Bob"])
    seen = bezique.parse(encode(redact(whole, 0)))
    write([whole, seen], tmp_path / "games.jsonl")
    with Store(tmp_path / "data", files=tmp_path) as store:
        ingest(store, read_entries(tmp_path / "games.jsonl"))
    with bezique.open(tmp_path / "data") as stored:
        assert list(stored.records()) == [whole, seen]
        assert len(stored) == len(stored.rows("games")) == 1


@pytest.mark.parametrize("number", [1, 2])
def test_tables_are_asked_by_name_or_by_a_statement(folders: list[Path], number: int) -> None:
    with bezique.open(folders[number]) as games:
        assert {"games", "deals", "seats", "tricks", "scores", "melds"} <= set(games.tables)
        deals = games.rows("deals")
        assert [deal["sheet"] for deal in deals] == ["zique"] * 3
        assert games.rows("SELECT count(*) AS number FROM deals") == [{"number": 3}]
        for wrong in ("SELEC", "", "-- deals", "SELECT 1; SELECT 2", 5, None):
            with pytest.raises(StoreError):
                games.rows(wrong)  # type: ignore[arg-type]
        for name, package in (("arrow", "pyarrow"), ("polars", "polars"), ("pandas", "pandas")):
            ask = getattr(games, name)
            if find_spec(package) is None:
                with pytest.raises(ImportError, match=f"{package} is not installed"):
                    ask("deals")
            else:
                assert len(ask("deals")) == 3
                assert len(ask("SELECT * FROM seats")) == 6
                with pytest.raises(StoreError):
                    ask("SELEC")


def test_what_is_no_collection_is_refused_and_not_made(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(StoreError, match="neither a database nor"):
            bezique.open(folder)
    assert list(tmp_path.iterdir()) == []
