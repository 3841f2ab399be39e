"""A stored record's report, and the step of the replay at which each of its findings is seen."""

from dataclasses import dataclass

from msgspec.structs import replace

from records.record import Record
from records.replay import replay
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import Validator


@dataclass(frozen=True, slots=True)
class CheckedRecord:
    """A report, and by finding on a deal its step: 0 is the deal, the last one is the deal's end."""

    report: Report
    steps: dict[Finding, int]

    def step_of(self, finding: Finding) -> int:
        """The step at which a finding on a deal is seen; the first one where the replay has none."""
        return self.steps.get(_without_line(finding), 0)


def check_opened_record(
    record: Record, text_findings: list[Finding], *, digest: str, line: int | None
) -> CheckedRecord:
    """Check a record in one replay; `text_findings` come from reading its text, `line` counts from 1."""
    validator = Validator(record, line=line)
    steps: dict[Finding, int] = {}
    if validator.match is not None:
        for frame in replay(record, match=validator.match, only=()):
            validator.see(frame)
            for finding in frame.findings:
                steps.setdefault(_without_line(finding), frame.index + 1)
    report = validator.report()
    report.digest = digest
    report.put_first(text_findings)
    return CheckedRecord(report, steps)


def _without_line(finding: Finding) -> Finding:
    """The finding as the replay has it: the report adds the line."""
    return replace(finding, at=replace(finding.at, line=None))
