"""The data of the pages of reviews."""

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.annotate.annotation import Annotation
from analyzer.annotate.summary import SeatSum
from analyzer.db.store import StoredGame
from records.rules.vocabulary import RuleSheet
from webui.jobs.progress import RolloutProgress
from webui.pages.page import Page
from webui.replay.review import DealReview


@dataclass(frozen=True, slots=True)
class MistakeLine:
    """A mistake on the page of a review; deals count from 1, `step` is the one before it.

    `did` is the card that was played, `better` the cards that would have lost nothing; empty where it was no card.
    """

    deal: int
    step: int
    say: str
    line: str
    did: str
    better: list[str]


@dataclass(frozen=True, slots=True)
class ReviewedDeal:
    """A deal in the list of a review."""

    number: int
    review: DealReview


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage(Page):
    """The review of a game: a summary, the dearest cards, deal by deal.

    `asked` is what the address calls a mistake, None if it leaves that to the annotation; so many `rollouts`
    can be asked for, and `rolling` is how far they are.
    """

    template = "reviews/review.html"
    game: StoredGame
    sheet: RuleSheet
    scores: Sequence[int]
    winner: int | None
    notes: Annotation
    sums: Sequence[SeatSum]
    worst: Sequence[MistakeLine]
    deals: Sequence[ReviewedDeal]
    asked: int | None
    rollouts: Sequence[int]
    rolling: RolloutProgress | None

    @property
    def luck_told(self) -> bool:
        """Whether there is a deal in which luck could be told from skill."""
        return any(deal.luck is not None for deal in self.notes.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewHelpPage(Page):
    """What the numbers of a review mean."""

    template = "reviews/explained.html"
    version: str
    positions: int
    least: int
