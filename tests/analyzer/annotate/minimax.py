"""A slow solver for comparison: minimax on the engine's own tables, to the last card.

It shares nothing with the solver. The moves are those that `records.engine.choices` lists, and their points are
those on the table after a step. Tables with the same future are searched only once.
"""

from collections.abc import Iterator

from records.cards import FACE_OF
from records.engine.choices import legal_dixes, legal_melds, legal_plays
from records.engine.copies.marks import SPENT_BIT
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Dix, Draw, Meld, Play
from records.rules.vocabulary import BrisqueCount, Window


class Minimax:
    """The values of endings: points still to come, seat 0's less seat 1's."""

    def __init__(self) -> None:
        self.known: dict[object, int] = {}

    def value(self, table: Table) -> int:
        """What the rest of the deal is worth to seat 0 if both do their best."""
        key = _key(table)
        if key not in self.known:
            values = [value for _, value in self.ways(table)]
            best = max if _chooser(table) == 0 else min
            self.known[key] = best([*values, 0] if table.step is TableStep.OVER else values)
        return self.known[key]

    def ways(self, table: Table) -> Iterator[tuple[AnyEvent, int]]:
        """Everything that may be done, and what the rest of the deal is worth then with what it scores."""
        for event in _events(table):
            after = table.copy()
            unchecked_stepper(after).advance(event)
            yield event, _difference(after) - _difference(table) + self.value(after)


def _chooser(table: Table) -> int:
    return table.seat if table.melding.seat is None else table.melding.seat


def _events(table: Table) -> Iterator[AnyEvent]:
    seat = _chooser(table)
    for row, cards in legal_melds(table):
        yield Meld(seat=seat, meld=row.name, cards=cards)
    for action in legal_dixes(table):
        yield Dix(seat=seat, action=action)
    if table.step is TableStep.DRAW:
        lies = table.stock.order[-table.stock.left] if table.stock.left else table.stock.turn_up
        yield Draw(seat=table.draws_due[0], card=lies)
    elif table.step is not TableStep.OVER:
        yield from (Play(seat=table.seat, card=card) for card in legal_plays(table))


def _difference(table: Table) -> int:
    """What seat 0 has more than seat 1, brisques taken and not yet counted among it."""
    ahead = table.points[0] - table.points[1]
    if (
        table.step is not TableStep.OVER
        and table.rules.sheet.brisques.count is BrisqueCount.AT_THE_END
    ):
        ahead += table.brisque_points(0) - table.brisque_points(1)
    return ahead


def _key(table: Table) -> object:
    """What the rest of a closed deal depends on."""
    return (
        table.rules,
        table.trump,
        table.step,
        table.seat,
        table.trick.led,
        table.melding.seat,
        table.melding.left,
        table.stock.left,
        table.stock.turn_up,
        table.draws_due,
        tuple(table.stock.order or ()),
        tuple(tuple(sorted(held.items())) for held in table.held),
        tuple(map(frozenset, table.readings)),
        tuple(map(frozenset, table.melding.readings)),
        tuple(tuple(sorted(pile.items())) for pile in table.captured),
        tuple(map(tuple, table.melding.scored)),
        tuple(table.closed_tricks),
    )


def dixes_to_come(table: Table) -> int:
    """What seat 0 scores for sevens of trumps played, or shown when it likes, less seat 1: the same whatever is played."""
    rule = table.rules.sheet.dix
    if not rule or not ((rule.played and rule.in_last_tricks) or rule.show is Window.AT_ANY_TIME):
        return 0
    sevens = [
        sum(count for card, count in held.items() if FACE_OF[card] == table.seven)
        for held in table.held
    ]
    scoring = [sevens[seat] - (_spent(table, seat) if rule.once_per_card else 0) for seat in (0, 1)]
    return rule.points * (scoring[0] - scoring[1])


def unshown(table: Table, event: AnyEvent) -> int:
    """What a seven of trumps that scores only by being shown forgoes when it is played: that stands apart."""
    rule = table.rules.sheet.dix
    only_shown = rule and rule.show is Window.AT_ANY_TIME and not rule.played
    played = isinstance(event, Play) and event.card == table.seven
    fresh = played and not _spent(table, event.seat)
    return rule.points if rule and only_shown and fresh else 0


def _spent(table: Table, seat: int) -> int:
    """How many of the sevens of trumps that a seat holds have scored at the least."""
    return min(
        sum(1 for card, mark in reading if FACE_OF.get(card) == table.seven and mark & SPENT_BIT)
        for reading in table.readings[seat]
    )
