"""Draw an answer as a Plotly figure, with colours from one palette.

A page may use its own colours instead: every trace names its colour token (`series-1` and so on) in `meta`.
"""

from collections import Counter
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from analyzer.charts.palette import SERIES_COLOURS
from analyzer.charts.traces import (
    FEWEST_DEALS_FOR_INTERVAL,
    TRACE_BY_CHART_KIND,
    AnswerRows,
    band_trace,
    has_band,
    readable_value,
)
from analyzer.questions import Answer, Chart
from records.rules.registry import ALL_SHEETS

MOST_SERIES_DRAWN = 6
"""The most series a legend can hold without outgrowing its plot."""

MOST_BARS_DRAWN = 24
"""The most categories drawn; the others are only in the table."""

FRAME_PX, LEGEND_ENTRY_PX, GROUP_GAP_PX, THICK_BAR_PX, THIN_BAR_PX, MOST_THICK_BARS = (
    120,
    20,
    12,
    16,
    9,
    2,
)
"""Pixels in a figure of horizontal bars: around the plot, per legend entry, between groups, per bar in groups
of few bars and of many, and how many bars count as few."""

AXIS_MARGIN_SHARE, HISTOGRAM_DEAL_SHARE = 0.05, 0.995
"""The margin at each end of an axis, and the share of the deals that a histogram shows."""

MOST_MONTH_TICKS = 6
"""Up to so many months are named one by one: left to itself, Plotly would add ticks for days and hours."""

LINE_DASHES = ("solid", "dash", "dot", "dashdot")
MARKER_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star")
BAR_PATTERNS = ("", "/", ".", "x")

GRID_COLOUR = "rgba(128, 128, 128, 0.25)"
AXIS_STYLE = {"automargin": True, "gridcolor": GRID_COLOUR, "zerolinecolor": GRID_COLOUR}

VALUE_ORDER: dict[str, tuple[str, ...]] = {
    "sheet": tuple(sheet.id for sheet in ALL_SHEETS),
    "role": ("leader", "dealer", "other"),
    "verdict": ("legal", "illegal", "incomplete", "legal_with_mismatches", "undetermined"),
    "severity": ("note", "illegal", "warning", "mismatch", "unreadable"),
}
"""Values with a colour of their own, which they keep in every chart where it is free."""


def draw_figure(answer: Answer) -> go.Figure | None:
    """The figure of an answer with its largest series; None if there is nothing to draw."""
    chart = answer.question.chart
    if not answer.rows or chart.kind not in TRACE_BY_CHART_KIND:
        return None
    drawn = _drawn(answer)
    figure = go.Figure(layout={"template": "none"})
    numbers = _colours(chart, list(drawn))
    for values, rows in drawn.items():
        trace = TRACE_BY_CHART_KIND[chart.kind](chart, rows)
        name = ", ".join(
            readable_value(value, of) for value, of in zip(values, chart.series, strict=False)
        )
        style = _style(chart, values, numbers[values[0]])
        if has_band(chart, rows):
            figure.add_trace(band_trace(chart, rows, name, style))
        figure.add_trace(trace.update(name=name, legendgroup=name, **style))
    figure.update_layout(**_layout(answer))
    if chart.columns.get("x") == "month":
        months = sorted({row["month"] for row in answer.dicts()})
        figure.update_xaxes(
            tickformat="%b %Y", tickvals=months if len(months) <= MOST_MONTH_TICKS else None
        )
    if "across" in chart.flags:
        figure.update_layout(height=_height(chart, list(drawn.values())))
    _set_ranges(figure, chart, [row for rows in drawn.values() for row in rows])
    if "diagonal" in chart.flags:
        figure.add_shape(
            type="line", x0=0, y0=0, x1=100, y1=100, layer="below", line={"dash": "dot", "width": 1}
        )
    return figure


