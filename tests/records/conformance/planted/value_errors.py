"""Errors in what a program believes a rulebook to say, planted: every value of a sheet's data changed, one at a time."""

from collections.abc import Iterator

from records.conformance.sheet_errors import MistakenValue, mistaken_values
from records.conformance.unshown_errors import why_never
from records.rules.vocabulary import RuleSheet
from tests.records.conformance.planted.planting import Planted, SheetChange


def value_errors(sheet: RuleSheet) -> Iterator[Planted]:
    """Every error in a value that a record may show."""
    return (
        _planted(sheet, one) for one in mistaken_values(sheet) if not why_never(sheet, one.name)
    )


def unshown_errors(sheet: RuleSheet) -> Iterator[Planted]:
    """Those of which it is said that no record shows them, and which are therefore not planted."""
    return (_planted(sheet, one) for one in mistaken_values(sheet) if why_never(sheet, one.name))


def _planted(sheet: RuleSheet, error: MistakenValue) -> Planted:
    return Planted(sheet.id, error.name, error.kind, error.says, SheetChange(error.sheet))
