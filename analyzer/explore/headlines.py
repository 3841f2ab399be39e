"""The answer to a stored question in a sentence with its uncertainty, from the same question asked of Explore."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.db.store import Store
from analyzer.explore.answer import SIGNED_METRICS, run_ask
from analyzer.explore.ask import Ask
from analyzer.explore.overviews import limit_ask
from analyzer.explore.presets import from_address
from analyzer.questions import Answer, QuestionFilters
from records.phrases import pluralize
from records.rules.registry import ALL_SHEETS
from records.validate.codes.all_codes import FINDING_CODES

FEWEST_UNITS = 20
"""Of fewer a sentence would say nothing."""
SELECT_BUSIEST_SHEET = """
    SELECT sheet FROM deals WHERE clean OR $every GROUP BY sheet ORDER BY count(*) DESC, sheet LIMIT 1
"""
GAME_WIDE = ("findings", "legal_records")
"""Metrics that are told of all rulebooks together."""


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of the answer: written, it is its value with its interval."""

    x: str
    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return _number(self.value)
        return f"{_number(self.value)} ({_number(self.low)} to {_number(self.high)})"


def headline(store: Store, answer: Answer) -> str:
    """The answer in a sentence; of too few units it says that. Raises QueryTimeout."""
    if answer.n < FEWEST_UNITS:
        return (
            f"Only {answer.basis}: too few to answer this."
            if answer.n
            else "Nothing is stored that could answer this."
        )
    ask = from_address(answer.question.headline)
    sheet = answer.filters.sheet or _busiest_sheet(store, ask, answer.filters)
    found = run_ask(store, _limited(ask, sheet, answer.filters))
    groups = _groups(ask, found)
    if not groups:
        return "Too few of each group are stored to answer this."
    said = _sentence(answer.question.says, groups)
    where = _sheet_words(sheet, chosen=answer.filters.sheet is not None) if sheet else ""
    basis = pluralize(found.n, found.question.over_one, found.over)
    interval = ", with 95 % intervals" if any(group.low is not None for group in groups) else ""
    return f"{where}{said[:1].lower() + said[1:] if where else said} (From {basis}{interval}.)"


def _sentence(says: str, groups: Sequence[_Group]) -> str:
    """The sentence of a question with its groups; what it would compare must be two groups that differ."""
    by_value = sorted(groups, key=lambda group: group.value)
    least, most = by_value[0], by_value[-1]
    if "{least" in says or "{last" in says:
        if len(groups) == 1:
            return f"There is only one group with enough to count, {most.x}: {most}."
        if _number(least.value) == _number(most.value):
            return f"All {len(groups)} groups are alike: {_number(most.value)}."
    return says.format(only=groups[0], first=groups[0], last=groups[-1], most=most, least=least)


def _limited(ask: Ask, sheet: str | None, filters: QuestionFilters) -> Ask:
    limited = limit_ask(ask, sheet=sheet)
    return Ask(limited.metric, limited.by, limited.split, limited.filters, filters.every)


def _busiest_sheet(store: Store, ask: Ask, filters: QuestionFilters) -> str | None:
    """The sheet played most; None where the sentence is about all."""
    if ask.metric.name in GAME_WIDE:
        return None
    rows = store.answer(SELECT_BUSIEST_SHEET, {"every": filters.every}).rows
    return str(rows[0][0]) if rows else None


def _sheet_words(sheet: str, *, chosen: bool) -> str:
    name = next(known.name for known in ALL_SHEETS if known.id == sheet)
    return f"In {name}: " if chosen else f"In {name}, the rulebook played most: "


def _groups(ask: Ask, found: Answer) -> Sequence[_Group]:
    """The groups with enough units, in their order."""
    value, by = ask.metric.name, ask.by.name if ask.by else ""
    return [
        _Group(_words(by, row.get(by)), row[value], _low_end(value, row["low"]), row["high"])
        for row in found.dicts()
        if row[value] is not None and row["n"] >= FEWEST_UNITS
    ]


def _low_end(metric: str, low: float | None) -> float | None:
    """The lower end of an interval, not below zero for what cannot be."""
    return low if low is None or metric in SIGNED_METRICS else max(low, 0.0)


def _words(by: str, value: Any) -> str:
    """The name of a group as a sentence has it."""
    if by == "code" and value in FINDING_CODES:
        return FINDING_CODES[value].title
    return str(value).replace("_", " ")


def _number(value: float) -> str:
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"
