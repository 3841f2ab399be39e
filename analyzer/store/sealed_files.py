"""Small files that say whether they are whole: what is absent, what is empty and what cannot be read are three things.

The last line of such a file is a sum of all before it. A file without one, as people write them, is taken as it is.
"""

import hashlib
import re
from pathlib import Path
from typing import TypeVar

import msgspec

from analyzer.store.durable_files import write_file
from records.errors import StoreError
from records.phrases import path_text, system_reason

Sealed = TypeVar("Sealed")
BROKEN_ENDING = ".broken"
"""Added to the name of a file that is kept while a new one takes its place."""
SUM_CHARACTERS = 16
SEALED = re.compile(rb"(.*)\n([0-9a-f]{%d})\n" % SUM_CHARACTERS, re.DOTALL)


class FileBroken(StoreError):
    """A file of the data folder is there, and is empty or not as it was written; `why` says which."""

    def __init__(self, path: Path, why: str = "it is not as it was written") -> None:
        super().__init__(f"{path_text(path)} is broken ({why})")
        self.path, self.why = path, why

    def message_in(self, folder: Path) -> str:
        """The same in words for whoever knows the folder."""
        return f"{path_text(self.path.relative_to(folder))} is broken ({self.why})"


def seal(data: bytes) -> bytes:
    """The bytes of a file with the sum that tells whether they are whole."""
    return b"%b\n%b\n" % (data, hashlib.sha256(data).hexdigest()[:SUM_CHARACTERS].encode())


def write_sealed(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all; raises OSError."""
    write_file(path, seal(data))


def read_sealed(path: Path) -> bytes | None:
    """What a file holds; None if there is none. Raises FileBroken if it is empty, damaged, or cannot be read."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileBroken(path, f"it cannot be read: {system_reason(error)}") from error
    if not data.strip():
        raise FileBroken(path, "it is empty")
    found = SEALED.fullmatch(data)
    if found is None:
        return data
    if seal(found[1]) != data:
        raise FileBroken(path)
    return found[1]


def read_sealed_json(path: Path, kind: type[Sealed]) -> Sealed | None:
    """What a file holds as JSON; None if there is none. Raises FileBroken, also if it is none of this type."""
    data = read_sealed(path)
    try:
        return None if data is None else msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise FileBroken(path) from error
