"""`bezique review`: the review of games, in files or in the database."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import click

from analyzer.review import DEFAULT_POSITIONS_SEARCHED, MOST_WORLDS, WIDTHS, Width
from webui.cli.main import FROM_ONE, FROM_ZERO, FilePath, WholeNumber, data_option
from webui.cli.own_sheets import own_sheets_option

EXACT: Literal["exact"] = "exact"
DEFAULT_LEAST = 20
"""In points, where nobody says how much a mistake loses."""
Worlds: TypeAlias = Width | Literal["exact"] | int
Document: TypeAlias = Literal["review", "annotation", "deep review"]
"""What is printed as JSON: a review, or one of the two documents before it."""


class WorldsType(click.ParamType[Worlds]):
    """A width by its name, or a number of worlds."""

    name = "worlds"

    def __init__(self, *, with_exact: bool) -> None:
        self.names: tuple[str, ...] = (EXACT, *WIDTHS) if with_exact else WIDTHS

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Worlds:
        """The width or the number; fails for anything else."""
        for width in (EXACT, *WIDTHS):
            if value == width and width in self.names:
                return width
        is_number = str(value).isascii() and str(value).isdigit()
        if not is_number or not 2 <= int(value) <= MOST_WORLDS:
            words = f"{', '.join(self.names)} or a number from 2 to {MOST_WORLDS}"
            self.fail(f"{value!r} is not {words}", param, ctx)
        return int(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions:
    """What is asked of a review; nothing that works is loaded for it.

    What is reviewed: the files of `paths`, or the `stored` games of the data folder, those reviewed before only `again`, by a
    `cluster` if one is named. How deep it goes, its limits, and simulations for luck and skill. What to print: which record,
    which deal, in which form, and as JSON which document.
    """

    paths: tuple[str, ...]
    folder: Path
    stored: bool
    again: bool
    cluster: str | None
    worlds: Worlds
    seed: int
    positions: int
    least: int
    rollouts: int
    brink: bool | None
    number: int | None
    deal: int | None
    form: str
    document: Document

    @property
    def is_deep(self) -> bool:
        """Whether choices before the close are weighed."""
        return self.worlds != EXACT

    @property
    def last_trick(self) -> bool:
        """Whether the last trick before the close is reviewed: it takes most of the time, worth it for a file, not for a collection."""
        return (not self.stored or self.is_deep) if self.brink is None else self.brink


def shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that `review` and `annotate` have in common."""
    options = (
        click.option(
            "--record", "number", type=FROM_ONE, metavar="N",
            help="Review only the N-th record.",
        ),
        click.option(
            "--deal", type=FROM_ONE, metavar="N", help="Print details of the N-th deal only."
        ),
        click.option(
            "--least", type=FROM_ZERO, default=DEFAULT_LEAST, show_default=True, metavar="POINTS",
            help="A choice that loses this many points is a mistake.",
        ),
        click.option(
            "--positions", type=FROM_ONE, default=DEFAULT_POSITIONS_SEARCHED, show_default=True, metavar="N",
            help="Search at most N positions per deal where melds are still allowed after the close, and 2N for the last trick before it.",
        ),
        click.option(
            "--luck", "rollouts", type=WholeNumber(min=0, max=10_000), default=0, show_default=True, metavar="N",
            help="Estimate luck and skill from N simulations of every position, in pairs and at least four; 0 skips this. 50 take seconds per deal, or a minute with four packs or more.",
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
        click.option(
            "--cluster", metavar="ADDRESS",
            help="With --stored, review on the Dask cluster with this scheduler, such as tcp://10.0.0.1:8786.",
        ),
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
    "--seed", type=FROM_ZERO, default=0, show_default=True, metavar="N",
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


def run(ctx: click.Context, document: Document, **options: Any) -> None:
    """Review what the options name, and end with the exit status; as JSON the `document` is printed."""
    from webui.cli.reviewing import run_review

    ctx.exit(run_review(ReviewOptions(document=document, **options)))
