"""Rows for people, as a table: numbers to the right, words to the left. And names with words that explain them."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from shutil import get_terminal_size
from typing import Any, Literal

import click

from records.phrases import sanitize_text
from webui.cli.main import Refusal
from webui.display.text_layout import cut_text, pad_text, text_width, wrap_text

RowFormat = Literal["table", "csv", "json"]
GAP = "  "
_NAME_PARTS = re.compile("[^_]+_?|_")
LEAST_WORDS = 8
"""A column of words is cut to no fewer columns of the terminal."""
_IS_WIDE = "bezique.wide_table"


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --format, which the command gets as `form`, and --wide, which tables heed on their own."""
    return _wide_option(_format_option(command))


def _read_format(ctx: click.Context, option: click.Parameter, form: RowFormat) -> RowFormat:
    _require_table(ctx, form)
    return form


def _read_wide(ctx: click.Context, option: click.Parameter, is_wide: bool) -> None:  # noqa: FBT001
    ctx.meta[_IS_WIDE] = is_wide
    _require_table(ctx, ctx.params.get("form", "table"))


def _require_table(ctx: click.Context, form: RowFormat) -> None:
    if form != "table" and ctx.meta.get(_IS_WIDE):
        raise Refusal(f"--wide is for tables: --format {form} never cuts anything.")


_format_option = click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True,
    callback=_read_format, help="A table for people, or rows for programs.",
)  # fmt: skip
_wide_option = click.option(
    "--wide", is_flag=True, expose_value=False, callback=_read_wide,
    help="Print the whole table, however narrow the terminal.",
)  # fmt: skip


def print_rows(
    form: RowFormat, whole: object, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Print rows as a table or as CSV, or the `whole` of which they are a part as JSON."""
    import msgspec

    from webui.display.csv import rows_as_csv

    if form == "json":
        click.echo(msgspec.json.encode(whole).decode())
    elif form == "csv":
        for piece in rows_as_csv(columns, rows):
            click.echo(piece, nl=False)
    else:
        click.echo("\n".join(row_table(columns, rows)))


def row_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    """The rows under the names of their columns, as wide as the terminal at most, unless --wide was given.

    Where they do not fit, words are cut, and end in an ellipsis; numbers never are. Where that is not enough, the names of
    columns are broken, and at last every row is a list of its own. What goes to a file or to another program is whole.
    """
    context = click.get_current_context(silent=True)
    is_wide = context is not None and context.meta.get(_IS_WIDE)
    return table_within(None if is_wide else _columns_of_terminal(), columns, rows)


def _columns_of_terminal() -> int | None:
    """None if what is printed goes elsewhere."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def table_within(
    most: int | None, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> Iterator[str]:
    """The rows in lines of at most so many columns of a terminal; None sets no limit."""
    cells = [[_cell(value) for value in row] for row in rows]
    numeric = [
        all(row[i] is None or isinstance(row[i], int | float) for row in rows)
        for i in range(len(columns))
    ]
    names = [[name] for name in columns]
    widths = _widths(most, names, cells, numeric)
    if widths is None:
        names = [_NAME_PARTS.findall(name) or [""] for name in columns]
        widths = _widths(most, names, cells, numeric)
    if widths is None:
        return _one_by_one(most or 0, columns, cells)
    above = zip_longest(*(each[::-1] for each in names), fillvalue="")
    return (
        GAP.join(
            pad_text(cut_text(cell, width), width, right=right)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in [*list(above)[::-1], *cells]
    )


def _widths(
    most: int | None,
    names: Sequence[Sequence[str]],
    cells: Sequence[Sequence[str]],
    numeric: Sequence[bool],
) -> list[int] | None:
    """How wide every column is, its name in lines; None if the columns do not fit even when words are cut."""
    widths = [
        max(map(text_width, [*name, *column]))
        for name, column in zip(names, zip(*cells, strict=True) if cells else names, strict=True)
    ]
    if most is None:
        return widths
    room = most - len(GAP) * (len(widths) - 1)
    for widest in range(max(widths), LEAST_WORDS - 1, -1):
        cut = [
            width if is_number else min(width, widest)
            for width, is_number in zip(widths, numeric, strict=True)
        ]
        if sum(cut) <= room:
            return cut
    return None


def _one_by_one(most: int, columns: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """Every row as lines with the name of a column and what stands there, and an empty line between two."""
    width = max(map(text_width, columns))
    for number, row in enumerate(cells):
        if number:
            yield ""
        for name, cell in zip(columns, row, strict=True):
            begun = pad_text(name, width) + GAP if name else ""
            yield from _wrapped(begun, cell, text_width(begun), most)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return (
        f"{value:,}"
        if isinstance(value, int | float) and not isinstance(value, bool)
        else sanitize_text(str(value))
    )


INDENT = "  "
LEAST_EXPLANATION = 24
"""Where fewer columns are left beside the names, words stand below them."""


def explained_names(
    names: Iterable[tuple[str, str]], *, width: int, indent: str = INDENT, bold: bool = False
) -> Iterator[str]:
    """Names, each with its words beside it from the same column on, wrapped on a terminal; a name has `width` columns at most."""
    most = _columns_of_terminal()
    for name, words in names:
        shown = f"{indent}{click.style(name, bold=True) if bold else name}"
        blanks = " " * (len(indent) + width + len(GAP))
        begun = shown + blanks[len(indent) + text_width(name) :]
        if most is not None and most - len(blanks) < LEAST_EXPLANATION:
            yield shown
            begun = blanks = indent * 2 or INDENT
        yield from _wrapped(begun, words, len(blanks), most)


def _wrapped(begun: str, words: str, width: int, most: int | None) -> Iterator[str]:
    """Words in lines of at most so many columns, beside what was begun and then below, from the column `width` on."""
    lines = [words] if most is None else wrap_text(words, max(LEAST_WORDS, most - width))
    for line in lines or [""]:
        yield f"{begun}{line}".rstrip()
        begun = " " * width
