"""Processes that work for this one: in order, bounded, replaced when they die, and gone with their parent."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from analyzer.store import processes
from analyzer.store.processes import NICENESS, ProcessFailed, ProcessPool, map_in_processes
from records.errors import StoreError
from records.rules.registry import know_sheets, own_sheets, sheet_of_rules
from tests.analyzer.store.tasks import (
    compute,
    fail,
    fail_unsendably,
    kill_always,
    kill_once,
    wait_and_double,
)
from tests.machine.child_processes import is_running, own_processes
from tests.machine.waiting import wait_until
from tests.make.own_rulebooks import own_game


def on_call_now() -> set[int]:
    return own_processes("serve_calls")


@pytest.mark.long
def test_a_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    tasks = [str(tmp_path / f"task-{n}") for n in range(4)]
    assert list(map_in_processes(kill_once, tasks, 2)) == [(task, len(task)) for task in tasks]


def test_a_task_that_always_kills_is_given_up() -> None:
    with pytest.raises(StoreError, match="died 2 times"):
        list(map_in_processes(kill_always, [1], 1))


@pytest.mark.long
def test_answers_come_in_order_however_long_they_take() -> None:
    tasks = [(n, 0.2 if n % 3 == 0 else 0.0) for n in range(9)]
    assert [answer for _, answer in map_in_processes(wait_and_double, tasks, 3)] == [
        2 * n for n in range(9)
    ]


def test_what_a_task_raises_is_raised_here() -> None:
    with pytest.raises(ValueError, match="no 7"):
        list(map_in_processes(fail, [7], 1))


def test_no_more_tasks_are_begun_than_can_be_held() -> None:
    begun: list[int] = []

    def tasks() -> Iterator[tuple[int, float]]:
        for n in range(20):
            begun.append(n)
            yield n, 0.0

    answers = map_in_processes(wait_and_double, tasks(), 2)
    next(answers)
    assert len(begun) <= 5
    assert len(list(answers)) == 19


@pytest.fixture
def on_call() -> Iterator[ProcessPool]:
    pool = ProcessPool(2)
    yield pool
    pool.close()


@pytest.mark.long
def test_a_process_on_call_answers_one_thread_after_the_other(on_call: ProcessPool) -> None:
    with ThreadPoolExecutor(6) as threads:
        tasks = [(n, 0.01) for n in range(12)]
        answers = list(threads.map(lambda task: on_call.call(wait_and_double, task), tasks))
    assert answers == [2 * n for n in range(12)]
    assert len(on_call_now()) == 2


@pytest.mark.long
def test_a_process_on_call_knows_the_rulebooks_of_now(on_call: ProcessPool) -> None:
    for points in (70, 80):
        sheet = sheet_of_rules(own_game("zique", ("/rules/melds/bezique/points", points)).rules)
        know_sheets([sheet])
        (known,) = on_call.call(own_sheets)
        assert points in {meld.points for meld in known.rules.melds}
    know_sheets([])
    assert on_call.call(own_sheets) == ()


def test_a_process_on_call_yields_to_its_parent(on_call: ProcessPool) -> None:
    assert on_call.call(os.nice, 0) == min(19, os.nice(0) + NICENESS)
    group = Path("/proc/self/autogroup")
    if group.exists():
        assert on_call.call(group.read_text).endswith(f" nice {NICENESS}\n")
    assert on_call.call(os.getpid) == on_call.call(os.getpid) != os.getpid()


def test_what_is_raised_on_call_is_raised_here_and_the_process_goes_on(
    on_call: ProcessPool,
) -> None:
    with pytest.raises(ValueError, match="no 7"):
        on_call.call(fail, 7)
    assert on_call.call(wait_and_double, (2, 0.0)) == 4
    assert len(on_call_now()) == 1


@pytest.mark.long
def test_a_process_on_call_that_is_killed_is_replaced(on_call: ProcessPool, tmp_path: Path) -> None:
    task = str(tmp_path / "task")
    assert on_call.call(kill_once, task) == len(task)
    with pytest.raises(StoreError, match="died"):
        on_call.call(kill_always, 1)
    assert on_call.call(wait_and_double, (2, 0.0)) == 4


@pytest.mark.long
@pytest.mark.parametrize(
    ("start", "words"),
    [("import time; time.sleep(600)", "does not start"), ("raise SystemExit(1)", "does not start")],
)
def test_nobody_waits_for_a_process_that_cannot_start(
    on_call: ProcessPool, monkeypatch: pytest.MonkeyPatch, start: str, words: str
) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(processes, "SERVE_SCRIPT", start)
        changed.setattr(processes, "START_SECONDS", 0.5 if "sleep" in start else 60.0)
        with pytest.raises(ProcessFailed, match=words):
            on_call.call(wait_and_double, (2, 0.0))
        with pytest.raises(ProcessFailed, match=words):
            list(map_in_processes(wait_and_double, [(2, 0.0)], 1))
    assert not on_call_now()
    assert on_call.call(wait_and_double, (2, 0.0)) == 4


@pytest.mark.slow
def test_nobody_waits_for_a_process_that_does_nothing_any_more(
    on_call: ProcessPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SECONDS_BETWEEN_LOOKS", 0.05)
    monkeypatch.setattr(processes, "STUCK_SECONDS", 2.0)
    assert on_call.call(compute, 3.0) == "computed"
    with pytest.raises(ProcessFailed, match="stopped responding"):
        on_call.call(wait_and_double, (1, 600.0))
    assert not on_call_now()


@pytest.mark.long
def test_a_process_ends_when_nobody_waits_for_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "SECONDS_BETWEEN_LOOKS", 0.05)
    gone = threading.Event()
    with closing(ProcessPool(1, presence=lambda: lambda: not gone.is_set())) as pool:
        assert pool.call(wait_and_double, (1, 0.2)) == 2
        threading.Timer(0.5, gone.set).start()
        for _ in range(2):  # the second is not begun
            with pytest.raises(ProcessFailed, match="nobody waits"):
                pool.call(wait_and_double, (1, 600.0))
        assert not on_call_now()
        gone.clear()
        assert pool.call(wait_and_double, (2, 0.0)) == 4


@pytest.mark.long
def test_a_process_killed_while_it_waits_is_not_missed(on_call: ProcessPool) -> None:
    for _ in range(3):
        (process,) = {on_call.call(os.getpid)}
        os.kill(process, signal.SIGKILL)
    assert on_call.call(wait_and_double, (2, 0.0)) == 4


def test_what_cannot_be_sent_is_told(on_call: ProcessPool) -> None:
    with pytest.raises(StoreError, match="of a kind of its own"):
        on_call.call(fail_unsendably, 1)
    assert on_call.call(wait_and_double, (2, 0.0)) == 4
    assert len(on_call_now()) == 1


def test_closing_ends_what_is_on_call(on_call: ProcessPool, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(on_call.call, wait_and_double, (1, 60.0))
        wait_until(lambda: len(on_call_now()) == 1)
        on_call.close()
        with pytest.raises(StoreError):
            waiting.result(20)


def test_without_processes_the_thread_works_itself() -> None:
    assert ProcessPool(0).call(os.getpid) == os.getpid()


WITH_PROCESSES = """
import sys, threading, time
from analyzer.store.processes import ProcessPool
from tests.analyzer.store.tasks import wait_and_double
from tests.machine.child_processes import own_processes

