"""`bezique rules`: a rule sheet in English, several side by side, or one's own checked."""

from collections.abc import Iterator
from itertools import zip_longest
from shutil import get_terminal_size
from textwrap import wrap

import click

from records.phrases import sanitize_lines
from records.rules.compare import Comparison, ComparisonCell, ComparisonRow
from records.rules.english import NARROWEST_TEXT
from webui.cli.main import Refusal, complete_sheets, error_sentence
from webui.cli.own_sheets import read_sheet_file, sheet_id_of

# The command.

WIDEST_TEXT = 100


@click.command()
@click.argument("sheet_ids", nargs=-1, metavar="[ID|FILE]...", shell_complete=complete_sheets)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE",
    help="Apply this option; may be repeated.",
)  # fmt: skip
@click.option("--compare", "beside", is_flag=True, help="Show rulebooks side by side.")
@click.option(
    "--against", metavar="ID|FILE", shell_complete=complete_sheets,
    help="Mark differences from this rulebook instead of from the majority.",
)  # fmt: skip
@click.option("--differing", is_flag=True, help="Hide what all agree on.")
@click.pass_context
def rules(
    ctx: click.Context,
    sheet_ids: tuple[str, ...],
    *,
    options: tuple[str, ...],
    beside: bool,
    against: str | None,
    differing: bool,
) -> None:
    """List the rulebooks, explain one in English, compare several, or check one's own.

    A record names its rulebook in `rules.id`, and the options that differ from the defaults in
    `rules.options`. Each rulebook ends with the list of its options.

    --compare shows the named rulebooks, or all, side by side and marks differences with a star. If they are
    too many for the width of the terminal, it lists them line by line.

    `bezique rules check FILE` reads a sheet of your own, in JSON or TOML, and reports every mistake with its line
    and column; the page of the sheets as data says what stands in it. The exit status is 1 if there are mistakes.

    \b
      bezique rules
      bezique rules zique
      bezique rules bezique --option hand_size=9
      bezique rules --compare
      bezique rules --compare bezique zique --against bezique --differing
      bezique rules check ours.toml
    """
    if sheet_ids[:1] == ("check",):
        ctx.exit(_check(sheet_ids[1:]))
    # Only a comparison can have something to compare with or to hide, so these options imply it.
    if beside or against or differing:
        _compare(sheet_ids, options, against, differing=differing)
    elif not sheet_ids:
        if options:
            raise Refusal("--option needs the ID of a rulebook. `bezique rules` lists them.")
        click.echo("\n".join(_every_sheet()))
    else:
        _explain(sheet_ids, options)


def _check(files: tuple[str, ...]) -> int:
    """Tell the mistakes of files; returns the exit status."""
    if not files:
        raise Refusal("Name the file to check: `bezique rules check FILE`.")
    status = 0
    for file in files:
        try:
            sheet = read_sheet_file(file)
        except Refusal as mistakes:
            status = max(status, 1)
            click.echo(mistakes.message)
        except OSError as error:
            status = 2
            click.echo(sanitize_lines(error_sentence(error)))
        else:
            click.echo(sanitize_lines(f"{file}: {sheet.name} ({sheet.id}) has no mistakes."))
    return status


def _explain(sheet_ids: tuple[str, ...], options: tuple[str, ...]) -> None:
    from records.rules.english import explain_sheet, explanation_text
    from records.rules.registry import get_sheet, read_options, resolve_sheet

    sheet_id, *others = map(sheet_id_of, sheet_ids)
    if others:
        raise Refusal(
            "Only one rulebook can be printed at a time. --compare shows several side by side."
        )
    resolved = resolve_sheet(sheet_id, None, read_options(get_sheet(sheet_id), options))
    width = min(get_terminal_size().columns, WIDEST_TEXT)
    told = explain_sheet(resolved.sheet, resolved.options)
    click.echo(explanation_text(told, width), nl=False)


def _compare(
    sheet_ids: tuple[str, ...], options: tuple[str, ...], against: str | None, *, differing: bool
) -> None:
    from records.rules.compare import compare_rule_sheets
    from records.rules.registry import ALL_SHEETS, get_sheet

    if options:
        raise Refusal("--compare uses the default options and cannot be combined with --option.")
    names = dict.fromkeys(map(sheet_id_of, sheet_ids))
    sheets = [get_sheet(sheet_id) for sheet_id in names] or list(ALL_SHEETS)
    against = against if against is None else sheet_id_of(against)
    if against is not None and get_sheet(against) not in sheets:
        sheets.append(get_sheet(against))
    if len(sheets) == 1:
        raise Refusal("A comparison needs at least two rulebooks.")
    found = compare_rule_sheets(sheets, against=against, only_differing=differing)
    click.echo("\n".join(comparison_lines(found, get_terminal_size().columns)))


def _every_sheet() -> Iterator[str]:
    from records.rules.registry import ALL_SHEETS

    width = max(len(sheet.id) for sheet in ALL_SHEETS)
    for sheet in ALL_SHEETS:
        yield f"{click.style(f'{sheet.id:<{width}}', bold=True)}  {sheet.name}: {sheet.says}"


# Rule sheets side by side in the terminal: in columns if they fit, otherwise line by line.

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
