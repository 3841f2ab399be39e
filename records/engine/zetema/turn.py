"""Zetema's turn: draw up, combine, discard to the piles (laws Z2 to Z5, rulings A-31 to A-38)."""

from records.cards import FACE_OF, count_cards
from records.engine.hidden_cards import full_hand_size, reveal_card
from records.engine.table import Table, TableStep, TurnUndo
from records.engine.zetema.marriages import (
    TableauCardCounts,
    cards_from_tableau,
    is_stock_unsure,
)
from records.events import Discard, Meld
from records.rules import vocabulary as v

# Bound once: to read a member of an enumeration costs more than to compare it.
DRAW, OVER, COMBINE, DISCARD = TableStep.DRAW, TableStep.OVER, TableStep.COMBINE, TableStep.DISCARD


def begin_turn(table: Table, seat: int) -> None:
    """The next seat that has cards, or may draw some, begins its turn (A-35)."""
    for offset in range(table.seats):
        table.seat = (seat + offset) % table.seats
        if table.stock.left or table.hand_count(table.seat):
            break
    else:
        table.step = OVER
        return
    missing = max(0, full_hand_size(table) - table.hand_count(table.seat))
    # A turn that begins without a stock is of the last phase; the one that empties it still is not.
    if missing and not table.stock.left:
        table.phase = table.rules.phases[-1]
    table.melding.left = table.phase.melds
    table.tableau.discard_from, table.tableau.must_complete = None, False
    table.draws_due = (table.seat,) * min(missing, table.stock.left)
    table.step = DRAW
    if not table.draws_due:
        finish_drawing_up(table)


def finish_drawing_up(table: Table) -> None:
    """The hand is full: the seat may combine, where the phase has that, and discards."""
    combines = table.phase.combines
    table.step = COMBINE if combines else DISCARD
    table.melding.seat = table.seat if combines else None


def is_certainly_over(table: Table) -> bool:
    """Whether the deal is over; where the end of the stock is not known, it may go on."""
    return table.step is OVER and not is_stock_unsure(table)


def combine(table: Table, event: Meld) -> None:
    """A combination is scored; the cards of marriages leave the game and end the turn."""
    if is_certainly_over(table):
        return
    seat, row = event.seat, find_combination(table, event)
    points = combination_points(table, row, event.cards) if row else 0
    if table.counts_nothing:
        row, points = None, 0
    _forget_zetemas(table)
    taken = cards_from_tableau(table, event) if event.meld == "marriages" else {}
    table.melding.undo = _undo_of(table, event, taken, points)
    # Out of turn: the turn goes on as if it had been this seat's.
    if seat != table.seat:
        table.seat, table.draws_due = seat, ()
        table.tableau.discard_from, table.tableau.must_complete = None, False
    if event.meld == "marriages":
        _marry(table, event, taken)
    table.melding.left -= 1
    table.melding.seat = None
    table.state(f"meld {event.meld}", event.points, points)
    if row is not None:
        table.award(seat, "meld", points, row.name)
        _stop_if_won(table)
    if table.step is OVER:
        return
    if event.meld == "marriages":
        begin_turn(table, seat + 1)
    else:
        table.step = DISCARD
        # A combination that counts nothing binds nobody to discard one of its cards.
        if not table.counts_nothing:
            table.tableau.discard_from = tuple(event.cards)


def find_combination(table: Table, event: Meld) -> v.MeldRule | None:
    """The combination that these cards form under this name, if they do."""
    return table.rules.combination(full_hand_size(table), event.meld, tuple(event.cards))


def combination_points(table: Table, row: v.MeldRule, cards: list[str]) -> int:
    """A combination's points, with the extra for marriages of the doubled suit (A-41)."""
    tableau = table.rules.sheet.tableau
    pairs = len(cards) // 2
    if tableau is None or row.name != "marriages" or pairs >= tableau.imperial_below:
        return row.points
    doubled = sum(card[1] in table.rules.sheet.pack.doubled_suits for card in cards) // 2
    return row.points + doubled * tableau.imperial_points


def _undo_of(table: Table, event: Meld, taken: TableauCardCounts, points: int) -> TurnUndo:
    given = count_cards(event.cards) if event.meld == "marriages" else {}
    from_hand = [card for card, count in given.items() for _ in range(count - taken.get(card, 0))]
    return TurnUndo(
        made_at=table.index,
        seat=event.seat,
        to_act=table.seat,
        draws_due=table.draws_due,
        from_hand=tuple(from_hand),
        piles={rank: list(pile) for rank, pile in table.tableau.piles.items()},
        removed=len(table.tableau.removed),
        points=points,
        step=table.step,
        phase=table.phase,
        melds_left=table.melding.left,
        discard_from=table.tableau.discard_from,
        must_complete=table.tableau.must_complete,
    )


