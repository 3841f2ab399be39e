"""Who is who: the admin's password and sessions, tokens for programs, and the key that signs sessions."""

import hashlib
import logging
import re
import secrets
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from hmac import compare_digest
from pathlib import Path
from typing import Literal

import msgspec

from analyzer.store.durable_files import make_private_folder, remove_file, write_new_file
from analyzer.store.sealed_files import FileBroken, read_sealed, seal, write_sealed
from records.errors import BeziqueError
from webui.server.actions import Role

# The admin's sessions: kept on the server, so that logging out, time and a new password end them.

ADMIN_SESSION_SECONDS = 8 * 3600
MOST_ADMIN_SESSIONS = 100
"""Beyond these, the oldest session ends."""


@dataclass(frozen=True, slots=True)
class AdminSession:
    """A session: when it ends, by the clock of `time.monotonic`, and the hash of the password that opened it."""

    ends: float
    password_hash: str


class AdminSessions:
    """The open sessions of a server, by the random id in the admin's signed cookie. They end with the server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, AdminSession] = {}

    def begin(self, password_hash: str) -> str:
        """Open a session for whoever gave the password with this hash; returns its id."""
        key = secrets.token_urlsafe(24)
        with self._lock:
            self._open[key] = AdminSession(time.monotonic() + ADMIN_SESSION_SECONDS, password_hash)
            while len(self._open) > MOST_ADMIN_SESSIONS:
                del self._open[next(iter(self._open))]
        return key

    def is_open(self, key: str, password_hash: str) -> bool:
        """Whether this is the id of a session that has not ended, and the password is still the same."""
        with self._lock:
            known = self._open.get(key)
            if known is None:
                return False
            if time.monotonic() < known.ends and known.password_hash == password_hash:
                return True
            del self._open[key]
            return False

    def end(self, key: str) -> None:
        """Close a session, if it is open."""
        with self._lock:
            self._open.pop(key, None)


# The admin's password: hashed with scrypt, in a file of the data folder.

PASSWORD_FILE_NAME = "admin-password"
PASSWORD_HASH = re.compile(r"scrypt:\d+:\d+:\d+\$[^$]+\$[0-9a-f]{128}")
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
    write_sealed(folder / PASSWORD_FILE_NAME, hashed.encode("ascii"))


def password_hash(folder: Path) -> str:
    """The hash of the admin's password; empty if there is none. Raises FileBroken."""
    path = folder / PASSWORD_FILE_NAME
    data = read_sealed(path)
    if data is None:
        return ""
    hashed = data.decode("ascii", errors="replace").strip()
    if not PASSWORD_HASH.fullmatch(hashed):
        raise FileBroken(path)
    return hashed


def is_password(folder: Path, given: str) -> bool:
    """Whether this is the admin's password; compared in constant time, and never so if there is none. Raises FileBroken."""
    hashed = password_hash(folder)
    if not hashed or len(given) > LONGEST_PASSWORD:
        return False
    from werkzeug.security import check_password_hash

    with _one_check:
        return check_password_hash(hashed, given)


# Tokens for programs: made, listed and revoked by commands, stored as hashes in a file of the data folder.

TOKENS_FILE_NAME = "tokens.json"
TOKEN_PREFIX = "bezique_"
"""Begins every token, so that people and scanners recognise one that strayed."""
LONGEST_TOKEN_NAME = 80
MOST_TOKENS = 1000

TokenScope = Literal["read", "upload", "admin"]
SCOPE_ROLES: dict[str, Role] = {
    "read": Role.READER,
    "upload": Role.UPLOADER,
    "admin": Role.STEWARD,
}
"""The role of a program by the scope of its token; each scope includes the ones before it."""


class TokenError(BeziqueError):
    """A token cannot be added or revoked, or the file of tokens cannot be read."""


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token: its name, its scope, the SHA-256 of the secret in hexadecimal, and when it was made, in UTC."""

    name: str
    scope: TokenScope
    sha256: str
    created_at: datetime

    @property
    def role(self) -> Role:
        """The role of a program that shows the token."""
        return SCOPE_ROLES[self.scope]


def load_tokens(folder: Path) -> list[Token]:
    """The tokens of a data folder, oldest first; raises TokenError if their file is broken."""
    path = folder / TOKENS_FILE_NAME
    try:
        data = read_sealed(path)
        return [] if data is None else msgspec.json.decode(data, type=list[Token])
    except (FileBroken, msgspec.DecodeError) as error:
        raise TokenError(f"the tokens in {path} cannot be read: {error}") from error


def add_token(folder: Path, name: str, scope: TokenScope) -> str:
    """Make a token and return its secret, which is stored nowhere; raises TokenError and OSError."""
    tokens = load_tokens(folder)
    if not 0 < len(name) <= LONGEST_TOKEN_NAME or not name.isprintable():
        raise TokenError(f"a name of a token has 1 to {LONGEST_TOKEN_NAME} printable characters")
    if any(token.name == name for token in tokens):
        raise TokenError(
            f"there is a token {name} already; revoke it first, or choose another name"
        )
    if len(tokens) >= MOST_TOKENS:
        raise TokenError(f"there are {MOST_TOKENS:,} tokens already; revoke some first")
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    made = datetime.now(UTC).replace(microsecond=0)
    _save(folder, [*tokens, Token(name, scope, _hash(secret), made)])
    return secret


def revoke_token(folder: Path, name: str) -> None:
    """Remove a token; raises TokenError if there is none of this name, and OSError."""
    tokens = load_tokens(folder)
    kept = [token for token in tokens if token.name != name]
    if len(kept) == len(tokens):
        raise TokenError(f"there is no token {name}")
    _save(folder, kept)


def find_token(folder: Path, secret: str) -> Token | None:
    """The token with this secret, as the file is now; every hash is compared, in constant time. Raises TokenError."""
    hashed = _hash(secret)
    found = [token for token in load_tokens(folder) if compare_digest(token.sha256, hashed)]
    return found[0] if found else None


def _hash(secret: str) -> str:
    """A random secret of 256 bits needs no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _save(folder: Path, tokens: list[Token]) -> None:
    make_private_folder(folder)
    write_sealed(folder / TOKENS_FILE_NAME, msgspec.json.encode(tokens))


# The key that signs sessions: created once, kept in the data folder, readable by its owner only.

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
    try:
        read_session_key(folder)
    except FileBroken as error:
        log.warning("%s is broken and is made anew (%s): whoever has a page open must load it again", path, error.why)  # fmt: skip
        remove_file(path)
    if not path.exists():
        write_new_file(path, seal(_new_secret().encode()))
    return read_session_key(folder) or _new_secret()


def read_session_key(folder: Path) -> str:
    """The key of a data folder; empty if there is none. Raises FileBroken."""
    path = folder / SESSION_KEY_FILE_NAME
    data = read_sealed(path)
    text = "" if data is None else data.decode("ascii", errors="replace").strip()
    if data is not None and not WHOLE_KEY.fullmatch(text):
        raise FileBroken(path)
    return text


def _new_secret() -> str:
    return secrets.token_hex(KEY_BYTES)
