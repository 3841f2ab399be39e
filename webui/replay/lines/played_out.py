"""How a tried line goes on if the simple players of the roll-outs play it to the end of the deal."""

from collections.abc import Callable, Sequence

from analyzer.annotate.luck.rollout import next_event
from analyzer.fast_table.setting_up import ImpossiblePack
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Draw

NextCard = Callable[[Sequence[AnyEvent]], str | None]
"""Gives the card that is drawn after some events of the continuation; None where the record does not say."""


def can_be_played_out(table: Table) -> bool:
    """Whether the simple players can play on: they know no game without tricks, and no hand that is not known."""
    if table.rules.has_tableau or table.step is TableStep.OVER or table.seats != 2:
        return False
    return not any(table.unknown_held(seat) for seat in range(table.seats))


def play_out_line(table: Table, next_card: NextCard, room: int) -> list[AnyEvent]:
    """The events of both players to the end of the deal, at most `room`; changes the table.

    The line ends before it where the record does not tell the next card, or has cards that are not of one pack. Cards that the record leaves to be drawn
    unwritten are drawn, and no event says so.
    """
    line: list[AnyEvent] = []
    while len(line) < room:
        try:
            event = _next_written_event(table, line, next_card)
        except ImpossiblePack:
            break
        if event is None:
            break
        unchecked_stepper(table).advance(event)
        line.append(event)
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
