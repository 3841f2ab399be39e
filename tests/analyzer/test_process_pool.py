"""Work shared among processes: in order, bounded, and robust when a process dies."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.process_pool import map_in_processes
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
