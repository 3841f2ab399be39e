"""All planted errors."""

from functools import cache

from records.conformance.cases import kit_folder, read_kit
from records.rules.registry import get_sheet
from tests.records.conformance.planted.clause_errors import CLAUSE_ERRORS
from tests.records.conformance.planted.match_errors import MATCH_ERRORS
from tests.records.conformance.planted.pile_errors import PILE_ERRORS
from tests.records.conformance.planted.planting import SHEETS, Planted, Unseen
from tests.records.conformance.planted.trick_errors import SOURCE_ERRORS
from tests.records.conformance.planted.unread_errors import UNREAD_ERRORS
from tests.records.conformance.planted.value_errors import value_errors


@cache
def planted_errors() -> tuple[Planted, ...]:
    """Every error of every sheet; that of not looking for what is wrong is planted for each code of the stored kit."""
    values = [error for sheet in SHEETS for error in value_errors(get_sheet(sheet))]
    found = sorted(
        {
            (case.sheet, case.expect["code"])
            for case in read_kit(kit_folder())
            if "code" in case.expect and case.sheet in SHEETS
        }
    )
    unseen = [unseen_error(sheet, code) for sheet, code in found]
    return (
        *SOURCE_ERRORS,
        *MATCH_ERRORS,
        *PILE_ERRORS,
        *UNREAD_ERRORS,
        *CLAUSE_ERRORS,
        *values,
        *unseen,
    )


def unseen_error(sheet: str, code: str) -> Planted:
    """The error of a program that never looks for what a code tells."""
    return Planted(
        sheet, f"no-{code}", "findings", f"Nothing is ever found to be `{code}`.", Unseen(code)
    )
