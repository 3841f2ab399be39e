"""One damaged game: is it really wrong, is it found, and where."""

from collections import Counter

from records.validate.finding import Finding
from records.validator import check_record
from tests.make.tables import assert_told_apart
from tests.playouts.asserts import BAD
from tests.playouts.mutants import Mutant
from tests.playouts.referee import Judgement, judge


def bad(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity in BAD]


def is_located(mutant: Mutant, findings: list[Finding]) -> bool:
    """Whether a finding is at the place that was changed, or names it as the earliest cause."""
    return any(
        (finding.at.deal, finding.at.event) == (mutant.deal, mutant.event)
        or finding.since == (mutant.deal, mutant.event)
        for finding in findings
    )


def examine(name: str, mutant: Mutant, known: Judgement | None, tally: Counter[str]) -> str | None:
    """Hold the validator's findings against the referee's judgement; what they differ in, if they do."""
    judgement = judge(mutant.record, like=known)
    findings = check_record(mutant.record).findings
    assert_told_apart(findings)
    found = bad(findings)
    tally["made"] += 1
    if not judgement.right:
        tally["wrong"] += 1
        tally["found"] += bool(found)
        tally["located"] += is_located(mutant, found)
    if bool(found) == (not judgement.right):
        return None
    said = [(finding.code, finding.at) for finding in found]
    return f"{name} at {mutant.deal}, {mutant.event}: {judgement.why or 'legal'}, but found {said}"
