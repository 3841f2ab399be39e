"""Zetema's turn: draw up, combine, discard to the piles (laws Z2 to Z5, rulings A-31 to A-38)."""

from records.cards import FACE_OF, cards_missing, count_cards, is_unknown
from records.engine.hidden_cards import can_reveal, full_hand_size, reveal_card
from records.engine.table import Table, TableStep
from records.engine.table_parts.deal_state import TurnUndo
from records.engine.zetema.combinations import (
    combination_points,
    find_combination,
    possible_points,
)
from records.engine.zetema.marriages import (
    MarriageWay,
    is_turn_unsure,
    unknown_on_tableau,
    way_of_marriages,
)
from records.events import Discard, Draw, Meld
from records.record import CLAIMS_REACH
from records.rules import vocabulary as v

# Bound once: to read a member of an enumeration costs more than to compare it.
DRAW, OVER, COMBINE, DISCARD = TableStep.DRAW, TableStep.OVER, TableStep.COMBINE, TableStep.DISCARD
MARRIED_RANKS = "KQ"


def begin_turn(table: Table, seat: int) -> None:
    """The next seat that has cards, or may draw some, begins its turn (A-35)."""
    left = table.stock.left
    for offset in range(table.seats):
        table.seat = (seat + offset) % table.seats
        held = table.hand_count(table.seat)
        if left or held:
            break
    else:
        table.step = OVER
        return
    missing = max(0, full_hand_size(table) - held)
    # A turn that begins without a stock is of the last phase; the one that empties it still is not.
    if missing and not left:
        table.phase = table.rules.phases[-1]
    table.melding.left = table.phase.melds
    table.tableau.discard_from, table.tableau.must_complete = None, False
    table.draws_due = (table.seat,) * min(missing, left)
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
    return table.step is OVER and not is_turn_unsure(table)


def combine(table: Table, event: Meld) -> None:
    """A combination is scored; the cards of marriages leave the game and end the turn."""
    if is_certainly_over(table):
        return
    seat, row = event.seat, find_combination(table, event)
    way = way_of_marriages(table, event) if event.meld == "marriages" else None
    cards = way.cards if way else tuple(event.cards)
    points = combination_points(table, row, cards) if row else 0
    if table.counts_nothing:
        row, points = None, 0
    _forget_zetemas(table)
    if way is None:
        _show_cards(table, event)
    else:
        _identify_on_tableau(table, way)
    table.melding.undo = _undo_of(table, event, way, points)
    # Out of turn: the turn goes on as if it had been this seat's.
    if seat != table.seat:
        table.seat, table.draws_due = seat, ()
        table.tableau.discard_from, table.tableau.must_complete = None, False
    if way is not None:
        _marry(table, seat, way)
    table.melding.left -= 1
    table.melding.seat = None
    is_open = row is not None and len(possible_points(table, event, row)) > 1
    table.state(f"meld {event.meld}", event.points, None if is_open else points)
    if is_open:
        table.leave_open(points=True)
    if row is not None:
        table.award(seat, "meld", points, row.name)
        _stop_if_won(table)
    if table.step is OVER:
        return
    if way is not None:
        begin_turn(table, seat + 1)
        return
    table.step = DISCARD
    # A combination that counts nothing binds nobody to discard one of its cards.
    if not table.counts_nothing:
        table.tableau.discard_from = tuple(event.cards)


def _show_cards(table: Table, event: Meld) -> None:
    """The cards of a combination that were not known to be in the hand are now."""
    for card in cards_missing(count_cards(event.cards), table.held[event.seat]):
        if not is_unknown(card) and can_reveal(table, event.seat, [card]):
            reveal_card(table, event.seat, card)


