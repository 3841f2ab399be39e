import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from unittest.mock import patch

import duckdb
import pytest

from analyzer.ingest.deletion import delete_games
from analyzer.store.schema import SCHEMA_VERSION
from analyzer.store.store import DATABASE_FILE_NAME, GameFilter, QueryTimeout, Store
from records.errors import StoreError
from records.format import codec
from records.record import Record
from records.selfplay import play_game
from tests.make.stored_games import store_game

SLOW = "SELECT count(*) FROM range(3000000000) a, range(100) b"

VERSION = "SELECT max(version) FROM schema_version"

HOLDER = """
import sys
from collections.abc import Callable
from pathlib import Path
from analyzer.store.store import Store
with Store(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_a_data_folder_is_made_when_it_is_missing(tmp_path: Path) -> None:
    with Store(tmp_path / "new" / "data") as store:
        assert store.path.exists()


@pytest.mark.long
def test_the_file_in_use_by_another_process_is_said_in_words(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdin
        holder.stdout.readline()
        with pytest.raises(StoreError, match="in use by another process"):
            Store(tmp_path)
        holder.stdin.close()
    Store(tmp_path).close()


def test_the_file_open_in_this_process_is_said_in_words(store: Store) -> None:
    with pytest.raises(StoreError, match="already open in this process"):
        Store(store.path.parent)
    assert store.rows("SELECT 1").rows == [(1,)]


def test_a_folder_that_cannot_be_made_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "file" / "data")


@pytest.mark.long
def test_a_reader_is_stopped_in_time_and_the_writer_is_not(tmp_path: Path) -> None:
    with Store(tmp_path, reading_ms=100) as store:
        with pytest.raises(QueryTimeout):
            store.rows(SLOW)
        assert store.rows("SELECT 42").rows == [(42,)]
        with store.writing() as cursor:
            limit = cursor.execute("SELECT current_setting('max_execution_time')").fetchall()
        assert limit == [(0,)]


def test_what_fails_half_way_is_not_written(store: Store) -> None:
    with pytest.raises(duckdb.ConversionException):
        _write_and_fail(store)
    assert store.rows(VERSION).rows == [(SCHEMA_VERSION,)]
    with store.writing() as cursor:
        cursor.execute("INSERT INTO schema_version VALUES (98, 1, '', now())")
    assert store.rows(VERSION).rows == [(98,)]


def _write_and_fail(store: Store) -> None:
    with store.writing() as cursor:
        cursor.execute("INSERT INTO schema_version VALUES (99, 1, '', now())")
        cursor.execute("SELECT 'no number'::INTEGER")


def test_a_reader_does_not_see_what_is_not_committed(store: Store) -> None:
    with store.writing() as cursor:
        cursor.execute("INSERT INTO schema_version VALUES (98, 1, '', now())")
        assert store.rows(VERSION).rows == [(SCHEMA_VERSION,)]


@pytest.mark.long
def test_every_thread_reads_on_a_cursor_of_its_own(store: Store) -> None:
    wrong: list[object] = []

    def read(number: int) -> None:
        for _ in range(100):
            found = store.rows("SELECT ?, sum(i) FROM range(1000) r(i)", [number]).rows
            if found != [(number, 499500)]:
                wrong.append(found)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_game_is_listed_with_what_its_record_says(full: Store, played: list[Record]) -> None:
    for record in played:
        game = full.game(codec.digest(record))
        assert game is not None
        assert (game.sheet, game.edition) == (record.rules.id, record.rules.edition)
        assert game.names == [player.name for player in record.players]
        assert (game.deals, game.verdict, game.clean) == (len(record.deals), "legal", True)
        assert record.result is not None
        assert (game.scores, game.winner) == (record.result.scores, record.result.winner)
        assert (game.complete, game.settlement) == (True, record.result.settlement)
        assert game.events == sum(len(deal.events) for deal in record.deals)
        assert record.meta is not None
        assert game.event == record.meta["event"]
        assert game.name == "games.jsonl"


def test_a_report_is_made_for_the_stored_record(full: Store, played: list[Record]) -> None:
    report = full.report(codec.digest(played[3]))
    assert report is not None
    assert (report.verdict, report.line) == ("legal", 4)


@pytest.mark.parametrize("ask", [Store.game, Store.record_bytes, Store.report])
def test_an_unknown_game_is_none(full: Store, ask: Callable[[Store, str], object]) -> None:
    assert ask(full, "0" * 64) is None


def test_games_are_filtered_and_paged(full: Store, played: list[Record]) -> None:
    every = full.games(limit=1000)
    assert every.total == len(every.games) == len(played)
    pages = [full.games(limit=4, offset=offset).games for offset in range(0, len(played), 4)]
    assert [game for page in pages for game in page] == every.games
    sheet = played[0].rules.id
    expected = sum(record.rules.id == sheet for record in played)
    assert full.games(GameFilter(sheet=sheet)).total == expected
    assert full.games(GameFilter(sheet=sheet, verdict="legal", player="AN")).total == expected
    assert full.games(GameFilter(verdict="illegal")).games == []
    assert full.games(GameFilter(player="' OR true --")).total == 0


def test_what_is_stored_is_counted(full: Store, played: list[Record]) -> None:
    counts = full.counts()
    deals = sum(len(record.deals) for record in played)
    assert (counts.games, counts.deals, counts.clean_deals) == (len(played), deals, deals)
    assert (counts.findings, counts.rejected) == (0, 0)


GAMES = "SELECT count(*) AS games, max(stored_at) AS latest FROM games"


def test_an_answer_is_made_once_while_nothing_is_written(full: Store) -> None:
    first = full.answer("SELECT game FROM games WHERE sheet = $sheet", {"sheet": "zique"})
    first.rows.append(("another",))  # what a caller does with it is the caller's
    with patch.object(Store, "rows") as asked:
        again = full.answer("SELECT game FROM games WHERE sheet = $sheet", {"sheet": "zique"})
    assert not asked.called
    assert again.rows == first.rows[:-1]
    others = full.answer("SELECT game FROM games WHERE sheet = $sheet", {"sheet": "zetema"})
    assert not {*others.rows} & {*again.rows}


@pytest.mark.slow
def test_an_answer_changes_with_whatever_is_written(store: Store) -> None:
    chance, digests = Random(1), list[str]()
    for number in range(30):
        if chance.random() < 0.3 and digests:
            delete_games(store, [digests.pop(chance.randrange(len(digests)))])
        else:
            record = play_game("marjolet", seed=number, deals=1)
            store_game(store, record)
            digests.append(codec.digest(record))
        for _ in range(2):
            assert store.answer(GAMES, {}).rows == store.rows(GAMES).rows
    with suppress(duckdb.Error):
        _write_and_fail(store)
    assert store.answer(VERSION, {}).rows == [(SCHEMA_VERSION,)]


@pytest.mark.long
def test_an_answer_is_never_older_than_what_its_asker_has_written(store: Store) -> None:
    ended, wrong = threading.Event(), list[int]()

    def ask() -> None:
        latest = 0
        while not ended.is_set():
            ((version,),) = store.answer(VERSION, {}).rows
            if version < latest:
                wrong.append(version)
            latest = version

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    for version in range(100, 130):
        with store.writing() as cursor:
            cursor.execute("INSERT INTO schema_version VALUES (?, 1, '', now())", [version])
        assert store.answer(VERSION, {}).rows == [(version,)]
    ended.set()
    for asker in askers:
        asker.join()
    assert wrong == []


@pytest.mark.long
def test_an_answer_is_that_of_the_file_that_is_there(tmp_path: Path) -> None:
    with Store(tmp_path / "other") as other:
        store_game(other, play_game("zique", seed=1))
    with Store(tmp_path / "own") as own:
        assert own.answer("SELECT count(*) FROM games", {}).rows == [(0,)]
        own.cursor().execute("CHECKPOINT")
        (tmp_path / "other" / DATABASE_FILE_NAME).replace(own.path)
        assert own.answer("SELECT count(*) FROM games", {}).rows == [(1,)]
