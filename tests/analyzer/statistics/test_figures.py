"""Figures: their contents, and colours that stay distinct (contrast and colour blindness are computed)."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from math import atan2, degrees, dist, hypot
from typing import Any

import plotly.graph_objects as go
import pytest
from msgspec.structs import replace as record_replace

from analyzer.ingest.loader import ingest_bytes
from analyzer.statistics import figures
from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import Refused, from_address
from analyzer.statistics.catalogue import dimensions
from analyzer.statistics.figures import SERIES_COLOURS, series_css
from analyzer.statistics.questions import Answer, Question, QuestionFilters, questions, run_question
from analyzer.store.store import Store
from records.format import codec
from records.record import Player
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.make.stored_games import store_game

QUESTIONS = {question.name: question for question in questions()}
EVERY = [pytest.param(question, id=question.name) for question in questions()]
NEVER_EMPTY = [param for param in EVERY if param.id != "findings_by_code"]
ACROSS = [param for param in NEVER_EMPTY if "across" in QUESTIONS[param.id].chart.flags]

SURFACES = (("#f7f4ec", "#fffdf8"), ("#161917", "#1f2421"))
"""What charts stand on, by theme: the page, and a raised box."""

# Machado, Oliveira and Fernandes (2009), severity 1.0.
DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.01182, 0.04294, 0.968881),
)
PROTANOPIA = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
TRITANOPIA = (
    (1.255528, -0.076749, -0.178779),
    (-0.078411, 0.930809, 0.147602),
    (0.004733, 0.691367, 0.3039),
)
NORMAL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def drawn(store: Store, question: Question, **filters: Any) -> dict[str, Any]:
    """The figure of an answer, of which Plotly must know every property."""
    text = figures.figure_as_json(run_question(store, question, QuestionFilters(**filters)))
    assert text is not None
    found: dict[str, Any] = json.loads(text)
    assert json.loads(go.Figure(found).to_json()) == found
    return found


@pytest.mark.parametrize("question", NEVER_EMPTY)
def test_a_figure_says_title_unit_and_n(full: Store, question: Question) -> None:
    layout = drawn(full, question)["layout"]
    n = run_question(full, question).n
    assert layout["title"]["text"] == question.title
    assert layout["title"]["subtitle"]["text"].startswith(f"{question.unit}; n = {n:,} ")
    axis = "xaxis" if "across" in question.chart.flags else "yaxis"
    assert layout[axis]["title"]["text"] == question.unit


@pytest.mark.parametrize("question", ACROSS)
def test_a_figure_of_bars_that_lie_across_grows_with_them(full: Store, question: Question) -> None:
    layout, traces = drawn(full, question)["layout"], drawn(full, question)["data"]
    names = {name for trace in traces for name in trace["y"]}
    assert layout["yaxis"]["dtick"] == 1
    assert layout["height"] > 20 * (len(names) + len(traces))


@pytest.mark.parametrize("question", NEVER_EMPTY)
def test_every_row_of_one_sheet_is_drawn(full: Store, question: Question) -> None:
    answer = run_question(full, question, QuestionFilters(sheet="zique"))
    traces = drawn(full, question, sheet="zique")["data"]
    axis = "y" if "across" in question.chart.flags else "x"
    assert sum(len(trace[axis]) for trace in traces) == len(answer.rows)
    assert len({trace["name"] for trace in traces}) == len(traces)
    assert all("_" not in trace["name"] for trace in traces)


@pytest.mark.parametrize("question", NEVER_EMPTY)
def test_of_many_series_the_largest_are_drawn_and_the_rest_is_mentioned(
    full: Store, question: Question
) -> None:
    answer = run_question(full, question)
    figure = drawn(full, question)
    axis = "y" if "across" in question.chart.flags else "x"
    panels = Counter(trace.get("xaxis", "x") for trace in figure["data"])
    assert 0 < max(panels.values()) <= figures.MOST_SERIES_DRAWN
    points = sum(len(trace[axis]) for trace in figure["data"])
    left_out = "only in the table" in figure["layout"]["title"]["subtitle"]["text"]
    assert left_out == (points < len(answer.rows))


@pytest.mark.parametrize("question", NEVER_EMPTY)
def test_every_trace_names_its_token_and_uses_its_colour(full: Store, question: Question) -> None:
    for trace in drawn(full, question)["data"]:
        tokens, colours = trace["meta"]["token"], trace["marker"]["color"]
        if isinstance(tokens, str):
            tokens, colours = [tokens], [colours]
        numbers = [int(token.removeprefix("series-")) for token in tokens]
        assert colours == [SERIES_COLOURS[number - 1][0] for number in numbers]
        assert len(numbers) == 1 or len(numbers) == len(trace["x"])


def test_a_bar_of_a_rulebook_has_its_colour(full: Store) -> None:
    found = run_ask(full, from_address("metric=points&by=sheet"))
    figure = json.loads(figures.figure_as_json(found) or "")
    (trace,) = figure["data"]
    order = figures.VALUE_ORDER["sheet"]
    column = found.columns.index("sheet")
    tokens = [f"series-{order.index(row[column]) + 1}" for row in found.rows]
    assert trace["meta"]["token"] == tokens
    assert len(set(tokens)) == len(tokens) > 5


@pytest.mark.long
def test_a_sheet_alone_always_has_the_same_colour(full: Store) -> None:
    for name in ("points_by_source", "match_length", "deal_scores"):
        question = next(question for question in questions() if question.name == name)
        for number, sheet in enumerate(figures.VALUE_ORDER["sheet"]):
            (trace,) = drawn(full, question, sheet=sheet)["data"]
            assert trace["meta"]["token"] == f"series-{number % len(SERIES_COLOURS) + 1}"


@pytest.mark.parametrize("question", NEVER_EMPTY)
def test_no_two_series_of_a_chart_look_alike(full: Store, question: Question) -> None:
    looks = [
        (
            trace.get("xaxis"),
            trace["marker"]["color"],
            trace.get("line", {}).get("dash"),
            trace["marker"].get("pattern"),
        )
        for trace in drawn(full, question)["data"]
    ]
    assert len({str(look) for look in looks}) == len(looks)


def test_no_figure_carries_a_theme_or_an_address(full: Store) -> None:
    for question in questions():
        text = figures.figure_as_json(run_question(full, question))
        assert text is None or ("http" not in text and len(text) < 60_000)


def linear(colour: str) -> list[float]:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def contrast(one: str, other: str) -> float:
    weights = (0.2126, 0.7152, 0.0722)
    lights = sorted(
        sum(w * v for w, v in zip(weights, linear(c), strict=True)) for c in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def lab(colour: str, eye: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    seen = [sum(m * v for m, v in zip(row, linear(colour), strict=True)) for row in eye]
    r, g, b = (min(1.0, max(0.0, value)) for value in seen)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_stand_out_from_the_page(theme: int) -> None:
    for colours, background in product(SERIES_COLOURS, SURFACES[theme]):
        assert contrast(colours[theme], background) >= 3


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    "eye",
    [NORMAL, DEUTERANOPIA, PROTANOPIA, TRITANOPIA],
    ids=["normal", "deutan", "protan", "tritan"],
)
def test_colours_can_be_told_apart(eye: tuple[tuple[float, ...], ...], theme: int) -> None:
    seen = [lab(colours[theme], eye) for colours in SERIES_COLOURS]
    assert min(dist(one, other) for one, other in combinations(seen, 2)) >= 16
    of_a_legend = seen[: figures.MOST_SERIES_DRAWN]
    assert min(dist(one, other) for one, other in combinations(of_a_legend, 2)) >= 25


def test_a_colour_has_one_hue_in_both_themes() -> None:
    """To within 25 degrees, where it is more than a grey."""
    for pair in SERIES_COLOURS:
        (_, *light), (_, *dark) = (lab(colour, NORMAL) for colour in pair)
        if min(hypot(*light), hypot(*dark)) > 12:
            turn = degrees(atan2(light[1], light[0]) - atan2(dark[1], dark[0]))
            assert abs((turn + 180) % 360 - 180) < 25, pair


def test_a_sheet_has_one_colour_whatever_is_drawn_beside_it(full: Store) -> None:
    """Two sheets never share one, and none has another in a chart of many."""
    assert len(figures.VALUE_ORDER["sheet"]) <= len(SERIES_COLOURS)
    names = {sheet.name: number for number, sheet in enumerate(ALL_SHEETS)}
    for question in questions():
        if question.chart.series[:1] == ("sheet",):
            figure = drawn(full, question)
            titles = [note["text"] for note in figure["layout"].get("annotations", ())]
            for trace in figure["data"]:
                panel = int(trace.get("xaxis", "x").removeprefix("x") or 1) - 1
                name = titles[panel] if titles else trace["name"]
                number = names[name.removesuffix(", leader").removesuffix(", dealer")]
                assert trace["meta"]["token"] == f"series-{number + 1}", question.name


def test_the_pages_have_the_same_colours() -> None:
    assert [tuple(pair) for pair in re.findall(r"light-dark\((.*), (.*)\)", series_css())] == [
        *SERIES_COLOURS
    ]
    assert "--series-1:" in series_css()


@pytest.mark.usefixtures("however_few")
def test_no_bar_chart_is_stretched_by_a_guess_from_a_few(full: Store) -> None:
    found = run_ask(full, from_address("metric=meld_time&by=meld&sheet=bezique"))
    columns = found.question.chart.columns
    value, name = ("x", "y") if "across" in found.question.chart.flags else ("y", "x")
    rows = [row | {"n": 100} for row in found.dicts() if row[columns["low"]] is not None]
    rows[-1] |= {"n": 2, columns["low"]: -500.0, columns["high"]: 500.0}
    wild = replace(found, rows=[tuple(row[column] for column in found.columns) for row in rows])
    figure = json.loads(figures.figure_as_json(wild) or "")
    low, high = figure["layout"][f"{value}axis"]["range"]
    assert -100 < low <= 0
    assert max(row[columns["high"]] for row in rows[:-1]) <= high < 100
    assert "range" not in figure["layout"][f"{name}axis"]


def test_no_whisker_goes_below_zero_where_no_value_can(full: Store) -> None:
    """A mean of points has an interval by Student's t, which knows nothing of zero."""
    answer = run_ask(full, from_address("metric=points_from&by=source&sheet=marjolet"))
    low = answer.columns.index("low")
    rows = [(*row[:low], -5.0, *row[low + 1 :]) for row in answer.rows]
    chart = replace(answer.question.chart, flags=answer.question.chart.flags | {"signed"})
    for question, least in (
        (answer.question, 0.0),
        (replace(answer.question, chart=chart), -5.0),
    ):
        figure = json.loads(
            figures.figure_as_json(replace(answer, rows=rows, question=question)) or ""
        )
        for trace in figure["data"]:
            whiskers = zip(trace["x"], trace["error_x"]["arrayminus"], strict=True)
            assert {round(value - below, 2) for value, below in whiskers} == {least}


