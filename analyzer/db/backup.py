"""Copy the database while it is in use."""

import subprocess
import sys
from pathlib import Path

import duckdb

from analyzer.db.store import DATABASE_FILE_NAME, Store
from records.errors import StoreError

COPY_SCRIPT = "import shutil, sys; shutil.copyfile(sys.argv[1], sys.argv[2])"


def backup_store(store: Store, folder: Path) -> Path:
    """Copy the database into a folder, which becomes a data folder; returns the path of the copy.

    During the copy nothing is written to the database, but everything can be read. Raises StoreError if the
    folder has a database already, OSError if the copy cannot be written.
    """
    target = folder / DATABASE_FILE_NAME
    if target.exists():
        raise StoreError(f"{target} already exists: choose another folder for the copy")
    folder.mkdir(parents=True, exist_ok=True)
    with store.still() as path:
        for source in (path, _log(path)):
            if source.exists():
                _copy(source, target if source is path else _log(target))
    duckdb.connect(str(target)).close()  # merges the log into the file
    return target


def _log(path: Path) -> Path:
    """DuckDB's log: what it has not yet written into the file itself."""
    return path.with_name(f"{path.name}.wal")


def _copy(source: Path, target: Path) -> None:
    """Copy a file in another process.

    In this one, closing the file would release DuckDB's lock on it: POSIX drops all of a process's locks then.
    """
    done = subprocess.run(
        [sys.executable, "-c", COPY_SCRIPT, str(source), str(target)],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        target.unlink(missing_ok=True)
        raise OSError(done.stderr.strip().splitlines()[-1])
