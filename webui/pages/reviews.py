"""The data of the pages of reviews."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.annotate.annotation import Annotation
from analyzer.annotate.summary import SeatSum
from analyzer.db.store import StoredGame
from records.rules.vocabulary import RuleSheet
from webui.jobs.game_jobs import GameJobProgress, WeighingProgress
from webui.pages.page import Page
from webui.replay.review import DealReview
from webui.replay.weighed.weighed_deals import ProvisionalReview, WeighedGame


@dataclass(frozen=True, slots=True)
class MistakeLine:
    """A mistake on the page of a review; deals count from 1, `step` is the step before the mistake.

    `did` is the card played, `better` are cards that would have lost nothing; empty if no card was played. So many
    `more` would have lost nothing either.
    """

    deal: int
    step: int
    say: str
    line: str
    did: str
    better: list[str]
    more: int


@dataclass(frozen=True, slots=True)
class ReviewedDeal:
    """A deal in the list of a review."""

    number: int
    review: DealReview


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPart(Page):
    """What a deep review under way has found, None where none is under way; `least` is what makes a mistake, in points."""

    template = "reviews/_found.html"
    digest: str
    least: int
    found: ProvisionalReview | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage(Page):
    """The review of a game: a summary, the costliest mistakes, deal by deal.

    `least_loss` is what makes a mistake, in points, None if the address leaves that to the annotation;
    `rollout_choices` are the numbers of roll-outs on offer, `rollout_progress` tells of those under way, and
    `may_stop` whether the reader may stop them. Likewise `weighing_widths` are the numbers of worlds by name,
    `weighing_progress` tells of a deep review under way, `found` what it has found so far, and `may_stop_weighing`
    whether the reader may stop it. `weighed` is the deep review, if there is one. Nothing new can be stored in a
    `read_only` collection.
    """

    template = "reviews/review.html"
    game: StoredGame
    sheet: RuleSheet
    scores: Sequence[int | None]
    winner: int | None
    annotation: Annotation
    seat_sums: Sequence[SeatSum]
    worst_mistakes: Sequence[MistakeLine]
    deals: Sequence[ReviewedDeal]
    least_loss: int | None
    rollout_choices: Sequence[int]
    rollout_progress: GameJobProgress | None
    may_stop: bool
    weighed: WeighedGame | None
    weighing_widths: Mapping[str, int]
    weighing_progress: WeighingProgress | None
    found: FoundPart
    may_stop_weighing: bool
    read_only: bool

    @property
    def has_luck(self) -> bool:
        """Whether luck could be estimated in some deal."""
        return any(deal.luck is not None for deal in self.annotation.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewHelpPage(Page):
    """What the numbers of a review mean; `habits` are their definitions, by their words."""

    template = "reviews/explained.html"
    version: str
    positions: int
    least_loss: int
    reasons_without_value: Mapping[str, str]
    blunder_factor: int
    errors_to_tell: int
    accuracy_words: str
    habits: Mapping[str, str]
