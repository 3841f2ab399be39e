"""Readers' SQL for a lake in an object store: its tables are fetched, and a statement can reach nothing else of the store."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event, Timer
from unittest.mock import patch

import duckdb
import pytest
from msgspec.structs import replace

from analyzer.lake.joining import delete_from_lake
from analyzer.sql import lake_mirror
from analyzer.sql import pool as pool_module
from analyzer.sql.guard import READABLE_TABLES, ForbiddenStatement
from analyzer.sql.lake_mirror import BeingFetched, LakeMirror, tables_named
from analyzer.sql.pool import AllBusy, StatementBrokeOff, StatementPool
from analyzer.sql.process import LiveDatabase, run_unchecked
from analyzer.store.lake_place import LakePlace, LakeUnreachable, folder_for
from analyzer.store.lake_state import LakePart, LakeState, LakeTable
from analyzer.store.lake_store import SECONDS_TO_LOOK
from records.errors import StoreError
from tests.analyzer.lake.lakes import add, new_place, object_store, reader
from tests.soak.loading import mixed

pytestmark = pytest.mark.long
SECRET = "s3://club/secret.parquet"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LakePlace]:
    """A lake in a bucket, which has something else, too."""
    folder = tmp_path_factory.mktemp("lake")
    with patch.dict(os.environ, XDG_CACHE_HOME=str(folder / "cache")), object_store():
        place = new_place("s3", folder)
        add(place, folder, mixed(range(4)))
        with duckdb.connect() as writer:
            writer.execute(
                f"COPY (SELECT 'nobody may read this' AS words) TO '{folder / 'it'}' (FORMAT parquet)"
            )
        place.files.put_file(str(folder / "it"), SECRET)
        yield place


@pytest.fixture(scope="module")
def pool(place: LakePlace) -> Iterator[StatementPool]:
    with closing(StatementPool(folder_for(place.address))) as pool:
        yield pool


@pytest.fixture
def mirror(place: LakePlace) -> Iterator[LakeMirror]:
    with closing(LakeMirror(place)) as mirror:
        yield mirror


def test_answers_are_those_of_the_lake(place: LakePlace) -> None:
    with reader(place) as lake, closing(StatementPool(folder_for(place.address))) as pool:
        for table in ("plays", "card_sums", "variants"):
            sql = f'SELECT count(*) AS n, max(sheet) FROM "{table.upper()}"'
            assert pool.run(sql).result.rows == lake.rows(sql).rows, table
        sql = "SELECT count(*) FROM games"
        assert pool.run(sql).result.rows == [(4,)]
        digests = [digest for (digest,) in lake.rows("SELECT digest FROM games LIMIT 1").rows]
        delete_from_lake(place, digests)
        assert pool.run(sql).result.rows == [(4,)]
        with patch.object(lake_mirror, "SECONDS_TO_LOOK", 0.0):
            assert pool.run(sql).result.rows == [(3,)]
        assert pool._mirror
        folder = pool._mirror.folder
        assert not list(folder.glob("parts/*/records")), "a record is never fetched"
    assert not folder.exists()


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT * FROM read_parquet('{SECRET}')",
        f"SELECT * FROM '{SECRET}'",
        "SELECT * FROM glob('s3://club/*')",
        "SELECT * FROM read_text('/proc/self/environ')",
        "SELECT * FROM read_text('/etc/passwd')",
        "CREATE SECRET (TYPE s3, PROVIDER credential_chain)",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "ATTACH '/tmp/any.duckdb'",
    ],
)
def test_a_statement_reaches_nothing_else(
    mirror: LakeMirror, pool: StatementPool, sql: str
) -> None:
    """Not even one that the guard would let through, in this process, which has the credentials."""
    with mirror.bring("games"), closing(LiveDatabase(mirror.folder)) as database:
        connection = database.connection()
        assert run_unchecked(connection, "SELECT count(*) FROM games", 3).result.rows
        with pytest.raises(duckdb.Error):
            run_unchecked(connection, sql, 3)
    with pytest.raises(ForbiddenStatement):
        pool.run(sql)


def test_no_secret_is_to_be_seen(mirror: LakeMirror) -> None:
    with closing(LiveDatabase(mirror.folder)) as database:
        connection = database.connection()
        with pytest.raises(duckdb.PermissionException):
            run_unchecked(connection, "SELECT * FROM duckdb_secrets()", 3)
        told = repr(run_unchecked(connection, "SELECT value FROM duckdb_settings()", 3).result.rows)
        assert os.environ["AWS_ENDPOINT_URL"] not in told
        assert not connection.list_filesystems()
    fetched = b"".join(path.read_bytes() for path in mirror.folder.rglob("*") if path.is_file())
    assert b"s3://" not in fetched


def counted(mirror: LakeMirror, table: str) -> int:
    """How many rows a table has for the statements that run."""
    with closing(LiveDatabase(mirror.folder)) as database:
        ((number,),) = run_unchecked(
            database.connection(), f"SELECT count(*) FROM {table}", 3
        ).result.rows
        return int(number)


def asked(mirror: LakeMirror, table: str) -> int:
    """The same, asked as readers ask it."""
    with mirror.bring(f"SELECT count(*) FROM {table}"):
        return counted(mirror, table)


def fetched(mirror: LakeMirror) -> set[str]:
    """The tables of which there are files."""
    return {path.parent.name for path in mirror.folder.rglob("*.parquet")}


def bound(mirror: LakeMirror, *tables: str) -> AbstractContextManager[object]:
    """So much may be fetched as any one of these tables has."""
    assert asked(mirror, "games")
    largest = max(lake_mirror._size(lake_mirror._of(mirror._state, {table})) for table in tables)
    return patch.object(lake_mirror, "MOST_FETCHED_BYTES", largest)


def test_what_is_too_large_is_refused_with_its_size(mirror: LakeMirror) -> None:
    with (
        bound(mirror, "games"),
        pytest.raises(
            ForbiddenStatement, match=r"reads takes \d+ KiB \(cards \d+ KiB, .*At most \d+ KiB"
        ),
    ):
        asked(mirror, "games, seats, cards, tricks, deals")
    assert fetched(mirror) == {"games"}


def test_what_was_asked_before_makes_room(mirror: LakeMirror) -> None:
    for table in ("games", "cards", "tricks"):
        assert asked(mirror, table)
    assert fetched(mirror) == {"games", "cards", "tricks"}
    for table in ("deals", "seats", "scores"):
        with bound(mirror, table):
            assert asked(mirror, table)
            assert fetched(mirror) == {table}
            assert [path.name for path in (mirror.folder / "parts").glob("*/*")] == [table]


def test_nothing_goes_while_a_statement_may_be_reading_it(mirror: LakeMirror) -> None:
    """Neither before its process has looked what there is, nor after."""
    with bound(mirror, "games", "cards"), ThreadPoolExecutor() as other:
        with mirror.bring("FROM games"):
            asking = other.submit(asked, mirror, "cards")
            with suppress(TimeoutError):
                asking.result(0.3)
            assert counted(mirror, "games")
        assert asking.result()


def test_what_made_room_in_vain_comes_again(mirror: LakeMirror) -> None:
    with bound(mirror, "games", "cards"):
        with patch.object(lake_mirror, "FETCH_SECONDS", -1.0), pytest.raises(BeingFetched):
            asked(mirror, "cards")
        assert asked(mirror, "games")


def test_what_takes_long_comes_with_the_next_question(mirror: LakeMirror) -> None:
    with patch.object(lake_mirror, "FETCH_SECONDS", -1.0), pytest.raises(BeingFetched, match=r"Of the \d+ KiB that this statement reads, 0 KiB have been fetched"):  # fmt: skip
        asked(mirror, "games")
    assert asked(mirror, "games")


@contextmanager
def slow_store() -> Iterator[tuple[Event, Event]]:
    """A store that sends nothing before the second of these events; the first is set once it is asked."""
    began, goes_on = Event(), Event()
    fetch = LakePlace.fetch

    def wait_and_fetch(self: LakePlace, name: str, target: Path) -> None:
        began.set()
        goes_on.wait()
        fetch(self, name, target)

    with patch.object(LakePlace, "fetch", wait_and_fetch):
        try:
            yield began, goes_on
        finally:
            goes_on.set()


def test_nobody_waits_long_for_what_others_fetch(mirror: LakeMirror) -> None:
    with slow_store() as (began, goes_on), ThreadPoolExecutor() as other:
        asking = other.submit(asked, mirror, "games")
        began.wait()
        with (
            patch.object(lake_mirror, "FETCH_SECONDS", 0.1),
            pytest.raises(BeingFetched, match="another statement"),
        ):
            asked(mirror, "games")
        goes_on.set()
        assert asking.result()


def test_what_is_here_waits_for_nobody(mirror: LakeMirror) -> None:
    """Neither what has its files nor what names no table."""
    assert asked(mirror, "games")
    with ThreadPoolExecutor() as other, slow_store() as (began, goes_on):
        asking = other.submit(asked, mirror, "cards")
        began.wait()
        with patch.object(lake_mirror, "FETCH_SECONDS", 0.1):
            assert asked(mirror, "games")
            with mirror.bring("SELECT 1"):
                pass
        goes_on.set()
        assert asking.result()


def test_what_several_need_is_fetched_once(mirror: LakeMirror) -> None:
    with (
        patch.object(mirror._place, "fetch", wraps=mirror._place.fetch) as fetch,
        ThreadPoolExecutor() as others,
    ):
        assert all(others.map(lambda table: asked(mirror, table), ["games, deals"] * 3))
    assert fetch.call_count == 2


def test_a_file_that_breaks_off_is_not_left(mirror: LakeMirror) -> None:
    def break_off(_: str, target: Path) -> None:
        target.write_bytes(b"PAR1")
        raise LakeUnreachable("it is gone")

    with patch.object(mirror._place, "fetch", break_off), pytest.raises(LakeUnreachable):
        asked(mirror, "games")
    assert not [path for path in (mirror.folder / "parts").rglob("*") if path.is_file()]
    assert asked(mirror, "games")


def test_a_lake_that_changes_takes_nothing_from_a_statement(mirror: LakeMirror) -> None:
    """Its process may look at any moment what there is."""
    assert asked(mirror, "games")
    assert asked(mirror, "cards")
    changed = replace(mirror._state, parts=tuple(moved(part) for part in mirror._state.parts))
    fetch = mirror._place.fetch
    with (
        patch.object(lake_mirror, "read_state", return_value=changed),
        patch.object(lake_mirror, "SECONDS_TO_LOOK", 0.0),
        patch.object(
            mirror._place, "fetch", lambda name, target: fetch(name.replace("-moved", ""), target)
        ),
        ThreadPoolExecutor() as other,
    ):
        with patch.object(lake_mirror, "read_state", return_value=mirror._state):
            reading = mirror.bring("FROM cards")
            reading.__enter__()
        asking = other.submit(asked, mirror, "games")
        with suppress(TimeoutError):
            asking.result(0.3)
        assert counted(mirror, "cards")
        reading.__exit__(None, None, None)
        assert asking.result()


def test_another_state_is_known_only_between_two_steps(mirror: LakeMirror) -> None:
    with patch.object(lake_mirror, "SECONDS_TO_LOOK", -1.0), ThreadPoolExecutor(1) as others:
        with mirror._changed:
            looking = others.submit(mirror._look)
            assert wait([looking], timeout=0.5).not_done
        looking.result(10)


def moved(part: LakePart) -> LakePart:
    """A part with the same rows in files with other names."""
    tables = {
        name: replace(
            own, files=tuple(file.replace(part.key, f"{part.key}-moved") for file in own.files)
        )
        for name, own in part.tables.items()
    }
    return replace(part, key=f"{part.key}-moved", tables=tables)


@pytest.mark.parametrize("seed", range(2))
def test_statements_find_their_tables_whatever_others_ask(mirror: LakeMirror, seed: int) -> None:
    """What is kept has room for two tables or so, and four statements run at a time."""
    random, tables = Random(seed), ("games", "cards", "tricks", "deals")
    plan = [random.sample(tables, random.randint(0, 2)) for _ in range(24)]
    whole = {table: asked(mirror, table) for table in tables}

    def ask(named: Sequence[str]) -> None:
        with mirror.bring(f"FROM {', '.join(named)}"):
            for _ in range(2):
                assert {table: counted(mirror, table) for table in named} == {
                    table: whole[table] for table in named
                }

    sizes = [lake_mirror._size(lake_mirror._of(mirror._state, {table})) for table in tables]
    most = sum(sorted(sizes)[-2:])
    with patch.object(lake_mirror, "MOST_FETCHED_BYTES", most), ThreadPoolExecutor(4) as others:
        assert list(others.map(ask, plan)) == [None] * len(plan)
    assert not mirror._running
    assert all(path.suffix == ".parquet" for path in mirror.folder.glob("parts/*/*/*"))


def test_nothing_is_left_where_files_come_at_the_end(place: LakePlace) -> None:
    mirror = LakeMirror(place)
    with slow_store() as (began, goes_on), ThreadPoolExecutor() as others:
        asking = others.submit(asked, mirror, "games, deals, seats")
        began.wait()
        Timer(0.2, goes_on.set).start()
        mirror.close()
        with pytest.raises(StoreError, match="closing"):
            asking.result()
    assert not mirror.folder.exists()


def test_the_next_deletes_what_one_that_was_killed_has_left(
    mirror: LakeMirror, place: LakePlace
) -> None:
    words = "import os; from analyzer.sql.lake_mirror import *; m = LakeMirror(LakePlace('memory://it')); print(m.folder, flush=True); os.kill(os.getpid(), 9)"
    killed = subprocess.run([sys.executable, "-c", words], stdout=subprocess.PIPE, text=True)
    left = Path(killed.stdout.strip())
    assert left.is_dir()
    with closing(LakeMirror(place)):
        assert not left.exists()
        assert mirror.folder.exists()


@pytest.mark.parametrize("name", ["../outside.parquet", "/outside.parquet", "parts/../states/a"])
def test_a_lake_can_write_nothing_elsewhere(mirror: LakeMirror, name: str, tmp_path: Path) -> None:
    name = name.replace("/outside", str(tmp_path / "outside")) if name[0] == "/" else name
    table = LakeTable((name,), 1, 1)
    state = LakeState(1, (LakePart("it", 1, 1, True, {"games": table}),))
    with (
        patch.object(lake_mirror, "read_state", return_value=state),
        patch.object(LakePlace, "fetch", side_effect=AssertionError),
        pytest.raises(StoreError, match="elsewhere"),
    ):
        asked(mirror, "games")


def test_only_fetched_tables_are_looked_at_all_the_time(place: LakePlace, tmp_path: Path) -> None:
    local = new_place("folder", tmp_path)
    add(local, tmp_path, mixed(range(1)))
    for each, seconds in ((local, SECONDS_TO_LOOK), (place, 0.0)):
        with (
            patch.object(pool_module, "ProcessPool") as processes,
            closing(StatementPool(folder_for(each.address))),
        ):
            assert processes.call_args[0][1].arguments[1] == str(seconds)


@pytest.mark.parametrize(
    ("patched", "words"),
    [
        (patch.object(lake_mirror, "FETCH_SECONDS", -1.0), "have been fetched so far"),
        (patch.object(LakePlace, "fetch", side_effect=FileNotFoundError), "games changed"),
    ],
)
def test_what_comes_when_asked_again_is_no_fault_of_the_statement(
    place: LakePlace, patched: AbstractContextManager[object], words: str
) -> None:
    """The page says when to come again."""
    with (
        closing(StatementPool(folder_for(place.address))) as pool,
        patched,
        pytest.raises(AllBusy, match=words),
    ):
        pool.run("SELECT count(*) FROM games")


def test_a_store_that_does_not_answer_is_a_sentence(place: LakePlace) -> None:
    with (
        closing(StatementPool(folder_for(place.address))) as pool,
        patch.object(LakePlace, "fetch", side_effect=LakeUnreachable("it is gone")),
        pytest.raises(StatementBrokeOff, match="cannot be read now"),
    ):
        pool.run("SELECT count(*) FROM games")


def test_every_table_is_found_by_its_name() -> None:
    for table in READABLE_TABLES:
        assert tables_named(f'SELECT * FROM main."{table.title()}"')
    assert tables_named("FROM clean_deals") == {"deals"}
    assert tables_named("FROM variants") == {"games"}
    assert tables_named("FROM Plays") == {"tricks"}
    assert tables_named("FROM card_sums") == {"card_sums", "cards"}
