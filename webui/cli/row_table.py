"""Rows for people, as a table: numbers to the right, words to the left."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import click

from records.phrases import sanitize_text
from webui.display.text_layout import pad_text, text_width

RowFormat = Literal["table", "csv", "json"]
format_option = click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True,
    help="A table for people, or rows for programs.",
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
    """The rows under the names of their columns, one line each."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(text_width, column)) for column in zip(columns, *cells, strict=True)]
    numeric = [
        all(row[i] is None or isinstance(row[i], int | float) for row in rows)
        for i in range(len(widths))
    ]
    for line in [list(columns), *cells]:
        padded = zip(line, widths, numeric, strict=True)
        yield "  ".join(pad_text(cell, w, right=right) for cell, w, right in padded).rstrip()


def _cell(value: object) -> str:
    if value is None:
        return ""
    return (
        f"{value:,}"
        if isinstance(value, int | float) and not isinstance(value, bool)
        else sanitize_text(str(value))
    )
