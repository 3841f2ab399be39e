"""Work shared among processes: results in the order of the tasks, and never many of them at once."""

import gc
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import Pipe, connection
from multiprocessing.connection import Connection
from typing import Any, Generic, Self, TypeVar

from records.errors import StoreError

MOST_TRIES = 2
"""How often a task is begun whose process ends before it is done."""
TASKS_PER_PROCESS = 2
"""Tasks begun for each process, finished ones that wait for an earlier one among them."""

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")


def map_in_processes(
    function: Callable[[_Task], _Answer], tasks: Iterable[_Task], processes: int
) -> Iterator[tuple[_Task, _Answer]]:
    """Each task with what the function makes of it, in order; without processes it is made here.

    The function is one of a module's; tasks and answers must be picklable. What the function raises is
    raised here; a process that is killed is replaced. Raises StoreError if a task ends its process
    again and again.
    """
    if processes < 1:
        for task in tasks:
            yield task, function(task)
        return
    with _Pool(function, processes) as pool:
        yield from pool.answers(iter(tasks))


@dataclass(slots=True)
class _Slot(Generic[_Task, _Answer]):
    """A task that was begun; `answer` is what came back, packed so that None is an answer, too."""

    task: _Task
    tries: int = 0
    answer: tuple[_Answer] | None = None


class _Pool(Generic[_Task, _Answer]):
    def __init__(self, function: Callable[[_Task], _Answer], processes: int) -> None:
        self.function = function
        self.slots: deque[_Slot[_Task, _Answer]] = deque()
        self.idle: list[_Worker] = []
        self.busy: dict[Connection, tuple[_Worker, _Slot[_Task, _Answer]]] = {}
        self.most = TASKS_PER_PROCESS * processes
        self.idle = [_Worker(function) for _ in range(processes)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        for worker in [*self.idle, *(worker for worker, _ in self.busy.values())]:
            worker.end()

    def answers(self, tasks: Iterator[_Task]) -> Iterator[tuple[_Task, _Answer]]:
        """Tasks and answers in order, while as many tasks as may be are worked on."""
        more = True
        while more or self.slots:
            while more and self.idle and len(self.slots) < self.most:
                for task in tasks:
                    self.slots.append(_Slot(task))
                    self._begin(self.slots[-1])
                    break
                else:
                    more = False
            while self.slots and self.slots[0].answer is not None:
                slot = self.slots.popleft()
                assert slot.answer is not None
                yield slot.task, slot.answer[0]
            if self.busy and not (more and self.idle and len(self.slots) < self.most):
                self._wait()

    def _begin(self, slot: _Slot[_Task, _Answer]) -> None:
        slot.tries += 1
        worker = self.idle.pop()
        self.busy[worker.connection] = worker, slot
        try:
            worker.connection.send(slot.task)
        except OSError:
            self._replace(worker, slot)

    def _wait(self) -> None:
        for ready in connection.wait(list(self.busy)):
            assert isinstance(ready, Connection)
            worker, slot = self.busy[ready]
            try:
                error, answer = ready.recv()
            except (EOFError, OSError):
                self._replace(worker, slot)
                continue
            del self.busy[ready]
            self.idle.append(worker)
            if error is not None:
                raise error
            slot.answer = (answer,)

    def _replace(self, worker: "_Worker", slot: _Slot[_Task, _Answer]) -> None:
        """A process has ended at its task: begin the task once more, in a new one."""
        del self.busy[worker.connection]
        worker.end()
        if slot.tries >= MOST_TRIES:
            raise StoreError(f"a process ended {MOST_TRIES} times at {slot.task}")
        self.idle.append(_Worker(self.function))
        self._begin(slot)


class _Worker:
    """A process that answers tasks until its connection is closed.

    It is started afresh and not as `multiprocessing` would, which runs the main program's module once more. In a
    session of its own it does not hear of Ctrl-C: its parent decides.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.connection, other = Pipe()
        where = f"{function.__module__}:{function.__qualname__}"
        command = [sys.executable, "-c", SERVE_SCRIPT, where, str(other.fileno())]
        self.process = subprocess.Popen(
            command,
            pass_fds=[other.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        other.close()

    def end(self) -> None:
        """End it at once: what it was doing is lost."""
        self.connection.close()
        self.process.kill()
        self.process.wait()


SERVE_SCRIPT = "from analyzer.process_pool import serve_tasks; serve_tasks()"


def serve_tasks() -> None:
    """The life of a process: it ends when its connection does, so that none outlives its parent."""
    module, name = sys.argv[1].split(":")
    function: Callable[[Any], Any] = getattr(import_module(module), name)
    gc.freeze()
    with Connection(int(sys.argv[2])) as tasks, suppress(EOFError, OSError):
        while True:
            tasks.send(_answered(function, tasks.recv()))


def _answered(function: Callable[[Any], Any], task: Any) -> tuple[Exception | None, Any]:
    try:
        return None, function(task)
    except Exception as error:
        return error, None
