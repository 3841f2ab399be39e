"""`bezique export`: the records out of the database, as they came."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from analyzer.db.game_filter import GameFilter
from analyzer.db.parquet_export import ExportProgress
from analyzer.db.parquet_export import export_parquet as parquet_into
from analyzer.db.store import DATABASE_FILE_NAME, Store
from analyzer.db.stored_records import (
    StoredRecord,
    list_row_ids,
    read_records,
    write_lines,
    write_records,
)
from webui.cli.data_folder import data_option, open_filled
from webui.cli.progress_bar import ProgressBar
from webui.cli.refusal import Refusal
from webui.display.wording import pluralize

STDOUT = "-"


@click.command()
@click.argument("target", metavar="FILE|FOLDER")
@click.option("--sheet", metavar="ID", help="Only the games by this rulebook.")
@click.option("--player", metavar="NAME", help="Only the games of whose name this is a part.")
@click.option("--verdict", metavar="VERDICT", help="Only these: legal, illegal, ...")
@click.option("--program", metavar="NAME", help="Only what this program wrote.")
@click.option("--finding", metavar="CODE", help="Only the games in which this was found.")
@click.option("--digest", "digests", multiple=True, metavar="DIGEST", help="Only this game.")
@click.option("--parquet", is_flag=True, help="All tables, as a FOLDER of Parquet files.")
@data_option
def export(target: str, *, parquet: bool, folder: Path, **choice: Any) -> None:
    """Write stored records to files, each as it was given.

    A FOLDER gets one file a game, byte for byte as it came. A FILE gets one record a line, compressed if its
    name ends in .gz or .zst; a record that had several lines is put on one. A file.json takes one game, byte
    for byte. With - the records go to standard output.

    With --parquet a new FOLDER gets all tables, the records among them byte for byte, as Parquet by sheet and
    month, which DuckDB, Polars and Spark read as they are, and which `bezique serve --data FOLDER` shows.

    While `bezique serve` works on the database, the list of games in the browser has the same download.

    \b
      bezique export all.jsonl.zst
      bezique export zique/ --sheet zique --player ann
      bezique export game.json --digest 3f786850e387...
      bezique export --parquet federation/
    """
    if parquet:
        export_tables(folder, Path(target), {name for name, value in choice.items() if value})
        return
    with open_filled(folder) as store, ProgressBar("writing") as bar:
        rows = list_row_ids(store, GameFilter(**choice))
        if not rows:
            raise Refusal("No stored game fits.")
        records = _shown(read_records(store, rows), bar, len(rows))
        if target == STDOUT:
            count, changed = write_lines(records, sys.stdout.buffer)
        else:
            count, changed = write_records(records, _path(target, len(rows)))
    note = f"; {changed:,} of several lines are on one now" if changed else ""
    click.echo(f"Wrote {pluralize(count, 'game')} to {target}{note}.", err=True)


def export_tables(folder: Path, target: Path, chosen: set[str]) -> None:
    """Write the tables as Parquet."""
    if chosen:
        raise Refusal("--parquet writes all games: leave the other options out.")
    if not (folder / DATABASE_FILE_NAME).exists():
        raise Refusal(f"{folder} has no database: `bezique ingest` makes one.")
    target = target.resolve()
    with Store(folder, files=target.parent) as store, ProgressBar("writing") as bar:
        made = parquet_into(store, target, lambda at: _tell(bar, at))
    click.echo(f"Wrote {pluralize(made.games, 'game')} to {target}.", err=True)


def _tell(bar: ProgressBar, at: ExportProgress) -> None:
    bar.total = at.games
    bar.show(round(at.done), pluralize(round(at.done), "game"))


def _path(target: str, count: int) -> Path:
    path = Path(target)
    if ".json" in path.suffixes and count > 1:
        raise Refusal(
            f"{target} can hold one game, and these are {count:,}: name it .jsonl, or name a folder."
        )
    return path


def _shown(records: Iterator[StoredRecord], bar: ProgressBar, total: int) -> Iterator[StoredRecord]:
    """The records, with the bar moving along."""
    bar.total = total
    for number, record in enumerate(records, start=1):
        yield record
        bar.show(number, pluralize(number, "game"))