def describe_omissions(answer: Answer) -> str:
    """What the table of an answer has and its figure leaves out, in words; empty if nothing."""
    if not answer.rows or answer.question.chart.kind not in TRACE_BY_CHART_KIND:
        return ""
    series, bars = _split_series(answer), _bar_names(answer.question.chart, answer.dicts())
    drawn = _drawn(answer)
    parts = []
    if len(series) > len(drawn):
        parts.append(f"{len(series) - len(drawn)} smaller series")
    if len(bars) > MOST_BARS_DRAWN:
        parts.append(f"{len(bars) - MOST_BARS_DRAWN} smaller groups")
    return f"{' and '.join(parts)} only in the table" if parts else ""


def figure_as_json(answer: Answer) -> str | None:
    """The figure as JSON for `Plotly.newPlot`; None if there is nothing to draw."""
    figure = draw_figure(answer)
    return None if figure is None else str(figure.to_json(validate=False))


def _drawn(answer: Answer) -> dict[tuple[str, ...], AnswerRows]:
    """The series to draw, each with the bars to draw."""
    chart, series = answer.question.chart, _largest(_split_series(answer))
    bars = _bar_names(chart, answer.dicts())
    if len(bars) <= MOST_BARS_DRAWN:
        return series
    shown, label = set(bars[:MOST_BARS_DRAWN]), _label_column(chart)
    fewer = {key: [row for row in rows if row[label] in shown] for key, rows in series.items()}
    return {key: rows for key, rows in fewer.items() if rows}


def _bar_names(chart: Chart, rows: AnswerRows) -> list[Any]:
    """The names of the bars in order; empty for histograms and other charts."""
    if chart.kind != "bar" or "histogram" in chart.flags:
        return []
    return list(dict.fromkeys(row[_label_column(chart)] for row in rows))


def _label_column(chart: Chart) -> str:
    return chart.columns["y" if "across" in chart.flags else "x"]


def _split_series(answer: Answer) -> dict[tuple[str, ...], AnswerRows]:
    """The rows of each series, known values first in the order of `VALUE_ORDER`."""
    rows_by_series: dict[tuple[str, ...], AnswerRows] = {}
    series = answer.question.chart.series
    for row in answer.dicts():
        rows_by_series.setdefault(tuple(str(row[column]) for column in series) or ("",), []).append(
            row
        )
    return dict(sorted(rows_by_series.items(), key=lambda item: _places(series, item[0])))


