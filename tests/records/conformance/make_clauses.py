"""Writes the cases of single clauses into the stored kit, and leaves all others: `python -m tests.records.conformance.make_clauses`.

They are made apart from the choice of the other cases, as `tests.records.conformance.make` does it, too.
"""

from collections.abc import Iterable

from records.conformance.cases import Case, read_kit, write_kit
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from tests.records.conformance.choosing import Choice
from tests.records.conformance.clause_cases import PREFIX, clause_cases
from tests.records.conformance.make import KIT, catch_clauses
from tests.records.conformance.planted.catalogue import planted_errors
from tests.records.conformance.planted.page import Catches, read_page, write_page


def main() -> None:
    """Write the kit and the page of planted errors."""
    caught = read_page()
    stored = [case for case in read_kit(KIT) if not case.id.split("/")[2].startswith(PREFIX)]
    cases: list[Case] = []
    for sheet in ALL_SHEETS:
        own = [case for case in stored if case.sheet == sheet.id]
        made = [*clause_cases(sheet)]
        cases += [*own, *made]
        caught |= _catches(sheet, own, made, caught)
    write_kit(KIT, [*cases, *(case for case in stored if case.sheet is None)])
    planted_errors.cache_clear()
    wanted = {(error.sheet, error.name) for error in planted_errors()}
    write_page({name: catch for name, catch in caught.items() if name in wanted})


def _catches(sheet: RuleSheet, own: list[Case], made: Iterable[Case], before: Catches) -> Catches:
    choice = Choice(sheet, own, for_referee=list, before=before)
    choice.add(made)
    return catch_clauses(sheet, choice, before)


if __name__ == "__main__":
    main()
