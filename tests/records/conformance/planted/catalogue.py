"""All planted errors."""

from tests.records.conformance.planted.match_errors import MATCH_ERRORS
from tests.records.conformance.planted.pile_errors import PILE_ERRORS
from tests.records.conformance.planted.planting import Planted
from tests.records.conformance.planted.sheet_errors import SHEET_ERRORS
from tests.records.conformance.planted.trick_errors import SOURCE_ERRORS

ERRORS: tuple[Planted, ...] = (*SOURCE_ERRORS, *MATCH_ERRORS, *SHEET_ERRORS, *PILE_ERRORS)
