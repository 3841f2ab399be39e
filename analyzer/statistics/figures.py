"""Draw an answer as a Plotly figure, with colours from one palette."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from plotly.io import templates
from plotly.io.json import to_json_plotly

from analyzer.statistics.questions import Answer, Chart
from analyzer.statistics.traces import (
    FEWEST_DEALS_FOR_INTERVAL,
    PANEL_COLUMN,
    TRACE_BY_CHART_KIND,
    AnswerRows,
    Trace,
    band_trace,
    differing_scales,
    has_band,
    label_column,
    low_end,
    name_bars_by_series,
    panel_layout,
    put_in_panel,
    readable_value,
    split_panels,
)
from records.rules.registry import ALL_SHEETS

# The colours of series, for figures, pages and the terminal.

SERIES_COLOURS = (
    ("#3c733f", "#bdfebc"),
    ("#6d1a42", "#e47aa4"),
    ("#9a7012", "#f4c16b"),
    ("#318fea", "#1f82d9"),
    ("#705093", "#e8d0ff"),
    ("#322900", "#766d52"),
    ("#a0886d", "#996f39"),
    ("#604f06", "#ba9e36"),
    ("#213485", "#6f6ea2"),
    ("#2b2152", "#baa2fa"),
    ("#c170b3", "#dd8ecf"),
    ("#6c7670", "#c0d9c9"),
)
"""Each colour for a light and for a dark page; there is one for every rulebook.

The first are the site's own: the green of the felt, the red of its accent, the gold, the blue of the focus. A colour
has one hue in both themes. On its page each has a contrast of at least 3:1. By CIELAB, for normal vision and for red,
green and blue colour blindness, the first six (as many as a legend holds) differ by 25 units or more, and any two by
16; markers, dashes and panels tell the others apart as well. They were found by a search: one that is changed by hand
will hardly keep these distances.
"""


def series_css() -> str:
    """The colours as custom properties of a page: `--series-1` and so on."""
    lines = "".join(
        f"  --series-{number}: light-dark({light}, {dark});\n"
        for number, (light, dark) in enumerate(SERIES_COLOURS, start=1)
    )
    return f":root {{\n{lines}}}\n"


# The figure.
#
# A page may use its own colours instead: every trace names its colour token (`series-1` and so on) in `meta`.

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

MOST_TICKS_NAMED = 6
"""Up to so many months or whole numbers are named one by one: left to itself, Plotly would add ticks for days, hours
and halves."""

FEWEST_HISTOGRAM_STEPS = 6
"""A histogram of fewer values is as wide as one of so many: a bar that fills its plot looks like a great number."""

LINE_DASHES = ("solid", "dash", "dot", "dashdot")
MARKER_SYMBOLS = (
    "circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down", "pentagon", "hexagon",
    "hourglass", "bowtie",
)  # fmt: skip
"""A marker for every colour."""
BAR_PATTERNS = ("", "/", ".", "x")

GRID_COLOUR = "rgba(128, 128, 128, 0.25)"
AXIS_STYLE = {"automargin": True, "gridcolor": GRID_COLOUR, "zerolinecolor": GRID_COLOUR}

_DIAGONAL = {
    "type": "line", "x0": 0, "y0": 0, "x1": 100, "y1": 100, "layer": "below",
    "line": {"dash": "dot", "width": 1},
}  # fmt: skip
_EMPTY_TEMPLATE = templates["none"].to_plotly_json()
Figure = dict[str, Any]
"""A figure as Plotly's JavaScript takes it: traces and a layout."""
_Axes = tuple[dict[str, Any], dict[str, Any]]
"""The axis across and the axis upwards."""

