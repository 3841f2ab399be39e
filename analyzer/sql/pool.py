"""Run readers' statements in processes that are killed if they cost too much.

A few processes stand ready, so that a question does not wait for one to start. Nobody waits for another visitor's
statement, either: if all are busy, the answer says so at once. A question is JSON. A reply is pickled, because cells
have types that JSON lacks; but it is read with a list of the types that it may name, so that a process that a
visitor's statement took over could send nothing but data.
"""

import datetime
import decimal
import io
import logging
import pickle
import threading
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from analyzer.sql.guard import (
    KILL_SECONDS,
    MOST_REPLY_BYTES,
    SPARE_PROCESSES,
    STATEMENT_SECONDS,
    STATEMENTS_AT_ONCE,
    ForbiddenStatement,
    check_length,
)
from analyzer.sql.lake_mirror import BeingFetched, LakeMirror
from analyzer.store.lake_place import lake_address, place_of
from analyzer.store.lake_store import SECONDS_TO_LOOK
from analyzer.store.processes import Fault, ProcessFailed, ProcessPool, Program
from analyzer.store.store import QueryResult, QueryTimeout
from records.errors import StoreError
from records.phrases import is_address

SERVE = "analyzer.sql.process:serve_statements"
NAMED_TYPES = (
    datetime.date, datetime.datetime, datetime.time, datetime.timedelta, decimal.Decimal, uuid.UUID,
)  # fmt: skip
SCALAR_TYPES = frozenset((bool, int, float, str, bytes, *NAMED_TYPES))
"""The types of cells; cells may also be None, lists of cells, and cells by name."""

STOPPED = "the statement was stopped after {:g} seconds"
UNREADABLE = "The database cannot be read now. Try again later."
FAULT_WORDS = {
    Fault.NOT_STARTED: "SQL cannot be run now, because the process for it does not start. Try again later.",
    Fault.CLOSED: "The server is closing.",
}
BROKE_OFF = (
    "The process that ran the statement has ended, most likely because the statement needs too much memory. "
    "Ask for less, or try again."
)
log = logging.getLogger(__name__)


class StatementBrokeOff(StoreError):
    """The process of a statement ended before it answered, or could not read the database."""


class ClientBusy(StoreError):
    """A client's last statement still runs."""


class AllBusy(StoreError):
    """As many statements run as may run at once, or what one reads is still being fetched: the message says which."""


class Outcome(StrEnum):
    """How a statement ended: answered, refused with a sentence, stopped, or not begun because of an error of ours."""

    ANSWERED = "answered"
    FORBIDDEN = "forbidden"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """The answer to a statement; `more` says that it has more rows than these."""

    sql: str
    result: QueryResult
    more: bool
    ms: float


class StatementQuestion(msgspec.Struct, frozen=True):
    """A statement, and how many seconds it may take."""

    sql: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StatementReply:
    """How a statement ended; `words` says why it was not answered."""

    outcome: Outcome
    words: str = ""
    answer: SqlAnswer | None = None


class StatementPool:
    """The processes that run statements on a data folder; `close` ends them.

    They start with `prepare` or with the first statement. `clients` are those whose statements run.
    """

    def __init__(self, folder: Path) -> None:
        address = lake_address(folder)
        is_elsewhere = address is not None and is_address(address)
        self._mirror = LakeMirror(place_of(address)) if address and is_elsewhere else None
        read = self._mirror.folder if self._mirror else folder.resolve()
        # What a statement needs may just have been fetched.
        look_every = 0.0 if self._mirror else SECONDS_TO_LOOK
        program = Program(SERVE, (str(read), str(look_every)), True, MOST_REPLY_BYTES)
        self._processes = ProcessPool(STATEMENTS_AT_ONCE, program, spare=SPARE_PROCESSES)
        self._lock = threading.Lock()
        self.clients: list[str | None] = []
        self.prepare = self._processes.prepare

    def close(self) -> None:
        """End the processes, and delete what was fetched for them."""
        self._processes.close()
        if self._mirror:
            self._mirror.close()

    def run(
        self, sql: str, *, client: str | None = None, seconds: float = STATEMENT_SECONDS
    ) -> SqlAnswer:
        """The answer to a statement; a client, if named, may run one at a time.

        Raises ForbiddenStatement with a sentence, QueryTimeout, StatementBrokeOff, ClientBusy and AllBusy.
        """
        sql = sql.strip().rstrip(";")
        check_length(sql)
        with self._admitted(client):
            reply = self._fetch_and_ask(StatementQuestion(sql, seconds))
        if reply.answer is not None:
            return reply.answer
        if reply.outcome is Outcome.STOPPED:
            raise QueryTimeout(reply.words)
        if reply.outcome is Outcome.FORBIDDEN:
            raise ForbiddenStatement(reply.words)
        log.warning("a reader's SQL could not be run: %s", reply.words)
        raise StatementBrokeOff(UNREADABLE)

    def _fetch_and_ask(self, question: StatementQuestion) -> StatementReply:
        """Put a question to a process, which has the tables of a lake in an object store that it can read."""
        if self._mirror is None:
            return self._ask(question)
        with ExitStack() as reading:
            try:
                reading.enter_context(self._mirror.bring(question.sql))
            except BeingFetched as why:
                raise AllBusy(str(why)) from why
            except (OSError, StoreError) as error:
                log.warning("the tables for a reader's SQL cannot be fetched: %s", error)
                raise StatementBrokeOff(UNREADABLE) from error
            return self._ask(question)

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
        """Put a question to a process; a statement at which one dies is not repeated."""
        most = question.seconds + KILL_SECONDS
        try:
            data = self._processes.ask(msgspec.json.encode(question), seconds=most, tries=1)
            return unpack_reply(data)
        except ValueError as error:
            raise StatementBrokeOff(BROKE_OFF) from error
        except ProcessFailed as failure:
            if failure.fault is Fault.LATE:
                raise QueryTimeout(STOPPED.format(question.seconds)) from failure
            raise StatementBrokeOff(FAULT_WORDS.get(failure.fault, BROKE_OFF)) from failure


def pack_reply(reply: StatementReply) -> bytes:
    """A reply as bytes."""
    answer = reply.answer
    told = answer and (
        answer.sql,
        answer.result.columns,
        answer.result.rows,
        answer.more,
        answer.ms,
    )
    return pickle.dumps((str(reply.outcome), reply.words, told))


def unpack_reply(data: bytes) -> StatementReply:
    """The reply from its bytes; raises ValueError if they are not one."""
    try:
        outcome, words, told = _DataUnpickler(io.BytesIO(data)).load()
        answer = None
        if told is not None:
            sql, columns, rows, more, ms = told
            answer = SqlAnswer(sql, QueryResult(columns, rows), more, ms)
        return StatementReply(Outcome(outcome), words, answer)
    except Exception as error:  # unpickling damaged bytes raises nearly anything
        raise ValueError("this is not a reply") from error


class _DataUnpickler(pickle.Unpickler):
    """Reads values, and calls nothing but the constructors of `NAMED_TYPES`."""

    def find_class(self, module: str, name: str) -> Any:
        for kind in NAMED_TYPES:
            if (kind.__module__, kind.__qualname__) == (module, name):
                return kind
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a reply")
