"""Deep reviews that go on only when a test says so."""

import threading
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from analyzer.review import stored
from analyzer.review.deep_review import GameReview
from analyzer.review.reviewer import DecisionCount
from tests.machine.waiting import PATIENCE_SECONDS


class PacedWork:
    """Stands in for the work on a deep review: has found the first of these reviews, and one more at each `go_on`.

    Its work is done when it goes on from the last.
    """

    def __init__(self, found: Sequence[GameReview]) -> None:
        self.found, self.place = found, 0
        self._steps = threading.Semaphore(0)

    def replace_work(self, patch: pytest.MonkeyPatch) -> None:
        """Let every job of this process do this work."""
        patch.setattr(stored, "begin_review", lambda *_: self)

    def go_on(self) -> None:
        self._steps.release()

    def end(self) -> None:
        self._steps.release(len(self.found))

    def run(self, processes: int) -> Iterator[tuple[int, int]]:
        assert processes
        for place in range(len(self.found)):
            self.place = place
            yield place, len(self.found)
            assert self._steps.acquire(timeout=PATIENCE_SECONDS)

    def count(self) -> DecisionCount:
        weighed = sum(len(deal.decisions) for deal in self.review().deals)
        whole = sum(len(deal.decisions) for deal in self.found[-1].deals)
        return DecisionCount(weighed, min(1, weighed), whole)

    def review(self) -> GameReview:
        return self.found[self.place]


def begun_review(review: GameReview, decisions: int) -> GameReview:
    """A review of one deal when only its first decisions have been weighed."""
    (deal,) = review.deals
    first = replace(deal, decisions=deal.decisions[:decisions], turning_points=[])
    return replace(review, deals=[first])
