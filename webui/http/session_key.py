"""The key that signs sessions: created once, kept in the data folder, readable by its owner only."""

import os
import secrets
from pathlib import Path

SESSION_KEY_FILE_NAME = "session-key"


def session_secret(folder: Path, *, keep: bool = True) -> str:
    """The key of this data folder, created on first use; without `keep`, a new one each time."""
    if not keep:
        return secrets.token_hex(32)
    path = folder / SESSION_KEY_FILE_NAME
    draft = path.with_suffix(f".{os.getpid()}")
    if not path.exists():
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_hex(32), encoding="ascii")
        _keep_first(draft, path)
    return path.read_text(encoding="ascii")


def _keep_first(draft: Path, path: Path) -> None:
    """Rename the draft, unless another process was faster."""
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
