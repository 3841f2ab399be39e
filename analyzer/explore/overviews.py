"""The questions that the page of a player and the page of a rule sheet are put together from."""

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from analyzer.db.store import Store
from analyzer.explore.answer import run_ask
from analyzer.explore.ask import Ask, Filter, read_filter
from analyzer.explore.catalogue import dimensions
from analyzer.explore.presets import from_address
from analyzer.questions import Answer

EVERYONE_SERIES = "everyone"


@dataclass(frozen=True, slots=True)
class OverviewQuestion:
    """A question of a page; `beside` sets everyone beside the player, `alike` takes one sheet only."""

    name: str
    title: str
    ask: Ask
    beside: bool
    alike: bool


@cache
def overview_questions(page: Literal["player", "sheet"]) -> tuple[OverviewQuestion, ...]:
    """The parts of a page, in their order."""
    text = (files("analyzer") / "explore" / "overviews.toml").read_text(encoding="utf-8")
    return tuple(_part(**part) for part in tomllib.loads(text)[page])


def limit_ask(ask: Ask, **values: str | None) -> Ask:
    """A question limited to these values of dimensions; those that are None say nothing."""
    found = [read_filter(dimensions()[name], [value]) for name, value in values.items() if value]
    return replace(ask, filters=_ordered([*ask.filters, *found]))


def compare_with_everyone(store: Store, ask: Ask, name: str) -> Answer:
    """The answer about one player, and everyone's beside it: a series each."""
    own = run_ask(store, limit_ask(ask, player=name))
    every = run_ask(store, ask)
    chart = replace(
        own.question.chart,
        kind=_kind(own),
        series=("who",),
        flags=frozenset(own.question.chart.flags - {"histogram"}),
    )
    labels = _labels(own, every)
    rows = [
        (who, *row)
        for who, found in ((name, own), (EVERYONE_SERIES, every))
        for row in found.rows
        if row[0] in labels
    ]
    question = replace(
        own.question, chart=chart, title=f"{own.question.title}: {name} beside everyone"
    )
    return replace(own, question=question, columns=("who", *own.columns), rows=rows)


def _kind(own: Answer) -> str:
    """Two histograms would hide each other: they become lines."""
    chart = own.question.chart
    return "scatter" if "histogram" in chart.flags else chart.kind


def _labels(own: Answer, every: Answer) -> set[Any]:
    """The values of the first dimension that are shown: the player's, or everyone's where he has none."""
    return {row[0] for row in own.rows or every.rows}


def _ordered(filters: list[Filter]) -> tuple[Filter, ...]:
    order = list(dimensions())
    return tuple(sorted(filters, key=lambda one: order.index(one.dimension.name)))


def _part(
    *, name: str, title: str, address: str, beside: bool = False, alike: bool = False
) -> OverviewQuestion:
    return OverviewQuestion(name, title, from_address(address), beside, alike)
