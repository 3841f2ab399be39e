"""Plain play in one loop: a fast second version of what the checks and effects do for legal plays and draws.

Most events of most records are plainly legal: a card led, a card played to it, the trick named, both
draw. This loop does them without a check, a frame or a function call each, which makes the validation of
a two-pack game 1.5 times as fast, compiled or not. It stops before the first event that needs more: a meld
that makes trumps, a seven that has been marked, a score, a rule broken, anything unknown.

It is the only rule of the game written twice on purpose. What it mirrors:

| fact | in `plain_play` | in the engine and the checks |
|---|---|---|
| whose turn it is, who draws first | `run_plain_events` | `check_plays` |
| a card leaves the hand | `run_plain_events` | `effects.play` |
| its mark leaves with it | `effects.leave_marked` | the same |
| the reply is legal | `following.is_lawful_reply` | the same |
| who takes the trick, its brisques, the trick log | `run_plain_events` | `effects._complete_trick` |
| a seven of trumps that is played scores | `_is_plain_seven`, `_score_played_seven` | `dix.play_seven` |
| the winner named is the winner | `run_plain_events` | `check_scores`, `effects.trick` |
| a meld passes and is applied | `melds.score_plain_meld` | `check_melds`, `melds.meld` |
| both draw, the last face-down card, the turn-up | `run_plain_events` | `effects.draw` |
| the end of the deal | `effects.finish_deal` | the same |

If you change one side, change the other. `tests/records/engine/test_plain_play.py` compares whole reports, tricks
and points with and without this loop, for games of every rule sheet and for games damaged at random;
`tests/playouts` compares it with an independent referee, on mutants too.
"""

from typing import Final

from records.engine.dix import score_seven, worth_of_fresh_seven
from records.engine.effects import award_last_stock_trick, draw, finish_deal, leave_marked
from records.engine.following import could_have_taken, is_lawful_reply
from records.engine.melds import score_plain_meld
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Dix, Draw, Meld, Play, Trick

# Bound once: to read a member of an enumeration costs more than to compare it.
LEAD: Final = TableStep.LEAD
DRAW: Final = TableStep.DRAW

LEAST_PLAIN_STOCK_CARDS: Final = 3
"""With fewer face-down cards the next draws are the last."""

PLAIN_STARTS = frozenset({Play, Draw})
"""The types of event with which a run begins."""


def may_run_plainly(table: Table) -> bool:
    """Whether this is a deal in which there may be plain runs."""
    rules = table.rules
    unusual = table.knowledge.partial or rules.has_tableau or rules.melds_captured
    return not unusual and table.seats == 2 and table.stock.order is None


