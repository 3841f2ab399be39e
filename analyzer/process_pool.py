"""Share work among processes: results come in the order of the tasks, and only few tasks are held at a time.

Some threads need one answer instead (`ProcessesOnCall`). The processes yield to whatever else runs on the machine.
"""

import gc
import logging
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import Pipe, connection
from multiprocessing.connection import Connection
from pathlib import Path
from queue import LifoQueue
from typing import Any, Generic, Self, TypeVar

from analyzer.niceness import yield_to_others
from records.errors import StoreError

MOST_TRIES = 2
"""How many times a task is started if its process dies."""
TASKS_PER_PROCESS = 2
"""Tasks held per process, including finished ones that wait for an earlier one."""
START_SECONDS = 60.0
"""How long a process may take to start; it takes a tenth of a second, and more where others come first."""
STUCK_SECONDS = 120.0
"""A process on call that has used no processor time for so long is stuck: it is ended, and its task not repeated."""
SECONDS_BETWEEN_LOOKS = 1.0
READY = b"ready"
"""What a process sends before it takes tasks."""

NOT_STARTED = "the process that works this out does not start; try again later"
DIED = "the process that works this out died {} times; try again later"
STUCK = "the process that works this out did nothing any more; try again"

log = logging.getLogger(__name__)

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")


class ProcessFailed(StoreError):
    """A process does not start, dies again and again, or does nothing any more."""


def map_in_processes(
    function: Callable[[_Task], _Answer], tasks: Iterable[_Task], processes: int
) -> Iterator[tuple[_Task, _Answer]]:
    """Each task with the function's answer, in order; with 0 processes the function is called here.

    The function must be importable by name, tasks and answers picklable. An exception of the function is raised
    here. A process that dies is replaced and its task repeated; raises ProcessFailed if it dies at the same task
    `MOST_TRIES` times, or if none starts.
    """
    if processes < 1:
        for task in tasks:
            yield task, function(task)
        return
    with _Pool(function, processes) as pool:
        yield from pool.answers(iter(tasks))


@dataclass(slots=True)
class _Slot(Generic[_Task, _Answer]):
    """A task that was started; `answer` is a tuple of one, so that None can be an answer."""

    task: _Task
    tries: int = 0
    answer: tuple[_Answer] | None = None


