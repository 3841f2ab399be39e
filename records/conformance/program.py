"""A program that is asked: a process of its own, a handshake, JSON lines with a `seq`, a time limit for each answer."""

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Literal, get_args

import msgspec

from records.conformance.cases import Case, Feature, KitAsk, Level
from records.errors import BeziqueError
from records.phrases import sanitize_lines, sanitize_text, system_reason
from records.record import MAX_NESTING_DEPTH
from records.validate.finding import WRONG_VERDICTS, Verdict

# The protocol between the kit and a program: JSON lines with a `seq`, first of all a handshake.

PROTOCOL_VERSION = "1.0"

Detail = Literal["right", "verdict", "place", "code", "whole"]
"""How much of a judgement a program tells: right or wrong, the verdict, the place of the first fault, its code; and the
whole: its cause and the claims left open, too.
"""

COMPARED_BY_DETAIL: dict[Detail, tuple[str, ...]] = {
    "right": ("right",),
    "verdict": ("right", "verdict"),
    "place": ("right", "verdict", "at"),
    "code": ("right", "verdict", "at", "code"),
    "whole": ("right", "verdict", "at", "code", "since", "open"),
}
"""The members of an expected judgement that are compared."""


VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class Hello(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a program can do: the answer to the request `hello`. What it does not name is not asked."""

    seq: int
    protocol: str
    program: str
    version: str | None = None
    asks: list[KitAsk]
    sheets: list[str]
    levels: list[Level]
    features: list[Feature] = []
    detail: Detail = "verdict"

    def can(self, case: Case) -> bool:
        """Whether a case is one for this program."""
        return (
            case.ask in self.asks
            and (case.sheet is None or case.sheet in self.sheets)
            and case.level in self.levels
            and set(case.features) <= set(self.features)
        )


class Request(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A line to the program: `given` is that of the case."""

    seq: int
    ask: str
    case: str | None = None
    given: dict[str, Any] | None = None


def hello_request() -> bytes:
    """The first line to a program."""
    return msgspec.json.encode(Request(seq=0, ask="hello")) + b"\n"


def request_line(seq: int, case: Case) -> bytes:
    """The line that asks a case."""
    return (
        msgspec.json.encode(Request(seq=seq, ask=case.ask, case=case.id, given=case.given)) + b"\n"
    )


def expected_of(case: Case, detail: Detail) -> dict[str, Any]:
    """What an answer is compared with: of a judgement as much as the program tells."""
    if case.ask != "validate":
        return case.expect
    return {name: case.expect[name] for name in COMPARED_BY_DETAIL[detail] if name in case.expect}


def is_as_expected(answer: dict[str, Any], case: Case, detail: Detail) -> bool:
    """Whether an answer agrees with what is expected; members that nobody asked for are not compared.

    Where a program gives a verdict alone, whether the record is right follows from it.
    """
    expected = expected_of(case, detail)
    verdict = answer.get("verdict")
    if case.ask == "validate" and verdict in VERDICTS:
        answer = {"right": verdict not in WRONG_VERDICTS, **answer}
    return all(answer.get(name) == value for name, value in expected.items())


# The process.

MOST_ANSWER_BYTES = 16 * 1024 * 1024
MOST_BYTES_SHOWN = 200
"""What is told of an answer that cannot be used: its beginning."""
MOST_ERROR_BYTES = 2_000
"""What is told of what the program wrote to its standard error: the end of it."""


class ProgramError(BeziqueError):
    """The program gave no answer: it ended, took too long, or wrote something that is not a JSON object."""


def _shown(data: bytes) -> str:
    """The beginning of what a program wrote, which must not steer a terminal."""
    return sanitize_text(data[:MOST_BYTES_SHOWN].decode(errors="replace"))


def _nested_too_deep(line: bytes) -> ProgramError:
    return ProgramError(f"The answer is nested too deep: {_shown(line)}")


def _is_deeper(answer: dict[str, Any], depth: int) -> bool:
    """Whether objects and lists lie within one another more than `depth` deep."""
    level: list[Any] = [answer]
    for _ in range(depth):
        inner = [value.values() if isinstance(value, dict) else value for value in level]
        level = [value for values in inner for value in values if isinstance(value, dict | list)]
    return bool(level)


class RunningProgram:
    """A process that reads requests and writes answers; a context manager, so that no process is left behind."""

    def __init__(self, command: Sequence[str]) -> None:
        # Kept open as long as the process runs, and closed by `stop`.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            raise ProgramError(f"“{command[0]}” cannot be run: {system_reason(error)}.") from error
        self._pending = b""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)

    def __enter__(self) -> "RunningProgram":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process and whatever it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                pipe.close()

    def ask(self, request: bytes, *, seconds: float) -> dict[str, Any]:
        """The answer to a request, both a line; raises ProgramError if there is none within so many seconds."""
        line = self._exchange(request, time.monotonic() + seconds, seconds)
        try:
            answer = msgspec.json.decode(line)
        except RecursionError as error:
            raise _nested_too_deep(line) from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ProgramError(f"The answer is not JSON: {_shown(line)}") from error
        if not isinstance(answer, dict):
            raise ProgramError(f"The answer is not a JSON object: {_shown(line)}")
        if _is_deeper(answer, MAX_NESTING_DEPTH):  # a report could not hold it
            raise _nested_too_deep(line)
        return answer

    def _exchange(self, request: bytes, deadline: float, seconds: float) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ProgramError("The program has no input or no output.")
        to_write = memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._pending:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise ProgramError(f"No answer came within {seconds:g} seconds.")
                for key, _ in selector.select(left):
                    if key.fileobj is stdin:
                        to_write = self._write(stdin.fileno(), to_write)
                        if not to_write:
                            selector.unregister(stdin)
                    else:
                        self._read(stdout.fileno())
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _write(self, pipe: int, data: memoryview) -> memoryview:
        try:
            return data[os.write(pipe, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError as error:
            raise ProgramError(self._end()) from error

    def _read(self, pipe: int) -> None:
        data = os.read(pipe, 1 << 20)
        if not data:
            raise ProgramError(self._end())
        self._pending += data
        if len(self._pending) > MOST_ANSWER_BYTES:
            raise ProgramError(f"The answer has more than {MOST_ANSWER_BYTES:,} bytes.")

    def _end(self) -> str:
        """How the program ended, and the last that it wrote to its standard error."""
        try:
            status = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "The program has closed its output."
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - MOST_ERROR_BYTES))
        said = sanitize_lines(self._errors.read().decode(errors="replace").strip())
        return f"The program ended with status {status}{': ' + said if said else '.'}"