def run_plain_events(table: Table, events: list[AnyEvent], start: int) -> int:  # noqa: C901 - one loop, for its speed
    """Apply plain events from `start` on, trick by trick; returns the index of the first event left.

    One long loop, since a call costs as much as ten of its lines. The table is written back only where the
    loop ends or calls the engine; until then its state is in local variables, named from the seat that is
    to act first: the winner of the last trick, and the other.
    """
    if table.knowledge.uncertain or table.blanche_chains:
        return start
    # Bound once: compiled code looks up a name of a module that is not compiled wherever it stands.
    a_play, a_trick, a_draw, a_meld, a_dix = Play, Trick, Draw, Meld, Dix
    step = table.step
    if step is not LEAD and (step is not DRAW or len(table.draws_due) != 2):
        return start
    # A trick needs two events, so the loop ends where fewer than two are left.
    index, last, draws_due, stock_left = start, len(events) - 2, step is DRAW, table.stock.left
    seat, other, draws = table.seat, 1 - table.seat, table.phase.draws
    unseen, beaters, brisques = table.unseen, table.beaters, table.brisques
    is_brisque, agree = table.rules.brisques, table.claims.winners_agreed.append
    claimed = table.trick.winner_claimed
    hand, other_hand, sevens = table.held[seat], table.held[other], table.sevens
    marked, other_marked = table.marked[seat], table.marked[other]
    won, other_won = table.won[seat], table.won[other]
    counted, log = len(won) + len(other_won), table.trick_log
    # The last trick that was completed here, written back with the cards won: who led, and both cards.
    leader, led, replied = seat, "", ""
    # Where any card may be replied and all are known, a brisque that could be taken is a brisque let go.
    all_free = log is not None and not table.phase.must_follow and not any(table.hidden.given)
    while index < last:
        first, second = events[index], events[index + 1]
        if draws_due:
            if type(first) is not a_draw or type(second) is not a_draw:
                if type(first) is not a_meld:
                    break
                if len(won) + len(other_won) > counted:
                    last_trick = leader, led, replied, claimed
                    counted = _update_table(table, seat, stock_left, counted, last_trick, due=True)
                table.index = index
                if not score_plain_meld(table, first):
                    break
                marked = table.marked[seat]
                index += 1
                continue
            card, other_card = first.card, second.card
            try:
                copies, other_copies = unseen[card], unseen[other_card]
            except KeyError:
                break
            if copies < 1 or first.seat != seat or second.seat == seat:
                break
            if stock_left < LEAST_PLAIN_STOCK_CARDS:
                # The last two cards: the engine draws them and begins the next phase.
                if stock_left != 1 or other_card != table.stock.turn_up:
                    break
                last_trick = leader, led, replied, claimed
                _update_table(table, seat, stock_left, counted, last_trick, due=True)
                table.index = index
                draw(table, first)
                table.index = index + 1
                draw(table, second)
                return run_plain_events(table, events, index + 2)
            if card == other_card:
                other_copies -= 1
            if other_copies < 1:
                break
            unseen[card] = copies - 1
            unseen[other_card] = other_copies - 1
            hand[card] = hand[card] + 1 if card in hand else 1
            other_hand[other_card] = other_hand[other_card] + 1 if other_card in other_hand else 1
            stock_left -= 2
            draws_due = False
            index += 2
            if index >= last:
                break
            first, second = events[index], events[index + 1]
        if type(first) is not a_play:
            break
        # A trick is two plays, or three events where the first card's dix is claimed between them.
        length = 2
        if type(second) is not a_play:
            if type(second) is not a_dix or first.card not in sevens or index + 1 >= last:
                break
            length, second = 3, events[index + 2]
            if type(second) is not a_play:
                break
        card, reply = first.card, second.card
        if first.seat != seat or second.seat == seat or card not in hand or reply not in other_hand:
            break
        if not draws and not is_lawful_reply(table, other, card, reply):
            break
        # Where a card is said to come from the table, or a like one lies there, the readings decide.
        if first.source is not None and (first.source == "table" or card in marked):
            break
        if second.source is not None and (second.source == "table" or reply in other_marked):
            break
        if card in sevens or reply in sevens:
            dix = _played_dix(events[index + 1]) if length == 3 else None
            answer = _played_dix(events[index + length])
            if (length == 3 and dix is None) or (answer is not None and index + length > last):
                break
            if not _is_plain_seven(table, first, dix) or not _is_plain_seven(table, second, answer):
                break
            _score_played_seven(table, first, dix, index)
            _score_played_seven(table, second, answer, index + length - 1)
            length += answer is not None
        if card in marked:
            leave_marked(table, first, hand[card])
            marked = table.marked[seat]
        if reply in other_marked:
            leave_marked(table, second, other_hand[reply])
            other_marked = table.marked[other]
        if hand[card] == 1:
            del hand[card]
        else:
            hand[card] -= 1
        if other_hand[reply] == 1:
            del other_hand[reply]
        else:
            other_hand[reply] -= 1
        leader, led, replied = seat, card, reply
        if reply in beaters[card]:
            seat, other = other, seat
            hand, other_hand = other_hand, hand
            marked, other_marked = other_marked, marked
            won, other_won = other_won, won
        won.append(card)
        won.append(reply)
        if card in is_brisque:
            brisques[seat] += 1
        if reply in is_brisque:
            brisques[seat] += 1
        if log is not None:
            gained = (card in is_brisque) + (reply in is_brisque)
            led_a_brisque = seat == leader and card in is_brisque
            may_be_let_go = led_a_brisque and not beaters[card].isdisjoint(other_hand)
            let_go = may_be_let_go and (all_free or could_have_taken(table, other, card, reply))
            reply_at = _reply_index(events, index + length)
            log += (reply_at, not draws, leader, seat, gained, let_go)
        index += length
        named = events[index]
        claimed = type(named) is a_trick and named.winner == seat
        if claimed:
            agree(index)
            index += 1
        if draws:
            draws_due = True
            if stock_left >= LEAST_PLAIN_STOCK_CARDS:
                continue
        else:
            table.closed_tricks[seat] += 1
            if hand:
                continue
        # The last trick of the stock, or of the deal: the engine awards what it earns.
        last_trick = leader, led, replied, claimed
        counted = _update_table(table, seat, stock_left, counted, last_trick, due=draws_due)
        table.index = _reply_index(events, index - claimed)
        if draws:
            award_last_stock_trick(table)
        else:
            finish_deal(table)
            return index
    if index > start:
        last_trick = leader, led, replied, claimed
        _update_table(table, seat, stock_left, counted, last_trick, due=draws_due)
    return index


