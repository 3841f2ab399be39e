"""Who plays a card that a text in the notation gives to nobody: the rules know who leads to a trick.

A text may leave out the seat before a card. Within a trick it is the seat after the one before. At the start of a trick it is
the seat that took the last one, and the rules of the game say which that is.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table
from records.errors import RulesError
from records.events import AnyEvent, Play
from records.record import Deal, Record
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import resolve_rules


class UnsaidSeats(NamedTuple):
    """The plays of a deal whose seat is not written, by their events: those that may lead, and those that follow."""

    leads: frozenset[int]
    follows: frozenset[int]


class UnknownLead(NamedTuple):
    """A card led of which nothing tells who played it: its deal and its event, counted from 0."""

    deal: int
    event: int


def with_leaders(
    record: Record, unsaid: Mapping[int, UnsaidSeats]
) -> tuple[Record, list[UnknownLead]]:
    """The record with the seats that the rules give to the plays of these deals, and the leads that stay unknown.

    Without rules that can be resolved it stays as it is, and nothing is unknown: the rules are what is wrong then.
    """
    try:
        rules = compile_sheet(resolve_rules(record.rules).sheet)
    except RulesError:
        return record, []
    names = [player.name for player in record.players]
    deals, unknown = list(record.deals), list[UnknownLead]()
    for number, seats in unsaid.items():
        deals[number] = deal = replace(deals[number], events=list(deals[number].events))
        if deal.knowledge != "scores":
            unknown += (UnknownLead(number, at) for at in _give_seats(rules, deal, names, seats))
    return replace(record, deals=deals), unknown


def _give_seats(
    rules: CompiledSheet, deal: Deal, names: list[str], unsaid: UnsaidSeats
) -> Iterator[int]:
    """Write the seats into the events of a deal, which are its own list; yields a lead that stays unknown, and ends there.

    The table sees the events only up to the next lead of that kind: what follows would tell it who leads.
    """
    table = lay_out_deal(rules, deal, names)
    laid, table.events = table.events, []
    stepper = unchecked_stepper(table)
    start, seat = 0, -1
    for end in [*sorted(unsaid.leads), len(laid)]:
        for index in range(start, end):
            if index in unsaid.leads:
                if _is_lead_open(table):
                    yield index
                    return
                seat = _seat_to_play(table)
            elif index in unsaid.follows:
                seat = (seat + 1) % len(names)
            elif isinstance(laid[index], Play):
                seat = laid[index].seat
            table.events.append(_played_by(seat, laid[index]))
            deal.events[index] = _played_by(seat, deal.events[index])
        for event in table.events[start:end]:
            stepper.advance(event)
        start = end


def _played_by(seat: int, event: AnyEvent) -> AnyEvent:
    """A play by this seat; any other event as it is."""
    return replace(event, seat=seat) if isinstance(event, Play) and event.seat != seat else event


def _seat_to_play(table: Table) -> int:
    """Who plays next: the draws before it may be left out of the record."""
    trick = table.trick
    if trick.led is not None:
        return table.seat
    return trick.leader if trick.winner is None else trick.winner


def _is_lead_open(table: Table) -> bool:
    """Whether the cards leave open who took the last trick, and nothing says it."""
    trick = table.trick
    return trick.led is None and trick.winner_open and not trick.winner_claimed
