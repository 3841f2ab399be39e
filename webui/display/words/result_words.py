"""How a match ended, in words: who won, by how much, and how a match of one deal was settled."""

from collections.abc import Sequence

from records.phrases import pluralize
from records.rules.registry import ResolvedSheet
from records.rules.vocabulary import OneDeal
from records.validate.report import Report
from webui.display.words.settlement_words import settlement_sentences


def result_words(report: Report, sides: Sequence[str], resolved: ResolvedSheet) -> list[str]:
    """Sentences on the result of a match: who won, and what each side receives where a deal is settled."""
    scores = report.scores
    if report.verdict == "unreadable" or not scores:
        return []
    if not report.finished:
        return ["The record ends before the match does."]
    if None in scores:
        return ["The record does not show who won."]
    known = [points for points in scores if points is not None]
    said = [_outcome(report.winner, known, sides)]
    game = resolved.sheet.game
    if report.settlement is not None and isinstance(game, OneDeal):
        said += settlement_sentences(game, sides, known, report.settlement, report.winner)
    return said


def _outcome(winner: int | None, scores: Sequence[int], sides: Sequence[str]) -> str:
    if winner is None:
        return "The match is drawn."
    best_other = max(points for side, points in enumerate(scores) if side != winner)
    lead = scores[winner] - best_other
    if lead <= 0:
        return f"{sides[winner]} won."
    return f"{sides[winner]} won by {pluralize(lead, 'point')}."
