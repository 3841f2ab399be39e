"""Work on stored games behind the pages: one game after the other, with a bar, and with an end to the queue."""

import threading
from collections.abc import Generator
from contextlib import closing
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec

from analyzer.task_queue import TaskQueue
from webui.jobs.failure import failure_reason
from webui.jobs.queue_end import QueueEnd

MOST_WAITING, MOST_WAITING_PER_CLIENT = 30, 3
"""How many games may be waiting or worked on at a time; each takes seconds, or minutes."""
MOST_ENDED_JOBS = 1000
"""The most ended jobs that are remembered."""

JobState: TypeAlias = Literal["waiting", "running", "done", "stopped", "failed"]


class GameJob(msgspec.Struct, eq=False, kw_only=True):
    """Work on a game that was asked for.

    `done` of `parts` parts of the work are finished; `starter` is whoever asked for them.
    """

    digest: str
    starter: str = ""
    state: JobState = "waiting"
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


Job = TypeVar("Job", bound=GameJob)


class GameJobQueue(Generic[Job]):
    """One kind of work on a store's games; one game is worked on at a time, the others wait.

    `name` says what the work is, and `noun` what a reader has asked for. Jobs that are unfinished when the server ends
    are forgotten, and can be started again.
    """

    def __init__(self, name: str, noun: str) -> None:
        self.name = name
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._queue = TaskQueue(name, self._run)
        self._end = QueueEnd(noun, MOST_WAITING, MOST_WAITING_PER_CLIENT, self._is_unfinished)

    def work_on(self, job: Job) -> Generator[tuple[int, int], None, None]:
        """Do the work of a job; yields how many parts are done, and how many there are.

        A caller that stops asking stops the work, and nothing of it is kept.
        """
        raise NotImplementedError

    def job(self, digest: str) -> Job | None:
        """The last job of a game."""
        return self._jobs.get(digest)

    def jobs_before(self, job: Job) -> int:
        """How many games come before a waiting one."""
        with self._lock:
            unfinished = [other for other in self._jobs.values() if other.is_active]
        return unfinished.index(job) if job in unfinished else 0

    def enter(self, job: Job, client: str) -> None:
        """Queue a job, unless its game is waiting or worked on already; raises QueueFull.

        The job's starter may stop it; `client` is whose share of the queue it takes.
        """
        with self._lock:
            known = self._jobs.get(job.digest)
            if known is not None and known.is_active and not known.stopping:
                return
            self._end.enter(job.digest, client)
            self._jobs.pop(job.digest, None)
            self._forget_ended_jobs()
            self._jobs[job.digest] = job
        self._queue.put(job)

    def stop(self, digest: str) -> None:
        """Stop the work on a game after the current part; nothing of it is kept."""
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

    def _run(self, job: Job) -> None:
        job.state = "running"
        try:
            job.state = self._follow(job)
        except Exception as error:
            job.reason = failure_reason(error, f"{self.name} of {job.digest}")
            job.state = "failed"

    def _follow(self, job: Job) -> JobState:
        """Do the work of a job as long as nobody stops it; the state in which it ends."""
        with closing(self.work_on(job)) as progress:
            for job.done, job.parts in progress:
                if job.stopping or self._queue.closing:
                    return "stopped"
        return "done"
