"""The end of a queue: how many tasks may wait, of all clients and of one."""

import threading
from collections import Counter
from collections.abc import Callable

from records.phrases import pluralize


class QueueFull(Exception):
    """A task for which the queue has no place; the text says whose tasks fill it."""

    def __init__(self, text: str, *, is_own: bool) -> None:
        super().__init__(text)
        self.is_own = is_own


class QueueEnd:
    """The tasks of a queue and their clients, by key; `noun` says what a task is.

    `is_unfinished` tells whether the task with a key still has its place.
    """

    def __init__(
        self, noun: str, most: int, most_per_client: int, is_unfinished: Callable[[str], bool]
    ) -> None:
        self.noun, self.most, self.most_per_client = noun, most, most_per_client
        self.is_unfinished = is_unfinished
        self._clients: dict[str, str] = {}
        self._lock = threading.Lock()

    def enter(self, key: str, client: str) -> None:
        """Give a new task a place; raises QueueFull if there is none."""
        with self._lock:
            self._clients = {
                other: whose for other, whose in self._clients.items() if self.is_unfinished(other)
            }
            number = Counter(self._clients.values())[client]
            if number >= self.most_per_client:
                raise QueueFull(
                    f"{pluralize(number, self.noun)} of yours are not finished. Wait until one is.",
                    is_own=True,
                )
            if len(self._clients) >= self.most:
                raise QueueFull(
                    f"{pluralize(self.most, self.noun)} are not finished, and no more may wait. Try again later.",
                    is_own=False,
                )
            self._clients[key] = client

    def leave(self, key: str) -> None:
        """Take back a task that was not begun, or was forgotten."""
        with self._lock:
            self._clients.pop(key, None)
