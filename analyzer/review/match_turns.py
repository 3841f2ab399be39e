"""Choices after the close that lost a match: best play won it before them, and did not win it after them."""

from collections.abc import Iterator, Mapping, Sequence

from analyzer.review.close_review import CloseReview, MatchScores
from analyzer.solver.moves import Move
from records.cards import FACE_OF
from records.engine.table import Table
from records.rules.settlement import race_winner
from records.rules.vocabulary import GameEnd, RaceTo, When


def note_matches_lost(close: CloseReview, table: Table, before: tuple[int, int]) -> None:
    """Give the decisions of a close that lost the match its scores; `table` is that of the deal's end.

    `before` are the match points of both seats before the deal. Only a race to a target whose last deal is played out is
    looked at: what settles a single deal is more than its points. Who lost a match and won it all the same did not lose it.
    """
    game = table.rules.written.match
    if not isinstance(game, RaceTo) or game.end is GameEnd.AT_ONCE:
        return
    played = _after(before, table.points)
    # After the last decision there is nothing to play better.
    ends = [_points_with_best(close, place, table) for place in range(len(close.decisions))]
    for decision, found, next_found in zip(
        close.decisions, ends, [*ends[1:], table.points], strict=True
    ):
        if found is None or next_found is None or not decision.lawful:
            continue
        best, made = _after(before, found), _after(before, next_found)
        seat = decision.seat
        winners = [race_winner(game, scores, seats=2) for scores in (best, made, played)]
        if winners[0] == seat and seat not in winners[1:]:
            decision.match = MatchScores(best, played)


def _after(before: Sequence[int], points: Sequence[int]) -> tuple[int, int]:
    return before[0] + points[0], before[1] + points[1]


def _points_with_best(close: CloseReview, place: int, table: Table) -> tuple[int, int] | None:
    """The points of both seats in the deal, with best play from a decision on; None where that is not known.

    Both together have as many as they made, but for what else they meld, and for the bonus of all tricks.
    """
    decision, earlier = close.decisions[place], [each.did for each in close.decisions[:place]]
    made, line = [each.did for each in close.decisions[place:]], decision.line
    together = sum(table.points) + sum(_melded(line)) - sum(_melded(made))
    bonus = sum(
        each.points for each in table.rules.written.bonuses if each.tricks is When.ALL_CLOSED_TRICKS
    )
    if bonus:
        if close.unsolved or not all(each.lawful for each in close.decisions):
            return None
        beaters = table.rules.beaters(table.trump)
        together += bonus * (
            _takes_all([*earlier, *line], beaters) - _takes_all([*earlier, *made], beaters)
        )
    lead = decision.outlook + close.apart
    return (together + lead) // 2, (together - lead) // 2


def _melded(moves: Sequence[Move]) -> Iterator[int]:
    return (move.points for move in moves if move.card is None)


def _takes_all(moves: Sequence[Move], beaters: Mapping[str, frozenset[str]]) -> bool:
    """Whether one seat takes every trick of these cards, which are all that is played after the close."""
    cards = [(move.seat, FACE_OF[move.card]) for move in moves if move.card]
    tricks = zip(cards[::2], cards[1::2], strict=False)
    winners = {
        second if reply in beaters[led] else first for (first, led), (second, reply) in tricks
    }
    return len(winners) == 1
