"""Explore: any metric by any dimension, with any filters; the address is the question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from analyzer.statistics import answer as answers
from analyzer.statistics import figures
from analyzer.statistics.answer import Differences
from analyzer.statistics.ask import (
    Ask,
    Filter,
    Refused,
    from_address,
    presets,
    read_ask,
    refusal,
    split_values,
)
from analyzer.statistics.catalogue import Dimension, Metric, dimensions, metrics
from analyzer.statistics.compose import values_of
from analyzer.statistics.questions import Answer
from analyzer.statistics.traces import GAME_FILTERS, SHEET_NAMES
from webui.display.csv import answer_as_csv, answer_as_data
from webui.server.actions import Action
from webui.server.page import Page, Views
from webui.server.request_kinds import QUESTIONS
from webui.server.responses import csv_attachment, json_response
from webui.views import store

blueprint = Views("explore", __name__)
FIRST_QUESTION = "metric=points&by=sheet"
"""What the page answers when nothing was asked."""
ADDED_FILTER_FIELDS = ("limit", "to")
"""The form's fields for one more filter: its dimension and its value."""


def _explore_data() -> object:
    """The rows of the answer with their meaning; without a question, the metrics and dimensions."""
    if not any(request.args.values()):
        return {
            "metrics": {name: metric.title for name, metric in metrics().items()},
            "dimensions": {name: each.title for name, each in dimensions().items()},
            "refused": _refused(),
        }
    ask = _requested_ask()
    answer = answers.run_ask(store(), ask)
    differences = answers.run_differences(store(), ask, answer)
    return {**answer_as_data(answer), "differences": differences}


@blueprint.page("/explore", Action.READ, QUESTIONS, about_query=True, data=_explore_data)
def explore() -> ResponseReturnValue:
    """The form and the answer to the question in the address; redirects to the shortest form of the address."""
    requested = _requested()
    if not any(text for texts in requested.values() for text in texts):
        return _page(from_address(FIRST_QUESTION), is_first=True).render()
    try:
        ask = read_ask(requested)
    except Refused as why:
        return _page(None, requested, str(why)).render(), 400
    if list(request.args.items(multi=True)) != ask.address():
        return redirect(explore_address(ask))
    return _page(ask).render()


@blueprint.address("/explore/figure.json", Action.READ, QUESTIONS)
def figure_json() -> ResponseReturnValue:
    """The figure of the answer, for Plotly."""
    return figure_response(_answer())


@blueprint.address("/explore.csv", Action.READ, QUESTIONS)
def explore_csv() -> Response:
    """The rows of the answer as CSV."""
    answer = _answer()
    return csv_attachment(answer_as_csv(answer), "explore.csv", note=answer.left_out.words)


@blueprint.address("/explore/values/<name>.json", Action.READ, QUESTIONS)
def values(name: str) -> ResponseReturnValue:
    """The values of a dimension, most frequent first, to choose a filter from."""
    if name not in dimensions():
        raise BadRequest(f"There is no dimension “{name}”.")
    return json_response(values_of(store(), dimensions()[name]))


def figure_response(answer: Answer) -> Response:
    """The figure of an answer, for Plotly; null where nothing is drawn."""
    return json_response(msgspec.Raw((figures.figure_as_json(answer) or "null").encode()))


def explore_address(ask: Ask, endpoint: str = "explore.explore") -> str:
    """The address of a question."""
    return f"{url_for(endpoint)}?{urlencode(ask.address())}"


def _requested() -> dict[str, list[str]]:
    """The question in the address, with the filter that the form adds."""
    requested = request.args.to_dict(flat=False)
    name, text = ("".join(requested.pop(word, [])[:1]) for word in ADDED_FILTER_FIELDS)
    if name and text:
        requested[name] = [*requested.get(name, []), *split_values(name, text)]
    return requested


def _answer() -> Answer:
    return answers.run_ask(store(), _requested_ask())


def _requested_ask() -> Ask:
    try:
        return read_ask(_requested())
    except Refused as why:
        raise BadRequest(str(why)) from why


