"""What the pages say in single sentences is so, and the kit has a case for each."""

import pytest

from records.conformance.answers import describe_report
from records.conformance.cases import kit_folder, read_kit
from records.rules.registry import ALL_SHEETS
from records.validator import check_record
from tests.records.conformance.said_cases import Said, said, said_cases


@pytest.mark.parametrize("one", list(said()), ids=lambda one: f"{one.sheet}-{one.name}")
def test_it_is_as_the_pages_say(one: Said):
    told = describe_report(check_record(one.record))
    assert told["verdict"] == one.verdict
    assert (told.get("code"), told.get("at")) == (one.code, None if one.at is None else [*one.at])


def test_the_kit_has_every_one():
    kit = {case.id: case for case in read_kit(kit_folder())}
    cases = [case for sheet in ALL_SHEETS for case in said_cases(sheet)]
    assert len({case.id for case in cases}) == len(cases)
    for case in cases:
        assert kit[case.id] == case
