"""`bezique review`: the review of games, in files or in the database."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from analyzer.review import DEFAULT_POSITIONS_SEARCHED
from webui.cli.main import FilePath, data_option
from webui.cli.own_sheets import own_sheets_option
from webui.cli.review_options import (
    DEFAULT_LEAST,
    EXACT,
    Document,
    PrintOptions,
    ReviewOptions,
    ReviewSource,
    Worlds,
    WorldsType,
)


def shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that `review` and `annotate` have in common."""
    options = (
        click.option(
            "--record", "number", type=click.IntRange(min=1), metavar="N",
            help="Review only the N-th record.",
        ),
        click.option(
            "--deal", type=click.IntRange(min=1), metavar="N", help="Print details of the N-th deal only."
        ),
        click.option(
            "--least", type=click.IntRange(min=0), default=DEFAULT_LEAST, show_default=True, metavar="POINTS",
            help="A choice that loses this many points is a mistake.",
        ),
        click.option(
            "--positions", type=click.IntRange(min=1), default=DEFAULT_POSITIONS_SEARCHED, show_default=True, metavar="N",
            help="Search at most N positions per deal where melds are still allowed after the close, and 2N for the last trick before it.",
        ),
        click.option(
            "--luck", "rollouts", type=click.IntRange(min=0, max=10_000), default=0, show_default=True, metavar="N",
            help="Estimate luck and skill from N roll-outs of every position, in pairs and at least four; 0 skips this. 50 take seconds per deal, or a minute with four packs or more.",
        ),
        click.option(
            "--brink/--no-brink", default=None,
            help="Also review the last trick before the close exactly, which takes longest.  [default: not with --stored]",
        ),
        click.option(
            "--stored", is_flag=True,
            help="Review the stored games that have no such review yet, and store the reviews.",
        ),
        click.option("--again", is_flag=True, help="With --stored, also replace existing reviews."),
        own_sheets_option,
        data_option,
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=FilePath())
@click.option(
    "--format", "form", type=click.Choice(["text", "prose", "json"]), default="text", show_default=True,
    help="text: what cost most, in short; prose: the whole game told; json: one review per line.",
)  # fmt: skip
@click.option(
    "--worlds", type=WorldsType(with_exact=True), default=EXACT, show_default=True, metavar="WIDTH",
    help="How deep: exact; or every choice, each in at most so many possible deals: quick, default, deep, or a number.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
    help="Draw other possible deals.",
)  # fmt: skip
@shared_options
@click.pass_context
def review(ctx: click.Context, /, **options: Any) -> None:
    """Review games: mistakes, turning points, missed chances, luck and skill.

    After the close both hands can be known, so every choice has an exact value. Prints the choices that cost
    most, in points of the lead at the end of the deal, what was better, and the melds that were missed. Only
    two-player games are reviewed; for others it says why not.

    With --worlds, the choices before the close are weighed, too: in possible deals of the cards that their
    player could not see. A deal then takes a quarter of a minute, with six packs two minutes.

    PATH is a file, a folder, or - for standard input. With --stored, reviews the games of the data folder
    and stores the reviews there. If interrupted, run it again to continue.

    \b
      bezique review game.json
      bezique review games.jsonl --record 3 --deal 1 --worlds quick
      bezique review game.json --luck 50
      bezique review games.jsonl --format json > reviews.jsonl
      bezique review --stored --data var
    """
    run(ctx, "review", **options)


def run(
    ctx: click.Context,
    document: Document,
    *,
    paths: tuple[str, ...],
    form: str,
    worlds: Worlds,
    seed: int,
    number: int | None,
    deal: int | None,
    least: int,
    positions: int,
    rollouts: int,
    brink: bool | None,
    stored: bool,
    again: bool,
    folder: Path,
) -> None:
    """Review what the options name, and end with the exit status; as JSON the `document` is printed."""
    from webui.cli.reviewing import run_review

    source = ReviewSource(paths, folder, stored, again)
    # The last trick before the close takes most of the time: worth it for a file, not for a collection.
    last_trick = (not stored or worlds != EXACT) if brink is None else brink
    options = ReviewOptions(worlds, seed, positions, least, rollouts, last_trick)
    ctx.exit(run_review(source, options, PrintOptions(number, deal, form, document)))
