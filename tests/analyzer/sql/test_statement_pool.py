"""The processes that run readers' SQL: what they may cost, how they end, and what they know of the server."""

import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from analyzer.sql.guard import (
    MOST_NESTING,
    PROCESS_BYTES,
    RETIREMENT_BYTES,
    SPARE_PROCESSES,
    STATEMENTS_AT_ONCE,
    ForbiddenStatement,
)
from analyzer.sql.pool import (
    AllBusy,
    ClientBusy,
    Outcome,
    SqlAnswer,
    StatementBrokeOff,
    StatementPool,
    StatementReply,
    pack_reply,
    unpack_reply,
)
from analyzer.store import processes
from analyzer.store.store import QueryTimeout, Store
from tests.machine.child_processes import at_work, is_running, own_processes, processes_of
from tests.machine.waiting import PATIENCE_SECONDS, assert_prompt, is_true_soon
from tests.make.sql_bombs import SQL_BOMBS, nest

pytestmark = pytest.mark.long

SLOW = SQL_BOMBS["products"]
BOMB_SECONDS = 0.3
ALL_PROCESSES = STATEMENTS_AT_ONCE + SPARE_PROCESSES

ORPHANED = """
import sys, threading, time
from pathlib import Path
from analyzer.sql.pool import StatementPool

pool = StatementPool(Path(sys.argv[1]))
pool.run("SELECT 1")
threading.Thread(target=pool.run, args=[sys.argv[2]], kwargs={"seconds": 60}, daemon=True).start()
time.sleep(0.3)
print("running", flush=True)
time.sleep(60)
"""
BUSY_PROCESS = """
from analyzer.store.processes import limit_cpu

limit_cpu(0.5)
while True:
    pass
"""


@pytest.fixture
def pool(full: Store) -> Iterator[StatementPool]:
    """Processes of one's own, of which one has started."""
    with closing(StatementPool(full.path.parent)) as pool:
        pool.run("SELECT 1")
        yield pool


def statement_processes() -> set[int]:
    return own_processes("serve_statements")


def largest_memory(process: int) -> int:
    """The most memory that a process has had, in bytes; 0 if it has ended."""
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text()
        if found := re.search(r"VmHWM:\s+(\d+) kB", status):
            return 1024 * int(found[1])
    return 0


def address_space_limit(process: int) -> int:
    """The address space in bytes that the operating system allows a process; 0 if it has ended or is unlimited."""
    with suppress(OSError):
        limits = Path(f"/proc/{process}/limits").read_text()
        if found := re.search(r"Max address space\s+(\d+)", limits):
            return int(found[1])
    return 0


