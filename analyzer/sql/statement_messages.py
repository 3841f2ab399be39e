"""What the server and the processes that run statements say to each other.

A question is JSON. A reply is pickled, because cells have types that JSON lacks; but it is read with a list of the
types that it may name, so that a process that a visitor's statement took over could send nothing but data.
"""

import datetime
import decimal
import io
import pickle
import uuid
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from analyzer.db.file.query_result import QueryResult

NAMED_TYPES = (
    datetime.date, datetime.datetime, datetime.time, datetime.timedelta, decimal.Decimal, uuid.UUID,
)  # fmt: skip
SCALAR_TYPES = frozenset((bool, int, float, str, bytes, *NAMED_TYPES))
"""The types of cells; cells may also be None, lists of cells, and cells by name."""


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
    """How a statement ended; `words` says why it was not answered. After a `last` reply the process ends."""

    outcome: Outcome
    words: str = ""
    answer: SqlAnswer | None = None
    last: bool = False


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
    return pickle.dumps((str(reply.outcome), reply.words, told, reply.last))


def unpack_reply(data: bytes) -> StatementReply:
    """The reply from its bytes; raises ValueError if they are not one."""
    try:
        outcome, words, told, last = _DataUnpickler(io.BytesIO(data)).load()
        answer = None
        if told is not None:
            sql, columns, rows, more, ms = told
            answer = SqlAnswer(sql, QueryResult(columns, rows), more, ms)
        return StatementReply(Outcome(outcome), words, answer, last)
    except Exception as error:  # unpickling damaged bytes raises nearly anything
        raise ValueError("this is not a reply") from error


class _DataUnpickler(pickle.Unpickler):
    """Reads values, and calls nothing but the constructors of `NAMED_TYPES`."""

    def find_class(self, module: str, name: str) -> Any:
        for kind in NAMED_TYPES:
            if (kind.__module__, kind.__qualname__) == (module, name):
                return kind
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a reply")
