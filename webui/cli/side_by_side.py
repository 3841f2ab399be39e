"""Rule sheets side by side in the terminal: in columns if they fit, otherwise line by line."""

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap

import click

from records.rules.compare import Comparison, ComparisonCell, ComparisonRow
from records.rules.explain import NARROWEST_TEXT

NARROWEST_COLUMN = 16
"""The smallest width of a column, in characters."""
COLUMN_GAP = 2
_MARK = "*"
_MOST_NAMED = 3
"""More sheets than this with the same text are called "the others", if they are the only such group."""


def comparison_lines(comparison: Comparison, width: int) -> Iterator[str]:
    """The comparison as lines of at most `width` characters, or `NARROWEST_TEXT`; a star marks differences."""
    width = max(width, NARROWEST_TEXT)
    rows = [row for group in comparison.groups for row in group.rows]
    names = max((len(row.name) for row in rows), default=0)
    column = (width - names - 2 * COLUMN_GAP) // len(comparison.sheets) - COLUMN_GAP
    if column < NARROWEST_COLUMN:
        yield from _by_lines(comparison, width)
    else:
        yield from _in_columns(comparison, names, min(column, 40))


def _in_columns(comparison: Comparison, names: int, column: int) -> Iterator[str]:
    heads = [ComparisonCell(sheet.id, differs=False) for sheet in comparison.sheets]
    yield from _line(ComparisonRow("", "", tuple(heads)), names, column)
    for group in comparison.groups:
        yield ""
        yield click.style(group.heading, bold=True)
        for row in group.rows:
            yield from _line(row, names, column)


def _line(row: ComparisonRow, names: int, column: int) -> Iterator[str]:
    """A row of cells, each wrapped in its column."""
    wrapped = [_wrapped(cell, column) for cell in row.cells]
    for number, parts in enumerate(zip_longest(*wrapped, fillvalue="")):
        cells = "".join(f"{part:<{column + COLUMN_GAP}}" for part in parts)
        yield f"  {'' if number else row.name:<{names + COLUMN_GAP}}{cells}".rstrip()


def _wrapped(cell: ComparisonCell, column: int) -> list[str]:
    mark = _MARK if cell.differs else " "
    return wrap(
        cell.text, column, initial_indent=mark, subsequent_indent=" ", break_on_hyphens=False
    )


def _by_lines(comparison: Comparison, width: int) -> Iterator[str]:
    ids = [sheet.id for sheet in comparison.sheets]
    for number, group in enumerate(comparison.groups):
        if number:
            yield ""
        yield click.style(group.heading, bold=True)
        for row in group.rows:
            yield f"  {row.name}"
            yield from _group_by_text(row, ids, width)


def _group_by_text(row: ComparisonRow, ids: list[str], width: int) -> Iterator[str]:
    """One line per text, with the sheets that say it; those without a mark first."""
    sheets_by_text: dict[tuple[bool, str], list[str]] = {}
    for sheet_id, cell in zip(ids, row.cells, strict=True):
        sheets_by_text.setdefault((cell.differs, cell.text), []).append(sheet_id)
    many = [sheets for sheets in sheets_by_text.values() if len(sheets) > _MOST_NAMED]
    for (differs, text), sheets in sorted(sheets_by_text.items(), key=lambda item: item[0][0]):
        names = ", ".join(sheets)
        if len(sheets_by_text) == 1:
            names = "all"
        elif many == [sheets]:
            names = "the others"
        yield from wrap(
            f"{_MARK if differs else ' '} {text}: {names}",
            width,
            initial_indent="    ",
            subsequent_indent=" " * 8,
            break_on_hyphens=False,
        )