@dataclass(frozen=True, slots=True)
class FilterChip:
    """A filter that is set, as the address has it and in words, and the address of the page without it."""

    name: str
    title: str
    text: str
    words: str
    without: str


class ExplorePage(Page):
    """A metric by one or two dimensions; `refused` lists the dimensions that a metric has no answer by.

    `games_address` leads to the list of games with the filters that it has, empty where it has not all of them.
    `scales` says how the panels of the figure are to be read, if it has some. `is_first` says that the address asks
    nothing: the answer is one to begin with.
    """

    template = "explore/explore.html"
    ask: Ask | None
    answer: Answer | None
    differences: Differences | None
    figure: str | None
    scales: str
    left_out: str
    problem: str
    chosen: Mapping[str, str]
    chips: list[FilterChip]
    metrics: Mapping[str, list[Metric]]
    dimensions: Sequence[Dimension]
    options: Sequence[Dimension]
    refused: Mapping[str, list[str]]
    presets: list[tuple[str, str]]
    data_addresses: Mapping[str, str]
    games_address: str
    sheet_names = SHEET_NAMES
    is_first: bool


def _page(
    ask: Ask | None,
    requested: dict[str, list[str]] | None = None,
    problem: str = "",
    *,
    is_first: bool = False,
) -> ExplorePage:
    answer = answers.run_ask(store(), ask) if ask else None
    figure = figures.figure_on_page(answer) if answer else figures.FigureOnPage()
    address = ask.address() if ask else []
    chosen = dict(address) or {name: texts[0] for name, texts in (requested or {}).items() if texts}
    return ExplorePage(
        ask=ask,
        answer=answer,
        differences=answers.run_differences(store(), ask, answer) if ask and answer else None,
        figure=figure.script,
        scales=figure.scales,
        left_out=figure.left_out,
        problem=problem,
        chosen={name: chosen.get(name, "") for name in ("metric", "by", "split", "every")},
        chips=_chips(ask) if ask else [],
        metrics=_metrics_by_grain(),
        dimensions=[dimension for dimension in dimensions().values() if not dimension.option],
        options=[dimension for dimension in dimensions().values() if dimension.option],
        refused=_refused(),
        presets=[(preset.title, explore_address(preset.ask)) for preset in presets()],
        data_addresses={
            form: explore_address(ask, f"explore.explore_{form}") if ask else ""
            for form in ("csv", "json")
        },
        games_address=_games_address(ask) if ask else "",
        is_first=is_first,
    )


def _games_address(ask: Ask) -> str:
    """The list of games with the filters of a question; empty if the list cannot be filtered so, or by nothing asked."""
    filters: dict[str, Any] = {}
    for limit in ask.filters:
        texts = list(limit.texts())
        if limit.dimension.name not in GAME_FILTERS or len(texts) != 1:
            return ""
        filters[GAME_FILTERS[limit.dimension.name]] = texts[0]
    if not any(dimension.name in GAME_FILTERS for dimension in ask.split_by):
        return ""
    return url_for("games.games", **filters)


def _metrics_by_grain() -> dict[str, list[Metric]]:
    """The metrics, by what they count."""
    by_grain: dict[str, list[Metric]] = {}
    for metric in metrics().values():
        by_grain.setdefault(metric.grain.nouns, []).append(metric)
    return by_grain


def _refused() -> dict[str, list[str]]:
    """For each metric, the dimensions that it has no answer by."""
    return {
        name: [dimension.name for dimension in dimensions().values() if refusal(metric, dimension)]
        for name, metric in metrics().items()
    }


def _chips(ask: Ask) -> list[FilterChip]:
    return [
        FilterChip(
            limit.dimension.name,
            limit.dimension.title,
            text,
            SHEET_NAMES.get(text, text).replace("_", " "),
            explore_address(_without(ask, limit, text)),
        )
        for limit in ask.filters
        for text in limit.texts()
    ]


def _without(ask: Ask, limit: Filter, text: str) -> Ask:
    pairs: dict[str, Any] = MultiDict(ask.address()).to_dict(flat=False)
    pairs[limit.dimension.name].remove(text)
    return read_ask(pairs)
