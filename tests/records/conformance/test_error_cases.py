"""The cases of a rulebook of one's own catch nearly every error in its values."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from records.conformance.answers import OWN_ANSWERS
from records.conformance.cases import Case
from records.conformance.error_cases import Caught, choose_cases, errors_to_catch
from records.conformance.own_cases import not_covered, own_cases
from records.record import Rules
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import sheet_replaced
from records.rules.vocabulary import RuleSheet
from records.validate.finding import WRONG_VERDICTS
from records.validator import check_record
from tests.records.conformance.confirming import record_given

pytestmark = pytest.mark.slow
RULEBOOKS = Path(__file__).parents[3] / "samples" / "rulebooks"
FOR_TWO = ("marjolet-house-points", "bezique-four-tens", "eight-pack-bezique")
GAMES = 4
MOST_MISSED = 0.06
"""So large a share of the errors may be caught by no case: the page that is written names them."""


@pytest.fixture(scope="module", params=FOR_TWO)
def chosen(request: pytest.FixtureRequest) -> Iterator[tuple[RuleSheet, list[Case], Caught]]:
    sheet = read_own_sheet((RULEBOOKS / f"{request.param}.toml").read_bytes(), toml=True)
    with sheet_replaced(sheet):
        cases = [*own_cases(sheet, GAMES)]
        taken, caught = choose_cases(sheet, cases)
        yield sheet, [*cases, *taken], caught


def test_nearly_every_error_is_caught_by_few_cases(chosen):
    sheet, cases, caught = chosen
    assert caught.keys() == {error.name for error in errors_to_catch(sheet)}
    missed = [name for name, case in caught.items() if case is None]
    assert len(missed) <= len(caught) * MOST_MISSED, missed
    assert len({case.id for case in cases}) == len(cases) < 400


def test_what_is_taken_is_answered_as_expected_and_shows_the_error(chosen):
    sheet, cases, caught = chosen
    by_id = {case.id: case for case in cases}
    for case in cases:
        if case.features:
            assert OWN_ANSWERS[case.ask](case.given) == case.expect, case.id
            assert case.given["record"]["rules"]["sheet"]["id"] == sheet.id
    for error in errors_to_catch(sheet)[::9]:
        case = by_id.get(caught[error.name] or "")
        if case is not None:
            record = record_given(case)
            rules = Rules(id=sheet.id, options=record.rules.options)
            right = None
            # By some errors nobody can even play: a program that stumbles gives no verdict.
            with sheet_replaced(error.sheet), suppress(LookupError):
                right = check_record(replace(record, rules=rules)).verdict not in WRONG_VERDICTS
            assert right != case.expect["right"], error.name


def test_the_page_tells_what_catches_each_error(chosen):
    sheet, _, caught = chosen
    page = not_covered(sheet, caught)
    for name, case in caught.items():
        line = next(line for line in page.splitlines() if f"`{name}`" in line)
        assert line.startswith(f"| `{case.partition('/')[2]}`" if case else "No record was found")
