"""Work shared among processes: in order, bounded, and robust when a process dies."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from analyzer import process_pool
from analyzer.niceness import NICENESS
from analyzer.process_pool import ProcessesOnCall, ProcessFailed, map_in_processes
from records.errors import StoreError
from tests.analyzer.tasks import fail, kill_always, kill_once, wait_and_double
from tests.waiting import wait_until


def test_a_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    tasks = [str(tmp_path / f"task-{n}") for n in range(4)]
    assert list(map_in_processes(kill_once, tasks, 2)) == [(task, len(task)) for task in tasks]


def test_a_task_that_always_kills_is_given_up() -> None:
    with pytest.raises(StoreError, match="died 2 times"):
        list(map_in_processes(kill_always, [1], 1))


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
def on_call() -> Iterator[ProcessesOnCall]:
    processes = ProcessesOnCall(2)
    yield processes
    processes.close()


def test_a_process_on_call_answers_one_thread_after_the_other(on_call: ProcessesOnCall) -> None:
    with ThreadPoolExecutor(6) as threads:
        tasks = [(n, 0.01) for n in range(12)]
        answers = list(threads.map(lambda task: on_call.call(wait_and_double, task), tasks))
    assert answers == [2 * n for n in range(12)]
    assert on_call.started == 2


def test_a_process_on_call_yields_to_its_parent(on_call: ProcessesOnCall) -> None:
    assert on_call.call(os.nice, 0) == min(19, os.nice(0) + NICENESS)
    group = Path("/proc/self/autogroup")
    if group.exists():
        assert on_call.call(group.read_text).endswith(f" nice {NICENESS}\n")
    assert on_call.call(os.getpid) == on_call.call(os.getpid) != os.getpid()


def test_what_is_raised_on_call_is_raised_here_and_the_process_goes_on(
    on_call: ProcessesOnCall,
) -> None:
    with pytest.raises(ValueError, match="no 7"):
        on_call.call(fail, 7)
    assert on_call.call(wait_and_double, (2, 0.0)) == 4
    assert on_call.started == 1


def test_a_process_on_call_that_is_killed_is_replaced(
    on_call: ProcessesOnCall, tmp_path: Path
) -> None:
    task = str(tmp_path / "task")
    assert on_call.call(kill_once, task) == len(task)
    with pytest.raises(StoreError, match="died"):
        on_call.call(kill_always, 1)
    assert on_call.call(wait_and_double, (2, 0.0)) == 4


@pytest.mark.parametrize(
    ("start", "words"),
    [("import time; time.sleep(600)", "does not start"), ("raise SystemExit(1)", "died 2 times")],
)
def test_nobody_waits_for_a_process_that_cannot_start(
    on_call: ProcessesOnCall, monkeypatch: pytest.MonkeyPatch, start: str, words: str
) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(process_pool, "SERVE_SCRIPT", start)
        changed.setattr(process_pool, "START_SECONDS", 0.5 if "sleep" in start else 60.0)
        with pytest.raises(ProcessFailed, match=words):
            on_call.call(wait_and_double, (2, 0.0))
        with pytest.raises(ProcessFailed, match=words):
            list(map_in_processes(wait_and_double, [(2, 0.0)], 1))
    assert on_call.started == 0
    assert on_call.call(wait_and_double, (2, 0.0)) == 4


def test_nobody_waits_for_a_process_that_does_nothing_any_more(
    on_call: ProcessesOnCall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_pool, "SECONDS_BETWEEN_LOOKS", 0.01)
    monkeypatch.setattr(process_pool, "STUCK_SECONDS", 0.0)
    with monkeypatch.context() as changed:
        used = map(str, count())
        changed.setattr(process_pool._Worker, "_cpu_used", lambda _: [next(used)])
        assert on_call.call(wait_and_double, (2, 0.2)) == 4
    with pytest.raises(ProcessFailed, match="did nothing"):
        on_call.call(wait_and_double, (1, 600.0))
    assert on_call.started == 0


def test_closing_ends_what_is_on_call(on_call: ProcessesOnCall, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(on_call.call, wait_and_double, (1, 60.0))
        wait_until(lambda: on_call.started == 1)
        on_call.close()
        with pytest.raises(StoreError):
            waiting.result(20)


def test_without_processes_the_thread_works_itself() -> None:
    assert ProcessesOnCall(0).call(os.getpid) == os.getpid()


def waits_for_work(pid: int) -> bool:
    """Whether a process sleeps, as it does when it waits for a task."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def test_processes_end_with_their_parent(tmp_path: Path) -> None:
    """A parent that is killed leaves no process behind that waits for work for ever."""
    code = (
        "import sys, time\n"
        "from analyzer.process_pool import _Worker\n"
        "from tests.analyzer.tasks import wait_and_double\n"
        "workers = [_Worker(wait_and_double) for _ in range(2)]\n"
        "print(*[worker.process.pid for worker in workers], flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        wait_until(lambda: all(waits_for_work(pid) for pid in pids))
        parent.kill()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
