"""What a run of the kit came to: a table by sheet and area, a report as JSON, and a badge."""

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import Literal

import msgspec

from records.conformance.cases import KIT_VERSION, OTHER_CASES, Case, file_of
from records.conformance.kit_run import CaseOutcome, CaseResult
from records.conformance.protocol import Hello
from records.phrases import pluralize
from records.rules.registry import ALL_SHEETS
from records.safe_text import sanitize_lines, sanitize_text
from records.validate.codes.all_codes import FINDING_CODES

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
    rows = list(counts.values())
    known = {sheet.id for sheet in ALL_SHEETS}
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
