"""Seats that a log does not name: the rules of the game tell who took a trick, who is next, who played the seven."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from records.cards import FACE_OF
from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table
from records.events import AnyEvent, Play, Trick, actor_of
from records.record import Deal, Record
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import resolve_rules

WINNER, NEXT, SEVEN = "@winner", "@next", "@seven"
SEATS_BY_RULES: Mapping[str, str] = {
    WINNER: "who took the last trick, or leads to the first",
    NEXT: "whose turn is after the seat of the event before",
    SEVEN: "who played the seven of trumps to the last trick",
}
"""The words for seats that the rules tell, and whom they mean."""


class UnnamedSeat(NamedTuple):
    """An event whose seat the rules are to tell: its deal and its number there, counted from 0, and which seat it is."""

    deal: int
    event: int
    word: str


class SeatUnknown(Exception):
    """Nothing tells the seat of this event."""

    def __init__(self, unnamed: UnnamedSeat) -> None:
        super().__init__(unnamed)
        self.unnamed = unnamed


def find_seats(record: Record, unnamed: Sequence[UnnamedSeat]) -> dict[UnnamedSeat, int]:
    """The seats of these events; what the record has in their place does not matter.

    Raises SeatUnknown, and RulesError where the rules cannot be resolved.
    """
    rules = compile_sheet(resolve_rules(record.rules).sheet)
    names = [player.name for player in record.players]
    found: dict[UnnamedSeat, int] = {}
    for number in dict.fromkeys(each.deal for each in unnamed):
        wanted = [each for each in unnamed if each.deal == number]
        found |= _seats_in_deal(rules, record.deals[number], names, wanted)
    return found


def _seats_in_deal(
    rules: CompiledSheet, deal: Deal, names: list[str], wanted: Sequence[UnnamedSeat]
) -> dict[UnnamedSeat, int]:
    """The table sees the events only up to the next seat that is wanted: what follows would tell it too much."""
    table = lay_out_deal(rules, deal, names)
    laid, table.events = table.events, []
    stepper = unchecked_stepper(table)
    at = {each.event: each for each in wanted}
    found: dict[UnnamedSeat, int] = {}
    start = 0
    for end in [*(index for index in sorted(at) if index), len(laid)]:
        segment = laid[start:end]
        if start in at and segment:
            seat = _seat_now(table, at[start], len(names))
            found[at[start]] = seat
            segment[0] = _given_to(seat, segment[0])
        table.events.extend(segment)
        for event in segment:
            stepper.advance(event)
        start = end
    return found


def _seat_now(table: Table, unnamed: UnnamedSeat, players: int) -> int:
    trick = table.trick
    before = table.events[-1] if table.events else None
    if unnamed.word == NEXT and before is not None:
        return (actor_of(before) + 1) % players
    if unnamed.word == SEVEN:
        for event in _last_plays(table, players):
            if FACE_OF[event.card] == table.seven:
                return event.seat
        raise SeatUnknown(unnamed)
    if trick.led is not None or (trick.winner_open and not trick.winner_claimed):
        raise SeatUnknown(unnamed)
    return trick.leader if trick.winner is None else trick.winner


def _last_plays(table: Table, players: int) -> list[Play]:
    plays = (event for event in reversed(table.events) if isinstance(event, Play))
    return [event for event, _ in zip(plays, range(players), strict=False)]


def _given_to(seat: int, event: AnyEvent) -> AnyEvent:
    return replace(event, **{"winner" if isinstance(event, Trick) else "seat": seat})
