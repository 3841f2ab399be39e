"""What may be done next at a table, and what a record writes of itself after it."""

from collections.abc import Iterator
from typing import Any, TypeAlias, cast

import msgspec

from bezique.record_types import AnyEvent
from records import events as engine_events
from records.engine.dix import dix_points
from records.engine.table import Table, TableStep
from records.engine.zetema import combination_points
from records.errors import BeziqueError
from records.events import CarteBlanche, Cut, Dix, Draw, Meld, Play, Score, Trick
from webui.replay.what_if import legal_cards, legal_declarations

OPENING_BONUSES = ("cut", "guess", "turned_seven")
CLOSING_BONUSES = ("last_trick", "all_last_tricks", "brisques")


class EndDeal(msgspec.Struct, frozen=True, tag="end_deal"):
    """The deal is settled, and the next one is dealt if the match goes on; a record writes no event for it."""


Move: TypeAlias = AnyEvent | EndDeal
"""An event that may come next, or the end of the deal."""


class IllegalMove(BeziqueError):
    """The rules forbid a move, and nothing has changed; `code` is the finding it would be, `legal` what may be played instead."""

    def __init__(self, message: str, *, code: str = "", legal: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.legal = legal


def legal_moves(table: Table, *, is_fresh: bool) -> list[Move]:
    """Everything that may come next, melds before cards; of a cut, which comes first, only the one that is aimed at."""
    cut = table.rules.written.cut
    if is_fresh and cut is not None:
        aimed_at: engine_events.AnyEvent = Cut(
            seat=table.dealer, packet=cut.packet, guess=cut.packet
        )
        return [cast(Move, aimed_at)]
    moves: list[Any] = []
    if table.step is not TableStep.OVER or table.melding.seat is not None:
        moves += [event for event, _ in legal_declarations(table)]
    if table.step is TableStep.OVER:
        return [*moves, EndDeal()]
    card = table.stock.next_card()
    if table.step is TableStep.DRAW and card is not None:
        moves.append(Draw(seat=seat_to_draw(table), card=card))
    return [*moves, *legal_cards(table)]


def seat_to_draw(table: Table) -> int:
    """The seat that draws next, or would."""
    return table.draws_due[0] if table.draws_due else table.seat


def with_points(table: Table, event: engine_events.AnyEvent) -> engine_events.AnyEvent:
    """An event with the points that it scores, if it says none."""
    match event:
        case Meld(points=None):
            rules = table.rules
            row = rules.meld_rule(table.trump, event.meld, tuple(event.cards))
            points = None if row is None else combination_points(table, row, event.cards)
        case Dix(points=None):
            points = dix_points(table, event)
        case CarteBlanche(points=None):
            rule = table.rules.written.carte_blanche
            points = None if rule is None else rule.points
        case _:
            return event
    return msgspec.structs.replace(event, points=points)


def claims_due(table: Table, event: engine_events.AnyEvent | None) -> Iterator[Any]:
    """What follows from an event without a choice, each to be applied before the next is asked for; None is the deal."""
    if event is None or isinstance(event, Cut):
        yield from bonuses_due(table, OPENING_BONUSES)
    if isinstance(event, Play):
        for award in table.awards:
            if award.source == "dix" and award.event == table.index:
                seven = event.card if len(event.card) > 2 else None
                yield Dix(seat=award.seat, action="play", card=seven, points=award.points)
    yield from bonuses_due(table, ("zetema",))


def trick_claims(table: Table) -> Iterator[Any]:
    """Who won the trick just completed, and the bonus for the last trick before the close."""
    trick = table.trick
    if table.melding.seat is not None and trick.completed and not trick.winner_claimed:
        yield Trick(winner=table.seat if trick.winner is None else trick.winner)


def bonuses_due(table: Table, names: tuple[str, ...]) -> Iterator[Score]:
    """The bonuses that were earned, and not claimed yet."""
    worth = table.rules.written.brisques.points
    for name in names:
        for (seat, what), points in list(table.earned.items()):
            if what == name and (seat, what) not in table.claims.scores:
                count = points // worth if name == "brisques" else None
                yield Score(seat=seat, what=name, count=count, points=points)
