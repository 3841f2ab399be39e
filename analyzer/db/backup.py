"""Copy the database while it is in use."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from analyzer.db.file.copying import copy_database, draft_of, log_of
from analyzer.db.store import DATABASE_FILE_NAME, Store
from analyzer.durable_files import make_private_folder
from records.errors import StoreError

PASSING_COPY_PREFIX = "backup-"
"""How the names of folders begin that hold a copy while it is made for a download."""


def backup_store(store: Store, folder: Path) -> Path:
    """Copy the database into a folder, which becomes a data folder; returns the path of the copy.

    During the copy nothing is written to the database, but everything can be read. The database itself is only
    read, so a full disk spoils nothing but the copy. Raises StoreError if the folder has a database already,
    StoreFull if there is no room, OSError if the copy cannot be written.
    """
    target = folder / DATABASE_FILE_NAME
    if target.exists():
        raise StoreError(f"choose another folder for the copy: {target} already exists")
    make_private_folder(folder)
    with store.still() as path:
        copy_database(path, target)
    return target


@contextmanager
def passing_copy(store: Store) -> Iterator[Path]:
    """The path of a copy of the database that is deleted at the end; raises StoreFull and OSError."""
    with TemporaryDirectory(prefix=PASSING_COPY_PREFIX, dir=store.path.parent) as folder:
        yield backup_store(store, Path(folder))


def remove_passing_copies(folder: Path) -> None:
    """Delete the copies in a data folder whose process was killed; nobody may be making one."""
    for path in folder.glob(f"{PASSING_COPY_PREFIX}*"):
        if path.is_dir() and {file.name for file in path.iterdir()} <= _names_of_copy():
            rmtree(path, ignore_errors=True)


def _names_of_copy() -> set[str]:
    draft = draft_of(Path(DATABASE_FILE_NAME))
    return {DATABASE_FILE_NAME, draft.name, log_of(draft).name}
