"""Background work on deep reviews: weigh every choice of a game in a separate process, game by game."""

from collections.abc import Generator

from analyzer.db.store import Store
from analyzer.deep_review import stored_reviews
from analyzer.deep_review.deep_review import DeepReviewTerms
from analyzer.deep_review.reviewer import DecisionCount, DeepReviewWork
from analyzer.players.chances.chance_model import ChanceModels
from webui.jobs.game_jobs import GameJob, GameJobQueue


class WeighingJob(GameJob, eq=False, kw_only=True):
    """A requested deep review, its terms, and how many decisions have been weighed.

    `work` is there only while it is done: what it has found so far is neither stored nor kept if the work is stopped.
    """

    terms: DeepReviewTerms
    count: DecisionCount = DecisionCount()
    work: DeepReviewWork | None = None


class WeighingQueue(GameJobQueue[WeighingJob]):
    """The deep reviews of a store's games."""

    def __init__(self, store: Store, models: ChanceModels) -> None:
        """`models` say how often a match is won."""
        super().__init__("deep reviews", "deep review")
        self.store, self.models = store, models

    def start(
        self, digest: str, terms: DeepReviewTerms, starter: str = "", client: str = ""
    ) -> None:
        """Queue the deep review of a game, unless one is waiting or running already; raises QueueFull."""
        self.enter(WeighingJob(digest=digest, terms=terms, starter=starter), client)

    def work_on(self, job: WeighingJob) -> Generator[tuple[int, int], None, None]:
        """Weigh every choice of one game, and store the review once it is whole."""
        work = stored_reviews.begin_review(
            self.store, job.digest, lambda _record: job.terms, self.models
        )
        job.work = work
        try:
            for progress in work.run(processes=1):
                job.count = work.count()
                yield progress
            stored_reviews.save_deep_review(self.store, work.review())
        finally:
            job.work = None