class _Pool(Generic[_Task, _Answer]):
    """Worker processes, and the tasks they work on in order (`slots`)."""

    def __init__(self, function: Callable[[_Task], _Answer], processes: int) -> None:
        self.function = function
        self.slots: deque[_Slot[_Task, _Answer]] = deque()
        self.idle: list[_Worker] = []
        self.busy: dict[Connection, tuple[_Worker, _Slot[_Task, _Answer]]] = {}
        self.most_slots = TASKS_PER_PROCESS * processes
        self.idle = [_Worker(function) for _ in range(processes)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        for worker in [*self.idle, *(worker for worker, _ in self.busy.values())]:
            worker.end()

    def answers(self, tasks: Iterator[_Task]) -> Iterator[tuple[_Task, _Answer]]:
        """Tasks and answers in order, while every worker is kept busy."""
        more = True
        while more or self.slots:
            # Start tasks, hand out the answers that are next in order, then wait for one more answer.
            while more and self.idle and len(self.slots) < self.most_slots:
                for task in tasks:
                    self.slots.append(_Slot(task))
                    self._start(self.slots[-1])
                    break
                else:
                    more = False
            while self.slots and self.slots[0].answer is not None:
                slot = self.slots.popleft()
                assert slot.answer is not None
                yield slot.task, slot.answer[0]
            if self.busy and not (more and self.idle and len(self.slots) < self.most_slots):
                self._wait()

    def _start(self, slot: _Slot[_Task, _Answer]) -> None:
        slot.tries += 1
        worker = self.idle.pop()
        self.busy[worker.connection] = worker, slot
        try:
            worker.send(slot.task)
        except (EOFError, OSError):
            self._replace(worker, slot)

    def _wait(self) -> None:
        """Wait until at least one worker answers or dies."""
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
        """Start the task of a process that died once more, in a new process."""
        del self.busy[worker.connection]
        worker.end()
        if slot.tries >= MOST_TRIES:
            raise ProcessFailed(f"a process died {MOST_TRIES} times at {slot.task}")
        self.idle.append(_Worker(self.function))
        self._start(slot)


class ProcessesOnCall:
    """Processes that work for threads, up to `most` at a time; with 0 the thread does the work itself.

    A process starts when all others are at work, and stays. `close` ends them.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._places: LifoQueue[_Worker | None] = LifoQueue()
        self._workers: set[_Worker] = set()
        self._is_closed = False
        for _ in range(most):
            self._places.put(None)

    @property
    def started(self) -> int:
        """How many processes there are."""
        return len(self._workers)

    def call(self, function: Callable[..., _Answer], *arguments: Any, **named: Any) -> _Answer:
        """The function's answer; waits until a process is free.

        The function must be importable by name, its arguments and answer picklable. Its exceptions are raised here.
        Raises ProcessFailed if the process does not start, dies `MOST_TRIES` times or is stuck: nobody waits without end.
        """
        if not self._most:
            return function(*arguments, **named)
        tries = 0
        while not self._is_closed and tries < MOST_TRIES:
            tries += 1
            worker = self._places.get()
            try:
                worker = worker or self._start()
                worker.send((function, arguments, named))
                error, answer = worker.receive()
            except (EOFError, OSError):
                self._end(worker)
                worker = None
            except ProcessFailed as error:
                log.warning("%s: %s", function.__name__, error)
                self._end(worker)
                worker = None
                raise
            else:
                if error is not None:
                    raise error
                return answer  # type: ignore[no-any-return]
            finally:
                self._places.put(worker)
        if not self._is_closed:
            log.warning("%s: a process died %d times", function.__name__, tries)
        raise ProcessFailed(DIED.format(MOST_TRIES))

    def _start(self) -> "_Worker":
        worker = _Worker(call_function)
        self._workers.add(worker)
        return worker

    def _end(self, worker: "_Worker | None") -> None:
        if worker is not None:
            self._workers.discard(worker)
            worker.end()

    def close(self) -> None:
        """End the processes, whatever they do; nothing can be asked of them any more."""
        self._is_closed = True
        for worker in list(self._workers):
            worker.process.kill()
            worker.process.wait()  # a thread that waits for its answer closes the connection


def call_function(call: tuple[Callable[..., _Answer], tuple[Any, ...], dict[str, Any]]) -> _Answer:
    """The answer of a function; this is what the processes on call do."""
    function, arguments, named = call
    return function(*arguments, **named)


class _Worker:
    """A process that answers tasks until its connection is closed.

    It is a plain new interpreter: `multiprocessing` would run the main program's module again. It has a session of
    its own, so Ctrl-C reaches only its parent, which decides.
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
        self._is_ready = False

    def send(self, task: Any) -> None:
        """Send a task, as soon as the process has started; raises ProcessFailed, and EOFError or OSError if it died."""
        if not self._is_ready:
            if not self.connection.poll(START_SECONDS):
                raise ProcessFailed(NOT_STARTED)
            self.connection.recv_bytes(len(READY))
            self._is_ready = True
        self.connection.send(task)

    def receive(self) -> tuple[Exception | None, Any]:
        """The exception or the answer of a task; raises ProcessFailed if it is stuck, EOFError or OSError if it died.

        What a task may take is up to its own limits. Where the system does not tell the time used, nothing is stuck.
        """
        used, since = self._cpu_used(), time.monotonic()
        while not self.connection.poll(SECONDS_BETWEEN_LOOKS):
            now = self._cpu_used()
            if now is None or now != used:
                used, since = now, time.monotonic()
            elif time.monotonic() - since > STUCK_SECONDS:
                raise ProcessFailed(STUCK)
        received: tuple[Exception | None, Any] = self.connection.recv()
        return received

    def _cpu_used(self) -> list[str] | None:
        """The processor time used, in the words of Linux; None on other systems."""
        try:
            status = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        except OSError:
            return None
        return status.rpartition(")")[2].split()[11:13]

    def end(self) -> None:
        """Kill the process; its task is lost."""
        self.connection.close()
        self.process.kill()
        self.process.wait()


SERVE_SCRIPT = "from analyzer.process_pool import serve_tasks; serve_tasks()"


def serve_tasks() -> None:
    """The main loop of a worker process; it ends with its connection, so no worker outlives its parent."""
    yield_to_others()
    module, name = sys.argv[1].split(":")
    function: Callable[[Any], Any] = getattr(import_module(module), name)
    gc.freeze()
    with Connection(int(sys.argv[2])) as tasks, suppress(EOFError, OSError):
        tasks.send_bytes(READY)
        while True:
            tasks.send(_answer(function, tasks.recv()))


def _answer(function: Callable[[Any], Any], task: Any) -> tuple[Exception | None, Any]:
    try:
        return None, function(task)
    except Exception as error:
        return error, None
