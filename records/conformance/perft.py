"""Counts of the legal ways to go on from a position, after the manner of chess's perft, and the points they come to.

A choice is a card played or discarded, a meld scored, or a dix exchanged or shown. Cards are told apart by their faces
alone. What nobody chooses is no choice: draws (made, in the order of the stock, before the next card), tricks taken,
points. Showing a meld unscored and carte blanche are left out.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from records.engine.choices import legal_dixes, legal_melds, legal_plays
from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Discard, Dix, Draw, Meld, Play
from records.record import Deal, Record
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import resolve_rules


class PerftCounts(NamedTuple):
    """By the number of choices made: how many ways there are, and the sum of each seat's points at their ends."""

    nodes: list[int]
    points: list[list[int]]


class Perft:
    """Counts from the end of a record's last deal on."""

    def __init__(self, record: Record) -> None:
        self.book: CompiledSheet = compile_sheet(resolve_rules(record.rules).sheet)
        self.names = [player.name for player in record.players]
        self.deal = record.deals[-1]

    def nodes(self, depth: int) -> list[int]:
        """How many ways to go on there are: of one choice, of two, up to `depth`."""
        return [len(paths) for paths in self._paths(depth)]

    def count(self, depth: int) -> PerftCounts:
        """The ways to go on of one choice, of two, up to `depth`, and the points of the deal at their ends."""
        counts = PerftCounts([], [])
        for paths in self._paths(depth):
            ends = [self.table(path).points for path in paths]
            counts.nodes.append(len(paths))
            counts.points.append([sum(seat) for seat in zip(*ends, strict=True)])
        return counts

    def _paths(self, depth: int) -> Iterator[list[list[AnyEvent]]]:
        paths = [list(self.deal.events)]
        for _ in range(depth):
            paths = [path for before in paths for path in self.choices(before)]
            yield paths

    def choices(self, path: list[AnyEvent]) -> Iterator[list[AnyEvent]]:
        """The path, longer by one choice and by the draws that come before it."""
        table = self.table(path)
        yield from ([*path, event] for event in _before_drawing(table))
        if table.step is TableStep.DRAW:
            path = [*path, *draws_made(table)]
            table = self.table(path)
            if table.rules.has_tableau:
                yield from ([*path, event] for event in _melds(table))
        play = Discard if table.rules.has_tableau else Play
        cards = legal_plays(table) if table.step is not TableStep.OVER else []
        yield from ([*path, play(seat=table.seat, card=card)] for card in cards)

    def table(self, path: list[AnyEvent]) -> Table:
        """The table after these events."""
        deal: Deal = msgspec.structs.replace(self.deal, events=path)
        table = lay_out_deal(self.book, deal, self.names)
        stepper = unchecked_stepper(table)
        for event in path:
            stepper.advance(event)
        return table


def _before_drawing(table: Table) -> Iterator[AnyEvent]:
    if table.melding.seat is None:
        return
    yield from _melds(table)
    for action in legal_dixes(table):
        yield Dix(seat=table.melding.seat, action="exchange" if action == "exchange" else "show")


def _melds(table: Table) -> Iterator[AnyEvent]:
    seat = table.seat if table.melding.seat is None else table.melding.seat
    for row, cards in legal_melds(table):
        yield Meld(seat=seat, meld=row.name, cards=cards)


def draws_made(table: Table) -> Iterator[AnyEvent]:
    """The draws that are due, in the order of the stock."""
    order, down = table.stock.order or [], table.stock.left
    for number, seat in enumerate(table.draws_due):
        left = down - number
        yield Draw(seat=seat, card=order[-left] if left > 0 else str(table.stock.turn_up))
