"""Roll-outs behind the pages: luck is told from skill in one game after the other, in a process of its own."""

import logging
import threading
from collections import deque
from contextlib import closing

import msgspec

from analyzer import sidecars
from analyzer.annotate.annotation import Terms
from analyzer.store import Store
from records.errors import BeziqueError
from webui.wording import sentence

log = logging.getLogger(__name__)


class Rolling(msgspec.Struct, eq=False):
    """Roll-outs that somebody asked for; `state` is waiting, running, done, stopped or failed.

    `done` of `parts` shares of the work are over.
    """

    digest: str
    rollouts: int
    state: str = "waiting"
    reason: str = ""
    done: int = 0
    parts: int = 0
    stopping: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether it will change by itself."""
        return self.state in ("waiting", "running")

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.done / self.parts if self.parts else 0.0


class Rollings:
    """The roll-outs of a store's games; one game at a time is worked on, the others wait.

    What was not done when the server ends is forgotten, and can be asked for again.
    """

    def __init__(self, store: Store, terms: Terms) -> None:
        self.store, self.terms = store, terms
        self._all: dict[str, Rolling] = {}
        self._queue: deque[Rolling] = deque()
        self._lock = threading.Lock()
        self._worker: threading.Thread | None = None
        self._closing = False

    def of(self, digest: str) -> Rolling | None:
        """What was last asked for of a game."""
        return self._all.get(digest)

    def before(self, rolling: Rolling) -> int:
        """How many games come before one that waits."""
        with self._lock:
            running = sum(one.state == "running" for one in self._all.values())
            return running + self._queue.index(rolling) if rolling in self._queue else 0

    def ask(self, digest: str, rollouts: int) -> None:
        """Begin, as soon as those before are done; what goes on already is not begun twice."""
        with self._lock:
            known = self._all.get(digest)
            if known is not None and known.goes_on:
                return
            self._all[digest] = rolling = Rolling(digest, rollouts)
            self._queue.append(rolling)
            if self._worker is None and not self._closing:
                self._worker = threading.Thread(target=self._work, name="roll-outs", daemon=True)
                self._worker.start()

    def stop(self, digest: str) -> None:
        """Stop after the share it is at; nothing of it is kept."""
        with self._lock:
            rolling = self._all.get(digest)
            if rolling is None or not rolling.goes_on:
                return
            rolling.stopping = True
            if rolling in self._queue:
                self._queue.remove(rolling)
                rolling.state = "stopped"

    def close(self) -> None:
        """Stop working, so that the store can be closed."""
        with self._lock:
            self._closing = True
            worker = self._worker
        if worker is not None:
            worker.join()

    def _work(self) -> None:
        while (rolling := self._next()) is not None:
            try:
                rolling.state = self._roll(rolling)
            except (BeziqueError, OSError) as error:
                rolling.state, rolling.reason = "failed", sentence(str(error))
            except Exception:
                log.exception("the roll-outs of %s failed", rolling.digest)
                rolling.state = "failed"
                rolling.reason = "The error is ours, and it has been written to the server's log."

    def _next(self) -> Rolling | None:
        """The next to work on; the thread ends with the last."""
        with self._lock:
            if self._closing or not self._queue:
                self._worker = None
                return None
            rolling = self._queue.popleft()
            rolling.state = "running"
            return rolling

    def _roll(self, rolling: Rolling) -> str:
        """The state it ends in."""
        shares = sidecars.add_luck(self.store, rolling.digest, rolling.rollouts, self.terms)
        with closing(shares):
            for rolling.done, rolling.parts in shares:
                if rolling.stopping or self._closing:
                    return "stopped"
        return "done"
