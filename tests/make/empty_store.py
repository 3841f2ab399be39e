"""Data folders with an empty database: it is made once a process and copied, which takes half the time of making it."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from analyzer.store.durable_files import make_private_folder
from analyzer.store.store import DATABASE_FILE_NAME, Store


def with_empty_database(folder: Path) -> Path:
    """The same folder, private as the program makes it, with an empty database in it unless it has one."""
    make_private_folder(folder)
    path = folder / DATABASE_FILE_NAME
    if not path.exists():
        path.write_bytes(_empty_database())
    return folder


@cache
def _empty_database() -> bytes:
    """The file of a database that was closed before anything was stored in it."""
    with TemporaryDirectory() as folder:
        with Store(Path(folder)) as store:
            path = store.path
        return path.read_bytes()
