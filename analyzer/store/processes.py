"""Processes that work for this one: limited, replaced when they die, and gone when this one is.

A pool hands each task to a process that stands ready. Whoever asks waits for one answer (`ProcessPool.call`), or shares
many tasks among the processes (`map_in_processes`). The processes yield to whatever else runs on the machine.
"""

import gc
import logging
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from math import ceil, inf
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from records.errors import StoreError

if TYPE_CHECKING:
    from records.rules.vocabulary import RuleSheet

NICENESS = 5
"""What is added to the niceness of a process."""
MOST_TRIES = 2
"""How many times a task is started if its process dies."""
TASKS_PER_PROCESS = 2
"""Tasks held per process, including finished ones that wait for an earlier one."""
START_SECONDS = 60.0
"""How long a process may take to start; it takes a tenth of a second, and more where others come first."""
STUCK_SECONDS = 120.0
"""A process that has used no processor time for so long is stuck: it is ended, and its task not repeated."""
SECONDS_BETWEEN_LOOKS = 1.0
READY, BEGUN = b"ready", b"begun"
"""What a process sends when it waits for a task, and when it begins with one."""

SERVE_SCRIPT = "from analyzer.store.processes import serve; serve()"
COPIED_VARIABLES = ("TZ", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHOME")
"""The variables of the environment that a walled process gets: where it is, and nothing that may be secret."""
WALLED_VARIABLES = {"MALLOC_ARENA_MAX": "2"}
"""Without it, the C library reserves address space for each thread, which is limited."""

log = logging.getLogger(__name__)

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")


class Fault(StrEnum):
    """Why a process gives no answer, in words for the reader of a page."""

    NOT_STARTED = "the process that works this out does not start; try again later"
    DIED = f"the process that works this out died {MOST_TRIES} times; try again later"
    STUCK = "the process that works this out stopped responding; try again"
    LATE = "the process that works this out took too long"
    CLOSED = "the server is closing"
    UNWANTED = "nobody waits for the answer any more"


class ProcessFailed(StoreError):
    """A process does not start, dies again and again, takes too long, or stops responding; or nobody waits for it."""

    def __init__(self, fault: Fault, words: str = "") -> None:
        super().__init__(words or str(fault))
        self.fault = fault


class _NotBegun(Exception):
    """A process ended before it began with a task."""


@dataclass(frozen=True, slots=True)
class Program:
    """What a process runs: the function `serve`, named with its module.

    It is given a connection, over which it answers as `serve_calls` does, and the `arguments`. If it is `walled`, it gets
    no files and no secrets of this process, and its answers have at most `most_bytes`.
    """

    serve: str
    arguments: tuple[str, ...] = ()
    walled: bool = False
    most_bytes: int | None = None


CALLS = Program("analyzer.store.processes:serve_calls")
"""Calls functions for this process; tasks and answers are pickled."""


def map_in_processes(
    function: Callable[[_Task], _Answer], tasks: Iterable[_Task], processes: int
) -> Iterator[tuple[_Task, _Answer]]:
    """Each task with the function's answer, in order; with 0 processes the function is called here.

    Only few tasks are held at a time. For the function, and for what is raised, see `ProcessPool.call`.
    """
    if processes < 1:
        for task in tasks:
            yield task, function(task)
        return
    with closing(ProcessPool(processes)) as pool:
        begun: deque[tuple[_Task, Future[_Answer]]] = deque()
        for task in tasks:
            begun.append((task, pool.begin(function, task)))
            if len(begun) >= TASKS_PER_PROCESS * processes:
                yield _finish(*begun.popleft())
        while begun:
            yield _finish(*begun.popleft())


def _finish(task: _Task, answer: Future[_Answer]) -> tuple[_Task, _Answer]:
    try:
        return task, answer.result()
    except ProcessFailed as failure:
        if failure.fault is not Fault.DIED:
            raise
        words = f"a process died {MOST_TRIES} times at {task}"
        raise ProcessFailed(failure.fault, words) from failure


IsWanted = Callable[[], bool]
"""Tells, in any thread, whether somebody still waits for an answer."""


def _always() -> bool:
    return True


class ProcessPool:
    """Up to `most` processes that work for threads; `close` ends them.

    A process starts when all others are at work, or with `prepare`, and stays. There may be `spare` ones beyond those at
    work, which stand ready while one that died is replaced. `presence` is called in the thread of whoever asks; where what
    it returns says that the answer is not wanted any more, the process is ended within about a second.
    """

    def __init__(
        self,
        most: int,
        program: Program = CALLS,
        *,
        spare: int = 0,
        presence: Callable[[], IsWanted] = lambda: _always,
    ) -> None:
        self._most, self._program, self._spare = most, program, spare
        self._presence = presence
        self._places = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._idle: list[_Helper] = []
        self._busy: list[_Helper] = []
        self._is_closed = False

    def call(self, function: Callable[..., _Answer], *arguments: Any, **named: Any) -> _Answer:
        """The function's answer; waits until a process is free. Without processes, the thread does the work itself.

        The function must be importable by name, its arguments and answer picklable. Its exceptions are raised here.
        Raises ProcessFailed if the process does not start, dies `MOST_TRIES` times or is stuck: nobody waits forever; also
        if nobody waits any more.
        """
        if not self._most:
            return function(*arguments, **named)
        try:
            return self._call(function, arguments, named)
        except ProcessFailed as failure:
            if failure.fault not in (Fault.CLOSED, Fault.UNWANTED):
                log.warning("%s: %s", function.__name__, failure)
            raise

    def begin(self, function: Callable[[_Task], _Answer], task: _Task) -> Future[_Answer]:
        """Ask for a function's answer and do not wait for it."""
        answer: Future[_Answer] = Future()

        def wait() -> None:
            try:
                answer.set_result(self._call(function, (task,), {}))
            except BaseException as error:
                answer.set_exception(error)

        # No executor: at its exit the interpreter would wait for the answer.
        threading.Thread(target=wait, daemon=True).start()
        return answer

    def _call(
        self, function: Callable[..., _Answer], arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> _Answer:
        error, answer = pickle.loads(
            self.ask(pickle.dumps((_own_sheets(), function, arguments, named)))
        )
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]

    def ask(self, task: bytes, *, seconds: float | None = None, tries: int = MOST_TRIES) -> bytes:
        """The answer of a process to a task, which may take so many seconds; waits until a process is free.

        It is repeated if its process dies at it, up to so many tries. Raises ProcessFailed.
        """
        is_wanted = self._presence()
        with self._places:
            for _ in range(self._most + self._spare + 2):
                if not is_wanted():
                    raise ProcessFailed(Fault.UNWANTED)
                helper = self._take()
                try:
                    return helper.ask(task, seconds, is_wanted)
                except _NotBegun:
                    continue
                except ProcessFailed as failure:
                    tries -= 1
                    if failure.fault is not Fault.DIED or not tries:
                        raise
                finally:
                    self._give_back(helper)
        raise ProcessFailed(Fault.NOT_STARTED)

    def prepare(self) -> None:
        """Start the processes that are missing; returns at once."""
        with self._lock, suppress(OSError):  # whoever asks next is told what is wrong
            for _ in range(self._missing()):
                self._idle.insert(0, _Helper(self._program))

    def close(self) -> None:
        """End the processes, whatever they do; nothing can be asked of them any more."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for helper in self._busy:  # whoever waits for its answer closes the connection
                helper.kill()
        for helper in idle:
            helper.end()

    def _missing(self) -> int:
        here = len(self._idle) + len(self._busy)
        return 0 if self._is_closed else self._most + self._spare - here

    def _take(self) -> "_Helper":
        """The process used last, whose cache is warm, or another one, or a new one."""
        with self._lock:
            if self._is_closed:
                raise ProcessFailed(Fault.CLOSED)
            helper = self._idle.pop() if self._idle else _Helper(self._program)
            self._busy.append(helper)
            return helper

    def _give_back(self, helper: "_Helper") -> None:
        """Keep a process for the next task, or end it; of a pool with spare ones, those missing are started."""
        with self._lock:
            self._busy.remove(helper)
            is_kept = helper.is_ready and not self._is_closed
            if is_kept:
                self._idle.append(helper)
            is_missing = self._spare and self._missing()
        if not is_kept:
            helper.end()
        if is_missing:  # starting one takes longer than many answers: nobody waits for it
            threading.Thread(target=self.prepare).start()


class _Helper:
    """A process that does one task after the other.

    It is a plain new interpreter: `multiprocessing` would run the main program's module again. Its standard input tells
    it when this process ends, however it ends.
    """

    def __init__(self, program: Program) -> None:
        self._connection, other = Pipe()
        self._most_bytes = program.most_bytes
        command = [sys.executable, "-c", SERVE_SCRIPT, program.serve, str(other.fileno())]
        quiet = subprocess.DEVNULL if program.walled else None
        with other, _no_interrupts():
            self._process = subprocess.Popen(
                [*command, *program.arguments],
                pass_fds=[other.fileno()],
                env=_environment(walled=program.walled),
                cwd="/" if program.walled else None,
                stdin=subprocess.PIPE,
                stdout=quiet,
                stderr=quiet,
                start_new_session=True,
            )
        self.is_ready = False
        self._fault = Fault.DIED

    def ask(self, task: bytes, seconds: float | None, is_wanted: IsWanted) -> bytes:
        """The answer to a task; raises _NotBegun and ProcessFailed."""
        try:
            if not (self.is_ready or self._connection.poll(START_SECONDS)):
                raise ProcessFailed(Fault.NOT_STARTED)
            self.is_ready = self.is_ready or self._receive_ready()
            self._connection.send_bytes(task)
            self._connection.recv_bytes(len(BEGUN))
        except (OSError, EOFError) as error:
            self.is_ready = False
            raise _NotBegun from error
        self.is_ready = False
        with self._watched(seconds, is_wanted):
            try:
                answer = self._connection.recv_bytes(self._most_bytes)
            except (OSError, EOFError) as error:
                self.kill()
                used_up = self._process.returncode == -signal.SIGXCPU
                raise ProcessFailed(Fault.LATE if used_up else self._fault) from error
            self.is_ready = self._receive_ready()
        return answer

    def _receive_ready(self) -> bool:
        """Whether the process waits for another task; False if it has ended."""
        try:
            return self._connection.recv_bytes(len(READY)) == READY
        except (OSError, EOFError):
            return False

    @contextmanager
    def _watched(self, seconds: float | None, is_wanted: IsWanted) -> Iterator[None]:
        """Kill the process if it takes more than so many seconds, or is stuck or not wanted any more meanwhile."""
        answered = threading.Event()
        end = inf if seconds is None else time.monotonic() + seconds
        watch = threading.Thread(target=self._watch, args=(answered, end, is_wanted), daemon=True)
        watch.start()
        try:
            yield
        finally:
            answered.set()
            watch.join()

    def _watch(self, answered: threading.Event, end: float, is_wanted: IsWanted) -> None:
        """Where the system does not tell the processor time used, nothing is stuck."""
        used, since = self._cpu_used(), time.monotonic()
        while not answered.wait(max(0.0, min(SECONDS_BETWEEN_LOOKS, end - time.monotonic()))):
            before, used, now = used, self._cpu_used(), time.monotonic()
            since = since if used is not None and used == before else now
            if now >= end:
                self._fault = Fault.LATE
            elif now - since > STUCK_SECONDS:
                self._fault = Fault.STUCK
            elif not is_wanted():
                self._fault = Fault.UNWANTED
            else:
                continue
            self._process.kill()
            return

    def _cpu_used(self) -> list[str] | None:
        """The processor time used, in the words of Linux; None on other systems."""
        try:
            status = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8")
        except OSError:
            return None
        return status.rpartition(")")[2].split()[11:13]

    def kill(self) -> None:
        """End the process; its task is lost."""
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """End the process, and close the pipes to it."""
        self.kill()
        self._connection.close()
        if self._process.stdin is not None:
            self._process.stdin.close()


def _environment(*, walled: bool) -> dict[str, str]:
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    if walled:
        copied = (*COPIED_VARIABLES, "PYTHONPATH")
        variables = {name: variables[name] for name in copied if name in variables}
        variables |= WALLED_VARIABLES
    return variables


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """What is started meanwhile never meets SIGINT: its parent decides when it ends."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve() -> None:
    """The main program of a process; the command line names its function, its pipe, and what the function is given."""
    name, pipe, *arguments = sys.argv[1:]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _step_back()
    module, function = name.split(":")
    with suppress(EOFError, OSError), Connection(int(pipe)) as connection:
        getattr(import_module(module), function)(connection, *arguments)
    os._exit(0)  # other threads may still work on what was given up: nothing waits for them


def serve_calls(connection: Connection) -> None:
    """Call functions until the connection is closed."""
    gc.freeze()
    while True:
        connection.send_bytes(READY)
        task = connection.recv_bytes()
        connection.send_bytes(BEGUN)
        connection.send_bytes(_answer_call(task))


# The registry is loaded when it is needed: a process that runs SQL needs no rulebooks.

REGISTRY = "records.rules.registry"


def _own_sheets() -> "tuple[RuleSheet, ...]":
    """The rulebooks that were added to this process, which those that work for it have to know."""
    from records.rules.registry import own_sheets

    return own_sheets()


def _know_sheets(sheets: "tuple[RuleSheet, ...]") -> None:
    """Know the rulebooks that the process knows that asks now; at the last call they may have been others."""
    if sheets or REGISTRY in sys.modules:
        from records.rules.registry import know_sheets

        know_sheets(sheets)


def _answer_call(task: bytes) -> bytes:
    """The exception or the answer of a call; what cannot be pickled is told as an exception, too."""
    try:
        sheets, function, arguments, named = pickle.loads(task)
        _know_sheets(sheets)
        return pickle.dumps((None, function(*arguments, **named)))
    except Exception as error:
        try:
            return pickle.dumps((error, None))
        except Exception:
            return pickle.dumps((StoreError(repr(error)), None))


def _end_with_parent() -> None:
    """End with the parent, which holds the other end of the standard input and never writes to it."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(0)


def _step_back() -> None:
    """Let this process, which leads its session, yield to every other, and leave no memory on the disk."""
    os.nice(NICENESS)
    # Where Linux groups processes by session, niceness counts only within a session: the session must be nice, too.
    _write_setting("autogroup", NICENESS)
    _write_setting("oom_score_adj", 1000)  # if memory runs out on Linux, this process goes first
    limit(resource.RLIMIT_CORE, 0)


def _write_setting(name: str, value: int) -> None:
    with suppress(OSError):
        Path(f"/proc/self/{name}").write_text(str(value), encoding="ascii")


def limit(kind: int, most: int) -> None:
    """Let this process use at most so much of a resource; not every system has every limit."""
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (most, most))


def limit_cpu(seconds: float) -> None:
    """Let this process use so many more seconds of CPU time; then the system ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = ceil(used.ru_utime + used.ru_stime + seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(OSError, ValueError):  # where somebody allows less, less it is
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
