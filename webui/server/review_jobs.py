"""Reviews that somebody opens: what is exact is found at once, and what is being weighed is told as it comes."""

from typing import NamedTuple

from analyzer.players.winning_model import ChanceModels
from analyzer.review import stored
from analyzer.review.deep_review import REVIEW_VERSION, GameReview
from analyzer.review.joined_reviews import overlay_found
from analyzer.review.reviewer import ReviewWork
from analyzer.store.processes import ProcessPool
from analyzer.store.store import Store
from webui.server.game_jobs import GameJob, WeighingJob, WeighingQueue
from webui.server.jobs import JobQueue

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
