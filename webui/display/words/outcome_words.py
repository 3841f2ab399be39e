"""How a deal ended, and the match with it, in sentences: who won, by how much, and how it was settled."""

from records.engine.table import Table, TableStep
from records.phrases import join_words, pluralize
from records.replay import Match
from records.rules.settlement import SettledDeal, settle_deal
from records.rules.vocabulary import OneDeal, RaceTo
from records.validate.checks.deals import side_scores
from webui.display.words.settlement_words import settlement_sentences


def outcome_sentences(match: Match, table: Table, before: list[int] | None) -> list[str]:
    """How a deal ended that has just been added to its match; empty if it is not over, or its points are open.

    `before` are the points of each side before the deal.
    """
    over = table.step is TableStep.OVER and not table.misdealt
    if not over or match.scores is None or before is None:
        return []
    sides = [join_words([match.names[seat] for seat in side]) for side in match.sides]
    several = [len(side) > 1 for side in match.sides]
    game = match.resolved.sheet.game
    if isinstance(game, OneDeal):
        return _settlement(match, table, game, sides)
    deal = [after - points for after, points in zip(match.scores, before, strict=True)]
    return [
        _result("deal", deal, sides, several),
        _match_so_far(match, game, sides, several),
    ]


def _result(what: str, points: list[int], sides: list[str], several: list[bool]) -> str:
    """Who won a deal or a match, with the points of all sides."""
    best = max(points)
    listed = ", ".join(f"{side} {count:,}" for side, count in zip(sides, points, strict=True))
    if points.count(best) > 1:
        return f"Nobody wins the {what}: {listed}."
    winner = points.index(best)
    verb = "win" if several[winner] else "wins"
    if len(points) > 2:
        return f"{sides[winner]} {verb} the {what}: {listed}."
    return f"{sides[winner]} {verb} the {what}, {best:,} to {pluralize(min(points), 'point')}."


def _match_so_far(match: Match, game: RaceTo, sides: list[str], several: list[bool]) -> str:
    scores = match.scores or []
    if match.complete:
        return _result("match", scores, sides, several)
    listed = ", ".join(f"{side} {count:,}" for side, count in zip(sides, scores, strict=True))
    target = game.many_target if len(match.names) >= game.many_from else game.target
    return f"In the match: {listed}. It is played to {target:,}."


def _settlement(match: Match, table: Table, game: OneDeal, sides: list[str]) -> list[str]:
    brisques = [table.brisque_points(seat) for seat in range(table.seats)]
    raw = side_scores(table.points, match.sides)
    settled = settle_deal(game, raw, side_scores(brisques, match.sides))
    sentences = [_result("match", settled.totals, sides, [False, False])]
    if settled.winner is not None and settled.brisques_count:
        sentences.append(f"Brisques count: without them it was {_to(settled, raw)}.")
    return sentences + settlement_sentences(
        game, sides, settled.totals, settled.receives, settled.winner
    )


def _to(settled: SettledDeal, raw: list[int]) -> str:
    winner = settled.winner or 0
    return f"{raw[winner]:,} to {raw[1 - winner]:,}"