def withdraw_combination(table: Table, undo: TurnUndo) -> None:
    """Take a combination back: its cards go where they came from, and the turn goes on (A-45)."""
    table.melding.undo = None
    held = table.held[undo.seat]
    for card in undo.from_hand:
        held[card] = held.get(card, 0) + 1
    table.tableau.piles |= undo.piles
    del table.tableau.removed[undo.removed :]
    if undo.points:
        table.award(undo.seat, "ruling", -undo.points)
    table.seat, table.step, table.phase = undo.to_act, undo.step, undo.phase
    table.melding.left, table.tableau.discard_from, table.tableau.must_complete = (
        undo.melds_left,
        undo.discard_from,
        undo.must_complete,
    )
    table.melding.seat = table.seat if table.step is COMBINE else None
    table.draws_due = undo.draws_due


def _marry(table: Table, event: Meld, taken: TableauCardCounts) -> None:
    held = table.held[event.seat]
    for card, count in count_cards(event.cards).items():
        for _ in range(taken.get(card, 0)):
            _take_from_tableau(table, card)
        for _ in range(count - taken.get(card, 0)):
            if not held.get(card):
                reveal_card(table, event.seat, card)
            held[card] -= 1
            if not held[card]:
                del held[card]
    table.tableau.removed += event.cards


def _take_from_tableau(table: Table, card: str) -> None:
    pile = table.tableau.piles[card[0]]
    if card in pile:
        pile.remove(card)
    else:
        # The record may label the card where the tableau does not, or the other way round.
        alike = next((other for other in pile if FACE_OF[other] == FACE_OF[card]), None)
        if alike is not None:
            pile.remove(alike)


def discard(table: Table, event: Discard) -> None:
    """A card goes to its pile; the last one completes it, and a player against one other may have to go on (A-36)."""
    if is_certainly_over(table):
        return
    seat, card = event.seat, event.card
    held = table.held[seat]
    if card not in held:
        reveal_card(table, seat, card)
    held[card] -= 1
    if not held[card]:
        del held[card]
    table.melding.seat = None
    _forget_zetemas(table)
    completes = _lay_on_pile(table, seat, card)
    if table.step is OVER:
        return
    if completes and must_go_on(table, seat):
        table.step, table.tableau.discard_from, table.tableau.must_complete = (
            DISCARD,
            None,
            True,
        )
    else:
        begin_turn(table, seat + 1)


def _forget_zetemas(table: Table) -> None:
    """A zetema is claimed directly after its discard or not at all, so a later claim finds nothing earned."""
    for seat in range(table.seats):
        table.earned.pop((seat, "zetema"), None)
        table.claims.scores.pop((seat, "zetema"), None)


def _lay_on_pile(table: Table, seat: int, card: str) -> bool:
    """Lay a card on the pile of its rank, and say whether that completes it; an unknown rank has no known pile."""
    pile = table.tableau.piles.get(card[0])
    if pile is None:
        table.leave_open(bonus="zetema")
        table.tableau.removed.append(card)
        return False
    pile.append(card)
    return _complete_pile(table, seat, card[0])


def _complete_pile(table: Table, seat: int, rank: str) -> bool:
    rule, pile = table.rules.sheet.tableau, table.tableau.piles[rank]
    if rule is None or len(pile) < rule.full:
        return False
    table.tableau.removed += pile
    pile.clear()
    table.award(seat, "zetema", rule.zetemas[rank], rank)
    table.earned[seat, "zetema"] = rule.zetemas[rank]
    _stop_if_won(table)
    return True


def must_go_on(table: Table, seat: int) -> bool:
    """Whether a zetema obliges this seat to discard again (A-36)."""
    rule = table.rules.sheet.tableau
    if rule is None or table.seats != 2 or not table.hand_count(seat):
        return False
    return rule.chain is v.Chain.WHOLE_HAND or table.stock.left == 0


def completing_cards(table: Table, seat: int) -> list[str]:
    """The cards of a seat that would complete a pile."""
    rule = table.rules.sheet.tableau
    full = rule.full if rule else 0
    return [card for card in table.held[seat] if len(table.tableau.piles[card[0]]) == full - 1]


def _stop_if_won(table: Table) -> None:
    """By the option that play stops at once, the deal is over as soon as a side has what it needs (A-40)."""
    if table.knowledge.points_open:
        return
    for seats, needed in table.points_to_win:
        if sum(table.points[seat] for seat in seats) >= needed:
            table.step = OVER
