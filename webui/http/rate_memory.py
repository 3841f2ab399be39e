"""Where requests are counted: in memory, for a bounded number of clients."""

from limits.storage import MemoryStorage

MOST_COUNTERS = 20_000
"""The most counters that are kept; beyond it the oldest begins again."""


class BoundedMemoryStorage(MemoryStorage):
    """Counters in memory. A flood of addresses makes the oldest counters go, and the memory stays what it is."""

    STORAGE_SCHEME = ["bounded-memory"]  # noqa: RUF012 (the library reads it as a list)

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count a request; returns how many there were in its time."""
        while key not in self.expirations and len(self.expirations) >= MOST_COUNTERS:
            # Counters are in the order in which their time began. Another thread may take the same one.
            oldest = next(iter(list(self.expirations)[:1]), None)
            if oldest is not None:
                self.clear(oldest)
        return super().incr(key, expiry, amount)
