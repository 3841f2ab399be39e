"""Work behind the pages: one task after the other, on a thread of its own."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Task = TypeVar("Task")
log = logging.getLogger(__name__)


class TaskQueue(Generic[Task]):
    """Tasks in the order in which they came; `work` does one, and looks at `closing` from time to time.

    A task is told from others by its identity or by `==`, and waits at most once at a time.
    """

    def __init__(self, name: str, work: Callable[[Task], None]) -> None:
        self.name, self.work = name, work
        self.closing = False
        self._lock = threading.Lock()
        self._waiting: dict[Task, Future[None]] = {}
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)

    def put(self, task: Task) -> None:
        """Do this after all that waits; nothing is begun once the queue is closing."""
        with self._lock:
            if not self.closing:
                self._waiting[task] = self._executor.submit(self._run, task)

    def withdraw(self, task: Task) -> bool:
        """Take back a task; False if it does not wait (any more)."""
        with self._lock:
            waiting = self._waiting.pop(task, None)
            return waiting is not None and waiting.cancel()

    def close(self) -> None:
        """Begin nothing more, and wait for the task at work."""
        with self._lock:
            self.closing = True
        self._executor.shutdown(cancel_futures=True)

    def _run(self, task: Task) -> None:
        with self._lock:
            self._waiting.pop(task, None)
        try:
            self.work(task)
        except Exception:  # an executor keeps it for somebody who never asks
            log.exception("%s failed", self.name)
