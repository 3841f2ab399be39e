"""The value of every card that may be played in an ending: a position after the close in which somebody is to lead."""

from analyzer.annotate.solver.dix import close_solver_for
from analyzer.annotate.solver.moves import value_moves
from records.engine.deal import lay_out_deal
from records.record import Record
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_rules


def ending_values(record: Record) -> dict[str, int]:
    """The value of each card that the seat to act may play in the position that a record's last deal sets up.

    It is the points still to come for that seat less those for the other, if both do their best. Points for sevens of
    trumps are not counted. Raises SearchLimitExceeded.
    """
    rules = compile_sheet(resolve_rules(record.rules).sheet)
    table = lay_out_deal(rules, record.deals[-1], [player.name for player in record.players])
    solver = close_solver_for(rules)
    moves = value_moves(solver, solver.position_at(table))
    return {move.ply.card[:2]: move.value for move in moves if move.ply.card is not None}
