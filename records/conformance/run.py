"""A run of the kit on a program: every case asked, what came of it as a table, a report and a badge.

`python -m records.conformance.run` writes the JSON schema of the kit, its protocol and its reports.
"""

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import escape
from typing import Any, Literal

import msgspec

from records.conformance import SECONDS_PER_ANSWER
from records.conformance.cases import (
    ANSWER_SHAPES,
    KIT_VERSION,
    OTHER_CASES,
    Case,
    KitIndex,
    file_of,
)
from records.conformance.program import (
    PROTOCOL_VERSION,
    Hello,
    ProgramError,
    Request,
    RunningProgram,
    expected_of,
    hello_request,
    is_as_expected,
    request_line,
)
from records.documents.schemas import (
    SPEC_FOLDER,
    encode_schema,
    finish_schema,
)
from records.phrases import pluralize, sanitize_lines, sanitize_text
from records.rules.registry import SHEETS_BY_ID
from records.validate.codes import FINDING_CODES

# Runs the kit on a program: several processes of it at once, every case asked of one of them.

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
        unanswered = partial(CaseResult, case=case.id, outcome="no answer", expected=expected)
        if self._program is None and self._starts > MOST_RESTARTS:
            why = (
                f"Not asked any more: the program was started {self._starts} times and lost each time."
                f" The last time: {self._last_failure}"
            )
            return unanswered(why=why)
        try:
            answer = self._ask(seq, case)
        except ProgramError as error:
            self.stop()
            self._last_failure = str(error)
            return unanswered(why=str(error))
        if "skip" in answer:
            return CaseResult(case=case.id, outcome="skipped", why=str(answer["skip"]))
        if "error" in answer:
            return unanswered(why=f"The program reports an error: {answer['error']}")
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


# What a run of the kit came to: a table by sheet and area, a report as JSON, and a badge.

MOST_GIVEN_PRINTED = 1_500
"""So many characters of what was given are printed; records of whole games have ten times as many."""
MOST_REASONS = 10


class AreaCount(msgspec.Struct, kw_only=True):
    """How the cases of one area of one sheet came out."""

    sheet: str
    area: str
    agrees: int = 0
    asked: int = 0
    skipped: int = 0
    not_asked: int = 0


class SkipReason(msgspec.Struct, kw_only=True):
    """A reason for which the program skipped cases, in its own words, and how many."""

    why: str
    cases: int


class KitReport(msgspec.Struct, kw_only=True):
    """The results of one run: `asked` cases were answered or should have been.

    `skips` tells why the program skipped others, the most frequent reason first, and `unknown_sheets` which sheets of
    its handshake the kit does not have.
    """

    format: Literal["bezique-kit-report"] = msgspec.field(
        default_factory=lambda: "bezique-kit-report"
    )
    version: str = msgspec.field(default_factory=lambda: "1.0")
    kit: str = msgspec.field(default_factory=lambda: KIT_VERSION)
    program: Hello
    cases: int
    asked: int
    agrees: int
    table: list[AreaCount]
    failures: list[CaseResult]
    skips: list[SkipReason]
    unknown_sheets: list[str]

    @property
    def conforms(self) -> bool:
        """Whether every case that was asked was answered as expected, and any was."""
        return self.asked == self.agrees > 0


def report_on(hello: Hello, cases: Sequence[Case], results: Sequence[CaseResult]) -> KitReport:
    """The report on a run."""
    counts: dict[tuple[str, str], AreaCount] = {}
    for case, result in zip(cases, results, strict=True):
        sheet = case.sheet or OTHER_CASES
        count = counts.setdefault((sheet, case.area), AreaCount(sheet=sheet, area=case.area))
        _count(count, result.outcome)
    rows, known = list(counts.values()), {*SHEETS_BY_ID, *(case.sheet for case in cases)}
    return KitReport(
        program=hello,
        cases=len(cases),
        asked=sum(row.asked for row in rows),
        agrees=sum(row.agrees for row in rows),
        table=rows,
        failures=[result for result in results if result.outcome in ("differs", "no answer")],
        skips=[SkipReason(why=why, cases=count) for why, count in _skip_reasons(results)],
        unknown_sheets=[sheet for sheet in hello.sheets if sheet not in known],
    )


def _skip_reasons(results: Sequence[CaseResult]) -> list[tuple[str, int]]:
    return Counter(
        result.why or "" for result in results if result.outcome == "skipped"
    ).most_common()


def _count(count: AreaCount, outcome: CaseOutcome) -> None:
    match outcome:
        case "skipped":
            count.skipped += 1
        case "not asked":
            count.not_asked += 1
        case "agrees":
            count.agrees += 1
            count.asked += 1
        case _:
            count.asked += 1


