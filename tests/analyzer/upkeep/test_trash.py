"""Deleted, and back again: the same bytes and rows as before, whatever was deleted together and whenever it is brought back."""

import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from analyzer.ingest.loader import ingest_bytes, ingest_files
from analyzer.review.stored import review_stored_exactly
from analyzer.store.packing import unpack_record
from analyzer.store.store import Store
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.trash import (
    TRASH_FOLDER,
    broken_trash,
    delete_for_good,
    empty_trash,
    list_trash,
    list_trash_of_upload,
    restore_games,
    trash_games,
)
from records.format import codec
from records.selfplay import play_game
from tests.analyzer.upkeep.test_matches_kept import filled, lines
from tests.make.empty_store import with_empty_database

LOGS = {"commits", "schema_version", "imports", "import_batches", "rejected", "work_requests"}
"""Tables that say what was done, and not what is stored."""
SELECT_TABLES = "SELECT table_name FROM duckdb_tables() WHERE NOT internal"
SUMS = ("trick_sums", "play_sums", "score_sums", "card_sums")
"""Tables whose rows are added up, and come in any number."""

Rows = dict[str, list[str]]


def rows_of(store: Store) -> Rows:
    """All rows of all tables but the logs; records with the bytes that they hold, sums added up."""
    found: Rows = {}
    for (table,) in store.rows(SELECT_TABLES).rows:
        if table in LOGS:
            continue
        result = store.rows(f"SELECT * FROM {table}")
        rows = result.dicts()
        if table in SUMS:
            rows = summed(store, table)
        if table == "records":
            rows = [{**row, "data": unpack_record(row["data"])} for row in rows]
        found[table] = sorted(map(repr, rows))
    return found


def summed(store: Store, table: str) -> list[dict[str, object]]:
    described = store.rows(f"DESCRIBE {table}").rows
    measures = [name for name, kind, *_ in described if kind in ("BIGINT", "HUGEINT", "INTEGER")]
    keys = [name for name, *_ in described if name not in measures]
    sums = ", ".join(f"sum({name}) AS {name}" for name in measures)
    some = " OR ".join(f"sum({name}) <> 0" for name in measures)
    sql = f"SELECT {', '.join(keys)}, {sums} FROM {table} GROUP BY ALL HAVING {some}"
    return store.rows(sql).dicts()


