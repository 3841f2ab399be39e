"""Room on the disk that is kept for deleting: without it, nothing could be deleted from a full disk.

A deletion is written to the log before it frees anything. So the site keeps a file that takes room, and gives it up
while something is deleted.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shutil import disk_usage
from typing import TypeVar

from analyzer.store.durable_files import PRIVATE_FILE
from analyzer.store.instance import StoreFull
from analyzer.store.store import Store

RESERVE_FILE_NAME = "room-for-deleting"
RESERVE_BYTES = 16 * 1024 * 1024
STEP_BYTES = 1024 * 1024
"""What is given up at a time; a deletion of some games takes less."""
PAGE_BYTES = 64 * 1024
LEAST_SHARE = 4
"""The file is only made where so many of it would fit."""

Deleted = TypeVar("Deleted")


def keep_reserve(folder: Path, size: int = RESERVE_BYTES) -> None:
    """Take room for deletions in a data folder, unless it is taken, or there is hardly any."""
    with suppress(OSError):
        if disk_usage(folder).free >= LEAST_SHARE * size:
            _resize(folder / RESERVE_FILE_NAME, size)


def delete_on_full_disk(store: Store, delete: Callable[[], Deleted]) -> Deleted:
    """What `delete` returns; if the disk is full, it is called again with more and more of the room kept for it.

    What it did not need is kept again: nobody's uploads get it. Raises StoreFull if all of it is not enough.
    """
    path, size = store.folder / RESERVE_FILE_NAME, 0
    while True:
        try:
            answer = delete()
        except StoreFull:
            left = path.stat().st_size if path.exists() else 0
            if not left:
                raise
            size = size or left
            _resize(path, max(0, left - STEP_BYTES))
        else:
            break
    if size:
        free = path.stat().st_size + disk_usage(path.parent).free
        for wanted in (size, min(size, free) // PAGE_BYTES * PAGE_BYTES):
            with suppress(OSError):
                _resize(path, wanted)
                break
    return answer


def _resize(path: Path, size: int) -> None:
    """Give a file a size, all of which is taken on the disk; raises OSError, and leaves it as it was."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
    before = os.fstat(handle).st_size
    try:
        if size > before:
            os.posix_fallocate(handle, 0, size)
        else:
            os.truncate(handle, size)
    except OSError:
        os.truncate(handle, before)
        raise
    finally:
        os.close(handle)
