"""A stored record's report, and the step of the replay at which each of its findings is seen."""

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from records.engine.copies.reading_budget import ReadingBudget
from records.record import Record
from records.replay import Frame, Match, replay
from records.rules.registry import ResolvedSheet
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import Validator

READING_STEPS_TO_FIND_STEPS = 2_000
"""An upload shows many records beside each other, and each may have a finding whose step must be found."""

CODES_OF_SEARCHES = ("too-many-completions", "no-legal-completion", "undetermined")
"""Findings on a deal as a whole that no step of the replay has: they are seen at its start."""


@dataclass(frozen=True, slots=True)
class CheckedRecord:
    """A report, and by finding on a deal its step: 0 is the deal, the last one is the deal's end."""

    report: Report
    steps: dict[Finding, int]


def step_of_finding(finding: Finding, steps: Callable[[], dict[Finding, int]]) -> int | None:
    """The step at which a finding is seen: step 0 is the deal, step n follows event n, counted from 1.

    Only a finding on a deal as a whole asks for the `steps` of all, as it may be seen at the deal's start or at its
    end. None for a finding on no deal.
    """
    at = finding.at
    if at.deal is None:
        return None
    if at.event is not None:
        return at.event + 1
    return 0 if finding.code in CODES_OF_SEARCHES else steps().get(_without_line(finding), 0)


def find_steps(record: Record, resolved: ResolvedSheet) -> dict[Finding, int]:
    """The step of each finding of the replay alone, at little cost: nothing is searched."""
    match = Match(record, resolved, budget=ReadingBudget(READING_STEPS_TO_FIND_STEPS))
    steps: dict[Finding, int] = {}
    for frame in replay(record, match=match, findings_only=True, few_readings=True):
        _note_steps(frame, steps)
    return steps


def check_opened_record(
    record: Record, text_findings: list[Finding], *, digest: str, line: int | None
) -> CheckedRecord:
    """Check a record in one replay; `text_findings` come from reading its text, `line` counts from 1."""
    validator = Validator(record, line=line)
    steps: dict[Finding, int] = {}
    if validator.match is not None:
        for frame in replay(record, match=validator.match, findings_only=True, few_readings=True):
            validator.see(frame)
            _note_steps(frame, steps)
    report = validator.report()
    report.digest = digest
    report.put_first(text_findings)
    return CheckedRecord(report, steps)


def _note_steps(frame: Frame, steps: dict[Finding, int]) -> None:
    for finding in frame.findings:
        steps.setdefault(_without_line(finding), frame.index + 1)


def _without_line(finding: Finding) -> Finding:
    """The finding as the replay has it: the report adds the line."""
    return replace(finding, at=replace(finding.at, line=None))
