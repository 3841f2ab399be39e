"""What each event changes at the table. Nothing here judges: an event is applied, whatever a check has found.

That is why effects must cope with illegal events, too: a card that was not held, a lead before the draws, a
meld of the wrong cards. They then change only what the event leaves no doubt about.
"""

from collections.abc import Callable

from records.cards import is_unknown
from records.engine.copies import SPENT_BIT
from records.engine.deal_state import DealKnowledge, MeldUndo, TurnUndo
from records.engine.dix import dix, doubt_sevens, may_score_as_seven, play_seven
from records.engine.following import could_have_taken, is_taken_by_reply, winner_of_round
from records.engine.hidden_cards import (
    count_sevens_as_unseen,
    doubt_place,
    draws_left_out_before,
    is_draw_written,
    is_exchanged_unseen,
    may_lie_beside,
    narrow_by_leaving,
    narrow_meld_readings,
    narrow_readings,
    reveal_card,
    reveal_if_marked,
)
from records.engine.melds import declare, meld, withdraw_meld
from records.engine.readings import after_capture, after_marking, after_taking_up, without_card
from records.engine.table import DRAW, LEAD, OVER, REPLY, PlayedTrick, Table
from records.engine.zetema import combine, discard, finish_drawing_up, withdraw_combination
from records.events import (
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Event,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
    nothing_done,
)
from records.record import Setup
from records.rules import vocabulary as v
from records.rules.vocabulary import CarteBlancheRule

# Before cards are played: carte blanche and its chain, and the cut and guess of Six-Pack Bezique.

CHAIN_OPEN, CHAIN_DRAWN, CHAIN_SHOWN, CHAIN_OVER = "open", "drawn", "shown", "over"
"""By law C14 a hand without court cards may be shown, and after it every card drawn, until the first court card: a
chain. Its next card can be shown now, has just been shown, or the chain is over for this deal. `drawn` is a chain of a
position that can be shown now, but no more before the player's own first card: a trick was taken before."""


def begin_blanche_chains(table: Table) -> None:
    """Open the chain of every seat whose hand, as dealt, may be shown as carte blanche."""
    rule = table.rules.written.carte_blanche
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
    rule = table.rules.written.carte_blanche
    if rule is None:
        return
    later = rule.is_before_first_lead or _has_won_cards(setup)
    for seat, state in enumerate(table.blanche_chains):
        if state == CHAIN_OPEN:
            played = setup.won or (setup.trick and (later or seat != setup.seat))
            table.blanche_chains[seat] = (
                CHAIN_SHOWN if played else CHAIN_DRAWN if later else CHAIN_OPEN
            )


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
    rule = table.rules.written.carte_blanche
    first = rule is not None and not rule.is_before_first_lead and table.tricks == 0
    for other, state in enumerate(table.blanche_chains):
        if state == CHAIN_DRAWN or (state == CHAIN_OPEN and not (first and other != seat)):
            # At every level a deal that writes a showing writes them all, so nothing was shown unwritten.
            table.blanche_chains[other] = CHAIN_OVER
    _drop_closed_chains(table)


def draw_in_blanche_chain(table: Table, seat: int, card: str) -> None:
    """Continue a chain after a draw, unless the card drawn is a court card."""
    rule = table.rules.written.carte_blanche
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
    return bool(table.blanche_chains) and table.blanche_chains[seat] in (CHAIN_OPEN, CHAIN_DRAWN)


def carte_blanche(table: Table, event: CarteBlanche) -> None:
    """Show a hand, or a card drawn to it, as carte blanche."""
    rule = table.rules.written.carte_blanche
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
    rule = table.rules.written.cut
    if rule is None or table.counts_nothing:
        return
    if event.packet == rule.packet:
        _earn(table, event.seat, "cut", rule.dealer_points)
    if event.guess == event.packet:
        _earn(table, 1 - event.seat, "guess", rule.guess_points)


def _earn(table: Table, seat: int, name: str, points: int) -> None:
    table.award(seat, name, points)
    table.earned[seat, name] = points


def acts_at(table: Table) -> dict[type[Event], Callable[..., None]]:
    """What each type of event changes in the game at this table."""
    return TABLEAU_ACTS if table.rules.has_tableau else TRICK_GAME_ACTS


