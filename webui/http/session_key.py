"""The key that signs sessions: created once, kept in the data folder, readable by its owner only."""

import logging
import re
import secrets
from pathlib import Path

from analyzer.durable_files import remove_file, write_new_file

SESSION_KEY_FILE_NAME = "session-key"
KEY_BYTES = 32
WHOLE_KEY = re.compile(rf"[0-9a-f]{{{2 * KEY_BYTES}}}")
log = logging.getLogger(__name__)


def session_secret(folder: Path, *, keep: bool = True) -> str:
    """The key of this data folder, created on first use; without `keep`, a new one each time.

    A key that is empty or broken is made anew, with a warning in the log. Raises OSError.
    """
    if not keep:
        return _new_secret()
    path = folder / SESSION_KEY_FILE_NAME
    if has_broken_key(folder):
        log.warning(
            "%s is broken and is made anew: whoever has a page open must load it again", path
        )
        remove_file(path)
    if not path.exists():
        write_new_file(path, _new_secret().encode())
    return _read_secret(path) or _new_secret()


def has_broken_key(folder: Path) -> bool:
    """Whether the key of a data folder is there and is none; raises OSError."""
    path = folder / SESSION_KEY_FILE_NAME
    return path.exists() and _read_secret(path) is None


def _new_secret() -> str:
    return secrets.token_hex(KEY_BYTES)


def _read_secret(path: Path) -> str | None:
    """The key in a file; None if it holds no whole key."""
    text = path.read_bytes().decode("ascii", errors="replace").strip()
    return text if WHOLE_KEY.fullmatch(text) else None
