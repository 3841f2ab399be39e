"""Records for finding codes of which the kit has too few: what each code tells, alone, with a twin that is right."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from records.conformance.cases import Case
from records.record import Record
from records.rules.vocabulary import RuleSheet
from records.validator import check_record
from tests.records.conformance.candidates import Candidate
from tests.records.conformance.case_making import case_of
from tests.records.conformance.law_twins import FAULTS, fault_of
from tests.records.conformance.one_change import as_json, neighbours, the_change

EACH = 2
"""Every code stands so often in a kit."""
MOST_NEIGHBOURS = 400


def code_cases(sheet: RuleSheet, cases: list[Case], records: Iterable[Record]) -> Iterator[Case]:
    """For every code that some record shows alone, as many cases as the kit lacks; the first with its twin, if it has one."""
    have = Counter(case.expect["code"] for case in cases if "code" in case.expect)
    twins = {case.expect["code"] for case in cases if case.twin and "code" in case.expect}
    seen = {repr(case.given.get("record")) for case in cases}
    for record in records:
        if repr(as_json(record)) in seen:
            continue
        codes = {
            finding.code for finding in check_record(record).findings if finding.severity in FAULTS
        }
        if len(codes) != 1 or len(record.deals) > 2:
            continue
        (code,) = codes
        if have[code] >= EACH and code in twins:
            continue
        right = None if code in twins else _right(record)
        if have[code] >= EACH and right is None:
            continue
        name = f"{code}-{have[code]}"
        have[code] += 1
        twins |= {code} if right else set()
        yield _case(
            sheet,
            f"{name}-wrong",
            f"A record with the fault `{code}`.",
            record,
            right and f"{name}-right",
        )
        if right is not None:
            yield _case(
                sheet, f"{name}-right", f"The same without `{code}`.", right, f"{name}-wrong"
            )


def _right(record: Record) -> Record | None:
    """A record that differs in one place and is right."""
    return next(
        (
            other
            for other in islice(neighbours(record), MOST_NEIGHBOURS)
            if fault_of(other) is None and the_change(as_json(record), as_json(other)) is not None
        ),
        None,
    )


def _case(sheet: RuleSheet, name: str, about: str, record: Record, twin: str | None) -> Case:
    case = case_of(Candidate(name, "odd", about, record, twin=twin))
    case.confirmed = case.confirmed or ["text"]
    return case
