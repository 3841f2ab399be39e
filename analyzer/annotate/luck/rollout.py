"""A position played out by two simple players, cards still to be drawn shuffled: the evaluator of luck.

Both win brisques cheaply, throw what is worth least, meld the dearest meld at once. They are no good
players: the value that comes of it compares positions, and is no prediction. Where like cards are not
told apart, few of the ways to do so are followed: what they meld is lawful, now and then a meld is missed.
"""

from records.engine.carte_blanche import may_show_carte_blanche
from records.engine.choices import dearest_meld, legal_dixes, legal_plays
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table
from records.events import AnyEvent, CarteBlanche, Dix, Draw, Meld, Play
from records.selfplay import choose_greedy_card

MOST_READINGS_IN_ROLLOUT = 16
"""So many ways to tell like cards apart are followed; all of them take minutes a deal in six packs."""
MOST_EVENTS_IN_ROLLOUT = 2_000
"""No deal has so many events; where a rule was broken before, what may be done might never end."""


def play_out(table: Table, stock: list[str]) -> int:
    """Seat 0's lead at the end, `stock` being the face-down cards in order. The table is used up."""
    table.stock.order, table.stock.left = stock, len(stock)
    table.tracking.limit = MOST_READINGS_IN_ROLLOUT
    table.knowledge.omits_draws = False  # these players write every draw
    stepper = unchecked_stepper(table)
    for _ in range(MOST_EVENTS_IN_ROLLOUT):
        event = next_event(table)
        if event is None:
            break
        before = (*table.points, table.stock.turn_up)
        stepper.advance(event)
        if isinstance(event, Dix) and before == (*table.points, table.stock.turn_up):
            # Where a record has a card twice, the seven found is not the one shown: offer it no more.
            table.melding.seat = None
    return table.points[0] - table.points[1]


def next_event(table: Table) -> AnyEvent | None:
    """What these players do at a table; None where the deal is over for them."""
    for shower in (0, 1) if table.blanche_chains else ():
        if may_show_carte_blanche(table, shower):
            return CarteBlanche(seat=shower)
    seat = table.melding.seat
    if seat is not None and table.melding.left > 0:
        if table.seven is not None and (ways := legal_dixes(table)):
            return Dix(seat=seat, action="exchange" if "exchange" in ways else "show")
        if found := dearest_meld(table):
            row, cards = found
            return Meld(seat=seat, meld=row.name, cards=cards)
    if table.draws_due:
        return Draw(seat=table.draws_due[0], card=table.stock.next_card() or "??")
    cards = legal_plays(table)
    return Play(seat=table.seat, card=choose_greedy_card(table, cards)) if cards else None