def digests_of(store: Store) -> list[str]:
    return sorted(digest for (digest,) in store.rows("SELECT digest FROM stored_games").rows)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_what_is_brought_back_is_as_it_was(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    with filled(tmp_path, random) as store:
        stored = digests_of(store)
        for digest in random.sample(stored, 2):
            record = codec.decode(store.record_bytes(digest) or b"").record
            if record is not None and record.deals:
                review_stored_exactly(store, digest)
        before = rows_of(store)
        for _ in range(3):
            gone = random.sample(stored, random.randint(1, len(stored)))
            parts = [gone] if random.random() < 0.5 else [[each] for each in gone]
            assert sum(trash_games(store, part) for part in parts) == len(gone)
            assert {game.digest for game in list_trash(store)} == set(gone)
            assert digests_of(store) == sorted(set(stored) - set(gone))
            random.shuffle(gone)
            for part in [gone] if random.random() < 0.5 else [[each] for each in gone]:
                restore_games(store, part)
            assert rows_of(store) == before
            assert list_trash(store) == []
    assert not [*(tmp_path / TRASH_FOLDER).iterdir()]
    problems = check_folder(tmp_path, lambda *_: None).problems
    assert [each for each in problems if each.severity != "note"] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_an_upload_that_is_undone_leaves_the_rows_as_before(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    sent = lines(random)
    with Store(with_empty_database(tmp_path)) as store:
        at = random.randrange(len(sent))
        for line in sent[:at]:
            ingest_bytes(store, "line.json", line)
        before, stored = rows_of(store), set(digests_of(store))
        ingest_files(store, [("more.jsonl", b"\n".join(sent[at:]))], "upload")
        after = rows_of(store)
        new = sorted(set(digests_of(store)) - stored)
        trash_games(store, new)
        assert rows_of(store) == before
        assert [each.digest for each in list_trash_of_upload(store, "upload")] != []
        restore_games(store, new)
        assert rows_of(store) == after


def before_digests(rows: Rows) -> list[str]:
    return [eval(row)["digest"] for row in rows["records"]]


def test_what_is_old_leaves_the_trash_and_nothing_else(tmp_path: Path) -> None:
    with Store(with_empty_database(tmp_path)) as store:
        for seed in range(2):
            ingest_bytes(store, "a.json", codec.encode(play_game("zique", seed=seed, deals=1)))
        first, second = digests_of(store)
        trash_games(store, [first])
        assert empty_trash(store.folder, older_than=timedelta(days=30)) == 0
        assert empty_trash(store.folder) == 1
        assert restore_games(store, [first]) == 0
        assert digests_of(store) == [second]


def test_what_is_deleted_for_good_is_nowhere(tmp_path: Path) -> None:
    data = codec.encode(play_game("zique", seed=1, deals=1))
    with Store(with_empty_database(tmp_path)) as store:
        for _ in range(2):
            ingest_bytes(store, "a.json", data)
            (digest,) = digests_of(store)
            trash_games(store, [digest])
        ingest_bytes(store, "a.json", data)
        assert list_trash(store) == []  # it is stored again
        assert delete_for_good(store, [digest]) == 1
        assert list_trash(store) == []
        assert restore_games(store, [digest]) == 0
    assert not [*(tmp_path / TRASH_FOLDER).iterdir()]


def test_a_broken_file_of_the_trash_is_told_and_costs_no_other(tmp_path: Path) -> None:
    with Store(with_empty_database(tmp_path)) as store:
        for seed in range(2):
            ingest_bytes(store, "a.json", codec.encode(play_game("zique", seed=seed, deals=1)))
        for digest in digests_of(store):
            trash_games(store, [digest])
        first, _ = sorted((tmp_path / TRASH_FOLDER).iterdir())
        first.write_bytes(first.read_bytes()[:-30])
        assert [error.path for error in broken_trash(tmp_path)] == [first]
        assert len(list_trash(store)) == 1


WORK = """
import sys
from pathlib import Path
from random import Random
from analyzer.store.store import Store
from analyzer.upkeep.trash import list_trash, restore_games, trash_games
random = Random(sys.argv[2])
with Store(Path(sys.argv[1])) as store:
    print("begun", flush=True)
    while True:
        stored = [digest for (digest,) in store.rows("SELECT digest FROM stored_games ORDER BY 1").rows]
        gone = [game.digest for game in list_trash(store)]
        if gone and (not stored or random.random() < 0.5):
            restore_games(store, random.sample(gone, random.randint(1, len(gone))))
        else:
            trash_games(store, random.sample(stored, random.randint(1, len(stored))))
"""


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    random = Random(1)
    with filled(tmp_path, random) as store:
        before, stored = rows_of(store), digests_of(store)
    for number in range(6):
        worker = [sys.executable, "-c", WORK, str(tmp_path), str(number)]
        with subprocess.Popen(worker, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            time.sleep(random.uniform(0, 1.5))
            process.send_signal(signal.SIGKILL)
        with Store(tmp_path) as store:
            in_trash = {game.digest for game in list_trash(store)}
            assert sorted({*digests_of(store), *in_trash}) == stored
            assert in_trash.isdisjoint(digests_of(store))
            if number == 5:
                restore_games(store, in_trash)
                assert rows_of(store) == before


def test_what_was_too_long_in_the_trash_is_gone_and_emptying_takes_what_cannot_be_read(
    tmp_path: Path,
) -> None:
    with Store(with_empty_database(tmp_path)) as store:
        for seed in range(2):
            ingest_bytes(store, "a.json", codec.encode(play_game("zique", seed=seed, deals=1)))
        first, second = digests_of(store)
        for digest in (first, second):
            trash_games(store, [digest])
        folder = store.folder / TRASH_FOLDER
        old, broken = sorted(folder.iterdir())
        old.rename(old.with_name(f"2020{old.name[4:]}"))
        assert [game.digest for game in list_trash(store)] == [second]
        assert [*folder.iterdir()] == [broken]
        broken.write_bytes(broken.read_bytes()[:-9])
        assert list_trash(store) == []
        empty_trash(store.folder)
        assert [*folder.iterdir()] == []
