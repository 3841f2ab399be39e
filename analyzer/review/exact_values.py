"""What can be known exactly of a position: the values after the close, and why there are none elsewhere."""

from typing import NamedTuple

from analyzer.play.worlds import has_too_large_hand
from analyzer.review.close_review import table_at_close
from analyzer.solver.close import SearchLimitExceeded, close_solver_for
from analyzer.solver.moves import Move, ValuedMove, best_line, value_moves
from records.engine.choices import legal_dixes, legal_melds, showable_melds
from records.engine.deal import lay_out_deal
from records.engine.table import Table, TableStep
from records.record import Record, has_only_scores
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_rules
from records.rules.vocabulary import BrisqueCount, OneDeal, RuleSheet


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


def reason_not_reviewed(sheet: RuleSheet, players: int) -> str:
    """Why games by this sheet are not reviewed; empty if they are."""
    if sheet.rules.tableau is not None:
        return (
            f"{sheet.name} has no tricks and no close. The other hands stay hidden to the end, so nothing can "
            "be computed exactly."
        )
    if players != 2:
        return "Only games for two are reviewed. With more players, your own hand does not tell you the others'."
    return ""


def reason_game_not_reviewed(record: Record, sheet: RuleSheet) -> str:
    """Why a game by this sheet is not reviewed; empty if it is."""
    if has_only_scores(record):
        return "Only the scores are written down, so there is nothing to review."
    return reason_not_reviewed(sheet, len(record.players))


def describe_objective(sheet: RuleSheet) -> str:
    """What the players are assumed to play for after the close, and where that may mislead."""
    objective = "After the close, each player is assumed to play for the largest point difference in the deal"
    if isinstance(sheet.rules.match, OneDeal):
        text = (
            f"{objective}, before settlement. Rounding, bonus and rubicon are left out, so a play that loses "
            "points may settle just as well."
        )
        if sheet.rules.brisques.count is BrisqueCount.TO_SETTLE:
            text += " Brisques count nothing here: they only break a tie or save a player from the rubicon."
        return text
    return (
        f"{objective}, not for the match. Near the end of a match, another play may win more often."
    )


class TableValues(NamedTuple):
    """Every move at a table after the close with its value, and the best line of play from there."""

    moves: list[ValuedMove]
    line: list[Move]


class NoTableValues(NamedTuple):
    """Why a table has no exact values, in a sentence, empty once the deal is over; a longer search might find them."""

    says: str
    is_too_long: bool = False


def value_table(table: Table, positions: int) -> TableValues | NoTableValues:
    """The exact values of a table after the close, from at most so many positions, or why there are none."""
    if table.step is TableStep.OVER:
        return NoTableValues("")
    if reason := reason_not_reviewed(table.rules.sheet, table.seats):
        return NoTableValues(reason)
    closed = table_at_close(table)
    if closed is None or (closed is not table and _may_declare(table)):
        return NoTableValues("No choice has an exact value while cards can be drawn.")
    if reason := why_unclear(closed):
        return NoTableValues(f"No choice has an exact value here. {reason}")
    solver = close_solver_for(closed.rules, positions)
    if not solver.knows_all_moves(closed):
        return NoTableValues(
            "No choice has an exact value here: the record leaves open which of like cards lie in which meld."
        )
    position = solver.position_at(closed)
    try:
        return TableValues(value_moves(solver, position), best_line(solver, position))
    except SearchLimitExceeded:
        return NoTableValues(
            f"Exact values would take a search of more than {positions:,} positions.",
            is_too_long=True,
        )


def _may_declare(table: Table) -> bool:
    """Whether a meld or a dix may come before the next card: that choice lies before the last draws."""
    return bool(legal_melds(table) or showable_melds(table) or legal_dixes(table))


def why_unclear(table: Table) -> str:
    """Why nothing exact can be computed from this table on; empty if it can."""
    if hides_cards(table):
        return "The record does not show every hand."
    if table.not_in_pack:
        return "The record names cards that the pack does not have."
    if has_too_large_hand(table):
        return "One hand has more cards than the rules deal."
    closed = table_at_close(table)
    if closed is not None and not _hands_can_be_played(closed):
        return "After the close one hand has more cards than the other."
    return ""


def _hands_can_be_played(table: Table) -> bool:
    """Whether both hands can be played to the end: the seat that has led holds one card less."""
    counts = [table.hand_count(seat) for seat in (0, 1)]
    if table.step is TableStep.REPLY:
        counts[1 - table.seat] += 1
    return counts[0] == counts[1]


def hides_cards(table: Table) -> bool:
    """Whether the record leaves some card open."""
    unknown = any(table.unknown_held(seat) for seat in range(table.seats))
    return table.knowledge.uncertain or table.knowledge.partial or unknown