VALUE_ORDER: dict[str, tuple[str, ...]] = {
    "sheet": tuple(sheet.id for sheet in ALL_SHEETS),
    "role": ("leader", "dealer", "other"),
    "verdict": ("legal", "illegal", "incomplete", "legal_with_mismatches", "undetermined"),
    "severity": ("note", "illegal", "warning", "mismatch", "unreadable"),
}
"""Values with a colour of their own, which they keep in every chart where it is free."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What of an answer is drawn, a list of rows for each series, and how much is left out.

    Where rulebooks have panels, `panels` are the series of each, and `scales` the axes on which they have their own.
    """

    series: dict[tuple[str, ...], AnswerRows]
    left_out: str
    panels: dict[str, dict[tuple[str, ...], AnswerRows]]
    scales: str


@dataclass(frozen=True, slots=True)
class FigureOnPage:
    """The figure of an answer as JSON for `Plotly.newPlot`, and in words what a reader must know of it.

    `scales` is about the panels, if it has panels; `left_out` is what the table has and the figure has not. Where there
    is nothing to draw, `json` is None and the words are empty.
    """

    json: str | None = None
    scales: str = ""
    left_out: str = ""

    @property
    def script(self) -> str | None:
        """The JSON as it can stand in a script element, which `</` would end."""
        return None if self.json is None else self.json.replace("<", "\\u003c")


def figure_on_page(answer: Answer) -> FigureOnPage:
    """The figure of an answer with its words."""
    drawn = _drawn(answer)
    if drawn is None:
        return FigureOnPage()
    text = str(to_json_plotly(_figure(answer, drawn)))
    return FigureOnPage(text, _describe_panels(answer, drawn), drawn.left_out)


def figure_as_json(answer: Answer) -> str | None:
    """The figure as JSON for `Plotly.newPlot`; None if there is nothing to draw."""
    return figure_on_page(answer).json


def _figure(answer: Answer, drawn: _Drawn) -> Figure:
    if drawn.panels:
        return _draw_panels(answer, drawn)
    chart = answer.question.chart
    return {"data": _traces(chart, drawn.series), "layout": _layout(answer, drawn)}


def _traces(
    chart: Chart,
    series: Mapping[tuple[str, ...], AnswerRows],
    numbers: Mapping[str, int] | None = None,
) -> list[Trace]:
    """The traces of some series; `numbers` are the colours of their first values."""
    traces = []
    numbers = numbers or _colours(chart, list(series))
    for values, rows in series.items():
        name = _series_name(chart.series, values)
        style = _style(chart, values, numbers[values[0]])
        if has_band(chart, rows):
            traces.append(band_trace(chart, rows, name, style))
        if chart.kind == "bar" and not chart.series and label_column(chart) == "sheet":
            style = _style_by_sheet(style, rows)
        trace = TRACE_BY_CHART_KIND[chart.kind](chart, rows)
        traces.append({**trace, "name": name, "legendgroup": name, **style})
    return traces


def _series_name(columns: tuple[str, ...], values: tuple[str, ...]) -> str:
    return ", ".join(readable_value(value, of) for value, of in zip(values, columns, strict=False))


def _draw_panels(answer: Answer, drawn: _Drawn) -> Figure:
    """A figure with a panel for each rulebook, and scales of their own."""
    chart = answer.question.chart
    numbers = _colours(chart, list(drawn.series))
    by_label = label_column(chart) == PANEL_COLUMN
    traces: list[Trace] = []
    axes, bars = [], 0
    of_all = _axes(answer, [row for each in drawn.series.values() for row in each])
    for number, series in enumerate(drawn.panels.values()):
        for values, rows in series.items():
            role = _series_name(chart.series[1:], values[1:])
            for trace in _traces(chart, {values: rows}, numbers):
                named = name_bars_by_series(trace, trace["name"]) if by_label else trace
                traces.append(put_in_panel(named, number, role))
        rows = [row for each in series.values() for row in each]
        axes.append(_panel_axes(answer, drawn, rows, of_all))
        labels = {row[label_column(chart)] for row in rows}
        bars = max(bars, len(labels) * (len(series) if "stacked" not in chart.flags else 1))
    across = "across" in chart.flags
    layout = panel_layout(axes, list(drawn.panels), bars if across else 0)
    return {"data": traces, "layout": _frame(answer, drawn) | layout}


