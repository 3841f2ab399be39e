"""Copy the database while it is in use."""

from pathlib import Path

from analyzer.db.file.copying import copy_database
from analyzer.db.store import DATABASE_FILE_NAME, Store
from analyzer.durable_files import make_private_folder
from records.errors import StoreError


def backup_store(store: Store, folder: Path) -> Path:
    """Copy the database into a folder, which becomes a data folder; returns the path of the copy.

    During the copy nothing is written to the database, but everything can be read. The database itself is only
    read, so a full disk spoils nothing but the copy. Raises StoreError if the folder has a database already,
    StoreFull if there is no room, OSError if the copy cannot be written.
    """
    target = folder / DATABASE_FILE_NAME
    if target.exists():
        raise StoreError(f"{target} already exists: choose another folder for the copy")
    make_private_folder(folder)
    with store.still() as path:
        copy_database(path, target)
    return target