@pytest.fixture
def one_match(store: Store) -> Store:
    """A collection of a single match, of one deal."""
    record = play_game("rubicon-bezique", seed=5, names=["Ann", "Bob"])
    record = record_replace(record, meta={"started": "2026-03-05T19:30:00Z"})
    store_game(store, record)
    return store


def test_a_value_without_interval_has_no_whisker(one_match: Store) -> None:
    """Plotly draws a mark for a whisker without length, which looks like a tiny interval."""
    figure = drawn(one_match, QUESTIONS["dealer_or_leader"])
    (whiskers,) = {json.dumps(trace["error_x"]["array"]) for trace in figure["data"]}
    assert json.loads(whiskers) == ["none"]


def test_a_bar_alone_does_not_fill_its_plot(one_match: Store) -> None:
    figure = drawn(one_match, QUESTIONS["match_length"])
    low, high = figure["layout"]["xaxis"]["range"]
    assert (low, high) == (0, 6)


def test_a_value_alone_stands_on_an_axis_that_begins_at_zero(one_match: Store) -> None:
    """Left to itself, Plotly would draw percents below zero around a zero, and half aces around sixteen."""
    answer = run_ask(one_match, from_address("metric=deals_won&by=month&player=Ann"))
    figure = json.loads(figures.figure_as_json(answer) or "")
    assert figure["layout"]["yaxis"]["range"] == [0, 1]
    answer = run_ask(one_match, from_address("metric=points&by=brisques_taken"))
    figure = json.loads(figures.figure_as_json(answer) or "")
    (taken,) = {x for trace in figure["data"] for x in trace["x"]}
    assert figure["layout"]["xaxis"]["tickvals"] == [taken]


