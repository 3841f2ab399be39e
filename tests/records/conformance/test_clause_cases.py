"""Every clause is as the cases say, wrong and right twins differ in one place, and the kit has each."""

import pytest

from records.conformance.answers import describe_report
from records.conformance.cases import kit_folder, read_kit
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from records.validator import check_record
from tests.records.conformance.clause_cases import PREFIX, clause_cases, clauses


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_every_clause_is_judged_as_the_pages_say(sheet: RuleSheet):
    for one in clauses(sheet):
        told = describe_report(check_record(one.record))
        fault = None if told["right"] else (told["code"], *told["at"])
        assert fault == one.fault, one.name
        assert one.mended is None or describe_report(check_record(one.mended))["right"], one.name


@pytest.mark.long
def test_the_kit_has_every_one():
    kit = {
        case.id: case for case in read_kit(kit_folder()) if case.id.split("/")[2].startswith(PREFIX)
    }
    made = {case.id: case for sheet in ALL_SHEETS for case in clause_cases(sheet)}
    assert made == kit