def _undo_of(table: Table, event: Meld, way: MarriageWay | None, points: int) -> TurnUndo:
    ranks = {card[0] for card in way.from_tableau} if way else set[str]()
    return TurnUndo(
        made_at=table.index,
        seat=event.seat,
        to_act=table.seat,
        draws_due=table.draws_due,
        from_hand=tuple(way.from_hand) if way else (),
        piles={rank: list(pile) for rank, pile in table.tableau.piles.items() if rank in ranks},
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


def _identify_on_tableau(table: Table, way: MarriageWay) -> None:
    """Cards that come from the tableau and were not known to lie there were among its unknown ones."""
    tableau = table.tableau
    for card, count in way.from_tableau.items():
        pile = tableau.piles.get(card[0], [])
        lifted = [card] * (count - pile.count(card))
        if unknown_on_tableau(table):
            pile += lifted
            tableau.lifted += lifted
            for each in lifted:
                _count_as_seen(table, each)


def _count_as_seen(table: Table, card: str) -> None:
    """Count a card as seen that some seat discarded unseen; if it may be one of several copies, none is counted."""
    doubtful = [at for at, count in table.hidden.doubtful.items() if at[1] == card and count]
    if not doubtful:
        table.unseen[card] = table.unseen.get(card, 0) - 1
    elif len(doubtful) == 1 and table.unseen.get(card, 0) <= 0:
        table.hidden.doubtful[doubtful[0]] -= 1


def _marry(table: Table, seat: int, way: MarriageWay) -> None:
    for card, count in count_cards(way.cards).items():
        for _ in range(way.from_tableau.get(card, 0)):
            _take_from_tableau(table, card)
        for _ in range(count - way.from_tableau.get(card, 0)):
            _leave_hand(table, seat, card)
    table.tableau.removed += way.cards


def _leave_hand(table: Table, seat: int, card: str) -> None:
    held = table.held[seat]
    if card not in held:
        reveal_card(table, seat, card)
    held[card] -= 1
    if not held[card]:
        del held[card]


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
    _leave_hand(table, seat, card)
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
    elif table.tableau.may_be_earned and _seems_to_go_on(table, seat):
        table.step, table.tableau.discard_from = DISCARD, None
    else:
        begin_turn(table, seat + 1)


def _seems_to_go_on(table: Table, seat: int) -> bool:
    """Whether a discard that may have completed a pile did, and obliged its seat to discard again: as the record goes on."""
    if not must_go_on(table, seat):
        return False
    # A player without cards is skipped, so whoever discarded has the next turn as well.
    if not (table.stock.left or table.hand_count(1 - seat)):
        return False
    after = table.index + 1
    for event in table.events[after : after + CLAIMS_REACH]:
        if isinstance(event, Draw | Meld | Discard):
            return isinstance(event, Discard) and event.seat == seat
    return False


def _forget_zetemas(table: Table) -> None:
    """A zetema is claimed directly after its discard or not at all, so a later claim finds nothing earned."""
    # After most discards there is none.
    if not (table.earned or table.claims.scores or table.tableau.may_be_earned):
        return
    for points in (table.earned, table.claims.scores):
        for earned in [each for each in points if each[1] == "zetema"]:
            del points[earned]
    table.tableau.may_be_earned = {}


def _lay_on_pile(table: Table, seat: int, card: str) -> bool:
    """Lay a card on the pile of its rank, and say whether that completes it; an unknown rank has no known pile."""
    rank, tableau = card[0], table.tableau
    pile = tableau.piles.get(rank)
    if pile is None:
        tableau.unranked.append(card)
        return _may_complete(table, seat, list(tableau.piles))
    pile.append(card)
    if table.knowledge.partial and not _is_surely_complete(table, rank):
        return _may_complete(table, seat, [rank])
    if len(pile) < table.rules.full_pile:
        return False
    _complete_pile(table, seat, rank)
    return True


def _is_surely_complete(table: Table, rank: str) -> bool:
    """Whether all cards of a rank lie on the tableau."""
    is_full = len(table.tableau.piles[rank]) >= table.rules.full_pile
    return is_full and _is_pile_known(table, rank)


def _is_pile_known(table: Table, rank: str) -> bool:
    """Whether the record tells how many cards lie on a pile, but for discards of unknown rank."""
    return rank not in MARRIED_RANKS or not (is_turn_unsure(table) or table.tableau.lifted)


def _complete_pile(table: Table, seat: int, rank: str) -> None:
    rule, pile = table.rules.sheet.tableau, table.tableau.piles[rank]
    assert rule is not None
    table.tableau.removed += pile
    pile.clear()
    table.award(seat, "zetema", rule.zetemas[rank], rank)
    table.earned[seat, "zetema"] = rule.zetemas[rank]
    _stop_if_won(table)


def _may_complete(table: Table, seat: int, ranks: list[str]) -> bool:
    """Note what the last discard may have completed, if discards of unknown rank lie there too; nothing for certain."""
    rule, tableau = table.rules.sheet.tableau, table.tableau
    if rule is not None:
        unranked, left = len(tableau.unranked), {card[0] for card in tableau.removed}
        points = frozenset(
            rule.zetemas[rank]
            for rank in ranks
            if len(tableau.piles[rank]) + unranked >= table.rules.full_pile and rank not in left
        )
        if points:
            tableau.may_be_earned = {seat: points}
            table.leave_open(bonus="zetema")
    return False


def must_go_on(table: Table, seat: int) -> bool:
    """Whether a zetema obliges this seat to discard again (A-36)."""
    rule = table.rules.sheet.tableau
    if rule is None or table.seats != 2 or not table.hand_count(seat):
        return False
    return rule.chain is v.Chain.WHOLE_HAND or table.stock.left == 0


def completing_cards(table: Table, seat: int) -> list[str]:
    """The cards of a seat that would complete a pile."""
    full, piles = table.rules.full_pile, table.tableau.piles
    return [
        card
        for card in table.held[seat]
        if len(piles.get(card[0], ())) == full - 1 and _is_pile_known(table, card[0])
    ]


def _stop_if_won(table: Table) -> None:
    """By the option that play stops at once, the deal is over as soon as a side has what it needs (A-40)."""
    if table.knowledge.points_open:
        return
    for seats, needed in table.points_to_win:
        if sum(table.points[seat] for seat in seats) >= needed:
            table.step = OVER
