"""The exact values of choices after the close: no card is face down then, so the seat knows both hands."""

from collections.abc import Callable
from math import inf

from analyzer.annotate.close_review import is_closed
from analyzer.annotate.solver.close import CloseSolver
from analyzer.annotate.solver.dix import close_solver_for
from analyzer.annotate.solver.moves import Move, ValuedMove, value_moves
from analyzer.annotate.solver.position import SearchLimitExceeded
from analyzer.expert.player_choices import HOLD_BACK
from analyzer.fast_table.fast_deal import FastDeal
from analyzer.fast_table.greedy import Choice
from records.cards import FACE_OF, sorted_faces
from records.engine.table import Table

MOST_POSITIONS = 4_000
"""A choice that needs more positions is not solved: some tenths of a second of search."""


class ExactClose:
    """Values moves after the close of one deal; what one search has found helps the next."""

    def __init__(self) -> None:
        self._solver: CloseSolver | None = None

    def values(self, table: Table) -> list[ValuedMove] | None:
        """Every move with the points still to come against best play; None before the close, or where they are not known.

        They are not known where the search exceeds its limit, or where cards that nobody tells apart leave open which
        melds are possible.
        """
        if not is_closed(table):
            return None
        if self._solver is None:
            self._solver = close_solver_for(table.rules)
        self._solver.positions_left = MOST_POSITIONS
        if not self._solver.knows_all_moves(table):
            return None
        try:
            return value_moves(self._solver, self._solver.position_at(table))
        except SearchLimitExceeded:
            return None


def exact_value(deal: FastDeal, choice: Choice, moves: list[ValuedMove]) -> float:
    """The value of the move that a choice is, in points; minus infinity for one that is not among the moves.

    To show a seven where the solver does not count it as a move costs nothing and scores: that is always right.
    """
    if choice.what == "show" and not any(move.ply.shows for move in moves):
        return inf
    is_choice = _test_of(deal, choice)
    return max((move.value for move in moves if is_choice(move.ply)), default=-inf)


def _test_of(deal: FastDeal, choice: Choice) -> Callable[[Move], bool]:
    faces = sorted_faces(deal.view.cards.names_of(choice.cards))
    match choice.what:
        case "play":
            return lambda move: move.card is not None and FACE_OF[move.card] == faces[0]
        case "meld":
            return lambda move: (
                move.meld == choice.name and (not move.cards or sorted_faces(move.cards) == faces)
            )
        case "show":
            return lambda move: move.shows is not None
        case what:
            return lambda move: what == HOLD_BACK and (move.card is not None or move.is_nothing)
