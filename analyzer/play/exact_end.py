"""The exact values of choices at the end of a deal: after the close, and in the last trick before it.

After the close no card is face down, so a seat knows both hands. In the trick before, where a card is turned up, one lies
face down that the seat does not know: each that it may be is one case, and what counts is the mean.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from math import inf
from operator import mul

from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import Choice
from analyzer.play.worlds import HOLD_BACK
from analyzer.solver.close import CloseSolver, SearchLimitExceeded, close_solver_for
from analyzer.solver.last_trick_cases import cases_of_last_trick
from analyzer.solver.moves import Move, ValuedMove, value_moves
from analyzer.solver.stock_trick import StockTrickSolver
from records.cards import FACE_OF, sorted_faces
from records.engine.choices import legal_plays
from records.engine.table import Table, is_closed

MOST_POSITIONS = 4_000
"""A choice that needs more positions is not solved: some tenths of a second of search."""


class ExactEnd:
    """Values the choices at the end of one deal; what one search has found helps the next."""

    def __init__(self) -> None:
        self._solver: CloseSolver | None = None

    def values_in_close(self, table: Table) -> list[ValuedMove] | None:
        """Every move with the points still to come against best play; None before the close, or where they are not known.

        They are not known where the search exceeds its limit, or where cards that nobody tells apart leave open which
        melds are possible.
        """
        solver = self._solver_at(table) if is_closed(table) else None
        if solver is None:
            return None
        try:
            return value_moves(solver, solver.position_at(table))
        except SearchLimitExceeded:
            return None

    def values_before_close(
        self, table: Table, shown: Counter[str], face_down: str, chances: Mapping[str, float]
    ) -> dict[str, float] | None:
        """The mean lead that each face brings its seat in the last trick before the close; None where it is not known.

        `shown` are the cards of the other that the seat has seen, `face_down` is any card that it has not. `chances` say by
        face how likely it is the one face down, in any unit. The other is held to know it. Of like cards the first is
        valued.
        """
        solver = self._solver_at(table)
        if solver is None:
            return None
        cases, trick_solver = cases_of_last_trick(table, shown, face_down), StockTrickSolver(solver)
        copies = Counter(FACE_OF[case.card] for case in cases for _ in range(case.copies))
        weights = [
            case.copies * chances[FACE_OF[case.card]] / copies[FACE_OF[case.card]] for case in cases
        ]
        sign, found = -1 if table.seat else 1, dict[str, float]()
        try:
            for card in legal_plays(table):
                if FACE_OF[card] not in found:
                    leads = [trick_solver.lead_after(case.table, card, case.card) for case in cases]
                    mean = sum(map(mul, weights, leads)) / sum(weights)
                    # Equal means must stay equal, whatever order they are summed in.
                    found[FACE_OF[card]] = sign * round(mean, 6)
        except SearchLimitExceeded:
            return None
        return found

    def _solver_at(self, table: Table) -> CloseSolver | None:
        """The solver with its limit anew; None where cards leave open which melds are possible."""
        if self._solver is None:
            self._solver = close_solver_for(table.rules)
        self._solver.positions_left = MOST_POSITIONS
        return self._solver if self._solver.knows_all_moves(table) else None


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
