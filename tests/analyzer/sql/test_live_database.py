"""The database read by another process than the one that writes to it: always one of its states, and the last."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from analyzer.ingest.deletion import delete_games
from analyzer.sql import process
from analyzer.sql.pool import StatementBrokeOff, StatementPool
from analyzer.sql.process import (
    ChangedMeanwhile,
    LiveDatabase,
    UnlockedFile,
    answer_statement,
    read_state,
)
from analyzer.store.store import QueryTimeout, Store
from records.format import codec
from records.selfplay import play_game
from tests.make.stored_games import store_game

ROWS = 3_000
MOST_SECONDS = 300
PAUSES = (0.02, 0.1, 0.4)
"""Between two transactions, in seconds: in the shortest no statement ends, in the longest most do."""
COLUMNS_OF = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = $table ORDER BY column_index"
SUM_OF_GAME = "SELECT sum(hash(sheet, margin)::HUGEINT) FROM deals WHERE game = $game"
STATE = """
    SELECT
        (SELECT count(*) FROM deals), (SELECT sum(hash(sheet, margin)::HUGEINT) FROM deals),
        (SELECT count(*) FROM findings), (SELECT sum(message::HUGEINT) FROM findings)
"""


@pytest.fixture
def pool(store: Store) -> Iterator[StatementPool]:
    with closing(StatementPool(store.path.parent)) as pool:
        yield pool


def count(pool: StatementPool) -> int:
    ((games,),) = pool.run("SELECT count(*) FROM games").result.rows
    return int(games)


@pytest.mark.slow
def test_what_was_just_stored_or_deleted_is_seen(store: Store, pool: StatementPool) -> None:
    assert count(pool) == 0
    for number in (1, 2, 3):
        record = play_game("zique", seed=number)
        store_game(store, record)
        assert count(pool) == number
    delete_games(store, [codec.digest(record)])
    assert count(pool) == 2
    store.cursor().execute("CHECKPOINT")
    assert count(pool) == 2


def fill(store: Store, game: int, columns: dict[str, list[tuple[str, str]]]) -> None:
    """Add many deals, and one finding that holds the sum over them, in one transaction."""
    known = {
        "deals": {"game": "$game", "sheet": "hash(range)::VARCHAR", "margin": "(hash(range, $game) % 9999)::INTEGER"},
        "findings": {"game": "$game", "message": "$sum::VARCHAR"},
    }  # fmt: skip
    values = {
        table: ", ".join(known[table].get(name, _filler(kind)) for name, kind in columns[table])
        for table in known
    }
    with store.writing() as cursor:
        cursor.execute(
            f"INSERT INTO deals SELECT {values['deals']} FROM range({ROWS})", {"game": game}
        )
        ((total,),) = cursor.execute(SUM_OF_GAME, {"game": game}).fetchall()
        cursor.execute(
            f"INSERT INTO findings SELECT {values['findings']}", {"game": game, "sum": total}
        )


def _filler(kind: str) -> str:
    return {"VARCHAR": "'x'", "BOOLEAN": "true", "INTEGER[]": "[1, 2]"}.get(kind, "0")


@pytest.mark.slow
def test_an_answer_is_of_one_state_while_the_database_is_written(
    store: Store, pool: StatementPool
) -> None:
    """Transactions, deletions and checkpoints, which use blocks of the file again, run beside the statements."""
    columns = {
        table: store.rows(COLUMNS_OF, {"table": table}).rows for table in ("deals", "findings")
    }
    done = threading.Event()
    checkpoints = transactions = 0

    def write() -> None:
        nonlocal checkpoints, transactions
        choice, kept = random.Random(1), list[int]()
        for game in range(1, 100_000):
            if done.wait(choice.choice(PAUSES)):
                return
            fill(store, game, columns)
            transactions += 1
            kept.append(game)
            if len(kept) > 5:
                gone = {"game": kept.pop(choice.randrange(len(kept)))}
                with store.writing() as cursor:
                    for table in columns:
                        cursor.execute(f"DELETE FROM {table} WHERE game = $game", gone)
            if choice.random() < 0.3:
                store.cursor().execute("CHECKPOINT")
                checkpoints += 1

    fill(store, 0, columns)
    count(pool)
    writer = threading.Thread(target=write)
    writer.start()
    seen = set()
    beside = 0
    end = time.monotonic() + MOST_SECONDS
    while (len(seen) < 10 or beside < 5 or checkpoints < 3) and time.monotonic() < end:
        before = transactions
        try:
            ((deals, total, findings, written),) = pool.run(STATE).result.rows
        except (QueryTimeout, StatementBrokeOff):  # it changed too often
            continue
        assert (deals, total) == (findings * ROWS, written)
        seen.add(written)
        beside += transactions > before
    done.set()
    writer.join()
    assert len(seen) >= 10
    assert beside >= 5, "answers while something was written"
    assert checkpoints >= 3


@pytest.mark.long
def test_an_answer_from_a_database_that_changed_meanwhile_is_thrown_away(store: Store) -> None:
    database = LiveDatabase(store.path.parent)
    database.connection()
    assert database.is_current()
    store_game(store, play_game("zique", seed=1))
    assert database.is_current(), "what is added to the log changes no block"
    store.cursor().execute("CHECKPOINT")
    assert not database.is_current()
    connection = database.connection()
    assert database.is_current()

    class WrittenMeanwhile(LiveDatabase):
        def connection(self) -> duckdb.DuckDBPyConnection:
            return connection

        def is_current(self) -> bool:
            return False

    for sql in ("SELECT 1", "SELECT nothing FROM games", "DROP TABLE games"):
        with pytest.raises(ChangedMeanwhile):
            answer_statement(WrittenMeanwhile(store.path.parent), sql, 1)
    database.close()


def test_a_database_that_cannot_be_opened_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "OPENING_SECONDS", 0.1)
    (tmp_path / "bezique.duckdb").write_bytes(b"nothing" * 10_000)
    with pytest.raises(duckdb.Error):
        LiveDatabase(tmp_path).connection()
    with pytest.raises(OSError, match="No such file"):
        LiveDatabase(tmp_path / "nowhere").connection()
    assert read_state(tmp_path / "bezique.duckdb").log is None


def test_threads_that_read_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"".join(number.to_bytes(4, "big") for number in range(10_000)))
    file = UnlockedFile(str(path))
    wrong = []

    def read(seed: int) -> None:
        choice = random.Random(seed)
        for _ in range(2_000):
            number = choice.randrange(10_000)
            file.seek(4 * number)
            if file.read(4) != number.to_bytes(4, "big"):
                wrong.append(number)

    readers = [threading.Thread(target=read, args=[seed]) for seed in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert file.seek(0, 2) == file.tell() == path.stat().st_size
    assert file.seek(-4, 1) == path.stat().st_size - 4
    assert file.read() == (9_999).to_bytes(4, "big")
    file.close()
