"""Text in CSV that a spreadsheet would run as a formula begins with an apostrophe."""

import csv
import io
from collections.abc import Iterator

import pytest

from webui.display.csv import CHARACTERS_PER_PIECE, rows_as_csv

SIGNS = "=+-@＝＋－＠"
BEFORE = [
    "",
    " ",
    "\t",
    "\r",
    "\n",
    "\r\n",
    "\x0b",
    "\x0c",
    "\0",
    "\u00a0",
    "\u3000",
    "\ufeff",
    "  \n ",
]


def csv_text(columns: list[str], rows: list[list[object]]) -> str:
    return "".join(rows_as_csv(columns, rows))


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", BEFORE)
def test_a_formula_is_text(sign: str, before: str) -> None:
    cell = f"{before}{sign}1+1"
    ((column,), (found,)) = csv.reader(io.StringIO(csv_text([cell], [[cell]]), newline=""))
    assert column == found == f"'{cell}"


@pytest.mark.parametrize("text", ["\tx", "\rx", "\nx"])
def test_what_may_begin_a_cell_of_its_own_is_text(text: str) -> None:
    ((_,), (found,)) = csv.reader(io.StringIO(csv_text(["a"], [[text]]), newline=""))
    assert found == f"'{text}"


@pytest.mark.parametrize("cell", ["Ann", "", " Ann", "a=b", "Q♠", -5, 1.5, None, "'x"])
def test_everything_else_stays_as_it_is(cell: object) -> None:
    assert csv_text(["a"], [[cell]]).splitlines()[1:] == (
        ['""'] if cell in ("", None) else [str(cell)]
    )


def test_it_is_made_piece_by_piece() -> None:
    """A million rows are never in memory together."""
    made = 0

    def rows() -> Iterator[list[object]]:
        nonlocal made
        for number in range(1_000_000):
            made = number
            yield [number, "=x" * 50]

    pieces = rows_as_csv(["number", "text"], rows())
    before = 0
    for _ in range(20):
        assert len(next(pieces)) < 2 * CHARACTERS_PER_PIECE
        assert made - before < 1_000
        before = made
