"""Files that survive a power loss: written whole, on the disk before anybody is told so, and private.

A file that was written is safe only once its bytes have been sent to the disk, and its name only once the folder
has been. Every file that this program keeps goes through here, but for those of DuckDB, which does the same.
Everybody else reads either the file before or the file after, never a part.
"""

import errno
import gzip
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from stat import S_IFREG, S_ISDIR, S_ISREG
from typing import BinaryIO, cast

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""Modes of what only its owner may read."""
SHARED_FILE, SHARED_FOLDER = 0o666, 0o777
"""Modes of what is made for whoever asked for it: the user's mask decides who else may read it."""
NO_ROOM_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Errors of a full disk, of a quota, and of a file that may not grow."""
EXHAUSTION_ERRORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Errors of a process or machine that has no more open files or memory to give."""
DRAFT_ENDING = ".draft"
"""How the names of files end that are not whole yet."""


def write_file(path: Path, data: bytes) -> None:
    """Write a file, in place of one that may be there; when this returns it survives a power loss.

    Raises OSError, and leaves what was there before.
    """
    with open_draft(path) as stream:
        stream.write(data)


def write_new_file(path: Path, data: bytes) -> bool:
    """Write a file unless there is one; whether it was written. Raises OSError.

    Of several processes that do it at once, exactly one does.
    """
    draft = draft_of(path)
    try:
        with errors_about(path), _created(draft, PRIVATE_FILE) as stream:
            stream.write(data)
        try:
            os.link(draft, path)
        except FileExistsError:
            return False
    finally:
        draft.unlink(missing_ok=True)
        with suppress(OSError):  # if the folder has vanished, the link has failed and says so
            sync_folder(path.parent)
    return True


@contextmanager
def open_draft(path: Path, *, mode: int = PRIVATE_FILE) -> Iterator[BinaryIO]:
    """A stream whose bytes become the file at the end, as a whole: if anything is raised, nothing changes.

    Raises OSError.
    """
    with _draft_put_in_place(path) as draft, _created(draft, mode) as stream:
        yield stream


@contextmanager
def open_named_file(path: Path) -> Iterator[BinaryIO]:
    """The same for a file that somebody named, compressed with gzip or zstd if the name ends in .gz or .zst.

    A device or pipe stays what it is and receives the bytes as they come; a link stays, and the file that it stands
    for is written.
    """
    with _open_as_it_is(path) as file, compressed_stream(file, path.suffix.lower()) as stream:
        yield stream


def _open_as_it_is(path: Path) -> AbstractContextManager[BinaryIO]:
    """A stream to what a path stands for: a draft of a file, or a device or pipe itself."""
    kind = path.stat().st_mode if path.exists() else S_IFREG
    if S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not S_ISREG(kind):
        return _open_straight(path)
    return open_draft(path.resolve() if path.is_symlink() else path, mode=SHARED_FILE)


@contextmanager
def _open_straight(path: Path) -> Iterator[BinaryIO]:
    with errors_about(path), path.open("wb") as stream:
        yield stream


def compressed_stream(file: BinaryIO, ending: str) -> AbstractContextManager[BinaryIO]:
    """A stream into a file, compressed as its ending says; the file stays open when the stream is closed."""
    match ending:
        case ".gz" | ".gzip":
            return cast(
                AbstractContextManager[BinaryIO], gzip.GzipFile("", "wb", fileobj=file, mtime=0)
            )
        case ".zst" | ".zstd":
            import zstandard

            writer = zstandard.ZstdCompressor().stream_writer(file, closefd=False)
            return cast(AbstractContextManager[BinaryIO], writer)
        case _:
            return nullcontext(file)


def save_file(path: Path, save: Callable[[Path], object]) -> None:
    """Let a function write a file to a path, as a whole or not at all; raises OSError and what it raises."""
    with _draft_put_in_place(path) as draft:
        save(draft)
        draft.chmod(PRIVATE_FILE)
        sync_file(draft)


@contextmanager
def _draft_put_in_place(path: Path) -> Iterator[Path]:
    """A path to write to beside this one; what is there at the end, and synced, takes its place, or nothing does."""
    draft = draft_of(path)
    try:
        with errors_about(path):
            yield draft
            draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_folder(path.parent)


def write_files(folder: Path, files: Iterable[tuple[str, bytes]], *, mode: int) -> int:
    """Write many files into a folder, each by its name and bytes, and each whole or not at all; returns how many.

    When this returns all of them survive a power loss. Raises OSError, and leaves those that are whole.
    """
    count = 0
    for name, data in files:
        draft = draft_of(folder / name)
        try:
            with errors_about(folder / name):
                with _created(draft, mode) as stream:
                    stream.write(data)
                draft.replace(folder / name)
        finally:
            draft.unlink(missing_ok=True)
        count += 1
    sync_folder(folder)
    return count


def make_private_folder(folder: Path) -> bool:
    """Make a folder that only its owner may enter, with all above it; whether it was missing. Raises OSError.

    A folder that is there keeps its mode: somebody may have chosen it.
    """
    return _make_folder(folder, PRIVATE_FOLDER)


def make_shared_folder(folder: Path) -> bool:
    """The same for a folder of whoever asked for it: the user's mask decides who else may enter."""
    return _make_folder(folder, SHARED_FOLDER)


def _make_folder(folder: Path, mode: int) -> bool:
    if folder.is_dir():
        return False
    above = folder.parent
    if above != folder:
        _make_folder(above, mode)
    try:
        folder.mkdir(mode=mode)
    except FileExistsError:
        if not folder.is_dir():
            raise
        return False
    sync_folder(above)
    return True


def remove_file(path: Path) -> None:
    """Delete a file if it is there, so that it does not come back after a power loss; raises OSError."""
    with suppress(FileNotFoundError):
        path.unlink()
        sync_folder(path.parent)


def remove_drafts(folder: Path) -> None:
    """Delete the drafts that a process left in a folder when it was killed; nobody else may be writing there."""
    for draft in folder.glob(f"*{DRAFT_ENDING}"):
        with suppress(OSError):
            draft.unlink()


def sync_file(path: Path) -> None:
    """Send the bytes of a file to the disk; raises OSError."""
    _sync(path, os.O_RDONLY)


def sync_folder(folder: Path) -> None:
    """Send the names in a folder to the disk; raises OSError."""
    _sync(folder, os.O_RDONLY | os.O_DIRECTORY)


def sync_tree(folder: Path) -> None:
    """Send everything below a folder to the disk, and its names; raises OSError."""
    for above, _, names in os.walk(folder, topdown=False):
        for name in names:
            sync_file(Path(above) / name)
        sync_folder(Path(above))


def make_private(path: Path) -> None:
    """Let only the owner read a file, if it is there."""
    with suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(PRIVATE_FILE)


@contextmanager
def errors_about(path: Path) -> Iterator[None]:
    """Let errors name the file that was asked for, and not its draft, which nobody has heard of.

    A full disk names no file when bytes are written; nothing that is only read says that it is full.
    """
    try:
        yield
    except OSError as error:
        unnamed = error.filename is None and error.errno in NO_ROOM_ERRORS
        if unnamed or str(error.filename or "").endswith(DRAFT_ENDING):
            error.filename, error.filename2 = str(path), None
        raise


@contextmanager
def _created(path: Path, mode: int) -> Iterator[BinaryIO]:
    """A new file for writing, on the disk at the end."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def draft_of(path: Path) -> Path:
    """A free name for the draft of a file or folder, beside it."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{DRAFT_ENDING}")
