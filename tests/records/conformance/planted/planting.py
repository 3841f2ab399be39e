"""Single errors planted in the tests' referee, of the kinds that authors of programs make."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from types import ModuleType
from unittest.mock import patch

import msgspec

from records.record import Rules
from records.rules.registry import ResolvedSheet, get_sheet, resolve_rules
from records.rules.vocabulary import RuleSheet
from tests.exercised.mutated_source import mutated
from tests.playouts import referee
from tests.records.rules.changed_sheets import with_member, with_rules

SHEETS = ("marjolet", "bezique", "rubicon-bezique", "zique", "zetema")
"""The sheets for whose referee errors are planted."""
UNCHECKED = "demand(True, '')"
"""What a demand of the referee reads where it is not made."""


@dataclass(frozen=True)
class SourceChange:
    """A place in a module of the referee that reads otherwise; `old` stands there once."""

    module: ModuleType
    old: str
    new: str

    def within(self, sheet: str) -> AbstractContextManager[None]:
        return mutated(self.module, self.old, self.new)


@dataclass(frozen=True)
class SheetChange:
    """A sheet that says something else than its rulebook."""

    change: Callable[[RuleSheet], RuleSheet]

    @contextmanager
    def within(self, sheet: str) -> Iterator[None]:
        def resolved(rules: Rules) -> ResolvedSheet:
            found = resolve_rules(rules)
            return replace(found, sheet=self.change(found.sheet)) if rules.id == sheet else found

        with patch.object(referee, "resolve_rules", resolved):
            yield


@dataclass(frozen=True)
class Planted:
    """An error in the referee of one sheet: its name, its kind, and what the program does wrong."""

    sheet: str
    name: str
    kind: str
    says: str
    change: SourceChange | SheetChange

    def within(self) -> AbstractContextManager[None]:
        """A context in which the referee has this error."""
        return self.change.within(self.sheet)


def field(path: str, value: object) -> SheetChange:
    """A field of the sheet with another value."""
    return SheetChange(lambda sheet: with_member(sheet, path, value))


def meld_points(words: str, points: int) -> SheetChange:
    """A line of the table of melds with other points."""

    def change(sheet: RuleSheet) -> RuleSheet:
        assert any(row.words == words for row in sheet.rules.melds), words
        rows = [
            msgspec.structs.replace(row, points=points) if row.words == words else row
            for row in sheet.rules.melds
        ]
        return with_rules(sheet, melds=tuple(rows))

    return SheetChange(change)


def wrong_points(sheet: str, wrong: dict[str, int]) -> list[Planted]:
    """An error for each line of the table of melds, with the points that a program may give by mistake."""
    rows = {row.words: row.points for row in get_sheet(sheet).rules.melds}
    assert all(rows[words] != points for words, points in wrong.items())
    return [
        Planted(
            sheet,
            f"points-{words.replace(' ', '-')}",
            "points",
            f"{words.capitalize()}: {points} instead of {rows[words]}.",
            meld_points(words, points),
        )
        for words, points in wrong.items()
    ]
