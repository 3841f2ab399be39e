"""The page of findings says which code comes first where one thing has several faults, and so it is."""

import pytest

from records.documents.findings_page import FAULT_ORDER
from records.record import Record
from records.validate.codes import FINDING_CODES
from records.validator import check_record
from tests.records.conformance.several_faults import (
    EVENTS,
    TwoFaults,
    of_whole_deals,
    told,
    two_faults,
)

WHOLE_DEALS = of_whole_deals()


def faults(record: Record) -> list[str]:
    """The codes of what is wrong, in the order of the report."""
    found = check_record(record).findings
    return [each.code for each in found if each.severity in ("illegal", "mismatch")]


@pytest.mark.parametrize("each", EVENTS, ids=lambda each: f"{each.row}-{each.first}-{each.other}")
def test_the_first_of_two_faults_is_told_first(each: TwoFaults):
    codes = faults(two_faults(each))
    assert codes[0] == each.first, codes
    if each.alone is None:
        assert each.other in codes
    else:
        # By another sheet where this one does not have the thing at all.
        sheet = "bezique" if each.first == "dix-not-in-rules" else each.sheet
        assert faults(told(*each.alone, sheet))[0] == each.other
    order = FAULT_ORDER[each.row]
    assert order.index(each.first) < order.index(each.other)


@pytest.mark.parametrize(("row", "first", "other", "record"), WHOLE_DEALS)
def test_the_first_of_two_faults_of_a_deal_is_told_first(row, first, other, record):
    codes = faults(record)
    assert codes[0] == first, codes
    assert other in codes
    assert FAULT_ORDER[row].index(first) < FAULT_ORDER[row].index(other)


def test_every_row_is_tried_and_every_code_exists():
    assert {each.row for each in EVENTS} | {row for row, *_ in WHOLE_DEALS} == set(FAULT_ORDER)
    codes = {code for row in FAULT_ORDER.values() for code in row}
    assert codes <= FINDING_CODES.keys()
    judged = {c for c, row in FINDING_CODES.items() if row.severity in ("illegal", "mismatch")}
    assert judged - codes == {"no-legal-completion"}
