"""`bezique export`: stored records as files, as they were uploaded; or all tables as Parquet."""

import sys
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from records.phrases import pluralize
from webui.cli.main import (
    FilePath,
    ProgressBar,
    Refusal,
    complete_codes,
    complete_sheets,
    data_option,
    open_filled,
    server_address,
)
from webui.cli.own_sheets import refuse_sheet_file
from webui.cli.sources import record_file, telling_replaced

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.store.games import StoredRecord
    from analyzer.store.parquet import ExportProgress

STDOUT = "-"


@click.command()
@click.argument("target", metavar="FILE|FOLDER", type=FilePath())
@click.option(
    "--rules", "sheet", metavar="ID", shell_complete=complete_sheets, callback=refuse_sheet_file, help="Only games by this rulebook.",
)  # fmt: skip
@click.option("--player", metavar="NAME", help="Only games with a player whose name contains this.")
@click.option(
    "--verdict", metavar="VERDICT", help="Only games with this verdict, such as legal or illegal."
)
@click.option("--program", metavar="NAME", help="Only records written by this program.")
@click.option(
    "--finding", metavar="CODE", shell_complete=complete_codes, help="Only games with this finding."
)
@click.option(
    "--digest",
    "digests",
    multiple=True,
    metavar="DIGEST",
    help="Only the game with this digest; may be repeated.",
)
@click.option("--corrected", is_flag=True, help="Write records as they are corrected.")
@click.option("--parquet", is_flag=True, help="Write all tables to FOLDER as Parquet files.")
@data_option
def export(target: str, *, corrected: bool, parquet: bool, folder: Path, **choice: Any) -> None:
    """Write stored records to files, as they were uploaded.

    A FOLDER receives one file per game, byte for byte. A FILE receives one record per line, compressed if its
    name ends in .gz or .zst; a record of several lines is joined into one. A .json file holds one game, byte
    for byte. - is standard output. What came in the notation is JSON. With --corrected, a record of which
    something was corrected tells that, and is written in the canonical form.

    With --parquet, a new FOLDER receives all tables as Parquet, with the records byte for byte. pandas, Polars, DuckDB
    and Spark can read it, and `bezique serve --data FOLDER` shows it.

    While `bezique serve` is running, ask it, with `bezique --server ADDRESS export`.

    \b
      bezique export all.jsonl.zst
      bezique export zique/ --rules zique --player ann
      bezique export game.json --digest 3f786850e387...
      bezique export --parquet federation/
    """
    from analyzer.store.games import count_records, read_records
    from analyzer.store.rulebooks import keys_named
    from analyzer.store.store import GameFilter

    _refuse_misspelt(choice)
    if server_address():
        _export_site(target, parquet=parquet, corrected=corrected, choice=choice)
        return
    if parquet:
        given = {name for name, value in choice.items() if value}
        export_tables(folder, Path(target), given | ({"corrected"} if corrected else set()))
        return
    # The options that filter games are named like the fields of the filter: the two must agree.
    with open_filled(folder) as store, ProgressBar("writing") as bar:
        named = choice.pop("sheet")
        chosen = GameFilter(**choice, sheets=keys_named(store, named) if named else ())
        games = count_records(store, chosen)
        if not games:
            raise Refusal("No stored games match.")
        records = _with_progress(read_records(store, chosen, corrected=corrected), bar, games)
        count, changed = _write(records, target, games)
    _say(target, count, changed)


def _refuse_misspelt(choice: dict[str, Any]) -> None:
    """Raise Refusal for a verdict or a finding that no record can have."""
    from records.validate.codes import FINDING_CODES
    from records.validate.finding import Verdict

    known = {"verdict": get_args(Verdict), "finding": tuple(FINDING_CODES)}
    others = {
        "verdict": f"There are {', '.join(known['verdict'])}.",
        "finding": "`bezique findings` lists all.",
    }
    for option, words in known.items():
        given = choice[option]
        if given and given not in words:
            near = get_close_matches(given, words, n=3)
            meant = f"Did you mean {' or '.join(near)}?" if near else others[option]
            raise Refusal(f"There is no {option} {given!r}. {meant}")


def _write(records: "Iterator[StoredRecord]", target: str, games: int) -> tuple[int, int]:
    """Write so many records where they shall go; returns how many there were, and how many were put on one line."""
    from analyzer.store.games import write_lines, write_records

    if target == STDOUT:
        return write_lines(records, sys.stdout.buffer)
    path = _path(target, games)
    with telling_replaced(path):
        return write_records(records, path)


def _say(target: str, count: int, changed: int) -> None:
    note = f"; {pluralize(changed, 'record')} of several lines joined into one" if changed else ""
    click.echo(f"Wrote {pluralize(count, 'record')} to {target}{note}.", err=True)


def _export_site(target: str, *, parquet: bool, corrected: bool, choice: dict[str, Any]) -> None:
    """Write the records that the chosen site has; lines come at once, whole files game by game."""
    from webui.cli.remote import SiteRecords

    if parquet:
        raise Refusal("--parquet needs the data folder: it cannot be combined with --server.")
    site = SiteRecords(corrected=corrected)
    with ProgressBar("writing") as bar:
        as_lines = target == STDOUT or ".jsonl" in Path(target).suffixes
        if as_lines and not choice["digests"]:
            records, games = site.lines(choice), 0
        else:
            digests = list(choice["digests"]) or site.digests(choice)
            records, games = _with_progress(site.whole(digests), bar, len(digests)), len(digests)
        first = next(records, None)
        if first is None:
            raise Refusal("No stored games match.")
        count, changed = _write(chain([first], records), target, games)
    _say(target, count, changed)


def export_tables(folder: Path, target: Path, chosen: set[str]) -> None:
    """Write the tables as Parquet."""
    from analyzer.store.parquet import export_parquet as parquet_into
    from analyzer.store.store import DATABASE_FILE_NAME, Store
    from analyzer.store.store_folders import refuse_lake

    if chosen:
        raise Refusal(
            "--parquet writes all games and cannot be combined with filters or --corrected."
        )
    refuse_lake(
        folder,
        "whose tables are Parquet files already: `bezique lake copy` makes a database, which --parquet exports",
    )
    if not (folder / DATABASE_FILE_NAME).exists():
        raise Refusal(f"{folder} has no database. `bezique ingest` creates one.")
    target = target.resolve()
    with Store(folder, files=target.parent) as store, ProgressBar("writing") as bar:
        made = parquet_into(store, target, lambda at: _show_progress(bar, at))
    click.echo(f"Wrote the tables of {pluralize(made.games, 'game')} to {target}.", err=True)


def _show_progress(bar: ProgressBar, at: "ExportProgress") -> None:
    bar.total = at.games
    bar.show(round(at.done), pluralize(round(at.done), "game"))


def _path(target: str, count: int) -> Path:
    path = Path(target)
    if path.suffix and not path.is_dir():
        record_file(target)
    if ".json" in path.suffixes and count > 1:
        raise Refusal(f"{target} can hold one game, not {count:,}. Use .jsonl, or a folder.")
    return path


def _with_progress(
    records: "Iterator[StoredRecord]", bar: ProgressBar, total: int
) -> "Iterator[StoredRecord]":
    """The records, while the progress bar follows."""
    bar.total = total
    for number, record in enumerate(records, start=1):
        yield record
        bar.show(number, pluralize(number, "game"))
