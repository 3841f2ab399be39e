"""A disk that is soon full: a file system of a few megabytes, and a file that takes up what is left."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FILLER_NAME = "filler"


@contextmanager
def small_disk(folder: Path, mebibytes: int) -> Iterator[Path]:
    """A folder with a file system of its own, if this user may mount one."""
    folder.mkdir()
    options = f"size={mebibytes}m"
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip(f"no small disk can be mounted: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill_disk(disk: Path, *, but: int = 0) -> None:
    """Leave so many bytes of room on a disk."""
    filler = disk / FILLER_NAME
    filler.unlink(missing_ok=True)
    room = os.statvfs(disk)
    free = room.f_bavail * room.f_frsize
    with filler.open("wb", buffering=0) as stream:
        os.posix_fallocate(stream.fileno(), 0, max(1, free - but))


def make_room(disk: Path) -> None:
    """Take the filler away."""
    (disk / FILLER_NAME).unlink(missing_ok=True)
