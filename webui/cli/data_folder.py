"""The option `--data`, and the store behind it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from webui import DATA_FOLDER_VARIABLE, DEFAULT_DATA_FOLDER
from webui.cli.refusal import FilePath, Refusal

if TYPE_CHECKING:
    from analyzer.db.store import Store

Command = TypeVar("Command", bound=Callable[..., Any])


def data_option(command: Command) -> Command:
    """Add `--data` to a command, which receives it as `folder`."""
    option = click.option(
        "--data", "folder", type=FilePath(file_okay=False, path_type=Path), default=DEFAULT_DATA_FOLDER,
        envvar=DATA_FOLDER_VARIABLE, show_default=True, show_envvar=True, metavar="FOLDER",
        help="The data folder, with the database; or a folder of Parquet files, read-only.",
    )  # fmt: skip
    return option(command)


def open_filled(folder: Path) -> "Store":
    """The store of a folder; refuses a folder without games."""
    from analyzer.db.parquet_store import open_store

    require_games(folder)
    return open_store(folder)


def require_games(folder: Path) -> None:
    """Refuse a folder with neither a database nor Parquet files."""
    from analyzer.db.parquet_export import is_parquet_folder
    from analyzer.db.store import DATABASE_FILE_NAME

    if not is_parquet_folder(folder) and not (folder / DATABASE_FILE_NAME).exists():
        raise Refusal(
            f"{folder} has no games yet. `bezique ingest` stores yours; `bezique demo` creates some."
        )