def table_lines(report: KitReport) -> list[str]:
    """The results by sheet and area: `12/14` means that 12 of 14 answers agree; what was not asked is a dash.

    A star stands where the program skipped cases.
    """
    areas = list(dict.fromkeys(row.area for row in report.table))
    sheets = list(dict.fromkeys(row.sheet for row in report.table))
    cells = {
        (row.sheet, row.area): (f"{row.agrees}/{row.asked}" if row.asked else "-")
        + "*" * (row.skipped > 0)
        for row in report.table
    }
    width = max(map(len, sheets))
    widths = {
        area: max(len(area), *(len(cells.get((sheet, area), "")) for sheet in sheets))
        for area in areas
    }
    lines = [" ".join([" " * width, *(f"{area:>{widths[area]}}" for area in areas)])]
    for sheet in sheets:
        row = (f"{cells.get((sheet, area), ''):>{widths[area]}}" for area in areas)
        lines.append(" ".join([f"{sheet:<{width}}", *row]))
    return lines


def sum_lines(report: KitReport) -> Iterator[str]:
    """The sum of the answers, the reasons for those that are missing, and sheets that the kit does not have."""
    skipped = sum(row.skipped for row in report.table)
    not_asked = report.cases - report.asked - skipped
    missing = f"{pluralize(skipped, 'case')} skipped (*), {not_asked} not asked"
    program = report.program.program
    yield f"{sanitize_text(program)}: {report.agrees} of {pluralize(report.asked, 'answer')} as expected; {missing}."
    for reason in report.skips[:MOST_REASONS]:
        yield f"  skipped {pluralize(reason.cases, 'case')}: {sanitize_lines(reason.why)}"
    if len(report.skips) > MOST_REASONS:
        yield f"  and for {pluralize(len(report.skips) - MOST_REASONS, 'other reason')}"
    for sheet in report.unknown_sheets:
        yield f"  The handshake names the sheet {sanitize_text(sheet)}, which the kit does not have."


def disagreement_lines(case: Case, result: CaseResult) -> list[str]:
    """A case that was not answered as expected; of a long record the beginning, and where the whole is."""
    lines = [f"{case.id}: {case.about}"]
    if case.laws:
        lines.append(f"  laws      {', '.join(case.laws)}")
    given = msgspec.json.encode(case.given).decode()
    lines.append(f"  given     {given[:MOST_GIVEN_PRINTED]}")
    if len(given) > MOST_GIVEN_PRINTED:
        left = pluralize(len(given) - MOST_GIVEN_PRINTED, "character")
        lines.append(f"            and {left} more: the line of this case in {file_of(case)}")
    lines.append(f"  expected  {msgspec.json.encode(result.expected).decode()}")
    if "code" in case.expect:
        code = FINDING_CODES[case.expect["code"]]
        lines.append(f"  fault     {code.code}: {code.title}")
    if result.answer is not None:
        lines.append(f"  answered  {sanitize_text(msgspec.json.encode(result.answer).decode())}")
    if result.why is not None:
        lines.append(f"  but       {sanitize_lines(result.why)}")
    if case.twin is not None:
        lines.append(f"  twin      {case.twin} differs in one place and has another verdict")
    return lines


def badge(report: KitReport) -> str:
    """A small picture (SVG) that says how many of the cases asked were answered as expected."""
    left = f"Bezique kit {report.kit}"
    right = f"{report.agrees} of {report.asked}"
    colour = "#2d7d46" if report.conforms else "#a4452c"
    left_width, right_width = (round(6.6 * len(text)) + 14 for text in (left, right))
    width = left_width + right_width
    title = escape(f"{sanitize_text(report.program.program)}: {right} cases as expected")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<rect width="{width}" height="20" rx="3" fill="#444"/>'
        f'<rect x="{left_width}" width="{right_width}" height="20" rx="3" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left_width / 2:g}" y="14">{left}</text>'
        f'<text x="{left_width + right_width / 2:g}" y="14">{right}</text></g></svg>\n'
    )


# The JSON schema.

KIT_SCHEMA_FILE = "conformance.schema.json"


def kit_schema() -> dict[str, Any]:
    """The schema of a case; under `$defs` also those of an index, a request, the handshake, answers and a report."""
    kinds = (Case, KitIndex, Request, Hello, *ANSWER_SHAPES.values(), KitReport)
    (case, *_), definitions = msgspec.json.schema_components(kinds)
    title = "Bezique conformance kit, version 1"
    return finish_schema({**case, "$defs": definitions}, "conformance", title)


def main() -> None:
    """Write the schema beside the specification."""
    (SPEC_FOLDER / KIT_SCHEMA_FILE).write_bytes(encode_schema(kit_schema()))


if __name__ == "__main__":
    main()
