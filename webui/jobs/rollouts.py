"""Background roll-outs: estimate luck and skill game by game, in a separate process."""

import threading
from contextlib import closing
from functools import partial
from typing import Literal, TypeAlias

import msgspec

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import AnalysisTerms
from analyzer.annotate.annotator import annotate
from analyzer.db.store import Store
from analyzer.process_pool import ProcessesOnCall
from analyzer.task_queue import TaskQueue
from webui.jobs.failure import failure_reason
from webui.jobs.queue_end import QueueEnd

MOST_WAITING, MOST_WAITING_PER_CLIENT = 30, 3
"""How many games may be waiting or rolled out at a time; each takes seconds, or minutes."""
MOST_ENDED_JOBS = 1000
"""The most ended jobs that are remembered."""


RolloutState: TypeAlias = Literal["waiting", "running", "done", "stopped", "failed"]


class RolloutJob(msgspec.Struct, eq=False):
    """Requested roll-outs, or with none of them a review.

    `done` of `parts` parts of the work are finished; `starter` is whoever asked for them.
    """

    digest: str
    rollouts: int
    starter: str = ""
    state: RolloutState = "waiting"
    reason: str = ""
    done: int = 0
    parts: int = 0
    stopping: bool = False

    @property
    def is_active(self) -> bool:
        """Whether the job is waiting or running."""
        return self.state in ("waiting", "running")

    @property
    def share(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        return self.done / self.parts if self.parts else 0.0


class RolloutQueue:
    """The roll-outs of a store's games; one game is worked on at a time, the others wait.

    Jobs that are unfinished when the server ends are forgotten, and can be started again.
    """

    def __init__(self, store: Store, terms: AnalysisTerms, processes: ProcessesOnCall) -> None:
        self.store, self.terms, self.processes = store, terms, processes
        self._jobs: dict[str, RolloutJob] = {}
        self._lock = threading.Lock()
        self._queue = TaskQueue("roll-outs", self._run)
        self._end = QueueEnd(
            "luck estimate", MOST_WAITING, MOST_WAITING_PER_CLIENT, self._is_unfinished
        )

    def job(self, digest: str) -> RolloutJob | None:
        """The last job of a game."""
        return self._jobs.get(digest)

    def jobs_before(self, job: RolloutJob) -> int:
        """How many games come before a waiting one."""
        with self._lock:
            unfinished = [other for other in self._jobs.values() if other.is_active]
        return unfinished.index(job) if job in unfinished else 0

    def start(self, digest: str, rollouts: int, starter: str = "", client: str = "") -> None:
        """Queue roll-outs of a game, unless they are waiting or running already; raises QueueFull.

        `starter` may stop them; `client` is whose share of the queue they take.
        """
        with self._lock:
            known = self._jobs.get(digest)
            if known is not None and known.is_active and not known.stopping:
                return
            self._end.enter(digest, client)
            self._jobs.pop(digest, None)
            self._forget_ended_jobs()
            job = self._jobs[digest] = RolloutJob(digest, rollouts, starter)
        self._queue.put(job)

    def stop(self, digest: str) -> None:
        """Stop the roll-outs of a game after the current part; nothing of them is kept."""
        job = self._jobs.get(digest)
        if job is None or not job.is_active:
            return
        job.stopping = True
        if self._queue.withdraw(job):
            job.state = "stopped"

    def close(self) -> None:
        """Stop working, so that the store can be closed."""
        self._queue.close()

    def _is_unfinished(self, digest: str) -> bool:
        job = self._jobs.get(digest)
        return job is not None and job.is_active

    def _forget_ended_jobs(self) -> None:
        """Forget the oldest of too many ended jobs; the lock is held."""
        ended = [digest for digest, job in self._jobs.items() if not job.is_active]
        for digest in ended[: max(0, len(ended) - MOST_ENDED_JOBS)]:
            del self._jobs[digest]

    def _run(self, job: RolloutJob) -> None:
        job.state = "running"
        try:
            job.state = self._roll_out(job)
        except Exception as error:
            job.reason = failure_reason(error, f"roll-outs of {job.digest}")
            job.state = "failed"

    def _roll_out(self, job: RolloutJob) -> RolloutState:
        """Play the roll-outs of one game; the state in which the job ends."""
        progress = stored_annotations.add_luck_estimate(
            self.store,
            job.digest,
            job.rollouts,
            self.terms,
            make=partial(self.processes.call, annotate),
        )
        with closing(progress):
            for job.done, job.parts in progress:
                if job.stopping or self._queue.closing:
                    return "stopped"
        return "done"
