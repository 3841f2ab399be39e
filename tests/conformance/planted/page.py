"""The published list of planted errors and of what catches each, `records/spec/planted_errors.md`."""

import re
from pathlib import Path

from records.documents.schemas import SPEC_FOLDER
from records.rules.registry import get_sheet
from tests.conformance.planted.catalogue import ERRORS
from tests.conformance.planted.planting import SHEETS

PAGE: Path = SPEC_FOLDER / "planted_errors.md"

Catches = dict[tuple[str, str], str | None]
"""The id of the case that catches each error, by sheet and name; None if none does."""

_HEAD = """# Planted errors

The cases of the [conformance kit](conformance.md) were chosen by mutation. Single errors of the kinds that authors of
programs make were planted, one at a time, in a program that judges by the rules: the referee of this project's tests.
A case was taken if the program with the error gives another verdict than it should. This page lists every error and a
case that catches it by the verdict alone; other cases may catch it, too.

`python -m tests.conformance.make` chooses the cases and writes this page; do not edit it by hand. `python -m
tests.soak --kit` plants every error again.
"""


def planted_page(caught: Catches) -> str:
    """The page, a chapter for every sheet."""
    return "\n".join([_HEAD, *(_chapter(sheet, caught) for sheet in SHEETS)])


def _chapter(sheet: str, caught: Catches) -> str:
    errors = [error for error in ERRORS if error.sheet == sheet]
    rows = [
        f"| `{error.name}` | {error.kind} | {error.says} | `{caught.get((sheet, error.name))}` |"
        for error in errors
    ]
    return "\n".join(
        [
            f"## {get_sheet(sheet).name}\n",
            f"{len(errors)} errors in `{sheet}`.\n",
            "| error | kind | what the program does | caught by |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def write_page(caught: Catches) -> None:
    """Write the page beside the specification."""
    PAGE.write_text(planted_page(caught), encoding="utf-8")


def read_page() -> Catches:
    """What catches each error, as the page says."""
    found: Catches = {}
    sheet = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        chapter = re.search(r"errors in `([^`]+)`", line)
        sheet = chapter[1] if chapter else sheet
        row = re.match(r"^\| `([^`]+)` \|.*\| `([^`]+)` \|$", line)
        if row:
            found[sheet, row[1]] = row[2]
    return found
