"""`bezique backup`: copy the database, even while the server is running."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.cli.main import FOLDER_PATH, Refusal, data_option, open_filled

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from webui.server.local_server import LocalServer


@click.command()
@click.argument("target", type=FOLDER_PATH, metavar="FOLDER")
@data_option
def backup(target: Path, *, folder: Path) -> None:
    """Copy the database to FOLDER.

    FOLDER becomes a data folder: `bezique serve --data FOLDER` shows the copy. This works while
    `bezique serve` is running; uploads wait until the copy is complete.

    \b
      bezique backup backups/today
      bezique backup backups/today --data var
    """
    from analyzer.store.games import backup_store as copied
    from analyzer.store.instance import StoreInUse
    from analyzer.store.store import DATABASE_FILE_NAME
    from analyzer.store.store_folders import refuse_lake
    from webui.server.local_server import find_server

    refuse_lake(folder, "which has no database to copy: `bezique lake copy` makes one of it")
    if (target / DATABASE_FILE_NAME).exists():
        raise Refusal(f"{target} already has a database. Choose another folder.")
    try:
        with open_filled(folder) as store:
            copied(store, target)
    except StoreInUse:
        server = find_server(folder)
        if server is None:
            raise
        _fetch(server, target)
    size = (target / DATABASE_FILE_NAME).stat().st_size
    click.echo(
        f"Copied {folder / DATABASE_FILE_NAME} to {target / DATABASE_FILE_NAME} ({size / 1e6:,.1f} MB)."
    )


def _fetch(server: "LocalServer", target: Path) -> None:
    from analyzer.store.durable_files import make_private_folder, open_draft
    from analyzer.store.store import DATABASE_FILE_NAME

    make_private_folder(target)
    with (
        server.open("/local/backup") as answer,
        open_draft(target / DATABASE_FILE_NAME) as stream,
    ):
        shutil.copyfileobj(answer, stream, 1024 * 1024)
        if stream.tell() != int(answer.headers["Content-Length"]):
            raise Refusal("The server stopped before the copy was complete. No copy was made.")
