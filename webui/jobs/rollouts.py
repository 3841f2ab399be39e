"""Background roll-outs: estimate luck and skill game by game, in a separate process."""

from collections.abc import Generator
from functools import partial

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import AnalysisTerms
from analyzer.annotate.annotator import annotate
from analyzer.db.store import Store
from analyzer.processes import ProcessPool
from webui.jobs.game_jobs import GameJob, GameJobQueue


class RolloutJob(GameJob, eq=False, kw_only=True):
    """Requested roll-outs, or with none of them a review."""

    rollouts: int


class RolloutQueue(GameJobQueue[RolloutJob]):
    """The roll-outs of a store's games."""

    def __init__(self, store: Store, terms: AnalysisTerms, processes: ProcessPool) -> None:
        super().__init__("roll-outs", "luck estimate")
        self.store, self.terms, self.processes = store, terms, processes

    def start(self, digest: str, rollouts: int, starter: str = "", client: str = "") -> None:
        """Queue roll-outs of a game, unless they are waiting or running already; raises QueueFull."""
        self.enter(RolloutJob(digest=digest, rollouts=rollouts, starter=starter), client)

    def work_on(self, job: RolloutJob) -> Generator[tuple[int, int], None, None]:
        """Play the roll-outs of one game."""
        return stored_annotations.add_luck_estimate(
            self.store,
            job.digest,
            job.rollouts,
            self.terms,
            make=partial(self.processes.call, annotate),
        )
