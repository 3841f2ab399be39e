"""Where a lake lies: a folder of this machine or of an object store, by its address.

A lake is written by many processes and has no server. Its files never change once they have a name, and a name is taken
once: where two processes want the same, the second is told. `fsspec` reaches the object stores, with the credentials that
their own programs use.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import duckdb
import msgspec
from fsspec.core import url_to_fs  # type: ignore[import-untyped]

from analyzer.store.durable_files import (
    draft_of,
    make_private_folder,
    make_shared_folder,
    sync_folder,
    sync_tree,
    write_file,
    write_new_file,
)
from analyzer.store.instance import first_line
from records.errors import StoreError
from records.phrases import is_address, system_reason

LINK_FILE_NAME = "bezique-lake.json"
"""In a data folder that stands for a lake elsewhere: its address."""
STATES = "states"
"""The folder of the states of a lake; whatever has one is a lake."""
CACHE_VARIABLE = "XDG_CACHE_HOME"
PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "abfs": "adlfs", "abfss": "adlfs", "az": "adlfs"}  # fmt: skip
"""The package that reaches each kind of object store."""
NO_LAKES = ("http", "https", "data")
"""Kinds of addresses at which nothing can be stored."""
SECRET = re.compile("://[^/@]*:[^@]*@")
ONE_STROKE = re.compile("^([^/:]+:)/(?!/)")

FILE_ERRORS = (duckdb.IOException, duckdb.HTTPException, duckdb.InvalidInputException)
"""What DuckDB raises for a file that is not there, or not as it was written."""
TIME_NAMES = ("LastModified", "mtime", "updated", "last_modified", "created")

Done = TypeVar("Done")


class LakeUnreachable(StoreError):
    """A lake cannot be read or written; the words say why."""


def no_lake(address: str) -> StoreError:
    """What is said of a place that no import has made a lake yet."""
    return StoreError(f"the place {address} is no lake yet: `bezique ingest --lake` makes one")


class LakeLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a data folder says that stands for a lake elsewhere."""

    address: str


