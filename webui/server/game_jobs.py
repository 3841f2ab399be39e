"""Work on stored games behind the pages: roll-outs, and reviews in which every choice is weighed.

What was asked for is noted in the database until it is finished or stopped: a server that starts again goes on with it.
"""

import logging
import threading
from collections.abc import Generator
from contextlib import closing
from functools import partial
from typing import Literal, TypeAlias, TypeVar

import msgspec

from analyzer.players.winning_model import ChanceModels
from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.reviewer import DecisionCount, ReviewWork, review_record
from analyzer.store.processes import ProcessPool
from analyzer.store.store import Store
from records.errors import StoreError
from records.phrases import pluralize
from webui.server.jobs import Job, JobQueue

log = logging.getLogger(__name__)

MOST_WAITING, MOST_WAITING_PER_CLIENT = 30, 3
"""How many games may be waiting or worked on at a time; each takes seconds, or minutes."""
MOST_ENDED_JOBS = 1000
"""The most ended jobs that are remembered."""

JobState: TypeAlias = Literal["waiting", "running", "done", "stopped", "failed"]
JOB_STATE_WORDS = {"waiting": "Waiting", "done": "Done", "stopped": "Stopped", "failed": "Failed"}


class GameJob(Job, eq=False, kw_only=True):
    """Work on a game that was asked for.

    `done` of `parts` parts of the work are finished; `starter` is whoever asked for them.
    """

    digest: str
    starter: str = ""
    state: JobState = "waiting"
    done: int = 0
    parts: int = 0

    @property
    def key(self) -> str:
        """The digest of the game."""
        return self.digest

    @property
    def share(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        return self.done / self.parts if self.parts else 0.0


_GameJob = TypeVar("_GameJob", bound=GameJob)

MOST_RESUMED = 3
"""Work that so many servers went on with, and none finished, is given up."""

INSERT_WORK_REQUEST = "INSERT INTO work_requests (kind, digest, terms, resumed) VALUES (?, ?, ?, 0)"
DELETE_WORK_REQUEST = "DELETE FROM work_requests WHERE kind = ? AND digest = ?"
SELECT_WORK_REQUESTS = (
    "SELECT digest, terms FROM work_requests WHERE kind = $kind ORDER BY asked_at"
)
COUNT_RESUMED = "UPDATE work_requests SET resumed = resumed + 1 WHERE kind = ?"
GIVE_UP = "DELETE FROM work_requests WHERE kind = ? AND resumed > ? RETURNING digest"


class GameJobQueue(JobQueue[_GameJob]):
    """One kind of work on a store's games; `job` finds the last one of a game by its digest."""

    def __init__(self, store: Store, name: str, noun: str) -> None:
        super().__init__(name, noun, MOST_WAITING, MOST_WAITING_PER_CLIENT)
        self.store = store
        self._entering = threading.Lock()

    def progress_of(self, job: _GameJob) -> Generator[tuple[int, int], None, None]:
        """Do the work of a job; yields how many parts are done, and how many there are.

        A caller that stops asking stops the work, and nothing of it is kept.
        """
        raise NotImplementedError

    def work_on(self, job: _GameJob) -> None:
        """Do the work of a job as long as nobody stops it."""
        with closing(self.progress_of(job)) as progress:
            for job.done, job.parts in progress:
                self.go_on(job)

    def terms_of(self, job: _GameJob) -> str:
        """The terms of a job as JSON, from which `job_on` makes the same job."""
        raise NotImplementedError

    def job_on(self, digest: str, terms: str) -> _GameJob:
        """The job of a game on these terms; raises msgspec.DecodeError if they are none."""
        raise NotImplementedError

    def enter(self, job: _GameJob, client: str) -> None:
        """Queue a job, unless its game is waiting or worked on already; raises QueueFull, and StoreError if it cannot be noted.

        The job's starter may stop it; `client` is whose share of the queue it takes.
        """
        # One at a time, but not with the lock that readers of the queue need: the store may be writing for long.
        with self._entering:
            with self._lock:
                known = self._jobs.get(job.key)
                if known is not None and known.is_active and not known.stopping:
                    return
                self._reserve(job.key, client)
            try:
                self._note(job)
            except BaseException:
                with self._lock:
                    self._clients.pop(job.key, None)
                raise
            self._queue(job)

    def _note(self, job: _GameJob) -> None:
        """Note what was asked for, in place of what was asked of the same game before."""
        with self.store.writing() as cursor:
            cursor.execute(DELETE_WORK_REQUEST, [self.name, job.digest])
            cursor.execute(INSERT_WORK_REQUEST, [self.name, job.digest, self.terms_of(job)])

    def _queue(self, job: _GameJob) -> None:
        """Queue a job that is noted, and forget those that ended long ago."""
        with self._lock:
            ended = [key for key, other in self._jobs.items() if not other.is_active]
            for key in ended[: max(0, len(ended) - MOST_ENDED_JOBS)]:
                self._forget(key)
            self._put(job)

    def resume(self) -> None:
        """Queue what was asked for and not finished when the server ended; nobody but an admin may stop it."""
        asked = self.store.answer(SELECT_WORK_REQUESTS, {"kind": self.name}).rows
        if not asked:
            return
        with self.store.writing() as cursor:
            cursor.execute(COUNT_RESUMED, [self.name])
            given_up = cursor.execute(GIVE_UP, [self.name, MOST_RESUMED]).fetchall()
        for (digest,) in given_up:
            log.error("%s of %s were never finished and are given up", self.name, digest)
        for digest, terms in asked:
            if (digest,) in given_up:
                continue
            try:
                job = self.job_on(digest, terms)
            except msgspec.MsgspecError as error:
                log.error("%s of %s cannot be resumed: %s", self.name, digest, error)
                self._strike(digest)
                continue
            with self._lock:
                self._clients[job.key] = digest
                self._put(job)

    def _end(self, job: _GameJob, state: str, reason: str = "") -> None:
        """Note how a job ended; what the end of the server cut off stays noted as asked for."""
        is_cut_off = state == job.CUT_OFF and not job.stopping
        super()._end(job, state, reason)
        # What was asked for again meanwhile stays noted, too.
        with self._entering:
            if not is_cut_off and self.job(job.key) is job:
                self._strike(job.digest)

    def _strike(self, digest: str) -> None:
        try:
            with self.store.writing() as cursor:
                cursor.execute(DELETE_WORK_REQUEST, [self.name, digest])
        except StoreError:
            log.exception("%s of %s stay noted as asked for", self.name, digest)


class RolloutJob(GameJob, eq=False, kw_only=True):
    """Requested roll-outs, or with none of them a review."""

    rollouts: int


class RolloutQueue(GameJobQueue[RolloutJob]):
    """Estimates of luck and skill in a store's games, by roll-outs in a separate process."""

    def __init__(self, store: Store, processes: ProcessPool) -> None:
        super().__init__(store, "roll-outs", "luck estimate")
        self.processes = processes

    def start(self, digest: str, rollouts: int, starter: str = "", client: str = "") -> None:
        """Queue roll-outs of a game, unless they are waiting or running already; raises QueueFull."""
        self.enter(RolloutJob(digest=digest, rollouts=rollouts, starter=starter), client)

    def terms_of(self, job: RolloutJob) -> str:
        """How many roll-outs."""
        return msgspec.json.encode(job.rollouts).decode()

    def job_on(self, digest: str, terms: str) -> RolloutJob:
        """So many roll-outs of a game."""
        return RolloutJob(digest=digest, rollouts=msgspec.json.decode(terms, type=int))

    def progress_of(self, job: RolloutJob) -> Generator[tuple[int, int], None, None]:
        """Play the roll-outs of one game."""
        make = partial(self.processes.call, review_record)
        return stored.add_luck_estimate(self.store, job.digest, job.rollouts, make)


class WeighingJob(GameJob, eq=False, kw_only=True):
    """A requested deep review, its terms, and how many decisions have been weighed.

    `work` is there only while it is done: what it has found so far is neither stored nor kept if the work is stopped.
    """

    terms: ReviewTerms
    count: DecisionCount = DecisionCount()
    work: ReviewWork | None = None


class WeighingQueue(GameJobQueue[WeighingJob]):
    """The deep reviews of a store's games, each in a separate process."""

    def __init__(self, store: Store, models: ChanceModels) -> None:
        """`models` say how often a match is won."""
        super().__init__(store, "deep reviews", "deep review")
        self.models = models

    def start(self, digest: str, terms: ReviewTerms, starter: str = "", client: str = "") -> None:
        """Queue the deep review of a game, unless one is waiting or running already; raises QueueFull."""
        self.enter(WeighingJob(digest=digest, terms=terms, starter=starter), client)

    def terms_of(self, job: WeighingJob) -> str:
        """The terms of the review."""
        return msgspec.json.encode(job.terms).decode()

    def job_on(self, digest: str, terms: str) -> WeighingJob:
        """The review of a game on these terms."""
        return WeighingJob(digest=digest, terms=msgspec.json.decode(terms, type=ReviewTerms))

    def progress_of(self, job: WeighingJob) -> Generator[tuple[int, int], None, None]:
        """Weigh every choice of one game, and store the review once it is whole."""
        work = stored.begin_review(self.store, job.digest, lambda _record: job.terms, self.models)
        job.work = work
        try:
            for progress in work.run(processes=1):
                job.count = work.count()
                yield progress
            stored.save_review(self.store, work.review())
        finally:
            job.work = None


class GameJobProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The work on a game in numbers and words; `share` is from 0 to 1, `say` is for screen readers."""

    title: str
    state: str
    words: str
    goes_on: bool
    share: float
    percent: str
    reason: str
    say: str


class WeighingProgress(GameJobProgress, frozen=True, kw_only=True):
    """The work on a review: likewise, and how much has been read or weighed."""

    counted: str


def describe_rollouts(job: RolloutJob, before: int) -> GameJobProgress:
    """Describe the roll-outs of a game; `before` counts the games that come before it."""
    return _describe_game_job(job, before, "luck and skill", "Running the roll-outs")


def describe_weighing(job: WeighingJob, before: int) -> WeighingProgress:
    """Describe the deep review of a game; `before` counts the games that come before it."""
    progress = _describe_game_job(job, before, "every choice", "Weighing every choice")
    return WeighingProgress(**msgspec.structs.asdict(progress), counted=_count_words(job.count))


def describe_reading(job: GameJob, before: int) -> WeighingProgress:
    """Describe the reading of a game for what is exact; `before` counts the games that come before it."""
    progress = _describe_game_job(job, before, "the review", "Solving the closes")
    deals = job.parts // 2
    counted = f"{min(job.done, deals):,} of {pluralize(deals, 'close')} solved." if deals else ""
    if job.done > deals:
        counted = f"All closes are solved; {job.done - deals:,} of {pluralize(deals, 'last trick')} before them, too."
    return WeighingProgress(**msgspec.structs.asdict(progress), counted=counted)


def _count_words(count: DecisionCount) -> str:
    if not (count.weighed or count.decisions):
        return "No decision has been weighed yet."
    if not count.decisions:
        weighed = pluralize(count.weighed, "decision")
        return f"{weighed} weighed; the deals are still being read."
    weighed = f"{count.weighed:,} of {pluralize(count.decisions, 'decision')} weighed"
    if not count.unsettled:
        return f"{weighed}."
    needs = "needs" if count.unsettled == 1 else "need"
    return f"{weighed}; {count.unsettled:,} of them {needs} more possible deals."


def _describe_game_job(job: GameJob, before: int, title: str, running: str) -> GameJobProgress:
    words = JOB_STATE_WORDS.get(job.state, running)
    if job.state == "waiting" and before:
        words = f"Waiting for {pluralize(before, 'other game')}"
    return GameJobProgress(
        title=title,
        state=job.state,
        words="Stopping" if job.stopping and job.is_active else words,
        goes_on=job.is_active,
        share=round(job.share, 4),
        percent=job.percent,
        reason=job.reason,
        say=job.spoken_progress(words),
    )
