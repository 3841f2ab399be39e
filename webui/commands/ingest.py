"""`bezique ingest`: records into the database."""

from pathlib import Path

import click

from analyzer.load import Summary
from analyzer.load import ingest as load
from analyzer.store import Store
from webui.commands.bar import Bar
from webui.commands.folder import data_option
from webui.commands.sources import read, sources_of
from webui.wording import counted

REJECTED = 2


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@data_option
@click.pass_context
def ingest(ctx: click.Context, paths: tuple[str, ...], *, folder: Path) -> None:
    """Store games in the database.

    What is stored, `stats` counts and `serve` shows.

    PATH is a file, a folder (every .json and .jsonl file below it, compressed or not) or - for standard
    input. A game that is stored already is recognised and not stored twice, so an import that was
    interrupted can simply be run again. Illegal games are stored with their findings; what cannot be
    read is noted and left out.

    One process at a time can use a database: stop `bezique serve` first, or upload in the browser.

    \b
      bezique ingest games/
      bezique ingest season.jsonl.zst --data var
      bezique play --rules zique --games 100 | bezique ingest -

    Exit status: 0 all is stored, 2 something could not be read.
    """
    sources = sources_of(paths)
    with Store(folder) as store, Bar("storing") as bar:
        summary = load(store, (found.entry for found in read(sources, bar)))
    click.echo(told(summary))
    ctx.exit(REJECTED if summary.states["rejected"] else 0)


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
