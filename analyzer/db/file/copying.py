"""Copy a database that is in use."""

import errno
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from shutil import disk_usage

import duckdb

from analyzer.db.file.store_errors import StoreFull, known_trouble, no_room
from analyzer.durable_files import NO_ROOM_ERRORS, remove_file

COPY_SCRIPT = """
import os, shutil, sys
try:
    with open(sys.argv[1], "rb") as source:
        with os.fdopen(os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            shutil.copyfileobj(source, target, 1024 * 1024)
            target.flush()
            os.fsync(target.fileno())
except OSError as error:
    sys.exit(str(error.errno or 5))
"""

_NUMBER = rb"[\x80-\xff]*[\x00-\x7f]"
LOG_START = re.compile(
    rb"d\0be\0(?:\x01|\x02f\0\x10(?:%b){16}g\0%b)\xff\xff" % (_NUMBER, _NUMBER), re.DOTALL
)
"""How DuckDB's logs begin: their version, and from version 2 on the 16 bytes that tell databases apart and the number of
the checkpoint."""
LONGEST_LOG_START = 64


def log_of(path: Path) -> Path:
    """DuckDB's log of a database: what it has not yet written into the file itself."""
    return path.with_name(f"{path.name}.wal")


def is_log_readable(path: Path) -> bool:
    """Whether the log of a database, if there is one, begins as DuckDB writes it; raises OSError.

    DuckDB takes one that does not for an empty one, and deletes it. What is shorter than that holds no transaction.
    """
    try:
        with log_of(path).open("rb") as log:
            start = log.read(LONGEST_LOG_START)
    except FileNotFoundError:
        return True
    return len(start) < LONGEST_LOG_START or LOG_START.match(start) is not None


def copy_database(path: Path, target: Path) -> None:
    """Copy a database that nothing writes to, with its log, into one file; the copy is on the disk at the end.

    The file must not be there. Raises StoreFull, and OSError if the copy cannot be written.
    """
    sources = [source for source in (path, log_of(path)) if source.exists()]
    needed = sum(source.stat().st_size for source in sources)
    free = disk_usage(target.parent).free
    if free < needed:
        raise StoreFull(
            f"there is no room for a copy in {target.parent}: it needs {needed / 1e6:,.1f} MB, "
            f"and {free / 1e6:,.1f} MB are free"
        )
    draft = draft_of(target)
    try:
        for file in (draft, log_of(draft)):
            remove_file(file)
        for source in sources:
            _copy_file(source, draft if source is path else log_of(draft))
        _merge_log(draft)
        os.link(draft, target)
    finally:
        for file in (draft, log_of(draft)):
            with suppress(OSError):
                remove_file(file)


def draft_of(target: Path) -> Path:
    """The name of a copy while it is made."""
    return target.with_name(f".{target.name}.draft")


def _copy_file(source: Path, target: Path) -> None:
    """Copy a file in another process.

    In this one, closing the file would release DuckDB's lock on it: POSIX drops all of a process's locks then.
    """
    done = subprocess.run(
        [sys.executable, "-c", COPY_SCRIPT, str(source), str(target)],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        code = done.stderr.strip()
        number = int(code) if code.isdigit() else errno.EIO
        if number in NO_ROOM_ERRORS:
            raise no_room(target.parent)
        raise OSError(number, os.strerror(number), str(target))


def _merge_log(path: Path) -> None:
    """Write what is in the log of a database into its file."""
    if not log_of(path).exists():
        return
    try:
        with duckdb.connect(str(path), config={"threads": 1}) as connection:
            connection.execute("CHECKPOINT")
    except duckdb.Error as error:
        known = known_trouble(path, error)
        if known is None:
            raise
        raise known from error
