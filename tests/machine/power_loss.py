"""A power loss, imitated: what was sent to the disk is there afterwards, and nothing else.

Every `fsync` of this process is watched: that of a file keeps its bytes, that of a folder the names in it. The
worst state that a disk may be in afterwards has just these: a file whose name was kept and whose bytes were not is
empty. The files of DuckDB are trusted to be synced by it, but their names must be kept like all others.
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

TRUSTED_NAME = "bezique.duckdb"
Inode = tuple[int, int]


class WatchedDisk:
    """The folder `root`, and what of it would survive; `synced` is called after every `fsync` if it is set."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.synced: Callable[[], None] | None = None
        self._bytes: dict[Inode, bytes] = {}
        self._names: dict[Inode, dict[str, Inode]] = {_inode(root): {}}
        self._real_fsync = os.fsync

    def fsync(self, handle: int) -> None:
        """What takes the place of `os.fsync`."""
        self._real_fsync(handle)
        status = os.fstat(handle)
        inode = status.st_dev, status.st_ino
        path = Path(f"/proc/self/fd/{handle}").readlink()
        if stat.S_ISDIR(status.st_mode):
            self._names[inode] = {
                entry.name: (status.st_dev, entry.inode()) for entry in os.scandir(path)
            }
        elif TRUSTED_NAME not in path.name:
            self._bytes[inode] = path.read_bytes()
        if self.synced is not None and self.root in path.parents:
            self.synced()

    def write_survivors(self, target: Path) -> Path:
        """Write what would survive a power loss now into a new folder."""
        self._write_folder(self.root, _inode(self.root), target)
        return target

    def _write_folder(self, source: Path, inode: Inode, target: Path) -> None:
        target.mkdir(parents=True)
        for name, of in self._names.get(inode, {}).items():
            here = source / name
            if of in self._names or here.is_dir():
                self._write_folder(here, of, target / name)
            elif TRUSTED_NAME in name:
                if here.exists():
                    copyfile(here, target / name)
            else:
                (target / name).write_bytes(self._bytes.get(of, b""))


def _inode(path: Path) -> Inode:
    status = path.stat()
    return status.st_dev, status.st_ino
