"""Work on stored games behind the pages: roll-outs, reviews in which every choice is weighed, and what is exact in them.

Roll-outs and weighing are noted in the database until they are finished or stopped: a server that starts again goes on with
them.
"""

import logging
import threading
from collections.abc import Generator
from contextlib import closing
from functools import partial
from typing import Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from analyzer.players.winning_model import ChanceModels
from analyzer.review import stored
from analyzer.review.deep_review import REVIEW_VERSION, GameReview, ReviewTerms
from analyzer.review.joined_reviews import overlay_found
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


# Reviews that somebody opens: what is exact is found at once, and what is being weighed is told as it comes.

MOST_READING, MOST_READING_PER_CLIENT = 60, 10
"""How many games may be waiting or read at a time; most take a second or two."""
PATIENCE = 0.7
"""So many seconds a page waits for what is exact; then it shows what is there."""


class ReadingJob(GameJob, eq=False, kw_only=True):
    """The reading of a game for what is exact; `work` is there while it is done."""

    work: ReviewWork | None = None


class ReadingQueue(JobQueue[ReadingJob]):
    """The exact parts of reviews, each deal read in a process on call: whoever opens a review asks for it.

    Nothing is noted of what is asked for: if the server ends, the next look at the page asks again.
    """

    def __init__(self, store: Store, models: ChanceModels, processes: ProcessPool) -> None:
        super().__init__("readings", "review", MOST_READING, MOST_READING_PER_CLIENT)
        self.store, self.models, self.processes = store, models, processes

    def start(self, digest: str, client: str) -> None:
        """Queue the reading of a game, unless it is waiting or read already; raises QueueFull."""
        with self._lock:
            known = self._jobs.get(digest)
            if known is None or not known.is_active:
                self._reserve(digest, client)
                self._put(ReadingJob(digest=digest))

    def work_on(self, job: ReadingJob) -> None:
        """Find what is exact in a game, and store it: first the closes, which is done in a moment; then all again.

        The last trick before the close takes longer, and so does it to say what a choice means for the match.
        """
        call = self.processes.call
        closes = stored.begin_reading(self.store, job.digest, call)
        job.work = closes
        try:
            for job.done, parts in closes.read_closes(call):
                job.parts = 2 * parts
                self.go_on(job)
            whole = stored.begin_reading(self.store, job.digest, call, self.models)
            whole.take_closes(closes)
            job.work = whole
            for done, parts in whole.read_deals(call):
                job.done, job.parts = parts + done, 2 * parts
                self.go_on(job)
            stored.save_review(self.store, whole.review())
        finally:
            job.work = None


class FoundReview(NamedTuple):
    """A review as far as it goes, None if nothing is known yet, and the work that goes on with it, if any.

    `reason` says why what is exact could not be found.
    """

    review: GameReview | None
    job: ReadingJob | WeighingJob | None
    reason: str = ""


class ReviewDesk:
    """The reviews of a store's games: stored ones, and those in the making."""

    def __init__(self, store: Store, readings: ReadingQueue, weighings: WeighingQueue) -> None:
        self.store, self.readings, self.weighings = store, readings, weighings

    def known(self, digest: str) -> GameReview | None:
        """The review of a game, as far as it has been made."""
        return self._found(digest).review

    def goes_on(self, digest: str) -> bool:
        """Whether the game is still waiting to be reviewed, or being reviewed."""
        return self._found(digest).job is not None

    def open(self, digest: str, client: str, patience: float | None) -> FoundReview:
        """The review of a game with all that is exact in it, or after so many seconds what has been found; None waits.

        Raises QueueFull, and GameNotStored if the game is gone.
        """
        found = self._found(digest)
        if found.job is None and not _is_current(found.review):
            self.readings.start(digest, client)
        self.readings.wait(digest, patience)
        found = self._found(digest)
        if found.review is None and found.job is None and self.store.game(digest) is None:
            raise stored.GameNotStored(f"no game with digest {digest[:12]} is stored")
        return found

    def _found(self, digest: str) -> FoundReview:
        review = stored.load_review(self.store, digest)
        reading = self.readings.job(digest)
        jobs: list[ReadingJob | WeighingJob | None] = [reading, self.weighings.job(digest)]
        for job in jobs:
            if job is not None and job.is_active:
                work = job.work
                return FoundReview(overlay_found(work.review(), review) if work else review, job)
        return FoundReview(review, None, reading.reason if reading else "")


def _is_current(review: GameReview | None) -> bool:
    return review is not None and review.version == REVIEW_VERSION and review.is_read


# The work in numbers and words.


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
    return describe_job(job, before, "luck and skill", "Running the roll-outs")


def describe_weighing(job: WeighingJob, before: int) -> WeighingProgress:
    """Describe the deep review of a game; `before` counts the games that come before it."""
    progress = describe_job(job, before, "every choice", "Weighing every choice")
    return WeighingProgress(**msgspec.structs.asdict(progress), counted=_count_words(job.count))


def describe_reading(job: GameJob, before: int) -> WeighingProgress:
    """Describe the reading of a game for what is exact; `before` counts the games that come before it."""
    progress = describe_job(job, before, "the review", "Working out the endgames")
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


def describe_job(
    job: Job, before: int, title: str, running: str, noun: str = "game"
) -> GameJobProgress:
    """Describe a job that is `running`, as its words say; `before` counts those that come before it, called by the noun."""
    words = JOB_STATE_WORDS.get(job.state, running)
    if job.state == "waiting" and before:
        words = f"Waiting for {pluralize(before, f'other {noun}')}"
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
