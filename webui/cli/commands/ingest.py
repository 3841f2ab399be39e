"""`bezique ingest`: store records in the database."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from records.phrases import pluralize, sanitize_text
from webui.cli.commands.lake import LAKE, require_room
from webui.cli.main import FROM_ONE, FilePath, ProgressBar, Refusal, data_option, server_address
from webui.cli.sources import CommandInput, find_inputs

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.ingest.loader import IngestCounts
    from analyzer.store.lake_place import LakePlace

EXIT_REJECTED = 2
EXIT_INTERRUPTED = 130
MOST_BYTES_IN_ONE_PROCESS = 4 * 1024 * 1024
"""Up to this many bytes, starting other processes takes longer than the work."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=FilePath())
@data_option
@click.option(
    "--lake", "place", type=LAKE, metavar="LAKE",
    help="Store games in a lake, a folder or an address such as s3://club/games, and in no database.",
)  # fmt: skip
@click.option(
    "--workers", type=FROM_ONE, default=None, metavar="N",
    help="The number of processes that validate records.  [default: one per processor]",
)  # fmt: skip
@click.option(
    "--cluster", "address", metavar="ADDRESS",
    help="Validate records on the Dask cluster with this scheduler, such as tcp://10.0.0.1:8786.",
)  # fmt: skip
@click.pass_context
def ingest(
    ctx: click.Context,
    paths: tuple[str, ...],
    *,
    folder: Path,
    place: "LakePlace | None",
    workers: int | None,
    address: str | None,
) -> None:
    """Store games in the database.

    `bezique stats` answers questions about stored games, and `bezique serve` shows them.

    PATH is a file, a folder (every .json, .jsonl, .ndjson and .bezique file below it, compressed or not), a pattern such as
    'season-*.jsonl.zst', or - for standard input. A game is never stored twice. If an import is
    interrupted, run it again to continue. Illegal games are stored with their findings; unreadable records
    are listed and not stored.

    With --cluster, every worker must reach the files, and the data folder or the lake, by the same path, and must
    have bezique installed.

    Only one process at a time can use a database: while `bezique serve` runs, send the files to it, with
    `bezique --server ADDRESS ingest`, or upload them in the browser.

    With --lake, every process writes files of its own, and several imports may run at the same time. An import
    counts as a whole or not at all. `bezique lake` says more.

    \b
      bezique ingest games/
      bezique ingest season.jsonl.zst --data var
      bezique play --rules zique --games 100 | bezique ingest -
      bezique ingest /shared/games --data /shared/all --cluster tcp://10.0.0.1:8786
      bezique ingest season.jsonl.zst --lake s3://club/games

    Exit status: 0 all stored, 2 some records could not be read, 130 interrupted.
    """
    if place and ctx.get_parameter_source("folder") is ParameterSource.COMMANDLINE:
        raise Refusal("Give either --lake or --data: games are stored in one place.")
    summary, completed = _store(find_inputs(paths), place or folder, workers, address)
    click.echo("\n".join(summary_lines(summary)))
    if not completed:
        click.echo("Interrupted. Run it again to continue.")
        ctx.exit(EXIT_INTERRUPTED)
    ctx.exit(EXIT_REJECTED if summary.states["rejected"] else 0)


def _store(
    sources: list[CommandInput], place: "LakePlace | Path", workers: int | None, address: str | None
) -> "tuple[IngestCounts, bool]":
    """Store the records of these files, in a lake, in a data folder or at the site that was chosen; returns the counts, and whether all was done.

    An interrupted import keeps what it has committed, so its counts are printed like those of a whole one.
    """
    from analyzer.store.store_folders import refuse_tables

    if not isinstance(place, Path):
        if server_address():
            raise Refusal("Give either --server or --lake: games are stored in one place.")
        require_room(place)
        return _import_into_lake(sources, place, workers, address)
    if server_address():
        from webui.cli.remote import send_files

        return send_files(sources), True
    refuse_tables(place)
    return _import_sources(sources, place, workers, address)


def _import_into_lake(
    sources: list[CommandInput], place: "LakePlace", workers: int | None, address: str | None
) -> "tuple[IngestCounts, bool]":
    """Import into a lake with a progress bar; returns the counts, and whether the import was completed."""
    from analyzer.ingest.importer import ImportSource as Input
    from analyzer.ingest.tasks import connect_client
    from analyzer.lake.importing import LakeImport

    with ExitStack() as stack:
        client = stack.enter_context(connect_client(address)) if address else None
        bar = stack.enter_context(ProgressBar("storing"))
        job = LakeImport(place, processes_for_sources(sources, workers), client=client)
        bar.total = total_bytes(sources)
        start = time.monotonic()
        job.progress = lambda done: bar.show(done, describe_pace(job.counts, start))
        job.telling = lambda what: bar.show(bar.total or 0, what)
        try:
            job.run([Input(s.name, s.path, s.size, s.opened) for s in sources])
        except KeyboardInterrupt:
            job.counts.states["stored"] = 0  # none of them counts yet
            return job.counts, False
    return job.counts, True


