"""Roll-outs: a position played to the end by two simple players, who estimate its value.

Both win brisques cheaply, throw the cards worth least, and make the highest meld at once. They play badly, so
the value compares positions and is no prediction. Where like cards are not told apart, few readings are
followed: what the players meld is legal, but now and then they miss a meld.
"""

from records.engine.carte_blanche import may_show_carte_blanche
from records.engine.choices import dearest_meld, legal_dixes, legal_plays
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table
from records.events import AnyEvent, CarteBlanche, Dix, Draw, Meld, Play
from records.selfplay import choose_copy, choose_greedy_card

MOST_READINGS_IN_ROLLOUT = 16
"""The number of readings of a seat that are followed; all would take minutes for each deal of six packs."""
MOST_ROLLOUT_STEPS = 60_000
"""What telling copies apart may take in one roll-out, and as much again to see what may be melded.

It is twice what the hardest games take. A roll-out takes nothing from its record, so that all are played alike.
"""
MOST_EVENTS_IN_ROLLOUT = 2_000
"""No deal has so many events. After a broken rule a position may offer legal choices for ever."""


def play_out(table: Table, stock: list[str]) -> int:
    """Seat 0's lead at the end of the deal, in points; `stock` are the face-down cards in order. Changes the table."""
    table.stock.order, table.stock.left = stock, len(stock)
    table.tracking.limit = MOST_READINGS_IN_ROLLOUT
    table.knowledge.omits_draws = False  # these players write every draw
    with table.tracking.budget.lend(MOST_ROLLOUT_STEPS):
        _play_to_end(table)
    return table.points[0] - table.points[1]


def _play_to_end(table: Table) -> None:
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


def next_event(table: Table) -> AnyEvent | None:
    """The next event of these players at a table; None if there is nothing left to do."""
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
    if not cards:
        return None
    return Play(seat=table.seat, card=choose_copy(table, choose_greedy_card(table, cards)))
