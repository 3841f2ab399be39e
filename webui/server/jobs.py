"""Work behind the pages: one job after the other on a thread of its own, with a bar, and with an end to the queue."""

import logging
import threading
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import ClassVar, Generic, TypeVar

import msgspec

from records.errors import BeziqueError
from records.phrases import pluralize, sentence, system_reason
from webui.server.machine_errors import machine_answer

log = logging.getLogger(__name__)


class QueueFull(Exception):
    """A job for which the queue has no place; the text says whose jobs fill it."""

    def __init__(self, text: str, *, is_own: bool) -> None:
        super().__init__(text)
        self.is_own = is_own


class JobStopped(Exception):
    """A job was stopped by somebody, or by the end of the server."""


class Job(msgspec.Struct, eq=False, kw_only=True):
    """Work that was asked for; `reason` says why it failed."""

    state: str = "waiting"
    reason: str = ""
    stopping: bool = False

    CUT_OFF: ClassVar[str] = "stopped"
    """The state of a job at which the server ended."""

    @property
    def key(self) -> str:
        """What tells the job from others of its queue."""
        raise NotImplementedError

    @property
    def is_active(self) -> bool:
        """Whether the job is waiting or running."""
        return self.state in ("waiting", "running")

    @property
    def share(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        raise NotImplementedError

    @property
    def percent(self) -> str:
        """The share of the work that is done, in words."""
        return f"{int(100 * self.share)} %"

    def spoken_progress(self, words: str) -> str:
        """What a screen reader says: the tenths that are done, or if the job is not running, these words."""
        return f"{int(10 * self.share) * 10} percent" if self.state == "running" else words

    def start(self) -> None:
        """Note that the work begins."""
        self.state = "running"

    def end(self, state: str, reason: str) -> None:
        """Note how the work has ended."""
        self.state, self.reason, self.stopping = state, reason, False


_Job = TypeVar("_Job", bound=Job)


class JobQueue(Generic[_Job]):
    """Jobs by their keys; one is worked on at a time, in the order in which they were queued.

    `name` says what the work is, and `noun` what somebody has asked for. At most `most` jobs are not finished,
    and of one client's at most `most_per_client`.
    """

    def __init__(self, name: str, noun: str, most: int, most_per_client: int) -> None:
        self.name, self.noun = name, noun
        self.most, self.most_per_client = most, most_per_client
        self.closing = False
        self._lock = threading.RLock()
        self._jobs: dict[str, _Job] = {}
        self._clients: dict[str, str] = {}
        self._waiting: dict[str, Future[None]] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    def work_on(self, job: _Job) -> None:
        """Do the work of a job, and ask `go_on` from time to time."""
        raise NotImplementedError

    def job(self, key: str) -> _Job | None:
        """The job with this key."""
        return self._jobs.get(key)

    def jobs_before(self, job: _Job) -> int:
        """How many jobs come before a waiting one."""
        with self._lock:
            unfinished = [other for other in self._jobs.values() if other.is_active]
        return unfinished.index(job) if job in unfinished else 0

    def go_on(self, job: _Job) -> None:
        """Raise JobStopped if a job should end."""
        if job.stopping or self.closing:
            raise JobStopped

    def stop(self, key: str) -> None:
        """Stop a job: at once if it is waiting, or after the current part."""
        with self._lock:  # a job that is being queued has its place in both or in neither
            job, waiting = self._jobs.get(key), self._waiting.get(key)
        if job is None or not job.is_active:
            return
        job.stopping = True
        if waiting is None or waiting.cancel():
            self._end(job, "stopped")

    def wait(self, key: str, seconds: float | None) -> None:
        """Wait until a job ends, but at most so many seconds, unless None are given."""
        with self._lock:
            waiting = self._waiting.get(key)
        if waiting is not None:
            wait([waiting], seconds)

    def close(self) -> None:
        """Begin nothing more, and wait for the job at work, which stops: the store can be closed then."""
        with self._lock:
            self.closing = True
        self._thread.shutdown(cancel_futures=True)

    def _reserve(self, key: str, client: str) -> None:
        """Give a new job a place, which it has until it is finished; raises QueueFull if there is none."""
        with self._lock:
            self._clients = {
                other: whose for other, whose in self._clients.items() if self._is_unfinished(other)
            }
            number = Counter(self._clients.values())[client]
            if number >= self.most_per_client:
                text = (
                    f"{pluralize(number, self.noun)} of yours are not finished. Wait until one is."
                )
                raise QueueFull(text, is_own=True)
            if len(self._clients) >= self.most:
                text = f"{pluralize(self.most, self.noun)} are not finished, and no more may wait. Try again later."
                raise QueueFull(text, is_own=False)
            self._clients[key] = client

    def _is_unfinished(self, key: str) -> bool:
        """Whether a job is not over; one that is not known yet is arriving."""
        job = self._jobs.get(key)
        return job is None or job.is_active

    def _put(self, job: _Job) -> None:
        """Queue a job behind all others."""
        with self._lock:
            self._jobs.pop(job.key, None)
            self._jobs[job.key] = job
            if not self.closing:
                self._waiting[job.key] = self._thread.submit(self._run, job)

    def _forget(self, key: str) -> None:
        """Forget an ended job, or one that did not come."""
        with self._lock:
            for known in (self._jobs, self._clients, self._waiting):
                known.pop(key, None)

    def _run(self, job: _Job) -> None:
        try:
            job.start()
            self.work_on(job)
            self._end(job, "done")
        except JobStopped:
            self._end(job, "stopped" if job.stopping else job.CUT_OFF)
        except Exception as error:
            self._end(job, "failed", _failure_reason(error, f"{self.name} of {job.key}"))

    def _end(self, job: _Job, state: str, reason: str = "") -> None:
        """Note how a job ended."""
        job.end(state, reason)


def _failure_reason(error: Exception, what: str) -> str:
    """Why a job could not continue, in words for the page; what only the admin may know is written to the log."""
    answer = machine_answer(error)
    if answer is not None:
        log.error("%s failed: %s", what, error)
        return answer.text
    if isinstance(error, BeziqueError):
        return sentence(str(error))
    if isinstance(error, OSError):
        log.error("%s failed: %s", what, error)
        return f"A file cannot be used: {system_reason(error)}."
    log.exception("%s failed", what, exc_info=error)
    return "The server has an error. Details are in its log."
