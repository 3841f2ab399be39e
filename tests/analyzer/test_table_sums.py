"""What is kept of all tricks and scores is what their rows come to, whatever was loaded and deleted."""

import io
from pathlib import Path

import pytest

from analyzer.db.deletion import delete_games
from analyzer.db.store import Store
from analyzer.db.sums import table_sums
from analyzer.db.sums.sampled_tables import SAMPLING_STEPS, sampled_name, sampled_rows_sql
from analyzer.db.sums.table_sums import SUM_KEYS, SUM_TABLES, sums_sql
from analyzer.ingest.loader import ingest, ingest_bytes
from analyzer.players.renaming import rename_player
from records import codec
from tests.soak_loading import mixed

LINES = mixed(range(24)).splitlines()


def kept(store: Store, table: str) -> list[tuple[object, ...]]:
    """The sums of a table, none of which is of nothing."""
    name = SUM_TABLES[table]
    columns = store.rows(f"FROM {name} LIMIT 0").columns
    sums = [column for column in columns if column not in SUM_KEYS[name]]
    of_all = ", ".join((*SUM_KEYS[name], *(f"sum({each})::BIGINT" for each in sums)))
    sql = f"SELECT {of_all} FROM {name} GROUP BY ALL HAVING sum({sums[0]}) <> 0 ORDER BY ALL"
    return store.rows(sql).rows


def found(store: Store, table: str) -> list[tuple[object, ...]]:
    return store.rows(f"{sums_sql(table, table)} ORDER BY ALL").rows


def assert_right(store: Store) -> None:
    for table in SUM_TABLES:
        assert kept(store, table) == found(store, table)
    for table in SAMPLING_STEPS:
        sampled = store.rows(f"FROM {sampled_rows_sql(table, table)} ORDER BY ALL").rows
        assert store.rows(f"FROM {sampled_name(table)} ORDER BY ALL").rows == sampled


def is_summed(store: Store) -> bool:
    """Whether the sums of tricks have at most twice as many rows as differ by their keys."""
    keys = ", ".join(SUM_KEYS["trick_sums"])
    sql = f"SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT {keys} FROM trick_sums)) FROM trick_sums"
    ((rows, needed),) = store.rows(sql).rows
    return rows <= 2 * needed


def load(store: Store, lines: list[bytes]) -> None:
    ingest(store, codec.read_entries(io.BytesIO(b"\n".join(lines)), name="games.jsonl"))


@pytest.mark.parametrize("most", [20_000, 1])
def test_sums_are_what_the_rows_come_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Games come in batches, twice, and go; with and without summing the sums each time."""
    monkeypatch.setattr(table_sums, "MOST_SUMS", most)
    with Store(tmp_path) as store:
        load(store, LINES[:12])
        assert_right(store)
        load(store, LINES[8:])
        ingest_bytes(store, "again.jsonl", b"\n".join(LINES[4:20]))
        assert_right(store)
        assert found(store, "tricks")
        assert store.rows("SELECT count(*) > 0 FROM sampled_tricks").rows == [(True,)]
        digests = [digest for (digest,) in store.rows("SELECT digest FROM games").rows]
        for digest in digests[::2]:
            delete_games(store, [digest])
        assert_right(store)
        assert is_summed(store) == (most == 1)
        delete_games(store, digests)
        assert kept(store, "tricks") == kept(store, "scores") == []
        load(store, LINES)
        assert_right(store)
        assert is_summed(store) == (most == 1)
        assert len(found(store, "tricks")) > 100


def test_a_player_who_is_renamed_is_renamed_in_them(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        load(store, LINES)
        names = store.rows("SELECT DISTINCT player FROM sampled_seats ORDER BY ALL").rows
        for (name,) in names:
            rename_player(store, name, f"{name} the Second")
            assert_right(store)
        renamed = store.rows("SELECT DISTINCT player FROM sampled_seats ORDER BY ALL").rows
        assert renamed == [(f"{name} the Second",) for (name,) in names]
        assert renamed


def test_sums_that_half_would_do_for_become_one_row_for_each_of_their_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same game is stored, deleted and stored again: then every key has three rows, and all are summed."""
    monkeypatch.setattr(table_sums, "MOST_SUMS", 1)
    with Store(tmp_path) as store:
        load(store, LINES[:1])
        needed = store.rows("SELECT count(*) FROM trick_sums").rows[0][0]
        assert needed > 1
        delete_games(store, [digest for (digest,) in store.rows("SELECT digest FROM games").rows])
        assert store.rows("SELECT count(*) FROM trick_sums").rows == [(2 * needed,)]
        load(store, LINES[:1])
        assert store.rows("SELECT count(*) FROM trick_sums").rows == [(needed,)]
        assert_right(store)
