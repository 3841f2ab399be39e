"""Traces and panels: what a figure draws, one panel for each rulebook where one scale would hide the small ones."""

from collections.abc import Callable, Mapping
from html import escape
from itertools import pairwise
from typing import Any
from urllib.parse import quote_plus

from analyzer.statistics.questions import Chart
from records.rules.registry import ALL_SHEETS

# One series of an answer as a Plotly trace, with whiskers or a band for its intervals.
#
# A trace is the dict that Plotly's JavaScript reads. Plotly's own Python objects check every property on every page,
# which takes far longer than the database; the tests check them instead.

MOST_WHISKERS = 12
"""Intervals of more points are drawn as a band: whiskers would hide one another."""
BAND_OPACITY = 0.18
FEWEST_DEALS_FOR_INTERVAL = 5
"""The interval of fewer deals is not drawn in a band and does not stretch an axis."""

WIDEST_GAP_STEPS = 3
"""A line breaks at a gap of more steps than this."""

WHISKER_COLOUR = "#555555"
"""On its page a whisker has the colour of the text, so that it stands out from its bar."""
WHISKER_WIDTH_PX = 1.5

NO_WHISKER = "none"
"""The length of a whisker where there is no interval: Plotly draws a mark for a null, and nothing for a word."""

GAME_FILTERS = {
    "sheet": "sheet", "verdict": "verdict", "program": "program", "player": "player", "opponent": "opponent",
    "code": "finding",
}  # fmt: skip
"""By column of an answer, the filter of the list of games for its value."""

SHEET_NAMES = {sheet.id: sheet.name for sheet in ALL_SHEETS}

AnswerRows = list[dict[str, Any]]
Trace = dict[str, Any]


def _bar(chart: Chart, rows: AnswerRows) -> Trace:
    orientation = "h" if "across" in chart.flags else "v"
    return {
        "type": "bar", "orientation": orientation, **_xy(chart, rows), **_whiskers(chart, rows)
    }  # fmt: skip


def _line(chart: Chart, rows: AnswerRows) -> Trace:
    return {"type": "scatter", "mode": "lines", **_xy(chart, rows)}


def _scatter(chart: Chart, rows: AnswerRows) -> Trace:
    gapped = _joined(chart, _stretches(chart, rows))
    return {
        "type": "scatter", "mode": "lines+markers", **_xy(chart, gapped), **_whiskers(chart, gapped)
    }  # fmt: skip


def _box(chart: Chart, rows: AnswerRows) -> Trace:
    columns, across = chart.columns, "across" in chart.flags
    label = columns["y" if across else "x"]
    names = [readable_value(row[label], label) for row in rows]
    return {
        "type": "box",
        **({"y": names, "orientation": "h"} if across else {"x": names}),
        "median": column_values(rows, columns["x" if across else "y"]),
        "q1": column_values(rows, columns["q1"]),
        "q3": column_values(rows, columns["q3"]),
        "lowerfence": column_values(rows, columns["low"]),
        "upperfence": column_values(rows, columns["high"]),
    }


TRACE_BY_CHART_KIND: dict[str, Callable[[Chart, AnswerRows], Trace]] = {
    "bar": _bar,
    "line": _line,
    "scatter": _scatter,
    "box": _box,
}


def _xy(chart: Chart, rows: AnswerRows) -> dict[str, Any]:
    x, y = chart.columns["x"], chart.columns["y"]
    return {
        "x": [readable_value(value, x) for value in column_values(rows, x)],
        "y": [readable_value(value, y) for value in column_values(rows, y)],
        "customdata": [[row["n"], games_query(row)] for row in rows],
        "hovertemplate": "%{x}: %{y} (n = %{customdata[0]:,})",
    }


def games_query(row: dict[str, Any]) -> str:
    """The filters of the list of games that lead to what a row counts, as a query string; empty if none does."""
    given = [(GAME_FILTERS[column], row[column]) for column in GAME_FILTERS if column in row]
    # As `urlencode` writes them, which takes more than twice as long: every row of a table has such a link.
    return "&".join(
        [f"{name}={quote_plus(value)}" for name, value in given if isinstance(value, str)]
    )


def _whiskers(chart: Chart, rows: AnswerRows) -> dict[str, Any]:
    lengths = _whisker_lengths(chart, rows)
    if not lengths:
        return {}
    colour = {"color": WHISKER_COLOUR} if chart.kind == "bar" else {}
    return {
        "error_x" if "across" in chart.flags else "error_y": {
            "type": "data", "thickness": WHISKER_WIDTH_PX, **colour, **lengths
        }
    }  # fmt: skip