def with_rows(store: Store, name: str, sheets: dict[str, float]) -> Answer:
    """The answer to a question with one row for each series of these rulebooks, and the values in them."""
    answer = run_question(store, QUESTIONS[name])
    given = {"role": ("leader", "dealer")}
    kinds = product(*[given.get(column, sheets) for column in answer.question.chart.series])
    chart, rows = answer.question.chart, []
    labels = [""] if "sheet" in chart.series else [*sheets]
    for values in kinds:
        for label in labels:
            row = dict.fromkeys(answer.columns, None) | dict(zip(chart.series, values, strict=True))
            row = {**row, "n": 9, **({"sheet": label} if label else {})}
            row |= {
                column: sheets[row["sheet"]] for column in answer.columns if row[column] is None
            }
            rows.append(tuple(row[column] for column in answer.columns))
    return replace(answer, rows=rows)


@pytest.mark.parametrize(
    ("name", "marks"),
    [("dealer_or_leader", 2), ("lead_in_tricks", 1), ("score_race", 2), ("hand_strength", 1)],
)
def test_rulebooks_of_different_scales_have_panels_of_their_own(
    full: Store, name: str, marks: int
) -> None:
    """Marjolet and Chinese Bezique on one axis would leave nothing to see of Marjolet."""
    small, large = {"marjolet": 30.0}, {"chinese-bezique": 900.0}
    one = with_rows(full, name, small | {"zique": 60.0})
    assert figures.figure_on_page(one).scales == ""
    assert "xaxis2" not in json.loads(figures.figure_as_json(one) or "")["layout"]
    two = with_rows(full, name, large | small)
    assert figures.figure_on_page(two).scales.startswith("Each rulebook has a panel")
    figure = json.loads(figures.figure_as_json(two) or "")
    assert json.loads(go.Figure(figure).to_json()) == figure
    layout = figure["layout"]
    titles = [note["text"] for note in layout["annotations"]]
    assert titles == ["Chinese Bezique", "Marjolet"]
    drawn_in = Counter(trace["xaxis"] for trace in figure["data"] if not trace["meta"].get("band"))
    assert drawn_in == {"x": marks, "x2": marks}
    assert layout["meta"]["panels"] == 2
    legend = [trace["name"] for trace in figure["data"] if trace["showlegend"]]
    assert legend == (["leader", "dealer"] if name == "score_race" else [])


