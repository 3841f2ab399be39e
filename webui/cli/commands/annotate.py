"""`bezique annotate`: the command before `bezique review`, with its options and its documents."""

from typing import Any

import click

from webui.cli.commands.review import EXACT, Document, Worlds, WorldsType, run, shared_options
from webui.cli.main import FROM_ZERO, FilePath, Refusal


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=FilePath())
@click.option(
    "--format", "form", type=click.Choice(["text", "prose", "json"]), default="text", show_default=True,
    help="text: what cost most, in short; prose: the whole game told; json: one annotation or deep review per line.",
)  # fmt: skip
@click.option(
    "--deep", is_flag=True,
    help="Weigh every choice, from the first card: exactly after the close, and before it in possible deals.",
)  # fmt: skip
@click.option(
    "--worlds", type=WorldsType(with_exact=False), metavar="WIDTH",
    help="With --deep, how many possible deals each choice is tried in at most: quick, default, deep, or a number.  [default: default]",
)  # fmt: skip
@click.option(
    "--seed", type=FROM_ZERO, metavar="N",
    help="With --deep, draw other possible deals.  [default: 0]",
)  # fmt: skip
@shared_options
@click.pass_context
def annotate(
    ctx: click.Context, /, *, deep: bool, worlds: Worlds | None, seed: int | None, **options: Any
) -> None:
    """Review games, with the options and the JSON of earlier versions: use `bezique review`.

    Without --deep it is `bezique review`, with --deep `bezique review --worlds default`. Only the JSON differs:
    an annotation holds what is exact, a deep review every choice.

    \b
      bezique annotate games.jsonl --format json > annotations.jsonl
      bezique annotate game.json --deep --worlds quick
    """
    if not deep and (worlds, seed) != (None, None):
        raise Refusal("--worlds and --seed belong to --deep.")
    document: Document = "deep review" if deep else "annotation"
    width: Worlds = (worlds or "default") if deep else EXACT
    run(ctx, document, worlds=width, seed=seed or 0, **options)
