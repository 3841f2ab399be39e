"""Cases chosen for a rulebook of one's own: errors are planted in its values, one at a time, and what shows them is taken."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from records.conformance.answers import FAULTS, UnansweredError, case_of, given_bytes
from records.conformance.cases import Case, Feature
from records.conformance.rule_positions import Named, rule_positions
from records.conformance.sheet_errors import MistakenValue, mistaken_values
from records.conformance.unshown_errors import why_never
from records.errors import BeziqueError
from records.format import codec
from records.record import Record, Rules
from records.rules.inner_sheet import carry_sheet
from records.rules.registry import sheet_replaced
from records.rules.vocabulary import RuleOptionValue, RuleSheet
from records.selfplay import PlayingStyle, play_game
from records.validate.finding import Finding
from records.validator import check_record

STYLES: tuple[PlayingStyle, ...] = ("greedy", "random")
BEZIQUE = "bezique"
GAMES_BY_ERROR = 4
"""So many games of each style are played by the rulebook with an error."""

Caught = dict[str, str | None]
"""By the name of an error the id of a case that catches it, or None."""


def errors_to_catch(sheet: RuleSheet) -> list[MistakenValue]:
    """The errors that are planted: all but those that no record can show."""
    return [error for error in mistaken_values(sheet) if why_never(sheet, error.name) is None]


def choose_cases(
    sheet: RuleSheet, cases: Iterable[Case], *, on_error: Callable[[int], None] = lambda done: None
) -> tuple[list[Case], Caught]:
    """The cases to add to those of a rulebook of one's own, and what catches each error.

    `on_error` gets the number of errors planted so far after each of them.
    """
    choice, caught = _Choice(sheet, cases), Caught()
    for done, error in enumerate(errors_to_catch(sheet), 1):
        caught[error.name] = choice.catch(error)
        on_error(done)
    return choice.taken, caught


def _fault_of(record: Record) -> Finding | None:
    """The first finding that makes a record wrong."""
    findings = check_record(record).findings
    return next((finding for finding in findings if finding.severity in FAULTS), None)


def _is_right(record: Record) -> bool:
    return _fault_of(record) is None


class _CheckedRecord(NamedTuple):
    """A record with its name, and whether it is right by the rulebook."""

    name: str
    record: Record
    right: bool

    def differs(self) -> bool:
        """Whether it is judged otherwise by what is known now."""
        try:
            return _is_right(self.record) != self.right
        except (BeziqueError, ArithmeticError, AssertionError, LookupError, ValueError):
            # A program that stumbles gives no verdict.
            return True


class _Choice:
    """The cases that a rulebook has, with what was taken, the last that caught something first."""

    def __init__(self, sheet: RuleSheet, cases: Iterable[Case]) -> None:
        self.sheet, self.taken = sheet, list[Case]()
        self._positions = dict[str, list[_CheckedRecord]]()
        self._known = [_of_case(case) for case in cases if case.area in ("games", "mutants")]

    def _positions_with(self, options: Mapping[str, RuleOptionValue]) -> list[_CheckedRecord]:
        """The positions by these options, which change nothing of most melds."""
        key = repr(options)
        if key not in self._positions:
            rules = Rules(id=self.sheet.id, options=dict(options))
            self._positions[key] = [
                _CheckedRecord(f"{name}-{_plain(key)}" if options else name, one, _is_right(one))
                for name, record in rule_positions(self.sheet)
                if not options or not name.startswith("meld-") or BEZIQUE in name
                for one in (replace(record, rules=rules),)
            ]
        return self._positions[key]

    def catch(self, error: MistakenValue) -> str | None:
        """The id of a case that catches an error, taken now if there was none."""
        positions = self._positions_with(error.options)
        with sheet_replaced(error.sheet):
            at = next((at for at, one in enumerate(self._known) if one.differs()), None)
            position = None if at is not None else next((p for p in positions if p.differs()), None)
        if at is not None:
            self._known.insert(0, self._known.pop(at))
            return self._known[0].name
        if position is not None:
            return self._take(
                "twins", position.name, position.record, "A position in which programs err."
            )
        return next(self._played(error), None)

    def _played(self, error: MistakenValue) -> Iterator[str]:
        """Games by the rulebook with the options of an error, and games by the error, as far as the rulebook allows."""
        for name, record in _games(error):
            judged = _CheckedRecord(name, record, _is_right(record))
            with sheet_replaced(error.sheet):
                differs = judged.differs()
            if differs:
                area = "games" if judged.right else "mutants"
                yield self._take(area, name, record, f"A deal of programs with an error: {error.says}")  # fmt: skip

    def _take(self, area: str, name: str, record: Record, about: str) -> str:
        carried = replace(record, rules=Rules(id=self.sheet.id, options=record.rules.options))
        carry_sheet(carried.rules)
        case = case_of(self.sheet, name, area, carried, about)
        case.features = _features(record)
        self.taken.append(case)
        self._known.insert(0, _of_case(case))
        return case.id


def _features(record: Record) -> list[Feature]:
    found: dict[Feature, bool] = {
        "setup": any(deal.setup is not None for deal in record.deals),
        "options": bool(record.rules.options),
    }
    return [feature for feature, is_so in found.items() if is_so]


def _of_case(case: Case) -> _CheckedRecord:
    """A case as it is judged by the sheet that this process knows, not by the one inside."""
    record = codec.decode(given_bytes(case.given)).record
    if record is None:
        raise UnansweredError(f"{case.id} has no record.")
    rules = Rules(id=record.rules.id, options=record.rules.options)
    return _CheckedRecord(case.id, replace(record, rules=rules), case.expect["right"])


def _games(error: MistakenValue) -> Iterator[Named]:
    """Games with the options of an error: by the rulebook, then by the rulebook with the error, cut after the first fault."""
    for seed in range(GAMES_BY_ERROR):
        for style in STYLES:
            name = f"by-{_plain(error.name)}-{style}-{seed}"
            if error.options and seed == 0:
                yield from _game(f"{name}-right", error, seed, style)
            with sheet_replaced(error.sheet):
                played = [*_game(name, error, seed, style)]
            yield from ((name, _cut(record)) for name, record in played)


def _game(name: str, error: MistakenValue, seed: int, style: PlayingStyle) -> Iterator[Named]:
    # By some errors no game can be played at all.
    with suppress(BeziqueError, ArithmeticError, AssertionError, LookupError, ValueError):
        record = play_game(
            error.sheet.id, seed=3000 + seed, deals=1, style=style, options=error.options, where=seed % 2 == 1
        )  # fmt: skip
        yield name, replace(record, meta=None, provenance=None)


def _cut(record: Record) -> Record:
    """The record as far as its first fault."""
    fault = _fault_of(record)
    if fault is None or fault.at.deal is None or fault.at.event is None:
        return record
    deal = record.deals[fault.at.deal]
    short = replace(deal, events=deal.events[: fault.at.event + 1], claims=None)
    return replace(record, deals=[*record.deals[: fault.at.deal], short], result=None)


def _plain(name: str) -> str:
    return re.sub(r"\W+", "-", name).strip("-").lower()