def has_band(chart: Chart, rows: AnswerRows) -> bool:
    """Whether the intervals of a line are drawn as a band instead of whiskers."""
    return chart.kind == "scatter" and "low" in chart.columns and len(rows) > MOST_WHISKERS


def band_trace(chart: Chart, rows: AnswerRows, name: str, style: dict[str, Any]) -> Trace:
    """The intervals of a line as a shaded band behind it."""
    low = chart.columns["low"]
    known = [row for row in rows if row[low] is not None and row["n"] >= FEWEST_DEALS_FOR_INTERVAL]
    x: list[Any] = []
    y: list[Any] = []
    # Plotly fills a closed line: along the lower ends, back along the upper ones, and None starts a new outline.
    for stretch in _stretches(chart, known):
        x += [
            *column_values(stretch, chart.columns["x"]),
            *column_values(stretch[::-1], chart.columns["x"]),
            None,
        ]
        y += [
            *column_values(stretch, chart.columns["high"]),
            *(low_end(chart, row) for row in stretch[::-1]),
            None,
        ]
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "fill": "toself",
        "fillcolor": style["marker"]["color"],
        "mode": "none",
        "opacity": BAND_OPACITY,
        "hoverinfo": "skip",
        "showlegend": False,
        "legendgroup": name,
        "name": name,
        "meta": {**style["meta"], "band": True},
    }


def _stretches(chart: Chart, rows: AnswerRows) -> list[AnswerRows]:
    """The rows of a line, split where too many values of x are missing between them."""
    x = chart.columns["x"]
    if "low" not in chart.columns or not all(isinstance(row[x], int) for row in rows):
        return [rows]
    widest = WIDEST_GAP_STEPS * min((b[x] - a[x] for a, b in pairwise(rows)), default=1)
    stretches: list[AnswerRows] = []
    for row in rows:
        if stretches and row[x] - stretches[-1][-1][x] <= widest:
            stretches[-1].append(row)
        else:
            stretches.append([row])
    return stretches


def _joined(chart: Chart, stretches: list[AnswerRows]) -> AnswerRows:
    """The stretches with an empty row between them, across which Plotly draws no line."""
    gap = dict.fromkeys(chart.columns.values()) | {"n": 0}
    return [row for stretch in stretches for row in (*stretch, gap)][:-1]


def _whisker_lengths(chart: Chart, rows: AnswerRows) -> dict[str, Any]:
    """The lengths of the whiskers, from `low` to `high`."""
    columns = chart.columns
    crowded = "histogram" in chart.flags and len(rows) > MOST_WHISKERS
    if "low" not in columns or crowded or has_band(chart, rows):
        return {}
    middle = columns["x" if "across" in chart.flags else "y"]
    return {
        "array": [_difference(row[columns["high"]], row[middle]) for row in rows],
        "arrayminus": [_difference(row[middle], low_end(chart, row)) for row in rows],
        "symmetric": False,
    }


def low_end(chart: Chart, row: dict[str, Any]) -> float | None:
    """The lower end of an interval, not below zero for what cannot be: only a signed chart has values below it."""
    low: float | None = row[chart.columns["low"]]
    return low if low is None or "signed" in chart.flags else max(low, 0.0)


def _difference(high: float | None, low: float | None) -> float | str:
    return NO_WHISKER if high is None or low is None else round(max(0, high - low), 4)


def column_values(rows: AnswerRows, column: str) -> list[Any]:
    """The values of one column."""
    return [row[column] for row in rows]


def readable_value(value: Any, column: str) -> Any:
    """A value as people read it: `four_aces` becomes `four aces`, a sheet its name.

    Plotly renders markup in every text, so texts from records are escaped.
    """
    if not isinstance(value, str):
        return value
    return (
        SHEET_NAMES.get(value, value)
        if column == "sheet"
        else escape(value.replace("_", " "), quote=False)
    )


# Small multiples: a panel for each rulebook, with scales of its own, where one scale would hide what the small ones say.

LARGEST_RATIO_ON_ONE_SCALE = 3.0
"""Where one rulebook reaches further than another by more than this, each gets a panel."""
FEWEST_ROWS_COMPARED = 5
"""A row of fewer deals says nothing about what a rulebook reaches."""
CURVE_PX, PANEL_FRAME_PX, PANEL_BAR_PX = 200, 70, 18
"""The height of a panel with lines, and of one with bars: around them, and for each."""
PANEL_COLUMN = "sheet"