def _panel_axes(answer: Answer, drawn: _Drawn, rows: AnswerRows, of_all: _Axes) -> _Axes:
    """The axes of a panel with these rows: its own where scales differ, else `of_all`, the axes of all rows."""
    x_axis, y_axis = _axes(answer, rows)
    if "x" not in drawn.scales:
        x_axis = {**of_all[0], "matches": "x"}
    if "y" not in drawn.scales and "across" not in answer.question.chart.flags:
        y_axis = {**of_all[1], "matches": "y"}
    return x_axis, y_axis


def _describe_panels(answer: Answer, drawn: _Drawn) -> str:
    """What a reader of panels must know, in words; empty if the figure has none."""
    question = answer.question
    if not drawn.panels:
        return ""
    if "across" in question.chart.flags:
        return "Each rulebook has a panel, with a scale of its own."
    own = {"x": "its own scale across", "y": "its own scale upwards"}.get(drawn.scales)
    return f"Each rulebook has a panel, with {own or 'scales of its own'}. Across: {question.x}."


def _drawn(answer: Answer) -> _Drawn | None:
    """The series to draw, each with the bars to draw; None if there is nothing to draw."""
    chart, every_row = answer.question.chart, answer.dicts()
    if not every_row or chart.kind not in TRACE_BY_CHART_KIND:
        return None
    series, bars = _split_series(chart, every_row), _bar_names(chart, every_row)
    scales = differing_scales(chart, every_row)
    # Panels hold any number of rulebooks; where these are bars, the series are something else and share one legend.
    are_rulebooks = scales and label_column(chart) != PANEL_COLUMN
    drawn, left_out = series if are_rulebooks else _largest(series), []
    if len(bars) > MOST_BARS_DRAWN:
        shown, label = set(bars[:MOST_BARS_DRAWN]), label_column(chart)
        fewer = {key: [row for row in rows if row[label] in shown] for key, rows in drawn.items()}
        drawn = {key: rows for key, rows in fewer.items() if rows}
        left_out.append(f"{len(bars) - MOST_BARS_DRAWN} smaller groups")
    if len(series) > len(drawn):
        left_out.insert(0, f"{len(series) - len(drawn)} smaller series")
    panels = _in_order(split_panels(drawn)) if scales else {}
    text = f"{' and '.join(left_out)} only in the table" if left_out else ""
    return _Drawn(drawn, text, panels, scales)


def _in_order(
    panels: dict[str, dict[tuple[str, ...], AnswerRows]],
) -> dict[str, dict[tuple[str, ...], AnswerRows]]:
    """Panels in the order of the rulebooks."""
    return dict(sorted(panels.items(), key=lambda item: _place(PANEL_COLUMN, item[0])))


def _bar_names(chart: Chart, rows: AnswerRows) -> list[Any]:
    """The names of the bars in order; empty for histograms and other charts."""
    if chart.kind != "bar" or "histogram" in chart.flags:
        return []
    return list(dict.fromkeys(row[label_column(chart)] for row in rows))


def _split_series(chart: Chart, rows: AnswerRows) -> dict[tuple[str, ...], AnswerRows]:
    """The rows of each series, known values first in the order of `VALUE_ORDER`."""
    rows_by_series: dict[tuple[str, ...], AnswerRows] = {}
    series = chart.series
    for row in rows:
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


def _style_by_sheet(style: dict[str, Any], rows: AnswerRows) -> dict[str, Any]:
    """The style of bars of which each is a rulebook: each in the rulebook's own colour, and none twice."""
    numbers = [_place("sheet", str(row["sheet"])) % len(SERIES_COLOURS) for row in rows]
    return {
        **style,
        "marker": {**style["marker"], "color": [SERIES_COLOURS[n][0] for n in numbers]},
        "meta": {"token": [f"series-{n + 1}" for n in numbers]},
    }


def _layout(answer: Answer, drawn: _Drawn) -> dict[str, Any]:
    chart = answer.question.chart
    x_axis, y_axis = _axes(answer, [row for each in drawn.series.values() for row in each])
    layout = {**_frame(answer, drawn), "xaxis": x_axis, "yaxis": y_axis}
    if "across" in chart.flags:
        layout["height"] = _height(chart, list(drawn.series.values()))
    if "diagonal" in chart.flags:
        layout["shapes"] = [_DIAGONAL]
    return layout


