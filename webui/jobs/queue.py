"""Work behind the pages: one thing after the other, by a thread that is there only while there is something to do."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from records.errors import BeziqueError
from webui.display.wording import sentence

QueuedTask = TypeVar("QueuedTask")
log = logging.getLogger(__name__)


class TaskQueue(Generic[QueuedTask]):
    """Tasks in the order in which they came; `work` does one, and is to look at `closing` from time to time."""

    def __init__(self, name: str, work: Callable[[QueuedTask], None]) -> None:
        self.name, self.work = name, work
        self.closing = False
        self._queue: deque[QueuedTask] = deque()
        self._lock = threading.Lock()
        self._worker: threading.Thread | None = None

    def put(self, task: QueuedTask) -> None:
        """Do this after what waits already."""
        with self._lock:
            self._queue.append(task)
            if self._worker is None and not self.closing:
                self._worker = threading.Thread(target=self._run, name=self.name, daemon=True)
                self._worker.start()

    def withdraw(self, task: QueuedTask) -> bool:
        """Whether a task still waited; it does no more."""
        with self._lock:
            waited = task in self._queue
            if waited:
                self._queue.remove(task)
            return waited

    def close(self) -> None:
        """Begin nothing more, and wait for what is at work."""
        with self._lock:
            self.closing = True
            worker = self._worker
        if worker is not None:
            worker.join()

    def _run(self) -> None:
        while (task := self._next()) is not None:
            self.work(task)

    def _next(self) -> QueuedTask | None:
        with self._lock:
            if self.closing or not self._queue:
                self._worker = None
                return None
            return self._queue.popleft()


def failure_reason(error: Exception, what: str) -> str:
    """Why something could not go on, for the page; an error that is ours is written to the log."""
    if isinstance(error, BeziqueError | OSError):
        return sentence(str(error))
    log.exception("%s failed", what, exc_info=error)
    return "The error is ours, and it has been written to the server's log."
