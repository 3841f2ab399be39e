"""An annotation, the document before the review: what is exact in it, with values as the points to come.

Its members are part of published JSON, so their names stay.
"""

from typing import Any, Literal

import msgspec

from analyzer.review import DEFAULT_POSITIONS_SEARCHED
from analyzer.review.close_review import CloseDecision, CloseReview
from analyzer.review.deep_review import (
    GameReview,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
    ReviewTerms,
)
from analyzer.review.exact_deals import close_decisions, lead_of_seat
from analyzer.review.last_stock_trick import CardValue, LastStockDecision, LastStockGap
from analyzer.review.luck import LuckBreakdown
from analyzer.review.missed import MissedChance, WonTrick
from analyzer.review.reviewer import review_record
from analyzer.solver.moves import Move, ValuedMove
from records.documents.schemas import make_schema
from records.record import Record

ANNOTATION_VERSION = "2.5"
"""Raised when the analysis of the same record would differ: minor for additions, major for changes."""


class AnalysisTerms(msgspec.Struct, frozen=True, omit_defaults=True):
    """The terms of an annotation, chosen by whoever asks for it.

    `positions` limits the search of a close. `least` is how many points a decision must lose to count as a
    mistake. `rollouts` is the number of roll-outs of every position for luck and skill; 0 leaves them out.
    `brink` says whether the last trick before the close is valued.
    """

    positions: int = DEFAULT_POSITIONS_SEARCHED
    least: int = 10
    rollouts: int = 0
    brink: bool = True

    @property
    def review_terms(self) -> ReviewTerms:
        """The same terms as those of a review of what is exact."""
        return ReviewTerms(
            worlds=0,
            positions=self.positions,
            least=self.least,
            last_trick=self.brink,
            rollouts=self.rollouts,
        )


DEFAULT_TERMS = AnalysisTerms()


class DealAnnotation(msgspec.Struct, omit_defaults=True):
    """The annotation of one deal; `why_not` says why it has no review of the close.

    `brink` holds the decisions of the last trick before the close, and `brink_gaps` says why one of them, or both,
    are missing there. `won` holds the tricks after which a meld was possible. `tainted` deals break a rule; their
    annotation goes on from the position that resulted.
    """

    deal: int
    close: CloseReview | None = None
    why_not: str = ""
    tainted: bool = False
    brink: list[LastStockDecision] = []
    brink_gaps: list[LastStockGap] = []
    won: list[WonTrick] = []
    missed: list[MissedChance] = []
    luck: LuckBreakdown | None = None


class Annotation(msgspec.Struct, kw_only=True):
    """The annotation of one record; `why_not` says why its deals are not annotated.

    `maximises` says in words what the players are assumed to play for. `file` and `line` say where the record was read:
    only the command knows.
    """

    format: Literal["bezique-annotation"] = "bezique-annotation"
    version: str = ANNOTATION_VERSION
    digest: str
    sheet: str
    options: dict[str, bool | int | str]
    terms: AnalysisTerms
    names: list[str]
    file: str | msgspec.UnsetType = msgspec.UNSET
    line: int | msgspec.UnsetType = msgspec.UNSET
    maximises: str = ""
    why_not: str = ""
    deals: list[DealAnnotation]


def annotation_schema() -> dict[str, Any]:
    """The JSON Schema of an annotation of this version, made from its types."""
    title = f"Annotation of a Bezique game, version {ANNOTATION_VERSION}"
    return make_schema(Annotation, "annotation", title)


def annotate(record: Record, terms: AnalysisTerms = DEFAULT_TERMS) -> Annotation:
    """Annotate a record; raises RulesError if its rules cannot be resolved."""
    return annotation_of(review_record(record, terms=terms.review_terms))


def annotation_of(review: GameReview) -> Annotation:
    """What an annotation would hold of the same game."""
    terms = review.terms
    return Annotation(
        digest=review.digest,
        sheet=review.sheet,
        options=review.options,
        terms=AnalysisTerms(terms.positions, terms.least, terms.rollouts, terms.last_trick),
        names=review.names,
        file=review.file,
        line=review.line,
        maximises=review.maximises,
        why_not=review.why_not,
        deals=[_deal_annotation(deal) for deal in review.deals],
    )


def _deal_annotation(deal: ReviewedDeal) -> DealAnnotation:
    sums, close = deal.close, None
    if sums is not None:
        found = [_close_decision(each, sums.apart) for each in close_decisions(deal)]
        close = CloseReview(
            sums.event, sums.ahead, sums.value, sums.lost, sums.apart, sums.result, found, sums.unsolved
        )  # fmt: skip
    return DealAnnotation(
        deal.deal,
        close=close,
        why_not=deal.why_no_close,
        tainted=deal.tainted,
        brink=[_last_stock_decision(each) for each in deal.decisions if is_exact_mean(each)],
        brink_gaps=deal.gaps,
        won=deal.won,
        missed=deal.missed,
        luck=deal.luck,
    )


def is_exact_mean(decision: ReviewedDecision) -> bool:
    """Whether a decision is one of the last trick before the close with exact values."""
    return decision.certain and decision.phase == "last_trick"


def _close_decision(decision: ReviewedDecision, apart: int) -> CloseDecision:
    ahead = lead_of_seat(decision.ahead + apart, decision.seat)
    ways = [
        ValuedMove(_move_of(decision.seat, choice), round(choice.value) - ahead)
        for choice in decision.choices
    ]
    did = ways[decision.chosen].ply
    return CloseDecision(
        event=decision.event,
        seat=decision.seat,
        ahead=decision.ahead,
        value=ways[0].value,
        did=did,
        lost=round(decision.lost),
        ways=ways if decision.lawful else ways[:-1],
        line=decision.line,
        lawful=decision.lawful,
        certain=not decision.doubtful,
        match=decision.match,
    )


def _move_of(seat: int, choice: ReviewedChoice) -> Move:
    """A choice after the close as a move."""
    match choice.kind:
        case "play":
            return Move(seat, choice.cards[0])
        case "show":
            return Move(seat, points=choice.points, shows=choice.cards[0])
        case "hold_back":
            return Move(seat)
    return Move(seat, None, choice.meld, tuple(choice.cards), choice.points)


def _last_stock_decision(decision: ReviewedDecision) -> LastStockDecision:
    ahead = lead_of_seat(decision.ahead, decision.seat)
    ways = [
        CardValue(each.cards[0], round(each.value - ahead, 2), each.may_meld, each.may_allow)
        for each in decision.choices
    ]
    return LastStockDecision(
        event=decision.event,
        seat=decision.seat,
        did=ways[decision.chosen].card,
        lost=decision.lost,
        cards=decision.best.worlds,
        ways=ways,
    )
