"""Answers as CSV, and as data for JSON."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain
from typing import Any

from analyzer.statistics.questions import Answer

CHARACTERS_PER_PIECE = 64 * 1024
FORMULA_STARTS = tuple("=+-@＝＋－＠﹦﹢﹣﹫−")
"""Signs that begin a formula, plain, wide and small, and the minus sign of typographers."""
UNSEEN_STARTS = "\t\r\n\v\f\0"
"""Characters that may move what follows into a cell of its own."""
SKIPPED_STARTS = (
    "".join(map(chr, range(33)))
    + "\x7f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
    + "".join(map(chr, range(0x2000, 0x2010)))
)
"""Blanks, control characters and signs without width."""


def answer_as_data(answer: Answer) -> dict[str, Any]:
    """The rows of an answer, with its title, unit, basis, what is left out, and caveat."""
    question = answer.question
    return {
        "name": question.name,
        "title": question.title,
        "answers": question.answers,
        "unit": question.unit,
        "over": answer.over,
        "n": answer.n,
        "left_out": answer.left_out,
        "caveat": question.caveat,
        "sql": answer.sql,
        "columns": answer.columns,
        "rows": answer.rows,
    }


def answer_as_csv(answer: Answer) -> Iterator[str]:
    """The rows of an answer as CSV, piece by piece."""
    return rows_as_csv(answer.columns, answer.rows)


def rows_as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Rows as CSV, under their column names, piece by piece."""
    text = StringIO()
    writer = csv.writer(text)
    for row in chain([columns], rows):
        writer.writerow(map(_escape_formula, row))
        if text.tell() >= CHARACTERS_PER_PIECE:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def _escape_formula(cell: object) -> object:
    """The cell, with an apostrophe before text that a spreadsheet would run as a formula.

    Spreadsheets skip blanks and control characters before a formula, and some of them read the wide signs of East
    Asian text as the plain ones.
    """
    if not isinstance(cell, str) or not cell:
        return cell
    begins_unseen = cell[0] in UNSEEN_STARTS
    return (
        f"'{cell}" if begins_unseen or cell.lstrip(SKIPPED_STARTS)[:1] in FORMULA_STARTS else cell
    )
