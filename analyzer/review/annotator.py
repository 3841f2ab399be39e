"""What is exact in a game, as an annotation."""

from analyzer.review.annotation import AnalysisTerms, Annotation, annotation_of
from analyzer.review.reviewer import review_record
from records.record import Record

DEFAULT_TERMS = AnalysisTerms()


def annotate(
    record: Record, *, digest: str | None = None, terms: AnalysisTerms = DEFAULT_TERMS
) -> Annotation:
    """Annotate a record; raises RulesError if its rules cannot be resolved."""
    return annotation_of(review_record(record, digest=digest, terms=terms.review_terms))
