"""Single errors planted in a program that judges, of the kinds that authors of programs make.

The program is the tests' referee where the error is one of what it does, and this project's own where it is one of what it
takes a rulebook to say, of what it looks for, or of what it reads.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from types import ModuleType

from records.conformance.answers import FAULTS
from records.record import Record
from records.rules.registry import ALL_SHEETS, sheet_replaced
from records.rules.vocabulary import RuleSheet, SheetRules
from records.validator import check_record
from tests.exercised.mutated_source import mutated
from tests.records.conformance.refereed import Refereed, may_be_refereed, referee_says

SHEETS = tuple([sheet.id for sheet in ALL_SHEETS])
UNCHECKED = "demand(True, '')"
"""What a demand of the referee reads where it is not made."""


def sheets_where(holds: Callable[[SheetRules], bool]) -> tuple[str, ...]:
    """The sheets with tricks of whose rules something holds."""
    return tuple(
        [each.id for each in ALL_SHEETS if each.rules.tableau is None and holds(each.rules)]
    )


@dataclass(frozen=True)
class SourceChange:
    """A place in a module of the referee that reads otherwise; `old` stands there once."""

    module: ModuleType
    old: str
    new: str

    def within(self) -> AbstractContextManager[None]:
        return mutated(self.module, self.old, self.new)

    def says(self, record: Record) -> Refereed | None:
        """What the referee says; None of records that are not for it."""
        return referee_says(record) if may_be_refereed(record) else None


@dataclass(frozen=True)
class OwnChange:
    """A place in a module of this program that reads otherwise; `old` stands there once."""

    module: ModuleType
    old: str
    new: str

    def within(self) -> AbstractContextManager[None]:
        return mutated(self.module, self.old, self.new)

    def says(self, record: Record) -> Refereed:
        """What this program says."""
        return program_says(record)


@dataclass(frozen=True)
class SheetChange:
    """A sheet that says something else than its rulebook."""

    sheet: RuleSheet

    def within(self) -> AbstractContextManager[None]:
        return sheet_replaced(self.sheet)

    def says(self, record: Record) -> Refereed:
        """What this program says."""
        return program_says(record)


@dataclass(frozen=True)
class Unseen:
    """A kind of finding that the program does not know."""

    code: str

    def within(self) -> AbstractContextManager[None]:
        return nullcontext()

    def says(self, record: Record) -> Refereed:
        """What this program says without such findings."""
        return program_says(record, self)


@dataclass(frozen=True)
class Unread:
    """Something in a record that the program does not look at: it judges the record without it."""

    edit: Callable[[Record], Record]

    def within(self) -> AbstractContextManager[None]:
        return nullcontext()

    def says(self, record: Record) -> Refereed:
        """What this program says of the rest."""
        return program_says(self.edit(record))


def program_says(record: Record, unseen: Unseen | None = None) -> Refereed:
    """The verdict of this program, and the place of the first fault."""
    for finding in check_record(record).findings:
        if finding.severity in FAULTS and (unseen is None or finding.code != unseen.code):
            at = finding.at
            return Refereed(False, None if at.deal is None else (at.deal, at.event))
    return Refereed(True)


@dataclass(frozen=True)
class Planted:
    """An error in a program that judges records of a sheet: its name, its kind, and what the program does wrong."""

    sheet: str
    name: str
    kind: str
    says: str
    change: SourceChange | OwnChange | SheetChange | Unseen | Unread