def play(table: Table, event: Play) -> None:
    """Move a card from its seat to the trick."""
    seat, card = event.seat, event.card
    held = table.held[seat]
    count = held.get(card)
    if count is None:
        # After the end there is no hand left that the card could have come from.
        if table.step is OVER:
            return
        count = reveal_card(table, seat, card, where=event.source)
    elif table.hidden.given[seat] and _is_another_copy(table, event):
        # None of the known copies lies there: it was one of the unknown cards.
        count = reveal_if_marked(table, seat, card, where=event.source)
    if table.seven_played:
        table.seven_played.pop(seat, None)
    if card in table.sevens or card in table.marked[seat] or table.tracking.incomplete:
        count = _leave(table, event, count)
    if count == 1:
        del held[card]
    else:
        held[card] = count - 1
    if table.blanche_chains:
        end_blanche_chains(table, seat)
    if table.knowledge.uncertain and may_score_as_seven(table, card):
        table.leave_open(points=True)
    if table.step is REPLY:
        _reply(table, seat, card)
    else:
        # A lead before the draws, legal or not: the table goes on as if cards had been drawn unseen.
        if table.draws_due:
            forgo_draws(table)
        table.trick.leader = seat
        table.trick.led = card
        table.trick.winner = table.melding.seat = None
        table.trick.replies = ()
        table.seat = seat + 1 if seat + 1 < table.seats else 0
        table.step = REPLY


def _reply(table: Table, seat: int, card: str) -> None:
    """Lay a card on the lead: it completes the trick, or the next seat that has not played is to act."""
    trick = table.trick
    if len(trick.replies) + 2 == table.seats:
        _complete_trick(table, seat, card)
        return
    trick.replies = (*trick.replies, (seat, card))
    played = [each for each, _ in table.current_trick()]
    table.seat = next(each for each in table.seats_from(trick.leader) if each not in played)


def _leave(table: Table, event: Play, count: int) -> int:
    """A card leaves whose copies are told apart, or were as long as all readings were followed; how many were held."""
    if event.source is not None and table.tracking.incomplete:
        doubt_place(table, event, count)
    if event.card in table.sevens:
        return play_seven(table, event, count)
    return leave_marked(table, event, count) if event.card in table.marked[event.seat] else count


def leave_marked(table: Table, event: Play, count: int) -> int:
    """A card leaves of which some copy is marked; returns how many copies were held."""
    seat, card = event.seat, event.card
    if count == 1:
        forget, trace = table.rules.forgotten_bits, table.rules.traced_bits
        left = without_card(table.readings[seat], card, forget=forget, trace=trace)
        table.readings[seat] = left
        table.marked[seat] -= {card}
    else:
        narrow_by_leaving(table, seat, card, count, where=event.source)
    return count


def _is_another_copy(table: Table, event: Play) -> bool:
    """Whether a card was said to come from where none of the known copies may lie, but an unknown one may."""
    seat, card = event.seat, event.card
    if event.source == "table":
        return may_lie_beside(table, seat, card)
    return event.source == "hand" and card in table.marked[seat]


def _complete_trick(table: Table, seat: int, card: str) -> None:
    """The last reply completes the trick: its winner may meld, then all draw or the winner leads."""
    trick = table.trick
    led, leader, between = trick.led or "??", trick.leader, trick.replies
    if between:
        winner = winner_of_round(table, (*table.current_trick(), (seat, card)))
    elif not table.knowledge.uncertain:
        winner = seat if card in table.beaters[led] else leader
        trick.winner_open = False
    else:
        winner = seat if is_taken_by_reply(table, leader, led, card) else leader
    trick.winner = table.melding.seat = table.seat = winner
    trick.completed, trick.between, trick.replies = (leader, led, seat, card), between, ()
    trick.winner_claimed = False
    trick.led = None
    table.tricks += 1
    table.won[winner] += (led, card)
    worth = table.rules.is_brisque
    table.brisques[winner] += worth[led] + worth[card]
    for _, reply in between:
        table.won[winner].append(reply)
        table.brisques[winner] += worth[reply]
    if table.trick_log is not None:
        table.trick_log += _played_trick(table, leader, led, seat, card)
    table.melding.left = table.phase.melds
    if table.knowledge.plays_only:
        for each in range(table.seats):
            doubt_sevens(table, each)
    if table.rules.melds_captured:
        _capture(table, winner, led, card)
    if table.phase.draws:
        table.step = DRAW
        table.draws_due = (winner, 1 - winner) if not between else table.seats_from(winner)
        # With more cards face down this cannot be the last trick of the stock.
        if table.stock.left <= table.seats:
            award_last_stock_trick(table)
    else:
        table.step = LEAD
        table.closed_tricks[winner] += 1
        if not table.held[seat] and not any(table.held):
            finish_deal(table)


