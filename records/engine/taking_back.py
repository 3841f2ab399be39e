"""Taking moves back: what a table is before an event, kept so that it can be put back in place.

A copy of the table would do, and takes several times as long. What is kept is what lawful events change in a deal of which
every card is known; of lists that only grow, how long they were. Most moves are plays and draws, which change little, so
before these only that little is kept. `tests/records/engine/test_taking_back.py` compares whole tables, of every sheet.
"""

from collections.abc import Callable
from typing import Any

from records.engine.deal_state import StatedClaims, copied_tableau
from records.engine.table import DRAW, REPLY, Melding, Table
from records.events import Draw, Event, Play

TableMemory = tuple[Callable[[Table, Any], None], tuple[Any, ...]]
"""What a table was, and what puts it back; nothing changes it."""


def remember_table(table: Table, event: Event) -> TableMemory:
    """What a table is before this event, for `return_table`; it need not be lawful, but its seat is one of the table."""
    kind, rules = type(event), table.rules
    if kind is Play and not (rules.has_tableau or rules.melds_captured):
        return _return_play, _remember_play(table, event)
    if kind is Draw and table.stock.left > 1 and not rules.has_tableau:
        return _return_draw, _remember_draw(table, event)
    return _return_whole, _remember_whole(table)


def return_table(table: Table, memory: TableMemory) -> None:
    """Let a table be again what it was; the memory must not be used again, as its lists become those of the table."""
    put_back, kept = memory
    put_back(table, kept)


# A play changes the hand, the trick and what it scores; only the last card of a trick changes the cards won.


def _remember_play(table: Table, event: Any) -> tuple[Any, ...]:
    trick, melding, seat = table.trick, table.melding, event.seat
    return (
        seat, table.held[seat].copy(), table.seven_played.copy(), table.blanche_chains[:],
        table.step, table.seat, table.draws_due, table.index, melding.seat, melding.left,
        trick.leader, trick.led, trick.winner, trick.completed, trick.winner_claimed, trick.winner_open,
        trick.replies, trick.between,
        len(table.awards), len(table.claims.points),
        _remember_marks(table, seat) if event.card in table.marked[seat] else None,
        _remember_won(table) if table.step is REPLY else None,
    )  # fmt: skip


def _return_play(table: Table, memory: tuple[Any, ...]) -> None:
    trick, melding = table.trick, table.melding
    (
        seat, held, table.seven_played, table.blanche_chains,
        table.step, table.seat, table.draws_due, table.index, melding.seat, melding.left,
        trick.leader, trick.led, trick.winner, trick.completed, trick.winner_claimed, trick.winner_open,
        trick.replies, trick.between,
        awards, claimed, marks, won,
    ) = memory  # fmt: skip
    table.held[seat] = held
    if len(table.awards) > awards:
        for award in table.awards[awards:]:
            table.points[award.seat] -= award.points
        del table.awards[awards:]
    del table.claims.points[claimed:]
    if marks is not None:
        _return_marks(table, seat, marks)
    if won is not None:
        _return_won(table, won)


def _remember_marks(table: Table, seat: int) -> tuple[Any, ...]:
    tracking = table.tracking
    return (
        table.readings[seat], table.marked[seat],
        tracking.limit, tracking.incomplete, tracking.exhausted, tracking.largest, tracking.in_illegal_melds,
    )  # fmt: skip


def _return_marks(table: Table, seat: int, memory: tuple[Any, ...]) -> None:
    tracking = table.tracking
    (
        table.readings[seat], table.marked[seat],
        tracking.limit, tracking.incomplete, tracking.exhausted, tracking.largest, tracking.in_illegal_melds,
    ) = memory  # fmt: skip


def _remember_won(table: Table) -> tuple[Any, ...]:
    claims = table.claims
    return (
        table.tricks, tuple(map(len, table.won)), table.brisques[:], table.closed_tricks[:], table.earned.copy(),
        len(claims.winners_agreed), claims.scores.copy(),
    )  # fmt: skip


def _return_won(table: Table, memory: tuple[Any, ...]) -> None:
    claims = table.claims
    (
        table.tricks, won, table.brisques, table.closed_tricks, table.earned,
        agreed, claims.scores,
    ) = memory  # fmt: skip
    for cards, number in zip(table.won, won, strict=True):
        del cards[number:]
    del claims.winners_agreed[agreed:]


# A draw with more cards face down takes one of them; the last two may begin another phase.


def _remember_draw(table: Table, event: Any) -> tuple[Any, ...]:
    seat, card = event.seat, event.card
    return (
        seat, table.held[seat].copy(), card, table.unseen.get(card), table.stock.left, table.blanche_chains[:],
        table.step, table.seat, table.draws_due, table.index, table.melding.seat,
    )  # fmt: skip


def _return_draw(table: Table, memory: tuple[Any, ...]) -> None:
    (
        seat, held, card, unseen, table.stock.left, table.blanche_chains,
        table.step, table.seat, table.draws_due, table.index, table.melding.seat,
    ) = memory  # fmt: skip
    table.held[seat] = held
    if unseen is not None:
        table.unseen[card] = unseen


# Any other move may change all of the rest.


def _remember_whole(table: Table) -> tuple[Any, ...]:
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
        # Only a draw changes what is unseen.
        table.unseen.copy() if table.step is DRAW else None, (table.readings[:], table.marked[:]),
        copied_tableau(table.tableau),
        (
            len(claims.points), len(claims.winners_agreed), len(claims.winners_disputed),
            claims.scores.copy(), claims.brisques[:],
        ),
        _remember_melds(table),
    )  # fmt: skip


def _remember_melds(table: Table) -> tuple[Any, ...]:
    melding = table.melding
    laid, scored, at = melding.laid, melding.scored, melding.scored_at
    return (
        melding.seat, melding.left, melding.undo,
        [laid[0][:], laid[1][:]] if len(laid) == 2 else [each[:] for each in laid],
        [scored[0][:], scored[1][:]] if len(laid) == 2 else [each[:] for each in scored],
        [at[0][:], at[1][:]] if len(laid) == 2 else [each[:] for each in at],
        _remember_captures(table, melding) if table.rules.melds_captured else None,
    )  # fmt: skip


def _remember_captures(table: Table, melding: Melding) -> tuple[Any, ...]:
    return [cards.copy() for cards in table.captured], melding.readings[:], melding.marked[:]


def _return_whole(table: Table, memory: tuple[Any, ...]) -> None:
    (
        scalars, trick_and_stock, (
            table.points, table.brisques, table.closed_tricks, awards, table.earned,
            table.blanche_chains, table.seven_played,
        ),
        table.held, won, unseen, (table.readings, table.marked),
        table.tableau, claims, melds,
    ) = memory  # fmt: skip
    if unseen is not None:
        table.unseen = unseen
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


def _return_claims(claims: StatedClaims, memory: tuple[Any, ...]) -> None:
    points, agreed, disputed, claims.scores, claims.brisques = memory
    del claims.points[points:]
    del claims.winners_agreed[agreed:]
    del claims.winners_disputed[disputed:]


def _return_melds(table: Table, memory: tuple[Any, ...]) -> None:
    melding = table.melding
    melding.seat, melding.left, melding.undo, laid, scored, at, captures = memory
    melding.laid, melding.scored, melding.scored_at, melding.checked = laid, scored, at, None
    if captures is None:
        melding.cards, melding.readings, melding.marked = table.held, table.readings, table.marked
    else:
        table.captured, melding.readings, melding.marked = captures
        melding.cards = table.captured