def _largest(series: dict[tuple[str, ...], AnswerRows]) -> dict[tuple[str, ...], AnswerRows]:
    """As many series as a legend holds: those whose first value has the most rows."""
    sizes: Counter[str] = Counter()
    for values, rows in series.items():
        sizes[values[0]] += sum(row["n"] for row in rows)
    # Series that share their first value share a colour: they are all drawn, or none of them.
    per_name = -(-len(series) // len(sizes))
    drawn = {name for name, _ in sizes.most_common(max(1, MOST_SERIES_DRAWN // per_name))}
    return {values: rows for values, rows in series.items() if values[0] in drawn}


def _places(series: tuple[str, ...], values: tuple[str, ...]) -> list[int]:
    return [_place(column, value) for column, value in zip(series, values, strict=bool(series))]


def _place(column: str, value: str) -> int:
    known = VALUE_ORDER.get(column, ())
    return known.index(value) if value in known else len(known)


def _colours(chart: Chart, drawn: list[tuple[str, ...]]) -> dict[str, int]:
    """The number of a colour for each first value: its own, or the next one free in this chart."""
    numbers: dict[str, int] = {}
    for place, name in enumerate(dict.fromkeys(values[0] for values in drawn)):
        column = chart.series[0] if chart.series else ""
        number = _place(column, name) if column in VALUE_ORDER else place
        free = (number + step for step in range(len(SERIES_COLOURS)))
        numbers[name] = next(
            n % len(SERIES_COLOURS) for n in free if n % len(SERIES_COLOURS) not in numbers.values()
        )
    return numbers


def _style(chart: Chart, values: tuple[str, ...], number: int) -> dict[str, Any]:
    """The style of a series: colour and marker by its first value, dash or pattern by its second."""
    second = _places(chart.series, values)[1:]
    variant = second[0] if second else 0
    style: dict[str, Any] = {
        "marker": {"color": SERIES_COLOURS[number][0]},
        "meta": {"token": f"series-{number + 1}"},
    }
    if chart.kind == "line":
        style["line"] = {
            "color": SERIES_COLOURS[number][0],
            "dash": LINE_DASHES[variant % len(LINE_DASHES)],
        }
    elif chart.kind == "scatter":
        style["marker"]["symbol"] = MARKER_SYMBOLS[number]
        style["line"] = {"color": SERIES_COLOURS[number][0], "width": 1}
    elif chart.kind == "bar":
        style["marker"]["pattern"] = {"shape": BAR_PATTERNS[variant % len(BAR_PATTERNS)]}
    return style


def _layout(answer: Answer) -> dict[str, Any]:
    question, chart = answer.question, answer.question.chart
    unit, other = {"title": {"text": question.unit}}, {"title": {"text": question.x}}
    across = "across" in chart.flags
    return {
        "title": {
            "text": question.title,
            "subtitle": {"text": _subtitle(answer)},
        },
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "barmode": "stack" if "stacked" in chart.flags else "group",
        "boxmode": "group",
        "bargap": 0.05 if "histogram" in chart.flags else 0.2,
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        "xaxis": {**AXIS_STYLE, **(unit if across else other)},
        "yaxis": {
            **AXIS_STYLE,
            **({} if across else unit),
            **({"autorange": "reversed", "type": "category", "dtick": 1} if across else {}),
        },
        "showlegend": bool(chart.series),
    }


def _height(chart: Chart, drawn: list[AnswerRows]) -> int:
    """The height in pixels that shows every bar with its name."""
    names = {row[_label_column(chart)] for rows in drawn for row in rows}
    beside = 1 if "stacked" in chart.flags else len(drawn)
    return (
        FRAME_PX
        + len(drawn) * LEGEND_ENTRY_PX
        + len(names)
        * (GROUP_GAP_PX + beside * (THICK_BAR_PX if beside <= MOST_THICK_BARS else THIN_BAR_PX))
    )


def _set_ranges(figure: go.Figure, chart: Chart, rows: AnswerRows) -> None:
    """Set the ranges of the axes so that neither a few deals with wide intervals nor a rare score stretch them."""
    if "histogram" in chart.flags:
        figure.update_xaxes(range=_histogram_range(chart, rows))
    elif chart.kind in ("scatter", "bar") and "low" in chart.columns:
        across = "across" in chart.flags
        sure = [row for row in rows if row["n"] >= FEWEST_DEALS_FOR_INTERVAL]
        values = [row[chart.columns["x" if across else "y"]] for row in rows]
        ends = [row[chart.columns[end]] for row in sure for end in ("low", "high")]
        values += [end for end in ends if end is not None]
        values += [0] if chart.kind == "bar" else []
        low, high = min(values), max(values)
        margin = AXIS_MARGIN_SHARE * (high - low)
        ends = [low - margin if low or chart.kind != "bar" else 0, high + margin]
        if margin:
            figure.update_layout(
                {"xaxis" if across else "yaxis": {"range": ends, "autorange": False}}
            )


def _histogram_range(chart: Chart, rows: AnswerRows) -> list[float]:
    """The range from the first bar to the one where `HISTOGRAM_DEAL_SHARE` of the deals is reached."""
    x = chart.columns["x"]
    ordered = sorted(rows, key=lambda row: row[x])
    total, passed = sum(row["n"] for row in rows), 0
    last = ordered[-1][x]
    for row in ordered:
        passed += row["n"]
        if passed >= HISTOGRAM_DEAL_SHARE * total:
            last = row[x]
            break
    steps = [b[x] - a[x] for a, b in pairwise(ordered)] or [1]
    return [ordered[0][x] - min(steps), last + min(steps)]


def _subtitle(answer: Answer) -> str:
    text = f"{answer.question.unit}; n = {answer.basis}"
    omissions = describe_omissions(answer)
    return f"{text}; {omissions}" if omissions else text