def _played_trick(table: Table, leader: int, led: str, seat: int, card: str) -> PlayedTrick:
    """The trick just completed, for the log."""
    winner, worth = table.seat, table.rules.is_brisque
    between = table.trick.between
    led_and_kept = winner == leader and worth[led] > 0
    let_go = could_have_taken(table, seat, led, card) if led_and_kept and not between else False
    if led_and_kept and between:
        let_go = None  # told of two players only
    brisques = worth[led] + worth[card] + sum([worth[reply] for _, reply in between])
    return (table.index, not table.phase.draws, leader, winner, brisques, let_go)


def _capture(table: Table, winner: int, led: str, card: str) -> None:
    """The trick's two cards lie face up before its winner, new."""
    pile = table.captured[winner]
    for taken in (led, card):
        pile[taken] = pile.get(taken, 0) + 1
    narrow_meld_readings(table, winner, after_capture(table.melding.readings[winner], (led, card)))


def award_last_stock_trick(table: Table) -> None:
    """Award the bonus for the last trick of the stock, if this is it: the draws after it empty the stock."""
    if table.stock.with_turn_up <= table.seats:
        _bonuses(table, v.When.LAST_STOCK_TRICK)


def _bonuses(table: Table, when: v.When) -> None:
    winner = table.trick.winner or 0
    for bonus in table.rules.written.bonuses:
        if bonus.tricks is when:
            seat = bonus.goes_to(winner)
            if table.trick.winner_open:
                table.leave_open(bonus=bonus.name)
            _earn(table, seat, bonus.name, bonus.points)


def finish_deal(table: Table) -> None:
    """The last trick is taken: its bonuses, then the brisques."""
    # The known cards are played, but a seat still holds unknown ones: the deal goes on.
    if any(table.hidden.given) and any(map(table.unknown_held, range(table.seats))):
        return
    _bonuses(table, v.When.LAST_TRICK)
    if takes_all_closed_tricks(table) and (table.whole_close or _claims_all_closed_tricks(table)):
        _bonuses(table, v.When.ALL_CLOSED_TRICKS)
    table.step = OVER
    if worth := table.rules.brisque_rule.points_at_the_end:
        for seat, taken in enumerate(table.brisques):
            if points := worth * taken:
                _earn(table, seat, "brisques", points)
    table.count_brisques_to_settle()


def takes_all_closed_tricks(table: Table) -> bool:
    """Whether one seat took every trick after the close that the record shows: its number is the sum of both."""
    return sum(table.closed_tricks) in table.closed_tricks


def _claims_all_closed_tricks(table: Table) -> bool:
    """Whether the record of a position after the close claims the bonus for all its tricks: then none came before."""
    names = {b.name for b in table.rules.written.bonuses if b.tricks is v.When.ALL_CLOSED_TRICKS}
    later = table.events[table.index + 1 :]
    return any([isinstance(event, Score) and event.what in names for event in later])


def draw(table: Table, event: Draw) -> None:
    """A card comes from the stock, or the turn-up when the stock is gone."""
    seat, card = event.seat, event.card
    if table.knowledge.partial and (left_out := draws_left_out_before(table, event)):
        _make_draws_left_out(table, seat, left_out)
    down = table.stock.left
    if down:
        table.stock.left = down - 1
        unseen = table.unseen
        if card in unseen:
            unseen[card] -= 1
            held = table.held[seat]
            held[card] = held.get(card, 0) + 1
        else:
            _draw_unlisted(table, seat, card)
    elif table.stock.turn_up is not None:
        _take_turn_up(table, seat, card)
    elif table.step is OVER:
        return
    else:
        _draw_unlisted(table, seat, card)
    if table.blanche_chains:
        draw_in_blanche_chain(table, seat, card)
    if table.knowledge.plays_only:
        doubt_sevens(table, seat)
    table.melding.seat = None
    # The seats draw in order; if one draws before its turn, those before it are still due.
    due = table.draws_due
    if due and due[0] == seat:
        table.draws_due = due = due[1:]
    elif seat in due:
        table.draws_due = due = tuple([other for other in due if other != seat])
    if due:
        table.seat = due[0]
    elif table.step is DRAW:
        _drawn_all(table)


