"""Run readers' statements in processes that are killed if they cost too much.

A few processes stand ready, so that a question does not wait for one to start. Nobody waits for another visitor's
statement, either: if all are busy, the answer says so at once.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from pathlib import Path

import msgspec

from analyzer.db.store import QueryTimeout
from analyzer.sql.guard import ForbiddenStatement, check_length
from analyzer.sql.statement_limits import (
    KILL_SECONDS,
    MOST_REPLY_BYTES,
    SPARE_PROCESSES,
    START_SECONDS,
    STATEMENT_SECONDS,
    STATEMENTS_AT_ONCE,
)
from analyzer.sql.statement_messages import (
    Outcome,
    SqlAnswer,
    StatementQuestion,
    StatementReply,
    unpack_reply,
)
from records.errors import StoreError

SERVE_SCRIPT = "from analyzer.sql.statement_process import serve_statements; serve_statements()"
COPIED_VARIABLES = ("TZ", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHOME")
"""The variables of the environment that a process gets: where it is, and nothing that may be secret."""
OWN_VARIABLES = {"MALLOC_ARENA_MAX": "2"}
"""Without it, the C library reserves address space for each thread, which is limited."""
log = logging.getLogger(__name__)

STOPPED = "the statement was stopped after {:g} seconds"
BROKE_OFF = (
    "The process that ran the statement has ended, most likely because the statement needs too much memory. "
    "Ask for less, or try again."
)
UNREADABLE = "The database cannot be read now. Try again later."
NOT_STARTED = "SQL cannot be run now, because the process for it does not start. Try again later."
MOST_STARTS = STATEMENTS_AT_ONCE + SPARE_PROCESSES + 2
"""How many processes are tried for a statement, if they end before they begin with it."""


class StatementBrokeOff(StoreError):
    """The process of a statement ended before it answered, or could not read the database."""


class _NotBegun(Exception):
    """A process ended before it began with a statement."""


class ClientBusy(StoreError):
    """A client's last statement still runs."""


class AllBusy(StoreError):
    """As many statements run as may run at once."""


