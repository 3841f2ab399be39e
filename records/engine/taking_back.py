"""Taking moves back: what a table is before an event, kept so that it can be put back in place.

A copy of the table would do, and takes three times as long. What is kept is what lawful events change in a deal of which
every card is known; of lists that only grow, how long they were. `tests/records/engine/test_taking_back.py` compares whole tables, of every sheet.
"""

from typing import Any

from records.engine.deal_state import StatedClaims, copied_tableau
from records.engine.table import DRAW, Melding, Table

TableMemory = tuple[Any, ...]
"""What a table was; nothing changes it."""


def remember_table(table: Table) -> TableMemory:
    """What a table is now, for `return_table`."""
    unseen = table.unseen
    if table.step is DRAW:
        # Only a draw changes it. Older memories may hold it, too, so it is the table that gets a copy.
        table.unseen = unseen.copy()
    trick, stock, held, won = table.trick, table.stock, table.held, table.won
    tracking, claims = table.tracking, table.claims
    return (
        (
            table.trump, table.trump_at, table.beaters, table.seven, table.sevens, table.phase, table.phase_no,
            table.step, table.seat, table.draws_due, table.index, table.tricks, table.whole_close,
            tracking.limit, tracking.incomplete, tracking.exhausted, tracking.largest, tracking.in_illegal_melds,
        ),
        (
            trick.leader, trick.led, trick.winner, trick.completed, trick.winner_claimed, trick.winner_open,
            trick.replies, trick.between,
            stock.left, stock.turn_up, stock.turn_up_spent,
        ),
        (
            table.points[:], table.brisques[:], table.closed_tricks[:], len(table.awards), table.earned.copy(),
            table.blanche_chains[:], table.seven_played.copy(),
        ),
        [held[0].copy(), held[1].copy()] if len(held) == 2 else [cards.copy() for cards in held],
        [len(won[0]), len(won[1])] if len(won) == 2 else [len(cards) for cards in won],
        (unseen, table.readings[:], table.marked[:]),
        copied_tableau(table.tableau),
        (
            len(claims.points), len(claims.winners_agreed), len(claims.winners_disputed),
            claims.scores.copy(), claims.brisques[:],
        ),
        _remember_melds(table),
    )  # fmt: skip


def _remember_melds(table: Table) -> TableMemory:
    melding = table.melding
    laid, scored, at = melding.laid, melding.scored, melding.scored_at
    return (
        melding.seat, melding.left, melding.undo,
        [laid[0][:], laid[1][:]] if len(laid) == 2 else [each[:] for each in laid],
        [scored[0][:], scored[1][:]] if len(laid) == 2 else [each[:] for each in scored],
        [at[0][:], at[1][:]] if len(laid) == 2 else [each[:] for each in at],
        _remember_captures(table, melding) if table.rules.melds_captured else None,
    )  # fmt: skip


def _remember_captures(table: Table, melding: Melding) -> TableMemory:
    return [cards.copy() for cards in table.captured], melding.readings[:], melding.marked[:]


def return_table(table: Table, memory: TableMemory) -> None:
    """Let a table be again what it was; the memory must not be used again, as its lists become those of the table."""
    (
        scalars, trick_and_stock, (
            table.points, table.brisques, table.closed_tricks, awards, table.earned,
            table.blanche_chains, table.seven_played,
        ),
        table.held, won, (table.unseen, table.readings, table.marked),
        table.tableau, claims, melds,
    ) = memory  # fmt: skip
    tracking = table.tracking
    (
        table.trump, table.trump_at, table.beaters, table.seven, table.sevens, table.phase, table.phase_no,
        table.step, table.seat, table.draws_due, table.index, table.tricks, table.whole_close,
        tracking.limit, tracking.incomplete, tracking.exhausted, tracking.largest, tracking.in_illegal_melds,
    ) = scalars  # fmt: skip
    trick, stock = table.trick, table.stock
    (
        trick.leader, trick.led, trick.winner, trick.completed, trick.winner_claimed, trick.winner_open,
        trick.replies, trick.between,
        stock.left, stock.turn_up, stock.turn_up_spent,
    ) = trick_and_stock  # fmt: skip
    del table.awards[awards:]
    for cards, number in zip(table.won, won, strict=True):
        del cards[number:]
    _return_claims(table.claims, claims)
    _return_melds(table, melds)


def _return_claims(claims: StatedClaims, memory: TableMemory) -> None:
    points, agreed, disputed, claims.scores, claims.brisques = memory
    del claims.points[points:]
    del claims.winners_agreed[agreed:]
    del claims.winners_disputed[disputed:]


def _return_melds(table: Table, memory: TableMemory) -> None:
    melding = table.melding
    melding.seat, melding.left, melding.undo, laid, scored, at, captures = memory
    melding.laid, melding.scored, melding.scored_at, melding.checked = laid, scored, at, None
    if captures is None:
        melding.cards, melding.readings, melding.marked = table.held, table.readings, table.marked
    else:
        table.captured, melding.readings, melding.marked = captures
        melding.cards = table.captured
