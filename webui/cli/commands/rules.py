"""`bezique rules`: the rulebooks in English, or side by side."""

from collections.abc import Iterator
from shutil import get_terminal_size

import click

from webui.cli.completion import complete_sheets
from webui.cli.refusal import Refusal

WIDEST_TEXT = 100


@click.command()
@click.argument("sheet_ids", nargs=-1, metavar="[ID]...", shell_complete=complete_sheets)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE",
    help="Apply this option; may be repeated.",
)  # fmt: skip
@click.option("--compare", "beside", is_flag=True, help="Show rulebooks side by side.")
@click.option(
    "--against", metavar="ID", shell_complete=complete_sheets,
    help="Mark differences from this rulebook instead of from the majority.",
)  # fmt: skip
@click.option("--differing", is_flag=True, help="Hide what all agree on.")
def rules(
    sheet_ids: tuple[str, ...],
    *,
    options: tuple[str, ...],
    beside: bool,
    against: str | None,
    differing: bool,
) -> None:
    """List the rulebooks, explain one in English, or compare several.

    A record names its rulebook in `rules.id`, and the options that differ from the defaults in
    `rules.options`. Each rulebook ends with the list of its options.

    --compare shows the named rulebooks, or all, side by side and marks differences with a star. If they are
    too many for the width of the terminal, it lists them line by line.

    \b
      bezique rules
      bezique rules zique
      bezique rules bezique --option hand_size=9
      bezique rules --compare
      bezique rules --compare bezique zique --against bezique --differing
    """
    # Only a comparison can have something to compare with or to hide, so these options imply it.
    if beside or against or differing:
        _compare(sheet_ids, options, against, differing=differing)
    elif not sheet_ids:
        if options:
            raise Refusal("--option needs the ID of a rulebook. `bezique rules` lists them.")
        click.echo("\n".join(_every_sheet()))
    else:
        _explain(sheet_ids, options)


def _explain(sheet_ids: tuple[str, ...], options: tuple[str, ...]) -> None:
    from records.rules.explain import explain_sheet, explanation_text
    from records.rules.registry import get_sheet, read_options, resolve_sheet

    sheet_id, *others = sheet_ids
    if others:
        raise Refusal(
            "Only one rulebook can be printed at a time. --compare shows several side by side."
        )
    resolved = resolve_sheet(sheet_id, None, read_options(get_sheet(sheet_id), options))
    click.echo(
        explanation_text(explain_sheet(resolved.sheet, resolved.options), _width()), nl=False
    )


def _compare(
    sheet_ids: tuple[str, ...], options: tuple[str, ...], against: str | None, *, differing: bool
) -> None:
    from records.rules.compare import compare_rule_sheets
    from records.rules.registry import ALL_SHEETS, get_sheet
    from webui.cli.side_by_side import comparison_lines

    if options:
        raise Refusal("--compare uses the default options and cannot be combined with --option.")
    sheets = [get_sheet(sheet_id) for sheet_id in dict.fromkeys(sheet_ids)] or list(ALL_SHEETS)
    if against is not None and get_sheet(against) not in sheets:
        sheets.append(get_sheet(against))
    if len(sheets) == 1:
        raise Refusal("A comparison needs at least two rulebooks.")
    found = compare_rule_sheets(sheets, against=against, only_differing=differing)
    click.echo("\n".join(comparison_lines(found, get_terminal_size().columns)))


def _width() -> int:
    return min(get_terminal_size().columns, WIDEST_TEXT)


def _every_sheet() -> Iterator[str]:
    from records.rules.registry import ALL_SHEETS

    width = max(len(sheet.id) for sheet in ALL_SHEETS)
    for sheet in ALL_SHEETS:
        yield f"{click.style(f'{sheet.id:<{width}}', bold=True)}  {sheet.name}: {sheet.says}"
