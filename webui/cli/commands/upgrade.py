"""`bezique upgrade`: a new database in the place of one that an older version of the program made."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from records.phrases import pluralize
from webui.cli.main import FROM_ONE, ProgressBar, Refusal, data_option, require_games

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.upkeep.upgrade import UpgradeSummary

EXIT_LEFT_OUT, EXIT_INTERRUPTED = 1, 130


@click.command()
@data_option
@click.option(
    "--workers", type=FROM_ONE, default=None, metavar="N",
    help="The number of processes that judge records.  [default: one per processor]",
)  # fmt: skip
@click.pass_context
def upgrade(ctx: click.Context, *, folder: Path, workers: int | None) -> None:
    """Bring a database to this version of the program.

    A new database is built from the stored records, each read byte for byte and judged again, so that verdicts,
    statistics and tables are those of this version. Names given by `bezique rename`, times of storing, the log of
    imports with its uploads, and reviews that this version would make are taken over.

    The old database is only read, and kept as bezique.before-upgrade.duckdb: delete it when you no longer need it. If
    anything of it cannot be read, nothing is upgraded. If the upgrade is interrupted, run it again to continue.
    `bezique serve` upgrades when it starts. Stop the server first.

    \b
      bezique upgrade
      bezique upgrade --data var

    \b
    Exit status:
      0    upgraded, or nothing to do
      1    upgraded, and some records are not in the new database
      2    not upgraded
      130  interrupted
    """
    from analyzer.store.parquet import is_parquet_folder
    from analyzer.store.store_folders import refuse_lake

    refuse_lake(folder, "and no data folder: `bezique lake judge` brings it to this version")
    if is_parquet_folder(folder):
        raise Refusal(f"{folder} holds Parquet files, which are exported again instead.")
    require_games(folder)
    try:
        summary = upgrade_with_bar(folder, workers)
    except KeyboardInterrupt:
        click.echo("Interrupted. Run it again to continue.")
        ctx.exit(EXIT_INTERRUPTED)
    if summary is None:
        click.echo(f"The database in {folder} is of this version. There is nothing to do.")
        return
    click.echo("\n".join(summary_lines(summary, folder)))
    ctx.exit(EXIT_LEFT_OUT if summary.left_out else 0)


def upgrade_with_bar(folder: Path, workers: int | None = None) -> "UpgradeSummary | None":
    """Upgrade a data folder, with a progress bar; None if there was nothing to do. Raises StoreError and OSError."""
    from analyzer.upkeep.upgrade import upgrade_folder

    processes = workers or os.cpu_count() or 1
    with ProgressBar("upgrading") as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.show(done, f"{done:,} of {pluralize(total, 'game')}")

        return upgrade_folder(folder, show, processes if processes > 1 else 0)


def summary_lines(summary: "UpgradeSummary", folder: Path) -> list[str]:
    """The lines printed for an upgrade."""
    from analyzer.store.schema import LEFT_OUT_FOLDER

    games, reviews = pluralize(summary.records, "game"), pluralize(summary.reviews, "review")
    lines = [
        f"Upgraded from {summary.origin}: {games}, {pluralize(summary.changed, 'verdict')} changed.",
        f"{reviews} taken over, and {summary.reviews_dropped:,} that this version would make otherwise are not.",
        f"The old database is {summary.kept}: delete it when you no longer need it.",
    ]
    if not summary.reviews_dropped:
        lines[1] = f"{reviews} taken over."
    if not summary.reviews + summary.reviews_dropped:
        del lines[1]
    if summary.left_out:
        lines.append(
            f"{pluralize(summary.left_out, 'record is', 'records are')} not in the new database, because this version "
            f"cannot read them or takes them for games that it has: they are in {folder / LEFT_OUT_FOLDER}."
        )
    return lines