def _make_draws_left_out(table: Table, seat: int, count: int) -> None:
    """Make the draws that come before one of this seat: those of its turn from the stock, or else the other seat's."""
    if table.rules.has_tableau:
        for _ in range(count):
            draw(table, Draw(seat=seat, card=table.stock.next_card() or "??"))
        return
    passed = tuple([other for other in table.draws_due if other != seat][:count])
    for other in passed:
        _draw_unseen(table, other)
    table.draws_due = tuple([other for other in table.draws_due if other not in passed])


def _draw_unlisted(table: Table, seat: int, card: str) -> None:
    """Add a card to a hand that is unknown, or a card that the pack should not have."""
    if is_unknown(card):
        table.hidden.given[seat].append(card)
        table.leave_open()
    else:
        held = table.held[seat]
        held[card] = held.get(card, 0) + 1


def _take_turn_up(table: Table, seat: int, card: str) -> None:
    """Move the turn-up to a hand. Everybody knows this card, so it is used even where the record has `??`."""
    turn_up, table.stock.turn_up = table.stock.turn_up or "??", None
    taken = turn_up if is_unknown(card) and (card == "??" or not is_unknown(turn_up)) else card
    if is_unknown(taken):
        if is_exchanged_unseen(table, turn_up):
            count_sevens_as_unseen(table)
        _draw_unlisted(table, seat, taken)
        return
    if is_unknown(turn_up):
        # Until now nobody could count this card as seen, nor trumps as known.
        if not is_exchanged_unseen(table, turn_up):
            table.unseen[taken] = table.unseen.get(taken, 0) - 1
        if table.trump is None and isinstance(table.rules.written.trumps, v.TurnUp):
            table.set_trump(taken[1])
    held = table.held[seat]
    held[taken] = held.get(taken, 0) + 1
    if taken in table.sevens and table.stock.turn_up_spent:
        marked = after_marking(table.readings[seat], taken, held[taken], SPENT_BIT, lacks=SPENT_BIT)
        narrow_readings(table, seat, marked)


def _drawn_all(table: Table) -> None:
    """Everybody has drawn: the winner leads, in the next phase if nothing is left to draw."""
    if table.rules.has_tableau:
        finish_drawing_up(table)
        return
    table.step = LEAD
    if table.trick.winner is not None:
        table.seat = table.trick.winner
    if table.stock.left == 0 and table.stock.turn_up is None:
        enter_phase(table, table.phase_no + 1)


def forgo_draws(table: Table) -> None:
    """Make the draws that are due and not written, with unseen cards."""
    for seat in table.draws_due:
        _draw_unseen(table, seat)
    table.draws_due = ()
    _drawn_all(table)


def forgo_draws_not_written(table: Table) -> None:
    """Make the draws that are due, with unseen cards, up to the first that the record writes further on."""
    while table.draws_due and not is_draw_written(table, table.draws_due[0]):
        _draw_unseen(table, table.draws_due[0])
        table.draws_due = table.draws_due[1:]
        if not table.draws_due:
            _drawn_all(table)
            return
    if table.draws_due:
        table.seat = table.draws_due[0]


def _draw_unseen(table: Table, seat: int) -> None:
    """A seat draws, and the record does not show the card."""
    card = "??"
    if table.stock.left:
        table.stock.left -= 1
        _draw_unlisted(table, seat, card)
    elif table.stock.turn_up is not None:
        card = table.stock.turn_up
        _take_turn_up(table, seat, card)
    if table.blanche_chains:
        draw_in_blanche_chain(table, seat, card)


def enter_phase(table: Table, phase_no: int) -> None:
    """Begin a phase; laid cards go back to the hand (C7)."""
    table.phase_no = phase_no
    table.phase = table.rules.phases[phase_no]
    table.hidden.laid.clear()
    for seat, marked in enumerate(table.marked):
        if marked:
            table.set_readings(
                seat, after_taking_up(table.readings[seat], scoring=table.phase.melds > 0)
            )
        if not table.rules.melds_captured:
            table.melding.laid[seat].clear()


def trick(table: Table, event: Trick) -> None:
    """Note that the winner was claimed; the computed winner is the one that counts."""
    table.trick.winner_claimed = True
    if table.trick.winner_open:
        table.claims.winners_disputed.append((table.index, event.winner, None))
    elif event.winner == table.trick.winner:
        table.claims.winners_agreed.append(table.index)
    else:
        table.claims.winners_disputed.append((table.index, event.winner, table.trick.winner))


