"""The data folder that commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from analyzer.db.parquet_export import is_parquet_folder
from analyzer.db.parquet_store import open_store
from analyzer.db.store import DATABASE_FILE_NAME, Store
from webui.cli.refusal import Refusal

Command = TypeVar("Command", bound=Callable[..., Any])


def data_option(command: Command) -> Command:
    """Adds `--data`, which a command takes as `folder`."""
    option = click.option(
        "--data", "folder", type=click.Path(file_okay=False, path_type=Path), default="var",
        envvar="BEZIQUE_DATA", show_default=True, show_envvar=True, metavar="FOLDER",
        help="The data folder, with the database of the games; or one of Parquet files, to read.",
    )  # fmt: skip
    return option(command)


def open_filled(folder: Path) -> Store:
    """The store of a folder that has one."""
    if not is_parquet_folder(folder) and not (folder / DATABASE_FILE_NAME).exists():
        raise Refusal(
            f"{folder} holds no games yet: `bezique ingest` stores yours, `bezique demo` makes some."
        )
    return open_store(folder)