class StatementPool:
    """The processes that run statements on a data folder; `close` ends them.

    They start with `prepare` or with the first statement. `clients` are those whose statements run.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._lock = threading.Lock()
        self._idle: list[_StatementProcess] = []
        self._busy: list[_StatementProcess] = []
        self.clients: list[str | None] = []
        self._closed = False

    def prepare(self) -> None:
        """Start the processes that are missing; returns at once."""
        with self._lock:
            missing = STATEMENTS_AT_ONCE + SPARE_PROCESSES - len(self._idle) - len(self._busy)
            for _ in range(0 if self._closed else missing):
                self._idle.insert(0, _StatementProcess(self._folder))

    def run(
        self, sql: str, *, client: str | None = None, seconds: float = STATEMENT_SECONDS
    ) -> SqlAnswer:
        """The answer to a statement; a client, if named, may run one at a time.

        Raises ForbiddenStatement with a sentence, QueryTimeout, StatementBrokeOff, ClientBusy and AllBusy.
        """
        sql = sql.strip().rstrip(";")
        check_length(sql)
        with self._admitted(client):
            reply = self._ask(StatementQuestion(sql, seconds))
        if reply.answer is not None:
            return reply.answer
        if reply.outcome is Outcome.STOPPED:
            raise QueryTimeout(reply.words)
        if reply.outcome is Outcome.FORBIDDEN:
            raise ForbiddenStatement(reply.words)
        log.warning("a reader's SQL could not be run: %s", reply.words)
        raise StatementBrokeOff(UNREADABLE)

    def close(self) -> None:
        """End all processes; what runs is broken off."""
        with self._lock:
            self._closed = True
            processes = [*self._idle, *self._busy]
            self._idle.clear()
        for process in processes:
            process.end()

    @contextmanager
    def _admitted(self, client: str | None) -> Iterator[None]:
        with self._lock:
            if client is not None and client in self.clients:
                raise ClientBusy("Your last statement is still running. Wait until it has ended.")
            if len(self.clients) >= STATEMENTS_AT_ONCE:
                raise AllBusy("Others' statements are running. Try again in a few seconds.")
            self.clients.append(client)
        try:
            yield
        finally:
            with self._lock:
                self.clients.remove(client)

    def _ask(self, question: StatementQuestion) -> StatementReply:
        """Put a question to a process that stands ready, or to the next if that one has ended meanwhile."""
        for _ in range(MOST_STARTS):
            process = self._take()
            last = True
            try:
                reply = process.ask(question)
                last = reply.last
                return reply
            except _NotBegun:
                continue
            finally:
                self._give_back(process, last=last)
        raise StatementBrokeOff(NOT_STARTED)

    def _take(self) -> "_StatementProcess":
        """The process used last, whose cache is warm, or another one, or a new one."""
        with self._lock:
            if self._closed:
                raise StatementBrokeOff("The server is closing.")
            process = self._idle.pop() if self._idle else _StatementProcess(self._folder)
            self._busy.append(process)
            return process

    def _give_back(self, process: "_StatementProcess", *, last: bool) -> None:
        """Keep a process for the next statement, or end it; one that is missing is started."""
        with self._lock:
            self._busy.remove(process)
            last = last or self._closed
            if not last:
                self._idle.append(process)
        if last:
            process.end()
        # Starting one that is missing takes longer than most answers: nobody waits for it.
        threading.Thread(target=self.prepare).start()


class _StatementProcess:
    """A process that runs statements, one after the other.

    Its standard input tells it when this process ends. It has a session of its own, so that Ctrl-C does not reach it.
    """

    def __init__(self, folder: Path) -> None:
        self._connection, other = Pipe()
        kept = {name: os.environ[name] for name in COPIED_VARIABLES if name in os.environ}
        modules = os.pathsep.join(map(os.path.abspath, sys.path))
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-c", SERVE_SCRIPT, str(folder), str(other.fileno())],
                pass_fds=[other.fileno()],
                env={**kept, **OWN_VARIABLES, "PYTHONPATH": modules},
                cwd="/",
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._ready = False
        self._late = False
        self._ending = threading.Lock()

    def ask(self, question: StatementQuestion) -> StatementReply:
        """The reply to a question; raises _NotBegun, QueryTimeout and StatementBrokeOff."""
        try:
            self._wait_until_ready()
            self._connection.send_bytes(msgspec.json.encode(question))
            self._connection.recv_bytes(MOST_REPLY_BYTES)
        except (OSError, EOFError) as error:
            raise _NotBegun from error
        watch = threading.Timer(question.seconds + KILL_SECONDS, self._kill_late)
        watch.start()
        try:
            return unpack_reply(self._connection.recv_bytes(MOST_REPLY_BYTES))
        except (OSError, EOFError, ValueError) as error:
            self.end()
            if self._late or self._process.returncode == -signal.SIGXCPU:
                raise QueryTimeout(STOPPED.format(question.seconds)) from error
            raise StatementBrokeOff(BROKE_OFF) from error
        finally:
            watch.cancel()
            watch.join()

    def end(self) -> None:
        """Kill the process and close the pipes to it; whoever asks it and whoever closes the pool may do so at once."""
        with self._ending:
            self._process.kill()
            self._process.wait()
            self._connection.close()
            if self._process.stdin is not None:
                self._process.stdin.close()

    def _wait_until_ready(self) -> None:
        if not self._ready:
            if not self._connection.poll(START_SECONDS):
                raise StatementBrokeOff(NOT_STARTED)
            self._connection.recv_bytes(MOST_REPLY_BYTES)
            self._ready = True

    def _kill_late(self) -> None:
        self._late = True
        with suppress(OSError):
            self._process.kill()
