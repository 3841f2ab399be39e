"""Answers as CSV, and as data for JSON."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

from analyzer.questions import Answer


def answer_as_data(answer: Answer) -> dict[str, Any]:
    """The rows of an answer, with its title, unit, basis and caveat."""
    question = answer.question
    return {
        "name": question.name,
        "title": question.title,
        "answers": question.answers,
        "unit": question.unit,
        "over": answer.over,
        "n": answer.n,
        "caveat": question.caveat,
        "sql": answer.sql,
        "columns": answer.columns,
        "rows": answer.rows,
    }


def answer_as_csv(answer: Answer) -> str:
    """The rows of an answer as CSV."""
    return rows_as_csv(answer.columns, answer.rows)


def rows_as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV, under their column names."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(map(_escape_formula, columns))
    writer.writerows([_escape_formula(cell) for cell in row] for row in rows)
    return text.getvalue()


def _escape_formula(cell: object) -> object:
    """The cell, with an apostrophe before text that a spreadsheet would run as a formula."""
    is_formula = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if is_formula else cell
