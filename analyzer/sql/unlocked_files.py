"""Files that are read although another process has locked them, as a file system for DuckDB.

DuckDB lets one process open a database for writing, and then no other, not even for reading. Nothing in the file
asks for that: a new state of the database is written beside the last one, never over it (`live_database` says what
follows). So these files are opened without asking for the lock.
"""

import os
import threading
from datetime import UTC, datetime
from typing import Any

from fsspec import AbstractFileSystem  # type: ignore[import-untyped]

PROTOCOL = "unlocked"
"""What addresses of such files begin with, before `://`."""


class UnlockedFile:
    """A file for reading; every thread has its own position in it, because DuckDB's threads share the file."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._positions: dict[int, int] = {}
        self.closed = False

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a position, which is returned."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self._size()}[whence]
        self._positions[threading.get_ident()] = base + offset
        return base + offset

    def tell(self) -> int:
        """The position of this thread."""
        return self._positions.get(threading.get_ident(), 0)

    def read(self, size: int = -1) -> bytes:
        """The next bytes: as many as asked for, fewer only at the end of the file."""
        start = position = self.tell()
        end = self._size() if size < 0 else start + size
        parts = []
        while position < end:
            part = os.pread(self._descriptor, end - position, position)
            if not part:
                break
            parts.append(part)
            position += len(part)
        self._positions[threading.get_ident()] = position
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self.closed = True
            os.close(self._descriptor)

    def _size(self) -> int:
        return os.fstat(self._descriptor).st_size


class UnlockedFileSystem(AbstractFileSystem):  # type: ignore[misc]
    """The files of this machine, for reading only, under addresses like `unlocked:///folder/file`."""

    protocol = PROTOCOL
    cachable = False

    def open(self, path: str, mode: str = "rb", **_: Any) -> UnlockedFile:
        """Open a file for reading; raises OSError."""
        if mode != "rb":
            raise PermissionError(f"{path} can only be read")
        return UnlockedFile(_local_path(path))

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """The size and the time of a file; raises OSError."""
        found = os.stat(_local_path(path))  # noqa: PTH116
        return {"name": path, "size": found.st_size, "type": "file", "mtime": found.st_mtime}

    def exists(self, path: str, **_: Any) -> bool:
        """Whether there is such a file."""
        return os.path.exists(_local_path(path))  # noqa: PTH110

    def modified(self, path: str) -> datetime:
        """When the file was written last."""
        return datetime.fromtimestamp(self.info(path)["mtime"], UTC)


def _local_path(address: str) -> str:
    return "/" + address.removeprefix(f"{PROTOCOL}://").lstrip("/")