def _import_sources(
    sources: list[CommandInput], folder: Path, workers: int | None, address: str | None
) -> "tuple[IngestCounts, bool]":
    """Import with a progress bar; returns the counts, and whether the import was completed."""
    from analyzer.ingest.importer import Importer
    from analyzer.ingest.importer import ImportSource as Input
    from analyzer.ingest.tasks import CLUSTER_TASK_BYTES, connect_cluster
    from analyzer.store.store import Store

    with ExitStack() as stack:
        cluster = stack.enter_context(connect_cluster(address, folder)) if address else None
        files = cluster.parts if cluster else None
        store = stack.enter_context(Store(folder, loading=True, files=files))
        bar = stack.enter_context(ProgressBar("storing"))
        importer = Importer(store, processes_for_sources(sources, workers))
        if cluster:
            importer.examiner, importer.task_bytes = cluster.examined, CLUSTER_TASK_BYTES
        bar.total = total_bytes(sources)
        start = time.monotonic()
        importer.progress = lambda done: bar.show(done, describe_pace(importer.summary, start))
        try:
            importer.run([Input(s.name, s.path, s.size, s.opened) for s in sources])
        except KeyboardInterrupt:
            return importer.summary, False
    return importer.summary, True


def total_bytes(sources: list[CommandInput]) -> int | None:
    """The total bytes of all sources; None if one size is unknown."""
    sizes = [source.size for source in sources]
    return None if None in sizes else sum(size or 0 for size in sizes)


def processes_for_sources(sources: list[CommandInput], workers: int | None) -> int:
    """How many extra processes to use for these sources; 0 if there is little to do."""
    total = total_bytes(sources)
    if total is not None and total <= MOST_BYTES_IN_ONE_PROCESS:
        return 0
    number = workers or os.cpu_count() or 1
    return number if number > 1 else 0


def summary_lines(summary: "IngestCounts") -> list[str]:
    """What an import came to, in sentences."""
    return [
        describe_summary(summary),
        *describe_waiting(summary),
        *describe_matches(summary),
        *describe_other_occasions(summary),
    ]


def describe_pace(summary: "IngestCounts", start: float) -> str:
    """How much is done and how fast, in words."""
    rate = summary.deals / max(time.monotonic() - start, 0.001)
    findings = pluralize(summary.findings, "finding")
    return f"{pluralize(summary.records, 'game')}  {rate:,.0f} deals/s  {findings}"


def describe_other_occasions(summary: "IngestCounts") -> "Iterator[str]":
    """That known games came with other names or dates than they are stored with, and how to change that."""
    if not summary.told_otherwise:
        return
    games = pluralize(summary.told_otherwise, "game")
    yield (
        f"{games} already stored with other names, places or times, which stay. To change them, delete the game "
        "with `bezique delete` and ingest the corrected record again."
    )
    for outcome in summary.examples:
        place = outcome.name if outcome.line is None else f"{outcome.name}:{outcome.line}"
        stored = f"{(outcome.digest or '')[:12]}  stored as {outcome.stored_as}"
        yield f"  {sanitize_text(stored)}"
        yield f"  {sanitize_text(f'{place}: {outcome.occasion}')}"
    if more := summary.told_otherwise - len(summary.examples):
        yield f"  and {more:,} more"


def describe_matches(summary: "IngestCounts") -> "Iterator[str]":
    """That several records tell of one match."""
    if summary.told_again:
        records = pluralize(summary.told_again, "record tells", "records tell")
        yield f"{records} of a match that another record tells of, too: it counts once, from the fullest record."


def describe_waiting(summary: "IngestCounts") -> "Iterator[str]":
    """That records wait for rulebooks which are not known here, and how to add them."""
    for sheet, number in summary.waiting.items():
        names = pluralize(number, "record names", "records name")
        yield sanitize_text(
            f"{names} the rulebook {sheet}, which is not known here: kept until `bezique rules add FILE` adds it."
        )


def describe_summary(summary: "IngestCounts") -> str:
    """The counts of an import in one line."""
    states = {"stored": "stored", "known": "already stored", "rejected": "unreadable"}
    parts = [
        f"{summary.states[state]:,} {words}"
        for state, words in states.items()
        if summary.states[state]
    ]
    held = f" ({pluralize(summary.deals, 'deal')}, {pluralize(summary.findings, 'finding')})"
    return f"{pluralize(summary.records, 'record')}: {', '.join(parts)}{held}"
