"""Where requests are counted: in memory, for a bounded number of clients."""

import time
from threading import RLock
from typing import Any

from limits.storage import MemoryStorage

MOST_COUNTERS = 20_000
"""The most counters that are kept; beyond it the oldest begins again."""


class BoundedMemoryStorage(MemoryStorage):
    """Counters in memory. A flood of addresses makes the oldest counters go, and the memory stays what it is.

    The library starts a thread after a request to drop what has expired, and two requests may start the same one, which
    raises RuntimeError. Here a counter that has expired begins again when it is asked for, or goes with the oldest.
    """

    STORAGE_SCHEME = ["bounded-memory"]  # noqa: RUF012 (the library reads it as a list)

    def __init__(self, uri: str | None = None, **options: Any) -> None:
        self._lock = RLock()
        super().__init__(uri, **options)

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count a request; returns how many there were in its time."""
        with self._lock:
            self.get(key)  # forgets it if it has expired
            if key not in self.expirations:
                # They stand in the order in which their time began.
                while len(self.expirations) >= MOST_COUNTERS:
                    self.clear(next(iter(self.expirations)))
                self.expirations[key] = time.time() + expiry
            self.storage[key] += amount
            return self.storage[key]

    def get(self, key: str) -> int:
        """How many requests there were in the time of a counter; one that has expired is forgotten."""
        with self._lock:
            return super().get(key)
