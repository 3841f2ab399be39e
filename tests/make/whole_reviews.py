"""Reviews worked out at one go, and whether their sums are right."""

from analyzer.review.close_review import CloseReview
from analyzer.review.deep_review import GameReview, ReviewTerms
from analyzer.review.reviewer import ReviewWork
from records.record import Record


def review_deeply(record: Record, terms: ReviewTerms) -> GameReview:
    """The deep review of a record, in this process."""
    work = ReviewWork(record, terms=terms)
    for _ in work.run():
        pass
    return work.review()


def balances(close: CloseReview) -> bool:
    """Whether gains and losses add up to the result of a close."""
    first, second = close.lost
    return close.result == close.ahead + close.value - first + second + close.apart
