"""Deep reviews that nobody computed, for tests of what counts them."""

from msgspec.structs import replace

from analyzer.review.deep_review import (
    GameReview,
    Phase,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
    ReviewTerms,
)
from records.format import codec
from records.record import Record

MADE_UP: tuple[tuple[int, Phase, float], ...] = (
    (0, "stock", 0.0), (1, "stock", 24.5), (1, "last_trick", 70.0), (0, "close", 10.0),
)  # fmt: skip
"""The seat, the phase and the points lost of the decisions in every deal."""


def made_up_review(record: Record, exact: GameReview | None = None) -> GameReview:
    """A review of a record with the same few decisions in every deal, in place of those that are `exact`."""
    decisions = [_decision(event, *each) for event, each in enumerate(MADE_UP)]
    if exact is not None:
        deals = [replace(deal, decisions=decisions) for deal in exact.deals]
        return replace(exact, stage="weighed", deals=deals)
    return GameReview(
        digest=codec.digest(record),
        sheet=record.rules.id,
        options={},
        terms=ReviewTerms(),
        names=[player.name or "" for player in record.players],
        deals=[ReviewedDeal(number, decisions) for number in range(len(record.deals))],
    )


def _decision(event: int, seat: int, phase: Phase, lost: float) -> ReviewedDecision:
    best = ReviewedChoice("play", ["AS"], 100)
    made = ReviewedChoice("hold_back", [], 100 - lost, 4, lost, 3, 64)
    if not lost:
        return ReviewedDecision(event, seat, phase, [best, made], 0, "best")
    grade = "blunder" if lost >= 60 else "mistake" if lost >= 20 else "inaccuracy"
    return ReviewedDecision(event, seat, phase, [best, made], 1, grade, lost=lost, error=3)
