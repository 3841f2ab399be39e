"""Roll-outs behind the pages: luck is told from skill in one game after the other, in a process of its own."""

import threading
from contextlib import closing

import msgspec

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import AnalysisTerms
from analyzer.db.store import Store
from analyzer.task_queue import TaskQueue
from webui.jobs.failure import failure_reason


class RolloutJob(msgspec.Struct, eq=False):
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


class RolloutQueue:
    """The roll-outs of a store's games; one game at a time is worked on, the others wait.

    What was not done when the server ends is forgotten, and can be asked for again.
    """

    def __init__(self, store: Store, terms: AnalysisTerms) -> None:
        self.store, self.terms = store, terms
        self._all: dict[str, RolloutJob] = {}
        self._lock = threading.Lock()
        self._work = TaskQueue("roll-outs", self._run)

    def of(self, digest: str) -> RolloutJob | None:
        """What was last asked for of a game."""
        return self._all.get(digest)

    def before(self, rolling: RolloutJob) -> int:
        """How many games come before one that waits."""
        with self._lock:
            going = [one for one in self._all.values() if one.goes_on]
        return going.index(rolling) if rolling in going else 0

    def ask(self, digest: str, rollouts: int) -> None:
        """Begin, as soon as those before are done; what goes on already is not begun twice."""
        with self._lock:
            known = self._all.get(digest)
            if known is not None and known.goes_on and not known.stopping:
                return
            self._all.pop(digest, None)
            rolling = self._all[digest] = RolloutJob(digest, rollouts)
        self._work.put(rolling)

    def stop(self, digest: str) -> None:
        """Stop after the share it is at; nothing of it is kept."""
        rolling = self._all.get(digest)
        if rolling is None or not rolling.goes_on:
            return
        rolling.stopping = True
        if self._work.withdraw(rolling):
            rolling.state = "stopped"

    def close(self) -> None:
        """Stop working, so that the store can be closed."""
        self._work.close()

    def _run(self, rolling: RolloutJob) -> None:
        rolling.state = "running"
        try:
            rolling.state = self._roll(rolling)
        except Exception as error:
            rolling.reason = failure_reason(error, f"roll-outs of {rolling.digest}")
            rolling.state = "failed"

    def _roll(self, rolling: RolloutJob) -> str:
        """The state it ends in."""
        shares = stored_annotations.add_luck_estimate(
            self.store, rolling.digest, rolling.rollouts, self.terms
        )
        with closing(shares):
            for rolling.done, rolling.parts in shares:
                if rolling.stopping or self._work.closing:
                    return "stopped"
        return "done"