def score(table: Table, event: Score) -> None:
    """Remember a claim of points, so that a second claim for the same can be found."""
    points = claimed_points(table, event)
    if event.what != "brisques":
        earned = table.earned.get((event.seat, event.what))
        is_open = table.knowledge.uncertain and _is_bonus_open(table, event)
        table.state(event.what, event.points, None if is_open else earned or 0)
        # Points that nobody has earned yet can still be earned, and claimed, later.
        if earned is None and not is_open:
            return
    elif points is None:
        return
    else:
        table.claims.brisques[event.seat] += points
    table.claims.scores[event.seat, event.what] = points


def _is_bonus_open(table: Table, event: Score) -> bool:
    """Whether the record leaves open who earned a bonus."""
    if event.what == "zetema":
        return event.seat in table.tableau.may_be_earned
    return event.what in table.knowledge.bonuses_open


def claimed_points(table: Table, event: Score) -> int | None:
    """The points a score event claims, or its number of brisques in points if it gives only that."""
    if event.points is None and event.count is not None and event.what == "brisques":
        return event.count * table.rules.brisque_rule.points
    return event.points


def irregular(table: Table, event: Irregular) -> None:
    """Apply a ruling: points given or taken, a meld withdrawn (ruling A-45), a deal annulled."""
    if event.what == "withdrawn_meld":
        match meld_to_withdraw(table, event.seat):
            case MeldUndo() as undo:
                withdraw_meld(table, undo)
            case TurnUndo() as undo:
                withdraw_combination(table, undo)
            case None:
                pass
    elif event.what == "misdeal":
        annul_deal(table)
    if event.points:
        table.award(event.seat, "ruling", event.points)
        # They may make the sides level, or part them, or take one over the rubicon (C15).
        if table.step is OVER and not table.misdealt:
            table.count_brisques_to_settle()


def annul_deal(table: Table) -> None:
    """A misdeal: what was scored in the deal counts for nothing, and what is unknown of its cards matters to nobody.

    Where something was done before, its cards still say whether that was legal.
    """
    table.misdealt = True
    for seat, points in enumerate(table.points):
        if points:
            table.award(seat, "ruling", -points)
    table.earned.clear()
    table.claims.scores.clear()
    if nothing_done(table.events[: table.index]):
        table.knowledge = DealKnowledge()


def meld_to_withdraw(table: Table, seat: int) -> MeldUndo | TurnUndo | None:
    """The last meld of a seat, if nobody has played, drawn or discarded since (A-45)."""
    undo = table.melding.undo
    if undo is None or undo.seat != seat:
        return None
    if isinstance(undo, TurnUndo):
        since = table.events[undo.made_at + 1 : table.index]
        return None if any(isinstance(event, Draw | Meld | Discard) for event in since) else undo
    stock = table.stock.with_turn_up
    now = table.tricks, table.trick.led, stock
    return undo if (undo.tricks, undo.led, undo.stock) == now else None


TRICK_GAME_ACTS: dict[type[Event], Callable[..., None]] = {
    Play: play,
    Trick: trick,
    Draw: draw,
    Meld: meld,
    Declare: declare,
    Dix: dix,
    Score: score,
    Irregular: irregular,
    CarteBlanche: carte_blanche,
    Cut: cut,
}


def _having_drawn(act: Callable[..., None]) -> Callable[..., None]:
    """An effect of Zetema that first makes the draws that its seat has not written."""

    def acted(table: Table, event: Meld | Discard) -> None:
        if event.seat in table.draws_due:
            forgo_draws(table)
        act(table, event)

    return acted


TABLEAU_ACTS: dict[type[Event], Callable[..., None]] = {
    Draw: draw,
    Meld: _having_drawn(combine),
    Discard: _having_drawn(discard),
    Score: score,
    Irregular: irregular,
}
"""The events of a game without tricks; the others change nothing there."""


def _nothing(table: Table, event: Event) -> None:
    """An event that the game does not have: points claimed for it are none."""
    if isinstance(event, Dix | CarteBlanche):
        name = "dix" if isinstance(event, Dix) else "carte_blanche"
        table.state(name, event.points, 0)


for kind in (Play, Trick, Declare, Dix, CarteBlanche, Cut):
    TABLEAU_ACTS[kind] = _nothing
TRICK_GAME_ACTS[Discard] = _nothing
