"""`bezique export`: the records out of the database, as they came."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from analyzer.chosen import Chosen
from analyzer.originals import Original, lines_into, numbers, originals, written
from webui.commands.bar import Bar
from webui.commands.folder import data_option, open_filled
from webui.commands.refusal import Refusal
from webui.wording import counted

STDOUT = "-"


@click.command()
@click.argument("target", metavar="FILE|FOLDER")
@click.option("--sheet", metavar="ID", help="Only the games by this rulebook.")
@click.option("--player", metavar="NAME", help="Only the games of whose name this is a part.")
@click.option("--verdict", metavar="VERDICT", help="Only these: legal, illegal, ...")
@click.option("--program", metavar="NAME", help="Only what this program wrote.")
@click.option("--finding", metavar="CODE", help="Only the games in which this was found.")
@click.option("--digest", "digests", multiple=True, metavar="DIGEST", help="Only this game.")
@data_option
def export(target: str, *, folder: Path, **choice: Any) -> None:
    """Write stored records to files, each as it was given.

    A FOLDER gets one file a game, byte for byte as it came. A FILE gets one record a line, compressed if its
    name ends in .gz or .zst; a record that had several lines is put on one. A file.json takes one game, byte
    for byte. With - the records go to standard output.

    While `bezique serve` works on the database, the list of games in the browser has the same download.

    \b
      bezique export all.jsonl.zst
      bezique export zique/ --sheet zique --player ann
      bezique export game.json --digest 3f786850e387...
    """
    with open_filled(folder) as store, Bar("writing") as bar:
        rows = numbers(store, Chosen(**choice))
        if not rows:
            raise Refusal("No stored game fits.")
        records = _shown(originals(store, rows), bar, len(rows))
        if target == STDOUT:
            count, changed = lines_into(records, sys.stdout.buffer)
        else:
            count, changed = written(records, _path(target, len(rows)))
    note = f"; {changed:,} of several lines are on one now" if changed else ""
    click.echo(f"Wrote {counted(count, 'game')} to {target}{note}.", err=True)


def _path(target: str, count: int) -> Path:
    path = Path(target)
    if ".json" in path.suffixes and count > 1:
        raise Refusal(
            f"{target} can hold one game, and these are {count:,}: name it .jsonl, or name a folder."
        )
    return path


def _shown(records: Iterator[Original], bar: Bar, total: int) -> Iterator[Original]:
    """The records, with the bar moving along."""
    bar.total = total
    for number, record in enumerate(records, start=1):
        yield record
        bar.show(number, counted(number, "game"))