def test_a_value_that_hardly_any_deal_has_makes_no_panels(full: Store) -> None:
    answer = with_rows(full, "lead_in_tricks", {"chinese-bezique": 900.0, "marjolet": 30.0})
    place = answer.columns.index("n")
    rare = [(*row[:place], 1, *row[place + 1 :]) for row in answer.rows]
    assert figures.figure_on_page(replace(answer, rows=rare)).scales == ""


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """More players than there are colours, at rulebooks whose points need scales of their own."""
    sheets = ("marjolet", "chinese-bezique")
    with Store(tmp_path_factory.mktemp("crowded")) as store:
        for seed, sheet in product(range(len(SERIES_COLOURS)), sheets):
            game = play_game(sheet, seed=seed, deals=1)
            names = [f"{sheet} {seed} {seat}" for seat in range(len(game.players))]
            named = record_replace(game, players=[Player(name=name) for name in names])
            ingest_bytes(store, f"{sheet}-{seed}.json", codec.encode(named))
        yield store


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["points", "lead", "meld_worth", "tricks_ahead"])
def test_whatever_rulebooks_are_split_by_is_drawn(crowded: Store, metric: str) -> None:
    most, panels = 0, 0
    for split in dimensions():
        try:
            ask = from_address(f"metric={metric}&by=sheet&split={split}&every=1")
        except Refused:
            continue
        found = figures.figure_on_page(run_ask(crowded, ask))
        traces = json.loads(found.json)["data"] if found.json else []
        most = max(most, len({trace["name"] for trace in traces}))
        panels += found.scales != ""
    assert 1 < most <= figures.MOST_SERIES_DRAWN
    assert panels