def differing_scales(chart: Chart, rows: AnswerRows) -> str:
    """The axes on which rulebooks differ too much for one scale, of `xy`: then they are drawn in panels.

    Empty where rulebooks are neither the series nor the groups of bars, and where one scale does for all.
    """
    if "diagonal" in chart.flags or not _splits_by_sheet(chart):
        return ""
    return "".join(axis for axis, column in _scaled_columns(chart) if _differs(rows, column))


def _differs(rows: AnswerRows, column: str) -> bool:
    """Whether what one rulebook reaches in a column is a multiple of what another does."""
    reached: dict[str, float] = {}
    for row in rows:
        if row["n"] >= FEWEST_ROWS_COMPARED:
            sheet = row[PANEL_COLUMN]
            reached[sheet] = max(reached.get(sheet, 0.0), _size(row[column]))
    above_zero = [extent for extent in reached.values() if extent > 0]
    return bool(above_zero) and max(above_zero) > LARGEST_RATIO_ON_ONE_SCALE * min(above_zero)


def _splits_by_sheet(chart: Chart) -> bool:
    """Whether a rulebook has several marks: it is one of several series, or a group of bars."""
    if chart.series:
        return chart.series[0] == PANEL_COLUMN or label_column(chart) == PANEL_COLUMN
    return False


def _scaled_columns(chart: Chart) -> list[tuple[str, str]]:
    """The axes with numbers, each with the column that reaches furthest on it."""
    across = "across" in chart.flags
    value = chart.columns["high" if chart.kind == "box" else "x" if across else "y"]
    return [("x", value)] if across else [("y", value), ("x", chart.columns["x"])]


def _size(value: object) -> float:
    return abs(value) if isinstance(value, int | float) else 0.0


def label_column(chart: Chart) -> str:
    """The column that names the bars, or the one that lies across."""
    return chart.columns["y" if "across" in chart.flags else "x"]


def split_panels(
    series: Mapping[tuple[str, ...], AnswerRows],
) -> dict[str, dict[tuple[str, ...], AnswerRows]]:
    """The series of each rulebook's panel."""
    panels: dict[str, dict[tuple[str, ...], AnswerRows]] = {}
    for values, rows in series.items():
        for row in rows:
            panel = panels.setdefault(row[PANEL_COLUMN], {})
            panel.setdefault(values, []).append(row)
    return panels


def put_in_panel(trace: Trace, number: int, role: str) -> Trace:
    """A trace on the axes of a panel, counted from 0.

    The title of the panel names its rulebook; what else a series is split by, its `role`, stands in the legend, once.
    """
    own = "" if number == 0 else str(number + 1)
    named = {"name": role, "legendgroup": role} if role and "band" not in trace["meta"] else {}
    shown = bool(named) and number == 0
    return {**trace, **named, "xaxis": f"x{own}", "yaxis": f"y{own}", "showlegend": shown}


def name_bars_by_series(trace: Trace, name: str) -> Trace:
    """A trace of bars whose label is the panel's: its bars are named as their series instead."""
    axis = "y" if trace.get("orientation") == "h" else "x"
    return {**trace, axis: [name] * len(trace[axis])}


def panel_layout(
    axes: list[tuple[dict[str, Any], dict[str, Any]]], names: list[str], bars: int
) -> dict[str, Any]:
    """The layout of panels in one column: the axes and the title of each; `bars` is the most that one has, 0 for curves.

    `meta` tells a page what it needs to arrange them anew: how many there are, and how high each is in pixels.
    """
    height = PANEL_FRAME_PX + PANEL_BAR_PX * bars if bars else CURVE_PX
    layout: dict[str, Any] = {
        "grid": {"rows": len(names), "columns": 1, "pattern": "independent"},
        "height": height * len(names),
        "meta": {"panels": len(names), "panel_height": height},
        "annotations": [_title(name, number) for number, name in enumerate(names)],
    }
    for number, (x_axis, y_axis) in enumerate(axes):
        own = "" if number == 0 else str(number + 1)
        layout[f"xaxis{own}"], layout[f"yaxis{own}"] = x_axis, y_axis
    return layout


def _title(sheet: str, number: int) -> dict[str, Any]:
    own = "" if number == 0 else str(number + 1)
    return {
        "text": readable_value(sheet, PANEL_COLUMN),  # bold would be an inline style
        "xref": f"x{own} domain", "yref": f"y{own} domain",
        "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom", "showarrow": False,
    }  # fmt: skip
