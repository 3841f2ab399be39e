"""`bezique lake`: games in a folder or an object store, for many to write and read."""

from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from records.phrases import is_address, pluralize
from webui.cli.main import FROM_ONE, FROM_ZERO, FilePath, ProgressBar

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from distributed import Client

    from analyzer.store.lake_place import LakePlace
    from analyzer.store.lake_state import LakeState

GRACE_HOURS = 24
MOST_CONFLICTS = 20
"""So many of the things that are said otherwise are told one by one."""
DATABASE_OPTION = click.option(
    "--data", "folder", type=FilePath(file_okay=False, path_type=Path), required=True, metavar="FOLDER",
    help="The data folder with the database.",
)  # fmt: skip
CLUSTER_OPTION = click.option(
    "--cluster", "address", metavar="ADDRESS",
    help="Do it on the Dask cluster with this scheduler, such as tcp://10.0.0.1:8786, and in no process here.",
)  # fmt: skip


class LakeAddress(click.ParamType[Any]):
    """The address of a lake, or the folder that is one or stands for one."""

    name = "lake"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> "LakePlace":
        """The place; a usage error if it is empty, or an address that nothing here reaches."""
        from analyzer.store.lake_place import LakePlace, lake_address, place_of
        from records.errors import StoreError

        if isinstance(value, LakePlace):
            return value
        if not value:
            self.fail("A name is empty; . stands for this folder.", param, ctx)
        try:
            meant = None if is_address(value) else lake_address(Path(value))
            return place_of(meant if meant and is_address(meant) else str(value))
        except StoreError as error:
            self.fail(f"{error}.", param, ctx)


LAKE = LakeAddress()


def open_state(place: "LakePlace", *, of_any_program: bool = False) -> "LakeState":
    """The state of a lake; raises StoreError for a place that is none."""
    from analyzer.store.lake_place import no_lake
    from analyzer.store.lake_state import read_state

    state = read_state(place, of_any_program=of_any_program)
    if not state.number:
        raise no_lake(place.address)
    return state


def require_room(place: "LakePlace") -> None:
    """Raise StoreError for a folder in which a lake would hide a database."""
    from analyzer.store.store_folders import refuse_database

    if place.folder is not None:
        refuse_database(place.folder)


@click.group()
def lake() -> None:
    """Keep games in an object store, for many to write and read.

    A lake is a folder of Parquet files, on a disk that all machines reach, or in an object store (s3://, gs://, abfs://).
    It holds what a database holds, records byte for byte included. Every process that imports into it writes by itself,
    and what it has written counts all at once. `bezique ingest --lake` imports, and `--data` reads it.

    LAKE is a folder or an address. Credentials are those that the programs of the object store use themselves, such as
    AWS_ACCESS_KEY_ID, AWS_PROFILE and AWS_ENDPOINT_URL. s3:// needs the package s3fs, gs:// gcsfs, and abfs:// adlfs.

    \b
      bezique ingest season/*.jsonl.zst --lake s3://club/games
      bezique serve --data s3://club/games
      bezique lake show s3://club/games
    """


@lake.command()
@click.argument("place", metavar="LAKE", type=LAKE)
def show(place: "LakePlace") -> None:
    """Show what a lake holds, and how fresh it is.

    \b
      bezique lake show s3://club/games
    """
    state = open_state(place)
    hidden = sum(len(part.hidden) for part in state.parts)
    lines = [
        f"{pluralize(state.games, 'record')} in {pluralize(len(state.parts), 'part')}, {state.size / 1e6:,.1f} MB",
        f"Changed last at {state.made_at:%Y-%m-%d %H:%M:%S} UTC (change {state.number:,})",
        f"Judged by bezique {state.program}",
    ]
    if hidden:
        lines.append(
            f"{pluralize(hidden, 'hidden row')} of games that were known, changed or deleted: `bezique lake compact` removes what is hidden"
        )
    click.echo("\n".join(lines))


@lake.command()
@click.argument("place", metavar="LAKE", type=LAKE)
@DATABASE_OPTION
def add(place: "LakePlace", folder: Path) -> None:
    """Add the games of a data folder to a lake.

    Everything that its database holds comes with them: rulebooks, corrections, names, reviews. Nothing of the database
    changes. Games that the lake has already are not added again, but what the database says of them is: of what both say
    otherwise, the last said holds, and that is told. Records that wait for a rulebook become games once one has it.

    \b
      bezique lake add s3://club/games --data var
    """
    from analyzer.lake.copying import copy_into_lake
    from analyzer.lake.waiting import count_waiting

    require_room(place)
    _tell_of_uploads(folder)
    with ProgressBar("writing", 100) as bar:
        added = copy_into_lake(folder, place, lambda share: bar.show(int(100 * share)))
    known = f" {added.known:,} were there already." if added.known else ""
    click.echo(f"The lake has {pluralize(added.state.games, 'record')}.{known}")
    for words in added.conflicts[:MOST_CONFLICTS]:
        click.echo(f"{words[0].upper()}{words[1:]}.")
    if len(added.conflicts) > MOST_CONFLICTS:
        click.echo(f"{len(added.conflicts) - MOST_CONFLICTS:,} more were said otherwise.")
    if waiting := count_waiting(place, added.state.parts):
        click.echo(
            f"{pluralize(waiting, 'record waits', 'records wait')} in it for a rulebook, until a database brings that."
        )


def _tell_of_uploads(folder: Path) -> None:
    """Say how many uploads of a site were taken and are not stored: no game of theirs is in the database."""
    from webui.server.imports_queue import UPLOADS_FOLDER, unfinished_uploads

    number, _ = unfinished_uploads(folder / UPLOADS_FOLDER)
    if number:
        click.echo(
            f"{pluralize(number, 'upload')} to {folder} {'is' if number == 1 else 'are'} not imported yet, and not added: "
            "`bezique serve` imports what was interrupted. Then add the database once more.",
            err=True,
        )


