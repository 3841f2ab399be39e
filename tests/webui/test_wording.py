import ast
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

import webui
from records.validate.report import Report
from webui.display.text_layout import join_percents
from webui.display.verdict_words import gap_words
from webui.display.words import cell_words, days_words, name_seats, row_words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"), (True, "yes"), (1234, "1,234"), (1.0500000000000003, "1.05"), (12.5, "12.5"),
        (1234.567, "1,234.57"), (-2.0, "-2"), (100.0, "100"), (0.0, "0"), (0.0012, "0.0012"),
        ("four_aces", "four aces"),
    ],
)  # fmt: skip
def test_a_cell_is_written_for_people(value, text):
    assert cell_words(value) == text


def test_a_cell_of_ones_own_statement_is_as_the_database_has_it():
    assert cell_words(1.0500000000000003, raw=True) == "1.0500000000000003"
    assert cell_words("four_aces", raw=True) == "four_aces"


def test_a_number_and_its_percent_sign_stay_in_one_line():
    sent_back = '<input value="5 %"><textarea>SELECT 5 % 3</textarea><pre><b>5 % 3</b></pre>'
    page = f"<h1>Won: 95 % of 12</h1>{sent_back}<p>{{}} % 12 %</p>"
    assert join_percents(page) == page.replace("95 %", "95\u00a0%").replace("12 %", "12\u00a0%")


def test_the_numbers_of_a_column_are_in_line():
    rows = [("Ann", 82.0, 64.5, 0.5, 3), ("Bob", 1170.25, 7.0, 0.0021, None)]
    assert row_words(rows) == [
        ["Ann", "82.00", "64.5", "0.5", "3"],
        ["Bob", "1,170.25", "7.0", "0.0021", "–"],
    ]
    assert row_words([]) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [("seat 1", "Bob"), ("seat 0, first of all", "Ann, first of all"), ("seat 2", "seat 2"), ("40", "40")],
)  # fmt: skip
def test_a_seat_is_told_by_its_player(text, told):
    assert name_seats(text, ["Ann", "Bob"]) == told


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ("2026-03-05", "2026-03-05", "5 March 2026"),
        ("2026-03-05", "2026-03-07", "5 – 7 March 2026"),
        ("2026-01-02", "2026-03-05", "2 January – 5 March 2026"),
        ("2025-12-30", "2026-01-02", "30 December 2025 – 2 January 2026"),
        ("2026-03-05", None, "5 March 2026"), (None, None, ""),
    ],
)  # fmt: skip
def test_days_are_told_with_no_word_twice(first, last, text):
    assert days_words(*(each and datetime.fromisoformat(each) for each in (first, last))) == text


def test_what_a_verdict_leaves_out_is_said_beside_it():
    assert gap_words(Report(verdict="illegal", finished=False, known=True)) == ["unfinished"]
    both = Report(verdict="legal_with_mismatches", finished=False, known=False)
    assert gap_words(both) == ["unfinished", "not fully known"]
    assert gap_words(Report(verdict="incomplete", finished=False, known=True)) == []
    assert gap_words(Report(verdict="undetermined", finished=True, known=False)) == []
    assert gap_words(Report(verdict="unreadable")) == []


def test_no_page_names_a_key_that_a_mac_does_not_have():
    templates = Path(webui.__file__).parent / "templates"
    lines = [line for path in templates.rglob("*.html") for line in path.read_text().splitlines()]
    assert [line for line in lines if "Ctrl" in line and "⌘" not in line] == []


def sentences_told(tree: ast.AST) -> Iterator[ast.JoinedStr]:
    """The sentences of a module that are told above a page, or by `bezique rename`, and have something in them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("flash", "_say"):
            yield from (each for each in ast.walk(node) if isinstance(each, ast.JoinedStr))


def is_written_by_us(value: ast.FormattedValue) -> bool:
    """Whether what a sentence has in it is a number of things: a name may end with a full stop of its own."""
    text = ast.unparse(value.value)
    return (
        text.startswith(("pluralize(", "games"))
        or "number" in text
        or value.format_spec is not None
    )


def test_no_notice_ends_with_what_people_wrote():
    for path in Path(webui.__file__).parent.rglob("*.py"):
        for told in sentences_told(ast.parse(path.read_text())):
            for value, after in zip(told.values, told.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and not is_written_by_us(value):
                    ends = isinstance(after, ast.Constant) and str(after.value).startswith(".")
                    assert not ends, f"{path.name}: {ast.unparse(told)}"
