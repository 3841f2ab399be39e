"""A copy of the database, made while it is in use."""

import subprocess
import sys
from pathlib import Path

import duckdb

from analyzer.db.store import DATABASE_FILE_NAME, Store
from records.errors import StoreError

COPY_SCRIPT = "import shutil, sys; shutil.copyfile(sys.argv[1], sys.argv[2])"


def backup_store(store: Store, folder: Path) -> Path:
    """Copy the database into a folder that becomes a data folder; returns the copy.

    Nothing is written to the database meanwhile, and everything can be read. Raises StoreError if there is a
    database already, OSError if the copy cannot be written.
    """
    target = folder / DATABASE_FILE_NAME
    if target.exists():
        raise StoreError(f"{target} is there already: choose another folder for the copy")
    folder.mkdir(parents=True, exist_ok=True)
    with store.still() as path:
        for source in (path, _log(path)):
            if source.exists():
                _copy(source, target if source is path else _log(target))
    duckdb.connect(str(target)).close()  # brings the log into the file
    return target


def _log(path: Path) -> Path:
    """What DuckDB has not yet written into the file itself."""
    return path.with_name(f"{path.name}.wal")


def _copy(source: Path, target: Path) -> None:
    """Copy a file, in another process: here, closing the file would give up DuckDB's lock on it."""
    done = subprocess.run(
        [sys.executable, "-c", COPY_SCRIPT, str(source), str(target)],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        target.unlink(missing_ok=True)
        raise OSError(done.stderr.strip().splitlines()[-1])
