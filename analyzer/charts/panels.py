"""Small multiples: a panel for each rulebook, with scales of its own, where one scale would hide what the small ones say."""

from collections.abc import Mapping
from typing import Any

from analyzer.charts.traces import AnswerRows, Trace, readable_value
from analyzer.questions import Chart

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