def _axes(answer: Answer, rows: AnswerRows) -> _Axes:
    """The axes of a plot with these rows."""
    question, chart = answer.question, answer.question.chart
    unit, other = {"title": {"text": question.unit}}, {"title": {"text": question.x}}
    across = "across" in chart.flags
    x_axis = {**AXIS_STYLE, **(unit if across else other)}
    y_axis = {**AXIS_STYLE, **({"autorange": "reversed", "type": "category", "dtick": 1} if across else unit)}  # fmt: skip
    if chart.columns.get("x") == "month":
        months = sorted({row["month"] for row in answer.dicts()})
        x_axis["tickformat"] = "%b %Y"
        if len(months) <= MOST_TICKS_NAMED:
            x_axis["tickvals"] = months
    elif chart.kind == "scatter":
        numbers = {row[chart.columns["x"]] for row in rows}
        if len(numbers) <= MOST_TICKS_NAMED and all(isinstance(each, int) for each in numbers):
            x_axis["tickvals"] = sorted(numbers)
    (x_axis if across or "histogram" in chart.flags else y_axis).update(_range(chart, rows))
    return x_axis, y_axis


def _frame(answer: Answer, drawn: _Drawn) -> dict[str, Any]:
    """The layout around the plots."""
    question, chart = answer.question, answer.question.chart
    return {
        "template": _EMPTY_TEMPLATE,
        "title": {"text": question.title, "subtitle": {"text": _subtitle(answer, drawn)}},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "barmode": "stack" if "stacked" in chart.flags else "group",
        "boxmode": "group",
        "bargap": 0.05 if "histogram" in chart.flags else 0.2,
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        "showlegend": len(chart.series) > 1 or bool(chart.series and not drawn.panels),
    }


def _height(chart: Chart, drawn: list[AnswerRows]) -> int:
    """The height in pixels that shows every bar with its name."""
    names = {row[label_column(chart)] for rows in drawn for row in rows}
    beside = 1 if "stacked" in chart.flags else len(drawn)
    return (
        FRAME_PX
        + len(drawn) * LEGEND_ENTRY_PX
        + len(names)
        * (GROUP_GAP_PX + beside * (THICK_BAR_PX if beside <= MOST_THICK_BARS else THIN_BAR_PX))
    )


def _range(chart: Chart, rows: AnswerRows) -> dict[str, Any]:
    """The range of the axis that neither a few deals with wide intervals nor a rare score may stretch."""
    if "histogram" in chart.flags:
        return {"range": _histogram_range(chart, rows)}
    if chart.kind not in ("scatter", "bar") or "low" not in chart.columns:
        return {}
    sure = [row for row in rows if row["n"] >= FEWEST_DEALS_FOR_INTERVAL]
    values = [row[chart.columns["x" if "across" in chart.flags else "y"]] for row in rows]
    ends = [end for row in sure for end in (low_end(chart, row), row[chart.columns["high"]])]
    values += [end for end in ends if end is not None]
    values += [0] if chart.kind == "bar" else []
    low, high = min(values), max(values)
    margin = AXIS_MARGIN_SHARE * (high - low)
    if not margin:
        alone = [0, high * (1 + AXIS_MARGIN_SHARE) or 1]
        return {} if "signed" in chart.flags else {"range": alone, "autorange": False}
    lowest = low - margin if low or chart.kind != "bar" else 0
    return {"range": [lowest, high + margin], "autorange": False}


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
    first, step = ordered[0][x] - min(steps), min(steps)
    return [first, max(last + step, first + FEWEST_HISTOGRAM_STEPS * step)]


def _subtitle(answer: Answer, drawn: _Drawn) -> str:
    text = f"{answer.question.unit}; n = {answer.basis}"
    return f"{text}; {drawn.left_out}" if drawn.left_out else text
