"""Runs the kit on a program: several processes of it at once, every case asked of one of them."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import msgspec

from records.conformance import SECONDS_PER_ANSWER
from records.conformance.cases import Case
from records.conformance.protocol import (
    PROTOCOL_VERSION,
    Hello,
    expected_of,
    hello_request,
    is_as_expected,
    request_line,
)
from records.conformance.running_program import ProgramError, RunningProgram

MOST_RESTARTS = 5
"""A process that ends, or takes too long, is started anew so many times."""

CaseOutcome = Literal["agrees", "differs", "no answer", "skipped", "not asked"]
"""What came of a case: the program may skip it, and what it says it cannot do is not asked."""


class CaseResult(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What came of one case: what was expected, as far as the program tells that much, and what it said."""

    case: str
    outcome: CaseOutcome
    expected: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    why: str | None = None


class ProgramLostError(ProgramError):
    """The program does not speak the protocol, or cannot be kept running."""


def _start(command: Sequence[str], seconds: float) -> tuple[RunningProgram, Hello]:
    """A process of the program that has said hello; raises ProgramLostError."""
    try:
        program = RunningProgram(command)
    except ProgramError as error:
        raise ProgramLostError(str(error)) from error
    try:
        hello = msgspec.convert(program.ask(hello_request(), seconds=seconds), Hello)
    except ProgramError as error:
        program.stop()
        raise ProgramLostError(f"The program did not answer `hello`. {error}") from error
    except msgspec.ValidationError as error:
        program.stop()
        raise ProgramLostError(f"The answer to `hello` cannot be used. {error}.") from error
    if hello.protocol.partition(".")[0] != PROTOCOL_VERSION.partition(".")[0]:
        program.stop()
        raise ProgramLostError(
            f"The program speaks protocol {hello.protocol}, not {PROTOCOL_VERSION}."
        )
    return program, hello


def run_kit(
    command: Sequence[str],
    cases: Sequence[Case],
    *,
    jobs: int = 1,
    seconds: float = SECONDS_PER_ANSWER,
    on_result: Callable[[int], None] = lambda done: None,
) -> tuple[Hello, list[CaseResult]]:
    """Ask a program every case that it can do, in so many processes; the results are in the order of the cases.

    `on_result` gets the number of cases asked so far after each of them, from one thread at a time. Raises
    ProgramLostError if the program does not even say hello.
    """
    first, hello = _start(command, seconds)
    results = [CaseResult(case=case.id, outcome="not asked") for case in cases]
    waiting = deque([number for number, case in enumerate(cases) if hello.can(case)])
    lock, asked = threading.Lock(), len(waiting)

    def take() -> int | None:
        with lock:
            on_result(asked - len(waiting))
            return waiting.popleft() if waiting else None

    def work(program: RunningProgram | None) -> None:
        asker = _Asker(command, hello, seconds, program)
        try:
            while (number := take()) is not None:
                results[number] = asker.result_of(number + 1, cases[number])
        finally:
            asker.stop()

    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(work, None if number else first) for number in range(jobs)]
        try:
            for done in running:
                done.result()
        finally:
            # Whoever interrupts the run waits for one answer more, not for all.
            waiting.clear()
    return hello, results


class _Asker:
    """One process of the program, started anew when it is lost."""

    def __init__(
        self, command: Sequence[str], hello: Hello, seconds: float, program: RunningProgram | None
    ) -> None:
        self._command, self._hello, self._seconds = command, hello, seconds
        self._program = program
        self._starts = 0
        self._last_failure = ""

    def stop(self) -> None:
        """End the process."""
        if self._program is not None:
            self._program.stop()
        self._program = None

    def result_of(self, seq: int, case: Case) -> CaseResult:
        """What comes of asking a case."""
        expected = expected_of(case, self._hello.detail)
        if self._program is None and self._starts > MOST_RESTARTS:
            why = (
                f"Not asked any more: the program was started {self._starts} times and lost each time."
                f" The last time: {self._last_failure}"
            )
            return CaseResult(case=case.id, outcome="no answer", expected=expected, why=why)
        try:
            answer = self._ask(seq, case)
        except ProgramError as error:
            self.stop()
            self._last_failure = str(error)
            return CaseResult(case=case.id, outcome="no answer", expected=expected, why=str(error))
        if "skip" in answer:
            return CaseResult(case=case.id, outcome="skipped", why=str(answer["skip"]))
        if "error" in answer:
            why = f"The program reports an error: {answer['error']}"
            return CaseResult(case=case.id, outcome="no answer", expected=expected, why=why)
        agrees = is_as_expected(answer, case, self._hello.detail)
        if agrees:
            return CaseResult(case=case.id, outcome="agrees")
        return CaseResult(case=case.id, outcome="differs", expected=expected, answer=answer)

    def _ask(self, seq: int, case: Case) -> dict[str, Any]:
        if self._program is None:
            self._starts += 1
            self._program, _ = _start(self._command, self._seconds)
        answer = self._program.ask(request_line(seq, case), seconds=self._seconds)
        if answer.get("seq") != seq:
            raise ProgramError(f"The answer has the seq {answer.get('seq')}, not {seq}.")
        return answer


def simplest_disagreement(
    cases: Sequence[Case], results: Sequence[CaseResult]
) -> tuple[Case, CaseResult] | None:
    """Of the cases that were not answered as expected the one with the shortest question; None if there is none."""
    failed = [
        (case, result)
        for case, result in zip(cases, results, strict=True)
        if result.outcome in ("differs", "no answer")
    ]
    return min(failed, key=lambda pair: len(msgspec.json.encode(pair[0].given)), default=None)