pool = ProcessPool(3)
pool.prepare()
for _ in range(2):
    threading.Thread(target=pool.call, args=(wait_and_double, (1, 600.0)), daemon=True).start()
if sys.argv[1] == "at work":
    pool.call(wait_and_double, (1, 0.0))
while len(found := own_processes("serve_calls")) < 3:
    time.sleep(0.01)
print(*found, flush=True)
time.sleep(600)
"""
"""Three processes, two of them at work, or all of them about to start."""


@pytest.mark.long
@pytest.mark.parametrize("moment", ["starting", "at work"])
@pytest.mark.parametrize("end", ["parent", "each", "interrupt"])
def test_processes_end_with_their_parent_and_without_a_word(moment: str, end: str) -> None:
    """Whatever is killed, nothing works or waits for ever, and no traceback is in the log."""
    with subprocess.Popen(
        [sys.executable, "-c", WITH_PROCESSES, moment],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout
        assert parent.stderr
        try:
            children = [int(process) for process in parent.stdout.readline().split()]
            if end != "parent":
                for process in children:
                    os.kill(process, signal.SIGINT if end == "interrupt" else signal.SIGTERM)
            if end == "interrupt":
                assert all(map(is_running, children)), "their parent decides"
        finally:
            parent.kill()
        wait_until(lambda: not any(map(is_running, children)))
        assert "Traceback" not in parent.stderr.read()
