"""What all formats have in common: they tell one record after another, and keep none."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from records.codec import TextPlace, find_text_places
from records.validate.finding import Finding, Severity
from records.validate.report import Report
from webui.cli.sources import InputRecord

EXIT_FINE, EXIT_FINDINGS, EXIT_UNREADABLE = 0, 1, 2
WRONG_SEVERITIES: tuple[Severity, ...] = ("unreadable", "illegal", "mismatch", "warning")
"""Findings of these severities make the exit status 1; notes do not."""


class FindingTally:
    """Counts of verdicts and findings over all records so far, and of files that cannot be read."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.codes: Counter[tuple[str, str]] = Counter()
        self.missing = 0

    def add(self, report: Report) -> None:
        """Count one more report."""
        self.verdicts[report.verdict] += 1
        self.codes.update((finding.code, finding.severity) for finding in report.findings)

    def status(self) -> int:
        """The exit status for these counts."""
        if self.verdicts["unreadable"] or self.missing:
            return EXIT_UNREADABLE
        return (
            EXIT_FINDINGS
            if any(severity in WRONG_SEVERITIES for _, severity in self.codes)
            else EXIT_FINE
        )


class Reporter(Protocol):
    """Tells reports in one format, line by line."""

    def begin(self) -> Iterator[str]:
        """What comes before the first record."""

    def tell(self, input_record: InputRecord, report: Report) -> Iterator[str]:
        """The lines for one record."""

    def end(self, tally: FindingTally) -> Iterator[str]:
        """What comes after the last record."""


def text_places(input_record: InputRecord, findings: Sequence[Finding]) -> list[TextPlace | None]:
    """Where in its file each finding of a record is; only the line, in column 1, where a damaged line tells no more."""
    entry = input_record.entry
    found = find_text_places(entry.data, findings, first_line=entry.line or 1)
    return [
        TextPlace(entry.line, 1) if place is None and entry.line is not None else place
        for place in found
    ]
