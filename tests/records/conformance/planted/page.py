"""The published list of planted errors and of what catches each, `records/spec/planted_errors.md`."""

import re
from pathlib import Path
from typing import NamedTuple

from records.documents.schemas import SPEC_FOLDER
from records.rules.registry import get_sheet
from tests.records.conformance.planted.catalogue import ERRORS
from tests.records.conformance.planted.planting import SHEETS, Planted

PAGE: Path = SPEC_FOLDER / "planted_errors.md"


class Catch(NamedTuple):
    """The ids of a case that catches an error, and of one that begins with the shuffle; None if there is none."""

    case: str | None
    in_whole_deal: str | None


Catches = dict[tuple[str, str], Catch]
"""What catches each error, by sheet and name."""

_HEAD = """# Planted errors

The cases of the [conformance kit](conformance.md) were chosen by mutation. Single errors of the kinds that authors of
programs make were planted, one at a time, in a program that judges by the rules: the referee of this project's tests. A
case was taken if the program with the error gives another verdict than it should. So every error is caught by a verdict
alone.

The table counts the errors by kind and rule sheet. In brackets: how many of them are caught also by a deal from the
shuffle. A program that reads no positions in the middle of a deal (`setup`) can rely on these only.
"""
_DETAILS = """## Every error, and what catches it

Cases are named without their sheet: `twins/C3-wrong` below Marjolet is `marjolet/twins/C3-wrong`. Other cases may catch
the error, too. A dash means that no deal from the shuffle was found that catches it.

<!-- `python -m tests.records.conformance.make` chooses the cases and writes this page; do not edit it by hand.
`make soak ARGS="--kit"` plants every error again. -->
"""


def planted_page(caught: Catches) -> str:
    """The page: a table of numbers, then the errors of every sheet, folded."""
    return "\n".join(
        [_HEAD, _counts(caught), _DETAILS, *(_chapter(sheet, caught) for sheet in SHEETS)]
    )


def _counts(caught: Catches) -> str:
    kinds = list(dict.fromkeys(error.kind for error in ERRORS))
    rows = [[kind, *(_count(caught, sheet, kind) for sheet in SHEETS)] for kind in kinds]
    rows.append(["**all**", *(_count(caught, sheet, None) for sheet in SHEETS)])
    head = ["kind", *(get_sheet(sheet).name for sheet in SHEETS)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)) + "\n"


def _count(caught: Catches, sheet: str, kind: str | None) -> str:
    """How many errors there are of a kind in a sheet, and in brackets how many whole deals catch."""
    some = [e for e in ERRORS if e.sheet == sheet and kind in (None, e.kind)]
    whole = sum(caught[sheet, error.name].in_whole_deal is not None for error in some)
    return f"{len(some)} ({whole})" if some else ""


def _chapter(sheet: str, caught: Catches) -> str:
    errors = [error for error in ERRORS if error.sheet == sheet]
    return "\n".join(
        [
            f"### {get_sheet(sheet).name}\n",
            f"<details>\n<summary>The {len(errors)} errors in {sheet}</summary>\n",
            "| error | kind | what the program does | caught by | in a whole deal |",
            "| --- | --- | --- | --- | --- |",
            *(_row(error, caught[sheet, error.name]) for error in errors),
            "\n</details>\n",
        ]
    )


def _row(error: Planted, catch: Catch) -> str:
    case, whole = (
        f"`{name.partition('/')[2]}`" if name else "-" for name in (catch.case, catch.in_whole_deal)
    )
    return f"| `{error.name}` | {error.kind} | {error.says} | {case} | {whole} |"


def write_page(caught: Catches) -> None:
    """Write the page beside the specification."""
    PAGE.write_text(planted_page(caught), encoding="utf-8")


def read_page() -> Catches:
    """What catches each error, as the page says."""
    found: Catches = {}
    sheet = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        chapter = re.search(r"errors in (.*)</summary>", line)
        sheet = chapter[1] if chapter else sheet
        row = re.match(r"^\| `([^`]+)` \|.*\| (?:`([^`]+)`|-) \| (?:`([^`]+)`|-) \|$", line)
        if row and sheet:
            case, whole = (name and f"{sheet}/{name}" for name in row.groups()[1:])
            found[sheet, row[1]] = Catch(case, whole)
    return found
