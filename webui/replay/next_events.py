"""What may come next at a table: the one list of it for What if, the recorder, `bezique follow` and the library's games.

All of them step through events by `records.validate.dispatch.checking_stepper`, and tell what it finds as the validator does.
What differs is who knows the next card: What if draws what the record tells, live games draw a card that lies face down, and
the recorder asks which it was.
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from records.engine.choices import legal_dixes, legal_melds, legal_plays, showable_melds
from records.engine.effects import may_show_carte_blanche
from records.engine.readings import laid_bounds
from records.engine.table import Table, TableStep
from records.engine.zetema import combination_points
from records.events import (
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Meld,
    Play,
)
from records.record import Deal, may_still_cut


def is_all_done(table: Table) -> bool:
    """Whether it was a misdeal, or the last card is played and no melds are left to be shown behind it."""
    return table.misdealt or (table.step is TableStep.OVER and table.melding.seat is None)


def seat_to_meld(table: Table) -> int:
    """The seat that may meld, or would."""
    return table.seat if table.melding.seat is None else table.melding.seat


def legal_declarations(
    table: Table,
) -> Iterator[tuple[CarteBlanche | Dix | Meld | Declare, int]]:
    """The cartes blanches, dixes and melds that may be shown, with the points that melds make."""
    if is_all_done(table):
        return
    seat = seat_to_meld(table)
    if table.blanche_chains:
        for other in range(table.seats):
            if may_show_carte_blanche(table, other):
                yield CarteBlanche(seat=other), 0
    for action in legal_dixes(table):
        yield Dix(seat=seat, action=cast(Any, action)), 0
    melders = table.melders() or (seat,)
    for melder in melders:
        for row, cards in legal_melds(table, melder):
            points = combination_points(table, row, cards)
            yield Meld(seat=melder, meld=row.name, cards=cards), points
    for melder in melders:
        for row, cards in showable_melds(table, melder):
            yield Declare(seat=melder, meld=row.name, cards=cards), 0


def legal_choices(table: Table, *, is_fresh: bool) -> Iterator[AnyEvent]:
    """Every choice that the rules allow next, melds before cards; `is_fresh` says that nothing has been done in the deal yet.

    A card that lies face down is `??` in its draw; of a cut, which comes first, only the one that is aimed at is listed.
    """
    if is_all_done(table):
        return
    cut, stock = table.rules.written.cut, table.stock
    if is_fresh and cut is not None:
        yield Cut(seat=table.dealer, packet=cut.packet, guess=cut.packet)
        return
    # Only the turn-up lies open.
    card = "??" if stock.left else stock.next_card() or "??"
    for event, _ in next_events(table, card=card if stock.with_turn_up else None):
        yield event


def next_events(
    table: Table, *, card: str | None, drawn: Table | None = None
) -> Iterator[tuple[AnyEvent, int]]:
    """What may be shown, drawn and played next, in this order, with the points that it makes; without a cut.

    The draw is of this `card`; None where nobody can draw by an event. Where the record leaves its draws to the stock, what
    comes before them is offered beside what comes after them, at the table on which they have been `drawn`.
    """
    drawn = drawn or table
    declared = list(legal_declarations(table))
    if drawn is not table:
        declared += [each for each in legal_declarations(drawn) if each not in declared]
    yield from declared
    if table.step is TableStep.DRAW and card is not None:
        yield Draw(seat=seat_to_draw(table), card=card), 0
    if table.step is not TableStep.OVER:
        for move in legal_cards(drawn):
            yield move, 0


def seat_to_draw(table: Table) -> int:
    """The seat that draws next, or would."""
    return table.draws_due[0] if table.draws_due else table.seat


def legal_cards(table: Table) -> Iterator[Play | Discard]:
    """The cards that may be played or discarded; one that lies in two places is listed from each."""
    seat = table.seat
    if table.rules.has_tableau:
        for card in legal_plays(table):
            yield Discard(seat=seat, card=card)
        return
    in_two_places = _cards_in_two_places(table, seat)
    for card in legal_plays(table):
        if card in in_two_places:
            yield Play(seat=seat, card=card, source="hand")
            yield Play(seat=seat, card=card, source="table")
        else:
            yield Play(seat=seat, card=card)


def _cards_in_two_places(table: Table, seat: int) -> set[str]:
    """The cards of a seat of which a copy lies on the table, and another one may be in the hand."""
    laid = {card for _, _, card in table.melding.laid[seat]}
    if not laid or table.rules.melds_captured:
        return set()
    held = table.held[seat]
    return {
        card
        for card, (least, most) in laid_bounds(table.readings[seat]).items()
        if card in laid and most > 0 and (most < held.get(card, 0) or least < most)
    }


def unseen_faces(table: Table) -> list[str]:
    """The cards that nobody has seen yet, each once, in order."""
    return sorted(card for card, left in table.unseen.items() if left > 0)


def most_cut(table: Table, deal: Deal, events: Sequence[AnyEvent]) -> int | None:
    """The most cards that may be cut, where the cut comes next: the dealer cuts before anything else."""
    if table.rules.written.cut is None or is_all_done(table):
        return None
    return table.rules.pack_size - 1 if may_still_cut(deal, events) else None
