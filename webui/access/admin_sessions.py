"""The admin's sessions: kept on the server, so that logging out, time and a new password end them."""

import secrets
import threading
import time
from dataclasses import dataclass

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
