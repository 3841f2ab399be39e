"""Tables fit their terminal, from 40 to 200 columns, and never cut a number."""

import re
from random import Random

import pytest

from tests.webui.cli.test_cli import on_a_terminal
from webui.cli.row_table import table_within
from webui.display.text_layout import text_width

COLUMNS = ["", "name", "deals_won_of_all", "event", "points"]
WORDS = [
    "Ada",
    "Bruno von und zu Hohenfels",
    "王小明",
    "שרה כהן",
    "double_bezique",
    "",
    "Ann-Marie, the elder",
]


def random_rows(random: Random, columns: int, rows: int) -> list[list[object]]:
    kinds = [random.choice(("words", "whole", "parts", "gaps")) for _ in range(columns)]
    return [[random_cell(random, kind) for kind in kinds] for _ in range(rows)]


def random_cell(random: Random, kind: str) -> object:
    match kind:
        case "words":
            return " ".join(random.choices(WORDS, k=random.randint(1, 4)))
        case "whole":
            return random.randint(0, 10**7)
        case "parts":
            return round(random.random() * 100, 2)
    return random.choice((None, 5))


@pytest.mark.parametrize("seed", range(60))
def test_no_line_is_wider_than_the_terminal_and_no_number_is_cut(seed):
    random = Random(seed)
    names = [random.choice((*COLUMNS, "mean_points_a_deal")) for _ in range(random.randint(1, 9))]
    rows = random_rows(random, len(names), random.randint(0, 6))
    for most in (40, 60, 80, 120, 200):
        lines = [*table_within(most, names, rows)]
        assert max(map(text_width, lines), default=0) <= most
        shown = "\n".join(lines)
        for row in rows:
            assert all(f"{cell:,}" in shown for cell in row if isinstance(cell, int | float))


def test_what_fits_is_as_it_is_without_a_terminal():
    rows = random_rows(Random(1), 5, 4)
    whole = [*table_within(None, COLUMNS, rows)]
    widest = max(map(text_width, whole))
    assert [*table_within(widest, COLUMNS, rows)] == whole
    assert [*table_within(widest - 1, COLUMNS, rows)] != whole


def test_words_are_cut_before_names_are_broken_and_rows_are_lists_last():
    rows = [[1, "Bruno von Hohenfels", 12.5, "Thursday club", 1234], [2, "Ada", 7.0, "Cup", 56]]
    assert [*table_within(52, COLUMNS, rows)] == [
        "   name        deals_won_of_all  event       points",
        "1  Bruno von…              12.5  Thursday…    1,234",
        "2  Ada                      7.0  Cup             56",
    ]
    assert [*table_within(40, COLUMNS, rows)] == [
        "              deals_",
        "                won_",
        "                 of_",
        "   name          all  event      points",
        "1  Bruno vo…    12.5  Thursday…   1,234",
        "2  Ada           7.0  Cup            56",
    ]
    assert [*table_within(28, COLUMNS, rows)][:6] == [
        "1",
        "name              Bruno von",
        "                  Hohenfels",
        "deals_won_of_all  12.5",
        "event             Thursday",
        "                  club",
    ]


@pytest.mark.long
def test_names_and_their_words_fit_a_terminal():
    for width in (40, 66, 100):
        for words in (("rules",), ("findings",), ("stats",)):
            shown = re.sub(r"\033\[[0-9;]*m", "", on_a_terminal(*words, COLUMNS=str(width)))
            assert max(map(text_width, shown.splitlines())) <= width


def test_a_whole_table_is_for_people(run):
    refused = run("stats", "points_by_source", "--format", "csv", "--wide")
    assert refused.exit_code == 2
    assert "--wide is for tables" in refused.stderr