class LakePlace:
    """The files of a lake. Names are relative to it, with strokes between folders.

    Every method raises LakeUnreachable if the place cannot be reached.
    """

    def __init__(self, address: str) -> None:
        self.address = _whole(address).rstrip("/") or "/"
        with self._telling():
            self.files, root = _open_place(self.address)
        self.root: str = root.rstrip("/")
        self.protocol = _first(self.files.protocol)
        self.folder = Path(self.root) if self.protocol == "file" else None

    def __reduce__(self) -> tuple[type["LakePlace"], tuple[str]]:
        return LakePlace, (self.address,)

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in order; none if there is no such folder."""
        self.files.invalidate_cache()
        try:
            found = self._try(lambda: self.files.ls(self._path(folder), detail=False))
        except FileNotFoundError:
            return []
        return sorted(name for path in found if (name := path.rstrip("/").rsplit("/", 1)[-1]))

    def read(self, name: str) -> bytes:
        """The bytes of a file; raises FileNotFoundError."""
        return bytes(self._try(lambda: self.files.cat_file(self._path(name))))

    def fetch(self, name: str, target: Path) -> None:
        """Bring a file of the lake into one of this machine; raises FileNotFoundError."""
        self._try(lambda: self.files.get_file(self._path(name), str(target)))

    def written_at(self, name: str) -> datetime:
        """When a file was written last, or the last file of a folder; now, if there is none."""
        self.files.invalidate_cache()
        found = self._try(lambda: self.files.find(self._path(name), detail=True))
        times = [_time_of(info) for info in found.values()]
        return max(times, default=datetime.now(UTC))

    def create(self, name: str, data: bytes) -> bool:
        """Write a file unless there is one; whether it was written: of several who try at once, one does."""
        if self.folder is not None:
            path = self.folder / name
            with self._telling():
                make_shared_folder(path.parent)
                return write_new_file(path, data)
        try:
            self._try(lambda: self.files.pipe_file(self._path(name), data, mode="create"))
        except FileExistsError:
            return False
        return True

    def replace(self, name: str, data: bytes) -> None:
        """Write a file, in place of one that may be there."""
        if self.folder is not None:
            with self._telling():
                make_shared_folder((self.folder / name).parent)
                write_file(self.folder / name, data)
        else:
            self._try(lambda: self.files.pipe_file(self._path(name), data))

    def publish(self, made: Path, folder: str) -> None:
        """Bring the files of a folder of this machine into a new folder of the lake."""
        if self.folder is not None:
            with self._telling():
                self._move_here(made, self.folder / folder)
            return
        for file in sorted(made.rglob("*")):
            if file.is_file():
                name = f"{folder}/{file.relative_to(made).as_posix()}"
                self._try(lambda file=file, name=name: self.files.put_file(str(file), self._path(name)))  # type: ignore[misc]  # fmt: skip

    def _move_here(self, made: Path, target: Path) -> None:
        make_shared_folder(target.parent)
        draft = draft_of(target)
        try:
            shutil.copytree(made, draft)
            sync_tree(draft)
            draft.rename(target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        sync_folder(target.parent)

    def remove(self, names: Iterable[str]) -> None:
        """Delete files and folders, with all that is in them; what is not there is no error."""
        for name in names:
            try:
                self._try(lambda name=name: self.files.rm(self._path(name), recursive=True))  # type: ignore[misc]
            except FileNotFoundError:
                continue

    def address_of(self, name: str) -> str:
        """A file as DuckDB opens it, once `connect` was called."""
        path = self._path(name)
        return path if self.folder is not None else f"{self.protocol}://{path}"

    def connect(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Let a connection read the files of the lake."""
        if self.folder is None:
            connection.register_filesystem(self.files)

    def _path(self, name: str) -> str:
        return f"{self.root}/{name}" if name else self.root

    def _try(self, do: Callable[[], Done]) -> Done:
        with self._telling():
            return do()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Raise what goes wrong as LakeUnreachable, in words; whether a file is there, callers want to know."""
        try:
            yield
        except (FileNotFoundError, FileExistsError, StoreError):
            raise
        except Exception as error:  # each object store has errors of its own
            raise LakeUnreachable(
                f"the lake {self.address} cannot be used: {_reason(error)}"
            ) from error


def _time_of(info: dict[str, Any]) -> datetime:
    """When a file was written, as the different kinds of places tell it; now, if one does not."""
    found = next((info[name] for name in TIME_NAMES if name in info), None)
    if isinstance(found, datetime):
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return datetime.now(UTC) if found is None else datetime.fromtimestamp(float(found), UTC)


@contextmanager
def telling_of_files(place: LakePlace) -> Iterator[None]:
    """Raise what DuckDB says of the files of a lake as LakeUnreachable, in words; other errors stay as they are."""
    try:
        yield
    except FILE_ERRORS as error:
        raise LakeUnreachable(
            f"the lake {place.address} cannot be read as its list of parts says: {first_line(str(error))}"
        ) from error


def _first(protocol: str | tuple[str, ...]) -> str:
    return protocol if isinstance(protocol, str) else protocol[0]


def _whole(address: str) -> str:
    """An address with both of its strokes, of which `Path` leaves one out; that of a folder as it is."""
    return ONE_STROKE.sub(r"\1//", address) if is_address(address) else address


def without_secret(address: str) -> str:
    """An address as it may be printed: without a user and a password."""
    return SECRET.sub("://...@", address)


def _open_place(address: str) -> tuple[Any, str]:
    """The files of an address and the path in them; raises StoreError if nothing here can reach it."""
    protocol = address.partition("://")[0] if "://" in address else "file"
    if SECRET.search(address):
        raise StoreError(
            f"an address of {protocol}:// with a password in it is not taken: credentials belong where the programs of the "
            "object store look for them, such as AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        )
    try:
        if protocol in NO_LAKES:
            raise ValueError(protocol)
        files, root = url_to_fs(address)
    except ImportError as error:
        package = PACKAGES.get(protocol)
        needed = f"the package {package} (`pip install {package}`)" if package else str(error)
        raise StoreError(
            f"to reach {address}, {needed} is needed, which is not installed here"
        ) from error
    except ValueError as error:
        raise StoreError(
            f"nothing here reaches {address}: a lake is a folder, or an address with s3://, gs:// or abfs://"
        ) from error
    return files, str(root)


def _reason(error: BaseException) -> str:
    """Why something failed, as one line."""
    if isinstance(error, PermissionError):
        return f"access is denied ({first_line(str(error)) or 'no reason is given'})"
    if isinstance(error, OSError) and error.errno:
        return system_reason(error)
    return first_line(str(error)) or type(error).__name__


# Data folders that stand for a lake.


def place_of(address: str) -> LakePlace:
    """The place with this address; that of an object store, asked for again, is the same.

    A folder is another one once the process has gone to another folder.
    """
    return _cached_place(address) if is_address(address) else LakePlace(address)


@lru_cache(maxsize=64)
def _cached_place(address: str) -> LakePlace:
    return LakePlace(address)


def lake_address(folder: Path) -> str | None:
    """The address of the lake that a folder is, or stands for; None if it does neither. Raises StoreError for a wrong link."""
    if (folder / STATES).is_dir():
        return str(folder.resolve())
    try:
        text = (folder / LINK_FILE_NAME).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return msgspec.json.decode(text, type=LakeLink).address
    except msgspec.DecodeError as error:
        raise StoreError(
            f"the file {folder / LINK_FILE_NAME} is not as it should be: {error}"
        ) from error


def folder_for(address: str | os.PathLike[str]) -> Path:
    """The folder of this machine that stands for an address: it is made in the user's cache. Raises StoreError.

    The address of a folder is that folder. A folder with the name of an address never stands for it. Where the cache cannot
    be written, the folder is one for as long as this process runs.
    """
    if not is_address(address):
        return Path(address)
    whole = place_of(os.fspath(address)).address
    try:
        return _link(_cache(), whole)
    except (OSError, RuntimeError):  # nobody may write there, or there is no home
        pass
    try:
        return _link(Path(_passing_cache().name), whole)
    except OSError as error:
        raise StoreError(
            f"no folder can be made to stand for {whole}: {system_reason(error)}. Set {CACHE_VARIABLE} to a folder that can "
            "be written to"
        ) from error


def _cache() -> Path:
    """The user's cache; raises RuntimeError for a user without a home."""
    return Path(os.environ.get(CACHE_VARIABLE) or Path.home() / ".cache")


@lru_cache(maxsize=1)
def _passing_cache() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="bezique-cache-")


def _link(cache: Path, address: str) -> Path:
    """Make the folder in a cache that stands for an address; raises OSError."""
    folder = cache / "bezique" / "lakes" / hashlib.sha256(address.encode()).hexdigest()[:16]
    make_private_folder(folder)
    write_file(folder / LINK_FILE_NAME, msgspec.json.encode(LakeLink(address)))
    return folder