@lake.command()
@click.argument("place", metavar="LAKE", type=LAKE)
@DATABASE_OPTION
def copy(place: "LakePlace", folder: Path) -> None:
    """Make a database in a data folder from all that a lake holds.

    \b
      bezique lake copy s3://club/games --data var
    """
    from analyzer.lake.copying import copy_from_lake
    from analyzer.store.store_folders import refuse_tables

    open_state(place)
    refuse_tables(folder)
    with ProgressBar("reading", 100) as bar:
        state = copy_from_lake(place, folder, lambda share: bar.show(int(100 * share)))
    click.echo(f"Made a database with {pluralize(state.games, 'record')} in {folder}.")


@lake.command()
@click.argument("place", metavar="LAKE", type=LAKE)
@click.option(
    "--workers", type=FROM_ONE, default=1, show_default=True, metavar="N",
    help="The number of processes that merge.",
)  # fmt: skip
@CLUSTER_OPTION
@click.option(
    "--clean-after", "hours", type=FROM_ZERO, default=GRACE_HOURS, show_default=True, metavar="HOURS",
    help="Delete files that no longer count once they are so old.",
)  # fmt: skip
def compact(place: "LakePlace", *, workers: int, address: str | None, hours: int) -> None:
    """Merge small files of a lake into large ones, and delete files that no longer count.

    Readers and imports go on meanwhile. An import that was interrupted can be taken up again until its files are deleted.

    \b
      bezique lake compact s3://club/games
    """
    from analyzer.lake.merging import clean
    from analyzer.lake.merging import compact as compact_lake

    before = open_state(place)
    with _cluster(address) as client, ProgressBar("merging") as bar:

        def tell(done: int, total: int) -> None:
            bar.total = total
            bar.show(done, f"{done / 1e6:,.0f} of {total / 1e6:,.0f} MB")

        state = compact_lake(
            place, _processes(workers), tell, client, lambda what: bar.show(0, what)
        )
    cleaned = clean(place, timedelta(hours=hours))
    was = f"{pluralize(len(before.parts), 'part')}, {before.size / 1e6:,.1f} MB"
    now = f"{pluralize(len(state.parts), 'part')}, {state.size / 1e6:,.1f} MB"
    click.echo(f"{was} before, {now} now.")
    if cleaned.parts or cleaned.imports:
        click.echo(
            f"Deleted {pluralize(cleaned.parts, 'part')} that no longer counted, and the notes of {pluralize(cleaned.imports, 'interrupted import')}."
        )


@lake.command()
@click.argument("place", metavar="LAKE", type=LAKE)
@click.option(
    "--workers", type=FROM_ONE, default=1, show_default=True, metavar="N",
    help="The number of processes that judge records.",
)  # fmt: skip
@CLUSTER_OPTION
def judge(place: "LakePlace", *, workers: int, address: str | None) -> None:
    """Judge all records of a lake again, by this version of the program.

    A lake of an older version must be judged before this one can read it. Verdicts and tables are made anew from the records,
    byte for byte as they came; rulebooks, corrections, names and times of storing stay, and reviews are made again when
    they are asked for. All of it counts at once. If it is interrupted, run it again to continue.
    The workers of a cluster must reach the lake at the same address, and have this version of bezique installed.

    \b
      bezique lake judge s3://club/games --workers 8
      bezique lake judge s3://club/games --cluster tcp://10.0.0.1:8786
    """
    from analyzer.lake.judging import judge as judge_lake

    open_state(place, of_any_program=True)
    with _cluster(address) as client, ProgressBar("judging") as bar:

        def tell(done: int, total: int) -> None:
            bar.total = total
            bar.show(done, pluralize(done, "record"))

        state = judge_lake(place, _processes(workers), tell, client, lambda what: bar.show(0, what))
    click.echo(f"Judged {pluralize(state.games, 'record')}.")


def _cluster(address: str | None) -> "AbstractContextManager[Client | None]":
    """The client of a cluster, if one is named; raises StoreError."""
    from analyzer.ingest.tasks import connect_client

    return connect_client(address) if address else nullcontext()


def _processes(workers: int) -> int:
    """How many processes beside this one work, which works itself if there are none."""
    return workers if workers > 1 else 0


@lake.command()
@click.argument("place", metavar="LAKE", type=LAKE)
@click.argument("digests", nargs=-1, required=True, metavar="DIGEST...")
@click.option("--yes", is_flag=True, help="Delete without asking.")
def delete(place: "LakePlace", digests: tuple[str, ...], *, yes: bool) -> None:
    """Delete games from a lake.

    They no longer count at once; their bytes go with the next `bezique lake compact` and with what `--clean-after` says.
    There is no trash.

    \b
      bezique lake delete s3://club/games 3f786850e387
    """
    from analyzer.lake.joining import delete_from_lake
    from analyzer.store.lake_place import folder_for
    from analyzer.store.lake_store import LakeStore
    from webui.cli.commands.delete import describe_game, find_game

    open_state(place)
    with LakeStore(folder_for(place.address)) as store:
        chosen = {game.digest: game for game in (find_game(store, start) for start in digests)}
        for game in chosen.values():
            click.echo(describe_game(game))
    if not yes:
        click.confirm(f"Delete {pluralize(len(chosen), 'game')}?", abort=True)
    number = delete_from_lake(place, [*chosen])
    click.echo(f"Deleted {pluralize(number, 'game')}.")
