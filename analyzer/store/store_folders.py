"""The store of a folder, whatever the folder holds: a database, Parquet files, or a lake."""

import os
from collections.abc import Mapping
from pathlib import Path

from analyzer.store.lake_place import lake_address, no_lake
from analyzer.store.parquet import AttachedStore, ParquetStore, is_parquet_folder
from analyzer.store.store import DATABASE_FILE_NAME, Store
from records.errors import StoreError

ONLY_READ = "which --data only reads: `bezique ingest --lake` stores games in it, and `bezique lake` changes it"


def open_store(
    folder: Path, *, read_only: bool = False, settings: Mapping[str, str | int] | None = None
) -> Store:
    """The store of a folder: a database, or for reading only Parquet files or a lake; raises StoreError.

    A database is only read if that is asked for, and if it cannot be written to. `settings` are those of DuckDB.
    """
    if is_parquet_folder(folder):
        return ParquetStore(folder, settings=settings)
    if lake_address(folder) is not None:
        from analyzer.store.lake_store import LakeStore

        lake = LakeStore(folder, settings=settings)
        if not lake.state.number:
            lake.close()
            raise no_lake(lake.whence)
        return lake
    if read_only or _is_protected(folder):
        return AttachedStore(folder, settings=settings)
    return Store(folder, settings=settings)


def holds_tables(folder: Path) -> bool:
    """Whether a folder holds tables that are only read: those of Parquet files, or of a lake."""
    return is_parquet_folder(folder) or lake_address(folder) is not None


def refuse_lake(folder: Path, why: str = "") -> None:
    """Raise StoreError, with the address and the reason, for a folder that is a lake or stands for one."""
    address = lake_address(folder)
    if address is not None:
        raise StoreError(f"the place {address} is a lake, {why or ONLY_READ}")


def refuse_tables(folder: Path) -> None:
    """Raise StoreError for a folder in which no database can be, because it has a lake or Parquet files."""
    refuse_lake(folder)
    if is_parquet_folder(folder):
        raise StoreError(
            f"the folder {folder} holds Parquet files, which --data only reads: choose another"
        )


def refuse_database(folder: Path) -> None:
    """Raise StoreError for a folder in which no lake can be, because it has a database or Parquet files."""
    if (folder / DATABASE_FILE_NAME).exists() or is_parquet_folder(folder):
        raise StoreError(
            f"the folder {folder} has a database or Parquet files, which a lake would hide: choose another for the lake"
        )


def holds_games(folder: Path) -> bool:
    """Whether there is something to open in a folder."""
    return holds_tables(folder) or (folder / DATABASE_FILE_NAME).is_file()


def _is_protected(folder: Path) -> bool:
    """Whether a folder has a database and nobody lets us write to it."""
    path = folder / DATABASE_FILE_NAME
    return path.is_file() and not (os.access(path, os.W_OK) and os.access(folder, os.W_OK))
