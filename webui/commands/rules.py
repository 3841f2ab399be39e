"""`bezique rules`: the rulebooks, each as English made from its sheet."""

from collections.abc import Iterator
from shutil import get_terminal_size

import click

from records.rules.explain import as_text, explain
from records.rules.registry import ALL, get, read_options, resolve
from webui.commands.refusal import Refusal

WIDEST = 100


@click.command()
@click.argument("sheet_id", required=False, metavar="[ID]")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE",
    help="Read the rules with this option; may be given several times.",
)  # fmt: skip
def rules(sheet_id: str | None, options: tuple[str, ...]) -> None:
    """List the rulebooks, or print one as English.

    A record names its rulebook as `rules.id`, and in `rules.options` what is played otherwise than the
    book says by default. The options of a rulebook stand at its end.

    \b
      bezique rules
      bezique rules zique
      bezique rules bezique --option hand_size=9
    """
    if sheet_id is None:
        if options:
            raise Refusal("--option needs the ID of a rulebook; `bezique rules` lists them.")
        click.echo("\n".join(_every_sheet()))
        return
    resolved = resolve(sheet_id, None, read_options(get(sheet_id), options))
    width = min(get_terminal_size().columns, WIDEST)
    click.echo(as_text(explain(resolved.sheet, resolved.options), width), nl=False)


def _every_sheet() -> Iterator[str]:
    width = max(len(sheet.id) for sheet in ALL)
    for sheet in ALL:
        yield f"{click.style(f'{sheet.id:<{width}}', bold=True)}  {sheet.name}: {sheet.says}"
