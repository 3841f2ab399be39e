"""What a run of the kit came to: a table by sheet and area, a report as JSON, and a badge."""

from collections.abc import Sequence
from html import escape
from typing import Literal

import msgspec

from records.conformance.cases import KIT_VERSION, Case
from records.conformance.kit_run import CaseOutcome, CaseResult
from records.conformance.protocol import Hello

OTHER_SHEET = "format"
"""Where the cases that are of no sheet are counted."""


class AreaCount(msgspec.Struct, kw_only=True):
    """How the cases of one area of one sheet came out."""

    sheet: str
    area: str
    agrees: int = 0
    asked: int = 0
    skipped: int = 0
    not_asked: int = 0


class KitReport(msgspec.Struct, kw_only=True):
    """The results of one run: `asked` cases were answered or should have been."""

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

    @property
    def conforms(self) -> bool:
        """Whether every case that was asked was answered as expected, and any was."""
        return self.asked == self.agrees > 0


def report_on(hello: Hello, cases: Sequence[Case], results: Sequence[CaseResult]) -> KitReport:
    """The report on a run."""
    counts: dict[tuple[str, str], AreaCount] = {}
    for case, result in zip(cases, results, strict=True):
        sheet = case.sheet or OTHER_SHEET
        count = counts.setdefault((sheet, case.area), AreaCount(sheet=sheet, area=case.area))
        _count(count, result.outcome)
    rows = list(counts.values())
    return KitReport(
        program=hello,
        cases=len(cases),
        asked=sum(row.asked for row in rows),
        agrees=sum(row.agrees for row in rows),
        table=rows,
        failures=[result for result in results if result.outcome in ("differs", "no answer")],
    )


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
    """The results by sheet and area: `12/14` means that 12 of 14 answers agree; what was not asked is a dash."""
    areas = list(dict.fromkeys(row.area for row in report.table))
    sheets = list(dict.fromkeys(row.sheet for row in report.table))
    cells = {
        (row.sheet, row.area): f"{row.agrees}/{row.asked}" if row.asked else "-"
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


def disagreement_lines(case: Case, result: CaseResult) -> list[str]:
    """A case that was not answered as expected, in full."""
    lines = [f"{case.id}: {case.about}"]
    if case.laws:
        lines.append(f"  laws      {', '.join(case.laws)}")
    lines.append(f"  given     {msgspec.json.encode(case.given).decode()}")
    lines.append(f"  expected  {msgspec.json.encode(result.expected).decode()}")
    if result.answer is not None:
        lines.append(f"  answered  {msgspec.json.encode(result.answer).decode()}")
    if result.why is not None:
        lines.append(f"  but       {result.why}")
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
    title = escape(f"{report.program.program}: {right} cases as expected")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<rect width="{width}" height="20" rx="3" fill="#444"/>'
        f'<rect x="{left_width}" width="{right_width}" height="20" rx="3" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left_width / 2:g}" y="14">{left}</text>'
        f'<text x="{left_width + right_width / 2:g}" y="14">{right}</text></g></svg>\n'
    )
