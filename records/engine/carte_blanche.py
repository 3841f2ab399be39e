"""What happens before cards are played: carte blanche and its chain, and the cut and guess of Six-Pack Bezique."""

from records.engine.table import Table
from records.events import CarteBlanche, Cut
from records.record import Setup
from records.rules.vocabulary import CarteBlancheRule

CHAIN_OPEN, CHAIN_SHOWN, CHAIN_OVER = "open", "shown", "over"
"""By law C14 a hand without court cards may be shown, and after it every card drawn, until the first court card: a
chain. Its next card can be shown now, has just been shown, or the chain is over for this deal."""


def begin_blanche_chains(table: Table) -> None:
    """Open the chain of every seat whose hand, as dealt, may be shown as carte blanche."""
    rule = table.rules.sheet.carte_blanche
    if rule is None:
        return
    chains = [
        CHAIN_OPEN if _is_blank(table, seat, rule) else CHAIN_OVER for seat in range(table.seats)
    ]
    table.blanche_chains = chains if CHAIN_OPEN in chains else []


def set_up_blanche_chains(table: Table, setup: Setup) -> None:
    """Open the chains of a position, of which nobody knows whether they began before it.

    Who has played since the last draw can go on with a chain only after the next draw.
    """
    begin_blanche_chains(table)
    rule = table.rules.sheet.carte_blanche
    if rule is None or not (setup.won or setup.trick):
        return
    replies_first = setup.trick and not rule.before_first_lead and not _has_won_cards(setup)
    table.blanche_chains = [
        CHAIN_SHOWN if state == CHAIN_OPEN and not (replies_first and seat == setup.seat) else state
        for seat, state in enumerate(table.blanche_chains)
    ]


def _has_won_cards(setup: Setup) -> bool:
    """Whether a position shows that a trick has been taken before."""
    return any(setup.brisques or ()) or any(setup.captured or ()) or any(setup.tables or ())


def _is_blank(table: Table, seat: int, rule: CarteBlancheRule) -> bool:
    """Whether a hand has no court card, as far as it is known."""
    cards = (*table.hidden.given[seat], *table.held[seat])
    return all(card[0] not in rule.courts for card in cards)


def end_blanche_chains(table: Table, seat: int) -> None:
    """End the chains at a play: what has not been shown by now can no longer be shown.

    The first showing is due before the seat's own first card, in Six-Pack Bezique before the first lead; a
    later one before anybody's next card.
    """
    rule = table.rules.sheet.carte_blanche
    first = rule is not None and not rule.before_first_lead and table.tricks == 0
    for other, state in enumerate(table.blanche_chains):
        if state == CHAIN_OPEN and not (first and other != seat):
            # At every level a deal that writes a showing writes them all, so nothing was shown unwritten.
            table.blanche_chains[other] = CHAIN_OVER
    _drop_closed_chains(table)


def draw_in_blanche_chain(table: Table, seat: int, card: str) -> None:
    """Continue a chain after a draw, unless the card drawn is a court card."""
    rule = table.rules.sheet.carte_blanche
    if table.blanche_chains[seat] == CHAIN_SHOWN and rule is not None:
        courtly = card[0] in rule.courts
        table.blanche_chains[seat] = CHAIN_OVER if courtly else CHAIN_OPEN
        _drop_closed_chains(table)


def _drop_closed_chains(table: Table) -> None:
    """Empty the list once no chain is open, so that later events need not look through it."""
    if all(state == CHAIN_OVER for state in table.blanche_chains):
        table.blanche_chains = []


def may_show_carte_blanche(table: Table, seat: int) -> bool:
    """Whether a seat may show carte blanche now."""
    return bool(table.blanche_chains) and table.blanche_chains[seat] == CHAIN_OPEN


def carte_blanche(table: Table, event: CarteBlanche) -> None:
    """Show a hand, or a card drawn to it, as carte blanche."""
    rule = table.rules.sheet.carte_blanche
    if rule is None:
        table.state("carte_blanche", event.points, 0)
        return
    # Shown although it could not be: the check has said so, and a chain begins all the same.
    if not table.blanche_chains:
        table.blanche_chains = [CHAIN_OVER] * table.seats
    table.blanche_chains[event.seat] = CHAIN_SHOWN
    points = 0 if table.counts_nothing else rule.points
    table.state("carte_blanche", event.points, points)
    if points:
        table.award(event.seat, "carte_blanche", points)


def cut(table: Table, event: Cut) -> None:
    """Count the dealer's packet and compare the guess (A-30c)."""
    rule = table.rules.sheet.cut
    if rule is None or table.counts_nothing:
        return
    if event.packet == rule.packet:
        _earn(table, event.seat, "cut", rule.dealer_points)
    if event.guess == event.packet:
        _earn(table, 1 - event.seat, "guess", rule.guess_points)


def _earn(table: Table, seat: int, name: str, points: int) -> None:
    table.award(seat, name, points)
    table.earned[seat, name] = points
