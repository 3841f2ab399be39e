"""Charts in the terminal: bars of block characters for categories, lines of braille dots for ordered values."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import click
import plotille

from analyzer.statistics.figures import MOST_SERIES_DRAWN
from analyzer.statistics.questions import Answer
from records.phrases import sanitize_text
from webui.display.text_layout import pad_text, text_width

EIGHTH_BLOCKS = " ▏▎▍▌▋▊▉█"
MOST_BARS_PLOTTED = 40
PLOT_HEIGHT = 16
SERIES_MARKERS = "•x+o*#"
PLOT_COLOURS = ("bright_blue", "yellow", "green", "magenta", "red", "cyan")
Points = list[tuple[float, float]]


def plot(answer: Answer, width: int) -> Iterator[str]:
    """The chart of an answer in lines of at most `width` characters; empty if it has no chart."""
    chart = answer.question.chart
    across = "across" in chart.flags
    if not answer.rows or chart.kind not in ("bar", "line", "scatter"):
        return
    label, value = (chart.columns["y" if across else "x"], chart.columns["x" if across else "y"])
    if chart.kind == "bar" or not all(isinstance(row[label], int) for row in answer.dicts()):
        yield from _bars(answer, label, value, width)
    else:
        yield from _lines(answer, label, value, width)


def _bars(answer: Answer, label: str, value: str, width: int) -> Iterator[str]:
    rows = [row for row in answer.dicts() if row[value] is not None][:MOST_BARS_PLOTTED]
    series = [name for name in answer.question.chart.series if name]
    names = [
        sanitize_text(" ".join(str(row[column]) for column in (label, *series))) for row in rows
    ]
    numbers = [f"{row[value]:,}" for row in rows]
    largest = max((row[value] for row in rows), default=0)
    name_width = max(map(text_width, names), default=0)
    bar_width = max(10, width - name_width - max(map(len, numbers), default=0) - 2)
    for name, number, row in zip(names, numbers, rows, strict=True):
        yield f"{pad_text(name, name_width)} {render_bar(row[value] / largest * bar_width if largest > 0 else 0)} {number}"
    yield f"{'':<{name_width}} {answer.question.unit}"


def render_bar(length: float) -> str:
    """A bar of this many characters, precise to an eighth."""
    eighths = max(0, round(length * 8))
    return "█" * (eighths // 8) + EIGHTH_BLOCKS[eighths % 8].strip()


def _lines(answer: Answer, label: str, value: str, width: int) -> Iterator[str]:
    series = _series(answer, label, value)
    if all(len(points) < 2 for points in series.values()):
        return
    figure = plotille.Figure()
    figure.color_mode, figure.origin = "names", False
    figure.width, figure.height = max(20, width - 16), PLOT_HEIGHT
    figure.x_label, figure.y_label = answer.question.x.partition(" (")[0], answer.question.unit
    figure.register_label_formatter(float, lambda number, chars, delta, left: f"{number:>8.6g}")
    all_points = [point for points in series.values() for point in points]
    figure.set_x_limits(min(x for x, _ in all_points), max(x for x, _ in all_points))
    for number, (name, points) in enumerate(series.items()):
        look: dict[str, Any] = {"lc": PLOT_COLOURS[number], "marker": SERIES_MARKERS[number]}
        for (x, y), (next_x, next_y) in pairwise(points):
            figure.plot([x, next_x], [y, next_y], lc=PLOT_COLOURS[number])
        figure.scatter(*zip(*points, strict=True), label=name or None, **look)
    yield from figure.show(legend=False).splitlines()
    if len(series) > 1:
        yield "   ".join(
            click.style(f"{mark} {name}", fg=colour)
            for name, mark, colour in zip(series, SERIES_MARKERS, PLOT_COLOURS, strict=False)
        )


def _series(answer: Answer, label: str, value: str) -> dict[str, Points]:
    """The points of each series; of many series, those with the most data."""
    columns = [name for name in answer.question.chart.series if name]
    found: dict[str, Points] = {}
    sizes: dict[str, int] = {}
    for row in answer.dicts():
        name = sanitize_text(" ".join(str(row[column]) for column in columns))
        if row[value] is not None:
            found.setdefault(name, []).append((float(row[label]), float(row[value])))
            sizes[name] = sizes.get(name, 0) + row["n"]
    largest = sorted(found, key=lambda name: -sizes[name])[:MOST_SERIES_DRAWN]
    return {name: points for name, points in found.items() if name in largest}
