"""The admin's password: hashed with scrypt, in a file of the data folder."""

import threading
from pathlib import Path

from analyzer.durable_files import make_private_folder, write_file
from records.errors import BeziqueError

PASSWORD_FILE_NAME = "admin-password"
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 1000
"""The fewest and the most characters of a password."""

_one_check = threading.Lock()
"""Each check takes tens of megabytes for a moment: one at a time."""


class PasswordError(BeziqueError):
    """A password cannot be taken, or is needed and missing."""


def set_password(folder: Path, password: str) -> None:
    """Store the hash of a password; raises PasswordError for one too short or too long, and OSError."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise PasswordError(
            f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD:,} characters; this one has {len(password)}"
        )
    from werkzeug.security import generate_password_hash

    hashed = generate_password_hash(password, method="scrypt")
    make_private_folder(folder)
    write_file(folder / PASSWORD_FILE_NAME, hashed.encode("ascii"))


def password_hash(folder: Path) -> str:
    """The hash of the admin's password; empty if there is none."""
    try:
        return (folder / PASSWORD_FILE_NAME).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def is_password(folder: Path, given: str) -> bool:
    """Whether this is the admin's password; compared in constant time, and never so if there is none."""
    hashed = password_hash(folder)
    if not hashed.startswith("scrypt:") or len(given) > LONGEST_PASSWORD:
        return False
    from werkzeug.security import check_password_hash

    with _one_check:
        try:
            return check_password_hash(hashed, given)
        except ValueError:
            return False
