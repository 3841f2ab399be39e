"""One series of an answer as a Plotly trace: a function a kind of chart, with its whiskers or its band."""

from collections.abc import Callable
from html import escape
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from analyzer.questions import Chart
from records.rules.registry import ALL

MOST_WHISKERS = 12
BAND = 0.18
FEW = 5
"""The interval of fewer deals is neither drawn as a band, nor does it stretch an axis."""

WIDEST_GAP = 3
"""A line is broken where so many steps are missing."""

WHISKER = "#888888"

NAMES = {sheet.id: sheet.name for sheet in ALL}

Rows = list[dict[str, Any]]


def _bar(chart: Chart, rows: Rows) -> go.Bar:
    trace = go.Bar(_xy(chart, rows), orientation="h" if "across" in chart.flags else "v")
    return _with_whiskers(trace, chart, rows)


def _line(chart: Chart, rows: Rows) -> go.Scatter:
    return go.Scatter(_xy(chart, rows), mode="lines")


def _scatter(chart: Chart, rows: Rows) -> go.Scatter:
    gapped = _joined(chart, _stretches(chart, rows))
    return _with_whiskers(go.Scatter(_xy(chart, gapped), mode="lines+markers"), chart, gapped)


def _box(chart: Chart, rows: Rows) -> go.Box:
    columns, across = chart.columns, "across" in chart.flags
    label = columns["y" if across else "x"]
    names = [words(row[label], label) for row in rows]
    return go.Box(
        **{"y": names, "orientation": "h"} if across else {"x": names},
        median=values(rows, columns["x" if across else "y"]),
        q1=values(rows, columns["q1"]),
        q3=values(rows, columns["q3"]),
        lowerfence=values(rows, columns["low"]),
        upperfence=values(rows, columns["high"]),
    )


DRAW: dict[str, Callable[[Chart, Rows], Any]] = {
    "bar": _bar,
    "line": _line,
    "scatter": _scatter,
    "box": _box,
}


def _xy(chart: Chart, rows: Rows) -> dict[str, Any]:
    x, y = chart.columns["x"], chart.columns["y"]
    return {
        "x": [words(value, x) for value in values(rows, x)],
        "y": [words(value, y) for value in values(rows, y)],
        "customdata": [[row["n"]] for row in rows],
        "hovertemplate": "%{x}: %{y} (n = %{customdata[0]:,})",
    }


def _with_whiskers(trace: Any, chart: Chart, rows: Rows) -> Any:
    reach = _reach(chart, rows)
    if reach:
        across = "across" in chart.flags
        look = {"type": "data", "thickness": 1, "color": WHISKER if chart.kind == "bar" else None}
        trace.update({"error_x" if across else "error_y": {**look, **reach}})
    return trace


def has_band(chart: Chart, rows: Rows) -> bool:
    """Whether the intervals of a long line are drawn as a band, where whiskers would hide one another."""
    return chart.kind == "scatter" and "low" in chart.columns and len(rows) > MOST_WHISKERS


def band(chart: Chart, rows: Rows, name: str, style: dict[str, Any]) -> go.Scatter:
    """The intervals of a line as one shape behind it."""
    low = chart.columns["low"]
    known = [row for row in rows if row[low] is not None and row["n"] >= FEW]
    x: list[Any] = []
    y: list[Any] = []
    for stretch in _stretches(chart, known):
        x += [
            *values(stretch, chart.columns["x"]),
            *values(stretch[::-1], chart.columns["x"]),
            None,
        ]
        y += [*values(stretch, chart.columns["high"]), *values(stretch[::-1], low), None]
    return go.Scatter(
        x=x,
        y=y,
        fill="toself",
        fillcolor=style["marker"]["color"],
        mode="none",
        opacity=BAND,
        hoverinfo="skip",
        showlegend=False,
        legendgroup=name,
        name=name,
        meta={**style["meta"], "band": True},
    )


def _stretches(chart: Chart, rows: Rows) -> list[Rows]:
    """The rows of a line, apart where values of x are missing between them."""
    x = chart.columns["x"]
    if "low" not in chart.columns or not all(isinstance(row[x], int) for row in rows):
        return [rows]
    widest = WIDEST_GAP * min((b[x] - a[x] for a, b in pairwise(rows)), default=1)
    stretches: list[Rows] = []
    for row in rows:
        if stretches and row[x] - stretches[-1][-1][x] <= widest:
            stretches[-1].append(row)
        else:
            stretches.append([row])
    return stretches


def _joined(chart: Chart, stretches: list[Rows]) -> Rows:
    """The stretches with a row of nothing between them, which a line is not drawn across."""
    nothing = dict.fromkeys(chart.columns.values()) | {"n": 0}
    return [row for stretch in stretches for row in (*stretch, nothing)][:-1]


def _reach(chart: Chart, rows: Rows) -> dict[str, Any]:
    """How far the whiskers go: as far to both sides, or from `low` to `high`."""
    columns = chart.columns
    if "error" in columns:
        return {"array": values(rows, columns["error"])}
    crowded = "histogram" in chart.flags and len(rows) > MOST_WHISKERS
    if "low" not in columns or crowded or has_band(chart, rows):
        return {}
    middle = columns["x" if "across" in chart.flags else "y"]
    return {
        "array": [_less(row[columns["high"]], row[middle]) for row in rows],
        "arrayminus": [_less(row[middle], row[columns["low"]]) for row in rows],
        "symmetric": False,
    }


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else round(max(0, one - other), 4)


def values(rows: Rows, column: str) -> list[Any]:
    """One column."""
    return [row[column] for row in rows]


def words(value: Any, column: str) -> Any:
    """A code of a column as people read it: `four_aces` -> `four aces`; a rulebook by its name.

    Plotly reads markup in every text: what a record says has none.
    """
    if not isinstance(value, str):
        return value
    return (
        NAMES.get(value, value)
        if column == "sheet"
        else escape(value.replace("_", " "), quote=False)
    )
