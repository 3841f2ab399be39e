"""Every event that is legal next at a table, for What if and for games that a program plays by hand."""

from collections.abc import Iterator

from records.engine.carte_blanche import may_show_carte_blanche
from records.engine.choices import legal_choices, legal_plays, showable_melds
from records.engine.table import Table
from records.events import CarteBlanche, Declare, Discard, Dix, Meld, Play
from records.snapshot import snapshot_of


def legal_declarations(
    table: Table,
) -> Iterator[tuple[CarteBlanche | Dix | Meld | Declare, int]]:
    """The cartes blanches, dixes and melds that may be shown, with the points that melds make."""
    legal = legal_choices(table)
    seat = table.melding.seat if table.melding.seat is not None else table.seat
    for other in range(table.seats):
        if may_show_carte_blanche(table, other):
            yield CarteBlanche(seat=other), 0
    for action in ("exchange", "show"):
        if action in legal.dix:
            yield Dix(seat=seat, action=action), 0
    for meld in legal.melds:
        yield Meld(seat=seat, meld=meld.name, cards=meld.cards), meld.points
    for row, cards in showable_melds(table):
        yield Declare(seat=seat, meld=row.name, cards=cards), 0


def legal_cards(table: Table) -> Iterator[Play | Discard]:
    """The cards that may be played or discarded; one that lies in two places is listed from each."""
    view = snapshot_of(table).seats[table.seat]
    laid = {lying.card for lying in view.laid} if not table.rules.melds_captured else set()
    for card in legal_plays(table):
        if table.rules.has_tableau:
            yield Discard(seat=table.seat, card=card)
        elif card in laid and (card in view.hand or card in view.unsure):
            yield Play(seat=table.seat, card=card, source="hand")
            yield Play(seat=table.seat, card=card, source="table")
        else:
            yield Play(seat=table.seat, card=card)
