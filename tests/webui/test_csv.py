"""Text in CSV that a spreadsheet would run as a formula begins with an apostrophe."""

import csv
import io

import pytest

from webui.display.csv import rows_as_csv

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


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", BEFORE)
def test_a_formula_is_text(sign: str, before: str) -> None:
    cell = f"{before}{sign}1+1"
    ((column,), (found,)) = csv.reader(io.StringIO(rows_as_csv([cell], [[cell]]), newline=""))
    assert column == found == f"'{cell}"


@pytest.mark.parametrize("text", ["\tx", "\rx", "\nx"])
def test_what_may_begin_a_cell_of_its_own_is_text(text: str) -> None:
    ((_,), (found,)) = csv.reader(io.StringIO(rows_as_csv(["a"], [[text]]), newline=""))
    assert found == f"'{text}"


@pytest.mark.parametrize("cell", ["Ann", "", " Ann", "a=b", "Q♠", -5, 1.5, None, "'x"])
def test_everything_else_stays_as_it_is(cell: object) -> None:
    assert rows_as_csv(["a"], [[cell]]).splitlines()[1:] == (
        ['""'] if cell in ("", None) else [str(cell)]
    )
