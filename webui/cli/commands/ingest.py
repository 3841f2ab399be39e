"""`bezique ingest`: records into the database."""

import os
import time
from contextlib import ExitStack
from pathlib import Path

import click

from analyzer.db.parquet_export import is_parquet
from analyzer.db.store import Store
from analyzer.ingest.cluster import TASK_BYTES, cluster
from analyzer.ingest.importer import Importer
from analyzer.ingest.importer import Source as Input
from analyzer.ingest.loader import Summary
from webui.cli.data_folder import data_option
from webui.cli.progress_bar import Bar
from webui.cli.refusal import Refusal
from webui.cli.sources import Source, sources_of
from webui.display.wording import counted

REJECTED = 2
INTERRUPTED = 130
ALONE = 4 * 1024 * 1024
"""Up to so many bytes, starting other processes takes longer than the work."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@data_option
@click.option(
    "--workers", type=click.IntRange(1), default=None, metavar="N",
    help="Processes that examine records; as many as there are processors if it is left out.",
)  # fmt: skip
@click.option(
    "--cluster", "address", metavar="ADDRESS",
    help="Examine records on the Dask cluster whose scheduler is here, such as tcp://10.0.0.1:8786.",
)  # fmt: skip
@click.pass_context
def ingest(
    ctx: click.Context,
    paths: tuple[str, ...],
    *,
    folder: Path,
    workers: int | None,
    address: str | None,
) -> None:
    """Store games in the database.

    What is stored, `stats` counts and `serve` shows.

    PATH is a file, a folder (every .json and .jsonl file below it, compressed or not), a pattern such as
    'season-*.jsonl.zst', or - for standard input. A game that is stored already is recognised and not
    stored twice. An import that was interrupted can simply be run again: it goes on where it stopped.
    Illegal games are stored with their findings; what cannot be read is noted and left out.

    With --cluster the files and the data folder must lie where every worker finds them by the same path, and
    the workers must have this program, too.

    One process at a time can use a database: stop `bezique serve` first, or upload in the browser.

    \b
      bezique ingest games/
      bezique ingest season.jsonl.zst --data var
      bezique play --rules zique --games 100 | bezique ingest -
      bezique ingest /shared/games --data /shared/all --cluster tcp://10.0.0.1:8786

    Exit status: 0 all is stored, 2 something could not be read, 130 interrupted.
    """
    if is_parquet(folder):
        raise Refusal(
            f"{folder} holds Parquet files, which can only be read: choose another --data."
        )
    summary, whole = _imported(sources_of(paths), folder, workers, address)
    click.echo(told(summary))
    if not whole:
        click.echo("Interrupted: run it again to go on from here.")
        ctx.exit(INTERRUPTED)
    ctx.exit(REJECTED if summary.states["rejected"] else 0)


def _imported(
    sources: list[Source], folder: Path, workers: int | None, address: str | None
) -> tuple[Summary, bool]:
    """Import with a bar; what became of the records, and whether nobody interrupted it."""
    with ExitStack() as stack:
        elsewhere = stack.enter_context(cluster(address, folder)) if address else None
        files = elsewhere.parts if elsewhere else None
        store = stack.enter_context(Store(folder, loading=True, files=files))
        bar = stack.enter_context(Bar("storing"))
        importer = Importer(store, processes_for(sources, workers))
        if elsewhere:
            importer.examiner, importer.task_bytes = elsewhere.examined, TASK_BYTES
        bar.total = total_of(sources)
        start = time.monotonic()
        importer.progress = lambda done: bar.show(done, pace(importer.summary, start))
        try:
            importer.run([Input(s.name, s.path, s.size, s.opened) for s in sources])
        except KeyboardInterrupt:
            return importer.summary, False
    return importer.summary, True


def total_of(sources: list[Source]) -> int | None:
    """The bytes of all sources, if they can be known."""
    sizes = [source.size for source in sources]
    return None if None in sizes else sum(size or 0 for size in sizes)


def processes_for(sources: list[Source], workers: int | None) -> int:
    """How many processes examine these sources; none beside this one if there is little to do."""
    total = total_of(sources)
    if total is not None and total <= ALONE:
        return 0
    number = workers or os.cpu_count() or 1
    return number if number > 1 else 0


def pace(summary: Summary, start: float) -> str:
    """How much is done, and how fast."""
    rate = summary.deals / max(time.monotonic() - start, 0.001)
    findings = counted(summary.findings, "finding")
    return f"{counted(summary.records, 'game')}  {rate:,.0f} deals/s  {findings}"


def told(summary: Summary) -> str:
    """What became of the records, in a line."""
    states = {"stored": "stored", "known": "known already", "rejected": "not readable"}
    parts = [
        f"{summary.states[state]:,} {words}"
        for state, words in states.items()
        if summary.states[state]
    ]
    held = f" ({counted(summary.deals, 'deal')}, {counted(summary.findings, 'finding')})"
    return f"{counted(summary.records, 'record')}: {', '.join(parts)}{held}"