def _reply_index(events: list[AnyEvent], end: int) -> int:
    """The event that completed a trick whose cards, and the dix for the last of them, end before this one."""
    return end - 1 if type(events[end - 1]) is Play else end - 2


def _played_dix(event: AnyEvent) -> Dix | None:
    """The event, if it claims a seven that was played."""
    return event if type(event) is Dix and event.action == "play" else None


def _is_plain_seven(table: Table, play: Play, dix: Dix | None) -> bool:
    """Whether a seven of trumps that is played has not scored yet, and the dix claimed for it is right."""
    card, seat = play.card, play.seat
    if card not in table.sevens:
        return dix is None
    if dix is None:
        return card not in table.marked[seat]
    points = worth_of_fresh_seven(table.rules.written.dix, table.phase)
    return (
        card not in table.marked[seat]
        and points > 0
        and dix.points in (None, points)
        and dix.card in (None, card)
        and dix.seat == seat
    )


def _score_played_seven(table: Table, play: Play, dix: Dix | None, at: int) -> None:
    """A seven of trumps scores as it is played `at` that event, with its dix; another card does not."""
    if play.card not in table.sevens:
        return
    points = worth_of_fresh_seven(table.rules.written.dix, table.phase)
    table.index = at
    score_seven(table, play.seat, play.card, points)
    if dix is not None:
        table.index, table.seven_played[play.seat] = at + 1, (play.card, 0)
        table.state("dix", dix.points, points)


def _update_table(
    table: Table,
    seat: int,
    stock_left: int,
    counted: int,
    last_trick: tuple[int, str, str, bool],
    *,
    due: bool,
) -> int:
    """Write back what the last event left; returns how many cards have been won, of which so many were counted before.

    Of the last trick, leader, card led, reply and whether its winner was claimed are given.
    """
    trick, melding, phase = table.trick, table.melding, table.phase
    table.stock.left = stock_left
    won = len(table.won[0]) + len(table.won[1])
    if won > counted:
        leader, led, reply, claimed = last_trick
        other = 1 - leader
        table.tricks += (won - counted) // 2
        melding.left = phase.melds
        table.seat = trick.winner = seat
        trick.completed, trick.winner_claimed = (leader, led, other, reply), claimed
        if table.seven_played:
            if led not in table.sevens:
                table.seven_played.pop(leader, None)
            if reply not in table.sevens:
                table.seven_played.pop(other, None)
    if due:
        melding.seat, table.draws_due, table.step = trick.winner, (seat, 1 - seat), DRAW
    else:
        # Who has drawn melds no more; after the close the winner of the trick still may.
        melding.seat, table.draws_due, table.step = None if phase.draws else trick.winner, (), LEAD
    return won