def open_files(process: Path) -> set[str]:
    """The files that a process has open, given by its folder in `/proc`."""
    targets = set()
    for link in (process / "fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            targets.add(str(link.readlink()))
    return {target for target in targets if target.startswith("/")}


def kill_processes() -> None:
    for process in statement_processes():
        os.kill(process, signal.SIGKILL)


def all_ready(pool: StatementPool) -> bool:
    """Whether all processes have started and wait."""
    pool.prepare()
    started = statement_processes()
    return len(started) >= ALL_PROCESSES and not at_work(started)


def break_off(running: list[Future[SqlAnswer]]) -> None:
    """Kill the processes that are at work until these statements have ended."""

    def all_ended() -> bool:
        for process in at_work(statement_processes()):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        return not wait(running, timeout=0.5).not_done

    assert is_true_soon(all_ended)


@pytest.mark.slow
@pytest.mark.parametrize("name", SQL_BOMBS)
def test_a_bomb_is_defused(full: Store, statements: StatementPool, name: str) -> None:
    statements.run("SELECT 1")  # a process that has just been started is not the bomb's delay
    start = time.monotonic()
    with suppress(ForbiddenStatement, QueryTimeout):
        statements.run(SQL_BOMBS[name], seconds=BOMB_SECONDS)
    assert_prompt(time.monotonic() - start, BOMB_SECONDS + 3, partial(start_process, full))
    assert statements.run("SELECT 1").result.rows == [(1,)]
    # What `getrusage` says of children begins with the size of this process.
    started = statement_processes()
    assert all(largest_memory(process) < PROCESS_BYTES for process in started)
    assert any(address_space_limit(process) == PROCESS_BYTES for process in started)


@pytest.mark.slow
def test_a_killed_process_is_told_and_replaced(pool: StatementPool) -> None:
    with ThreadPoolExecutor(1) as aside:
        assert is_true_soon(lambda: all_ready(pool))
        running = aside.submit(pool.run, SLOW, client="a", seconds=PATIENCE_SECONDS)
        break_off([running])
        with pytest.raises(StatementBrokeOff, match="has ended"):
            running.result()
    assert pool.run("SELECT 2").result.rows == [(2,)]


@pytest.mark.slow
def test_processes_killed_while_they_wait_are_not_missed(pool: StatementPool) -> None:
    pool.prepare()
    kill_processes()
    assert pool.run("SELECT 3").result.rows == [(3,)]


@pytest.mark.slow
def test_a_client_may_run_one_statement_at_a_time(full: Store) -> None:
    with (
        ThreadPoolExecutor(STATEMENTS_AT_ONCE) as aside,
        closing(StatementPool(full.path.parent)) as pool,
    ):
        assert is_true_soon(lambda: all_ready(pool))
        running = [aside.submit(pool.run, SLOW, client="a", seconds=PATIENCE_SECONDS)]
        assert is_true_soon(lambda: "a" in pool.clients)
        with pytest.raises(ClientBusy, match=r"still running\."):
            pool.run("SELECT 1", client="a")
        assert not running[0].done(), "nobody waited for it"
        assert pool.run("SELECT 1", client="b").result.rows == [(1,)]
        names = [f"c{i}" for i in range(STATEMENTS_AT_ONCE - 1)]
        running += [
            aside.submit(pool.run, SLOW, client=name, seconds=PATIENCE_SECONDS) for name in names
        ]
        assert is_true_soon(lambda: {*names} <= {*pool.clients})
        with pytest.raises(AllBusy, match="Try again"):
            pool.run("SELECT 1", client="b")
        assert not any(one.done() for one in running)
        break_off(running)
        for one in running:
            with pytest.raises(StatementBrokeOff):
                one.result()
        assert pool.run("SELECT 1", client="a").result.rows == [(1,)]


def start_process(full: Store) -> None:
    """Start a process for statements, and end it."""
    with closing(StatementPool(full.path.parent)) as pool:
        pool.run("SELECT 1")


@pytest.mark.slow
def test_a_following_statement_is_quick(full: Store, pool: StatementPool) -> None:
    pool.run("SELECT count(*) FROM games")
    over = []
    for _ in range(15):
        start = time.perf_counter()
        answer = pool.run("SELECT count(*) FROM games")
        over.append(time.perf_counter() - start - answer.ms / 1000)
    start = time.perf_counter()
    start_process(full)
    assert min(over) < (time.perf_counter() - start) / 8, "as if a process were started for each"


@pytest.mark.slow
def test_a_process_is_kept_however_large_the_server(full: Store) -> None:
    """The system counts what the server used when it started a process as if the process had used it."""
    ballast = b"x" * RETIREMENT_BYTES
    with closing(StatementPool(full.path.parent)) as pool:
        pool.run("SELECT 1")
        assert is_true_soon(lambda: all_ready(pool))
        used = statement_processes()
        for _ in range(3):
            pool.run("SELECT 1")
            assert statement_processes() == used
    assert len(ballast) == RETIREMENT_BYTES


def test_a_process_knows_nothing_of_the_server(
    full: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BEZIQUE_SECRET", "secret")
    before = statement_processes()
    with (tmp_path / "open.txt").open("w"), closing(StatementPool(full.path.parent)) as pool:
        pool.run("SELECT count(*) FROM games")
        process = Path(f"/proc/{min(statement_processes() - before)}")
        assert b"secret" not in (process / "environ").read_bytes().lower()
        own = {"/dev/null", "/dev/urandom", str(full.path), f"{full.path}.wal"}
        space = f"Max address space         {PROCESS_BYTES}"
        # A process that is only starting has no limits yet, and reads its modules.
        assert is_true_soon(lambda: space in (process / "limits").read_text())
        assert is_true_soon(lambda: open_files(process) <= own), open_files(process) - own
        limits = (process / "limits").read_text()
        assert "Max file size             0 " in limits
        assert "Max core file size        0 " in limits


def test_the_processes_end_with_the_pool(full: Store) -> None:
    before = statement_processes()
    pool = StatementPool(full.path.parent)
    pool.prepare()
    assert is_true_soon(lambda: len(statement_processes() - before) == ALL_PROCESSES)
    pool.close()
    assert statement_processes() == before
    with pytest.raises(StatementBrokeOff, match="closing"):
        pool.run("SELECT 1")


@pytest.mark.slow
def test_the_processes_end_with_a_killed_server(full: Store) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", ORPHANED, str(full.path.parent), SLOW],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    with server.stdout:
        assert server.stdout.readline() == b"running\n"
        assert is_true_soon(
            lambda: len(processes_of(server.pid, "serve_statements")) == ALL_PROCESSES
        )
        started = processes_of(server.pid, "serve_statements")
        server.kill()
        server.wait()
    assert is_true_soon(lambda: not any(map(is_running, started)))


@pytest.mark.slow
def test_a_process_that_computes_on_is_ended_by_the_system() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", BUSY_PROCESS], check=False, timeout=PATIENCE_SECONDS
    )
    assert ended.returncode == -signal.SIGXCPU


def test_a_process_that_does_not_start_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SERVE_SCRIPT", "raise SystemExit(1)")
    with (
        closing(StatementPool(tmp_path)) as pool,
        pytest.raises(StatementBrokeOff, match="does not start"),
    ):
        pool.run("SELECT 1")


def test_a_folder_without_a_database_is_told(tmp_path: Path) -> None:
    with (
        closing(StatementPool(tmp_path)) as pool,
        pytest.raises(StatementBrokeOff, match="cannot be read"),
    ):
        pool.run("SELECT 1")


def test_a_reply_is_only_data() -> None:
    class Harmful:
        def __reduce__(self) -> tuple[object, ...]:
            return os.system, ("false",)

    for data in (
        pickle.dumps(("answered", Harmful(), None)),
        b"",
        b"nonsense",
        b"\x80\x05.",
    ):
        with pytest.raises(ValueError, match="not a reply"):
            unpack_reply(data)


VALUES = """
    SELECT 1, -170141183460469231731687303715884105727, 1.5, 2.25::DECIMAL(10, 2), 'a', 'x'::BLOB, true, NULL,
        DATE '2024-02-29', TIME '01:02:03', TIMESTAMP '2024-02-29 01:02:03', to_days(3),
        '8f14e45f-ceea-467a-9b1c-0d2b5a1f0c11'::UUID, [1, NULL], {'a': [{'b': DATE '2024-01-01'}]},
        '01'::BIT, 'nan'::DOUBLE > 1
"""


@pytest.mark.slow
def test_values_come_as_duckdb_gives_them(full: Store, statements: StatementPool) -> None:
    answer = statements.run(VALUES)
    assert answer.result.rows == full.rows(VALUES).rows
    reply = StatementReply(Outcome.ANSWERED, "", SqlAnswer("q", answer.result, True, 1.5))
    assert unpack_reply(pack_reply(reply)) == reply


def test_a_cell_may_be_nested_only_so_far(statements: StatementPool) -> None:
    fits, too_deep = (nest("1", "[{}]", levels) for levels in (MOST_NESTING, MOST_NESTING + 1))
    assert statements.run(f"SELECT {fits}").result.rows
    with pytest.raises(ForbiddenStatement, match="levels"):
        statements.run(f"SELECT {too_deep}")
