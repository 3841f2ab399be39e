"""How a tried line goes on if the simple players of the roll-outs play it to the end of the deal."""

from collections.abc import Callable, Sequence

from analyzer.annotate.luck.rollout import (
    MOST_READINGS_IN_ROLLOUT,
    MOST_ROLLOUT_STEPS,
    next_event,
)
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Dix, Draw

NextCard = Callable[[Sequence[AnyEvent]], str | None]
"""Gives the card that is drawn after some events of the continuation; None where the record does not say."""


def can_be_played_out(table: Table) -> bool:
    """Whether the simple players can play on: they know no game without tricks, and no hand that is not known."""
    if table.rules.has_tableau or table.step is TableStep.OVER or table.seats != 2:
        return False
    return not any(table.unknown_held(seat) for seat in range(table.seats))


def play_out_line(table: Table, next_card: NextCard, room: int) -> list[AnyEvent]:
    """The events of both players to the end of the deal, at most `room`; changes the table.

    The line ends before it where the record does not tell the next card. Cards that the record leaves to be drawn
    unwritten are drawn, and no event says so.
    """
    table.tracking.limit = MOST_READINGS_IN_ROLLOUT
    line: list[AnyEvent] = []
    with table.tracking.budget.lend(MOST_ROLLOUT_STEPS):
        while len(line) < room:
            event = _next_written_event(table, line, next_card)
            if event is None:
                break
            before = (*table.points, table.stock.turn_up)
            unchecked_stepper(table).advance(event)
            line.append(event)
            if isinstance(event, Dix) and before == (*table.points, table.stock.turn_up):
                break  # where a record has a card twice, the seven that is found is not the one shown
    return line


def _next_written_event(
    table: Table, line: Sequence[AnyEvent], next_card: NextCard
) -> AnyEvent | None:
    """What the players do next; a draw is of the record's next card, or not written at all."""
    event = next_event(table)
    if isinstance(event, Draw):
        if table.knowledge.omits_draws:
            drawn = unchecked_stepper(table).table_after_draws()
            return None if drawn is table else next_event(drawn)
        card = next_card(line)
        return None if card is None else Draw(seat=event.seat, card=card)
    return event
