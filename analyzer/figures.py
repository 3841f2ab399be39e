"""An answer as a Plotly figure: one drawing function a kind of chart, colours by name from one palette."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go

from analyzer.queries import Answer, Chart
from records.rules.registry import ALL

PALETTE = (
    "#0072b2", "#d55e00", "#009e73", "#aa66ee", "#3399aa", "#995533", "#9922ff",
)  # fmt: skip
"""Series colours: 3:1 or better on white and on near-black, apart for the colour-blind too.

A page may put its own in their place: every trace names the token it used (`series-1` and so on)
in its `meta`.
"""

MOST_SERIES = 6
"""What a legend holds without outgrowing its plot."""

DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star")
PATTERNS = ("", "/", ".", "x")

GRID = "rgba(128, 128, 128, 0.25)"
WHISKER = "#888888"
AXIS = {"automargin": True, "gridcolor": GRID, "zerolinecolor": GRID}

ORDER: dict[str, tuple[str, ...]] = {
    "sheet": tuple(sheet.id for sheet in ALL),
    "role": ("leader", "dealer", "other"),
    "verdict": ("legal", "illegal", "incomplete", "legal_with_mismatches", "undetermined"),
    "severity": ("note", "illegal", "warning", "mismatch", "unreadable"),
}
"""Values that have a colour of their own, which they keep wherever it is free."""

Rows = list[dict[str, Any]]


def draw(answer: Answer) -> go.Figure | None:
    """The figure of an answer, with its largest series; None if there is nothing to draw."""
    if not answer.rows:
        return None
    chart = answer.question.chart
    series = _split(answer)
    drawn = _largest(series)
    figure = go.Figure(layout={"template": "none"})
    numbers = _colours(chart, list(drawn))
    for values, rows in drawn.items():
        trace = DRAW[chart.kind](chart, rows)
        name = ", ".join(_words(value) for value in values)
        figure.add_trace(trace.update(name=name, **_style(chart, values, numbers[values[0]])))
    figure.update_layout(**_layout(answer, left_out=len(series) - len(drawn)))
    return figure


def to_json(answer: Answer) -> str | None:
    """The figure as JSON for Plotly.newPlot; None if there is nothing to draw."""
    figure = draw(answer)
    return None if figure is None else str(figure.to_json(validate=False))


def _split(answer: Answer) -> dict[tuple[str, ...], Rows]:
    """The rows of each series, in the order in which their names are known."""
    found: dict[tuple[str, ...], Rows] = {}
    series = answer.question.chart.series
    for row in answer.dicts():
        found.setdefault(tuple(str(row[column]) for column in series), []).append(row)
    return dict(sorted(found.items(), key=lambda item: _places(series, item[0])))


def _largest(series: dict[tuple[str, ...], Rows]) -> dict[tuple[str, ...], Rows]:
    """As many series as a legend holds: those whose first name stands for most."""
    sizes: Counter[str] = Counter()
    for values, rows in series.items():
        sizes[values[0]] += sum(row["n"] for row in rows)
    for_each = -(-len(series) // len(sizes))
    kept = {name for name, _ in sizes.most_common(max(1, MOST_SERIES // for_each))}
    return {values: rows for values, rows in series.items() if values[0] in kept}


def _places(series: tuple[str, ...], values: tuple[str, ...]) -> list[int]:
    return [_place(column, value) for column, value in zip(series, values, strict=True)]


def _place(column: str, value: str) -> int:
    known = ORDER.get(column, ())
    return known.index(value) if value in known else len(known)


def _bar(chart: Chart, rows: Rows) -> go.Bar:
    trace = go.Bar(_xy(chart, rows), orientation="h" if "across" in chart.flags else "v")
    return _with_whiskers(trace, chart, rows)


def _line(chart: Chart, rows: Rows) -> go.Scatter:
    return go.Scatter(_xy(chart, rows), mode="lines")


def _scatter(chart: Chart, rows: Rows) -> go.Scatter:
    return _with_whiskers(go.Scatter(_xy(chart, rows), mode="lines+markers"), chart, rows)


def _box(chart: Chart, rows: Rows) -> go.Box:
    columns = chart.columns
    return go.Box(
        x=[_words(row[columns["x"]]) for row in rows],
        median=_values(rows, columns["y"]),
        q1=_values(rows, columns["q1"]),
        q3=_values(rows, columns["q3"]),
        lowerfence=_values(rows, columns["low"]),
        upperfence=_values(rows, columns["high"]),
    )


DRAW: dict[str, Callable[[Chart, Rows], Any]] = {
    "bar": _bar,
    "line": _line,
    "scatter": _scatter,
    "box": _box,
}


def _xy(chart: Chart, rows: Rows) -> dict[str, Any]:
    return {
        "x": [_words(value) for value in _values(rows, chart.columns["x"])],
        "y": [_words(value) for value in _values(rows, chart.columns["y"])],
        "customdata": [[row["n"]] for row in rows],
        "hovertemplate": "%{x}: %{y} (n = %{customdata[0]:,})",
    }


def _with_whiskers(trace: Any, chart: Chart, rows: Rows) -> Any:
    if "error" in chart.columns:
        trace.error_y = {
            "type": "data",
            "array": _values(rows, chart.columns["error"]),
            "thickness": 1,
            "color": WHISKER if chart.kind == "bar" else None,
        }
    return trace


def _colours(chart: Chart, drawn: list[tuple[str, ...]]) -> dict[str, int]:
    """A colour for each first name: its own, or the next that nobody in this chart has."""
    numbers: dict[str, int] = {}
    for place, name in enumerate(dict.fromkeys(values[0] for values in drawn)):
        column = chart.series[0]
        number = _place(column, name) if column in ORDER else place
        free = (number + step for step in range(len(PALETTE)))
        numbers[name] = next(
            n % len(PALETTE) for n in free if n % len(PALETTE) not in numbers.values()
        )
    return numbers


def _style(chart: Chart, values: tuple[str, ...], number: int) -> dict[str, Any]:
    """The colour and mark of the first name, the dash or pattern of the second."""
    second = _places(chart.series, values)[1:]
    variant = second[0] if second else 0
    style: dict[str, Any] = {
        "marker": {"color": PALETTE[number]},
        "meta": {"token": f"series-{number + 1}"},
    }
    if chart.kind == "line":
        style["line"] = {"color": PALETTE[number], "dash": DASHES[variant % len(DASHES)]}
    elif chart.kind == "scatter":
        style["marker"]["symbol"] = SYMBOLS[number]
        style["line"] = {"color": PALETTE[number], "width": 1}
    elif chart.kind == "bar":
        style["marker"]["pattern"] = {"shape": PATTERNS[variant % len(PATTERNS)]}
    return style


def _layout(answer: Answer, *, left_out: int) -> dict[str, Any]:
    question, chart = answer.question, answer.question.chart
    unit, other = {"title": {"text": question.unit}}, {"title": {"text": question.x}}
    across = "across" in chart.flags
    return {
        "title": {
            "text": question.title,
            "subtitle": {"text": _subtitle(answer, left_out)},
        },
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "barmode": "stack" if "stacked" in chart.flags else "group",
        "boxmode": "group",
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        "xaxis": {**AXIS, **(unit if across else other)},
        "yaxis": {
            **AXIS,
            **(other if across else unit),
            "autorange": "reversed" if across else True,
        },
        "showlegend": True,
    }


def _subtitle(answer: Answer, left_out: int) -> str:
    said = f"{answer.question.unit}; n = {answer.n:,} {answer.over}"
    return f"{said}; {left_out} smaller series only in the table" if left_out else said


def _values(rows: Rows, column: str) -> list[Any]:
    return [row[column] for row in rows]


def _words(value: Any) -> Any:
    """A code as people read it: `four_aces` -> `four aces`."""
    return value.replace("_", " ") if isinstance(value, str) else value
