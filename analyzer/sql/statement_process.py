"""The main loop of a process that runs readers' statements, and the limits that it sets itself.

The limits are the operating system's, so that they hold whatever DuckDB does: planning a hostile statement takes
gigabytes and minutes, and looks at no limit of DuckDB. The process has a pipe to the server and nothing else of it:
no files, no variables of its environment, no secrets.
"""

import gc
import math
import os
import resource
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import duckdb
import msgspec

from analyzer.db.store import QueryTimeout
from analyzer.niceness import yield_to_others
from analyzer.sql.guard import ForbiddenStatement
from analyzer.sql.live_database import LiveDatabase
from analyzer.sql.statement_answer import TOO_MUCH_MEMORY, ChangedMeanwhile, answer_statement
from analyzer.sql.statement_limits import (
    IDLE_SECONDS,
    PROCESS_BYTES,
    RETIREMENT_BYTES,
    STATEMENT_THREADS,
)
from analyzer.sql.statement_messages import (
    Outcome,
    StatementQuestion,
    StatementReply,
    pack_reply,
)
from records.errors import StoreError

READY, BEGUN = b"ready", b"begun"
"""What a process sends first, and what it sends before it begins with a statement."""

MOST_READINGS = 3
"""How many times a statement is run if the database changes meanwhile."""
CHANGES_TOO_OFTEN = "the games changed while it ran, as they do during an import"
CPU_SECONDS_TO_SPARE = 1
BYTES_PER_MAXRSS = 1 if sys.platform == "darwin" else 1024
"""The unit in which the system gives the largest memory."""


def serve_statements() -> None:
    """Answer statements until the server closes the connection or dies; the command line names folder and pipe."""
    folder, pipe = sys.argv[1:]
    limit_process()
    threading.Thread(target=_end_with_server, daemon=True).start()
    database = LiveDatabase(Path(folder))
    gc.freeze()
    with suppress(EOFError, OSError), Connection(int(pipe)) as connection:
        _warm_up(database)
        connection.send_bytes(READY)
        while not _serve_one(connection, database):
            pass
    # DuckDB's threads may still work on what was given up: nothing waits for them.
    os._exit(0)


def limit_process() -> None:
    """Let this process use little memory and write no file, and let others come first."""
    yield_to_others()
    with suppress(OSError):  # if memory runs out on Linux, this process goes first
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    for limit, most in (
        (resource.RLIMIT_AS, PROCESS_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(OSError, ValueError):  # not every system has every limit
            resource.setrlimit(limit, (most, most))


def limit_cpu(seconds: float) -> None:
    """Let this process use so many more seconds of CPU time; then the system ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = math.ceil(used.ru_utime + used.ru_stime + seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(OSError, ValueError):  # where somebody allows less, less it is
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


def _end_with_server() -> None:
    """End with the server, however it ends: it holds the other end of the standard input and never writes to it."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(0)


def _warm_up(database: LiveDatabase) -> None:
    """Do what the first statement would otherwise wait for; it would also tell what is wrong."""
    with suppress(OSError, StoreError, duckdb.Error, ForbiddenStatement, QueryTimeout):
        _answer(database, StatementQuestion("SELECT count(*) FROM games WHERE sheet IS NULL", 3))


def _serve_one(connection: Connection, database: LiveDatabase) -> bool:
    """Wait for a statement and reply to it; returns whether the reply was the last."""
    if not connection.poll(IDLE_SECONDS):
        database.close()
    question = msgspec.json.decode(connection.recv_bytes(), type=StatementQuestion)
    connection.send_bytes(BEGUN)
    limit_cpu(question.seconds * STATEMENT_THREADS + CPU_SECONDS_TO_SPARE)
    reply = _answer(database, question)
    connection.send_bytes(pack_reply(reply))
    return reply.last


def _answer(database: LiveDatabase, question: StatementQuestion) -> StatementReply:
    try:
        for _ in range(MOST_READINGS):
            with suppress(ChangedMeanwhile):
                answer = answer_statement(database, question.sql, question.seconds)
                return StatementReply(Outcome.ANSWERED, answer=answer, last=_has_grown())
    except ForbiddenStatement as why:
        return StatementReply(Outcome.FORBIDDEN, str(why), last=_has_grown())
    except QueryTimeout as why:
        return StatementReply(Outcome.STOPPED, str(why), last=_has_grown())
    except MemoryError:
        return StatementReply(Outcome.FORBIDDEN, TOO_MUCH_MEMORY, last=True)
    except (OSError, StoreError, duckdb.Error) as error:
        return StatementReply(Outcome.FAILED, str(error), last=True)
    return StatementReply(Outcome.STOPPED, CHANGES_TOO_OFTEN, last=_has_grown())


def _has_grown() -> bool:
    """Whether this process has used so much memory that it should make way for a new one."""
    return _most_memory() > RETIREMENT_BYTES or _address_space() > PROCESS_BYTES * 3 // 4


def _most_memory() -> int:
    """The most bytes that this process has used so far.

    Linux begins `ru_maxrss` with what the server used when it started this process, so its own mark goes before.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_PER_MAXRSS


def _address_space() -> int:
    """The bytes that are reserved now; 0 where the system does not tell."""
    try:
        pages, *_ = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()
