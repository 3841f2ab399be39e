"""The questions on the page of a player and on the page of a rule sheet."""

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
    """A question of a page; `beside` compares the player with everyone, `alike` takes one sheet only.

    `mixes` says why a question may take all sheets together.
    """

    name: str
    title: str
    ask: Ask
    beside: bool
    alike: bool
    mixes: str


@cache
def overview_questions(page: Literal["player", "sheet"]) -> tuple[OverviewQuestion, ...]:
    """The questions of a page, in order."""
    text = (files("analyzer") / "explore" / "overviews.toml").read_text(encoding="utf-8")
    return tuple(_read_entry(**entry) for entry in tomllib.loads(text)[page])


def limit_ask(ask: Ask, **values: str | None) -> Ask:
    """The question with these dimensions limited to a value each; None sets no limit."""
    limits = [read_filter(dimensions()[name], [value]) for name, value in values.items() if value]
    return replace(ask, filters=_ordered([*ask.filters, *limits]))


def compare_with_everyone(store: Store, ask: Ask, name: str) -> Answer:
    """The answer for one player and for everyone, as two series."""
    own = run_ask(store, limit_ask(ask, player=name))
    everyone = run_ask(store, ask)
    chart = replace(
        own.question.chart,
        kind=_chart_kind(own),
        series=("who",),
        flags=frozenset(own.question.chart.flags - {"histogram"}),
    )
    labels = _shown_values(own, everyone)
    rows = [
        (series, *row)
        for series, answer in ((name, own), (EVERYONE_SERIES, everyone))
        for row in answer.rows
        if row[0] in labels
    ]
    question = replace(
        own.question, chart=chart, title=f"{own.question.title}: {name} and everyone"
    )
    return replace(own, question=question, columns=("who", *own.columns), rows=rows)


def _chart_kind(own: Answer) -> str:
    """The kind of chart; two histograms would hide each other, so they become lines."""
    chart = own.question.chart
    return "scatter" if "histogram" in chart.flags else chart.kind


def _shown_values(own: Answer, everyone: Answer) -> set[Any]:
    """The values of the first dimension that are shown: the player's, or everyone's if the player has none."""
    return {row[0] for row in own.rows or everyone.rows}


def _ordered(filters: list[Filter]) -> tuple[Filter, ...]:
    order = list(dimensions())
    return tuple(sorted(filters, key=lambda limit: order.index(limit.dimension.name)))


def _read_entry(
    *,
    name: str,
    title: str,
    address: str,
    beside: bool = False,
    alike: bool = False,
    mixes: str = "",
) -> OverviewQuestion:
    return OverviewQuestion(name, title, from_address(address), beside, alike, mixes)
