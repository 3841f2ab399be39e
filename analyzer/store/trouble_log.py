"""A log of troubles that last: one line when each begins, one when it is over."""

import logging
import threading

log = logging.getLogger(__name__)


class TroubleLog:
    """Troubles by kind, such as a full disk: everybody meets it, and the log needs it once."""

    def __init__(self) -> None:
        self._present: set[str] = set()
        self._lock = threading.Lock()

    def begin(self, kind: str, message: str) -> None:
        """Log a trouble, unless one of this kind is known and not over."""
        with self._lock:
            if kind in self._present:
                return
            self._present.add(kind)
        log.error("%s", message)

    def end(self, kind: str, message: str) -> None:
        """Log that a trouble is over, if there was one of this kind."""
        if kind in self._present:
            with self._lock:
                self._present.discard(kind)
            log.warning("%s", message)
