"""The plain run of play: cards played, tricks named and cards drawn, as long as nothing is unusual.

Most events of most records are plainly lawful, and this loop does them in one go, without a check, a
frame or a function call each. It stops before the first event that needs any of those: a meld of scored
cards, a seven that has been marked, a score, the last cards of the stock, and everything that might be
wrong. What it does is what `checks` would have passed and `apply` would have done; the tests compare the
two event by event on whole games and on damaged ones.
"""

from collections.abc import Sequence
from typing import Any

from records.engine.copies.readings import without_card
from records.engine.dix import score_seven, worth_of_fresh_seven
from records.engine.event_effects import award_last_stock_trick, draw, finish_deal
from records.engine.following import could_have_taken, is_lawful_reply
from records.engine.hidden_cards import narrow_by_leaving
from records.engine.melds import score_plain_meld
from records.engine.table import Table, TableStep
from records.events import Dix, Draw, Meld, Play, Trick

# Bound once: to read a member of an enumeration costs more than to compare it.
LEAD, DRAW = TableStep.LEAD, TableStep.DRAW

LEAST_PLAIN_STOCK_CARDS = 3
"""With fewer face-down cards the next draws are the last."""


def may_run_plainly(table: Table) -> bool:
    """Whether this is a deal in which there may be plain runs."""
    return (
        not (table.knowledge.partial or table.rules.has_tableau or table.rules.melds_captured)
        and table.stock.order is None
    )


PLAIN_STARTS = frozenset({Play, Draw})
"""A run begins with one of these."""


def run_plain_events(table: Table, events: Sequence[Any], start: int) -> int:
    """Do plain events from `start` on, trick by trick; returns the first index that is left to do.

    One long loop, since a call costs as much as ten of its lines.
    """
    step = table.step
    if table.knowledge.uncertain or table.blanche_chains:
        return start
    if step is not LEAD and (step is not DRAW or len(table.draws_due) != 2):
        return start
    index, last, due, down = start, len(events) - 2, step is DRAW, table.stock.left
    seat, rival, draws = table.seat, 1 - table.seat, table.phase.draws
    unseen, beaters, brisques = table.unseen, table.beaters, table.brisques
    scoring, agree, claimed = (
        table.rules.brisques,
        table.claims.winners_agreed.append,
        table.trick.winner_claimed,
    )
    hand, other = table.held[seat], table.held[rival]
    mine, yours, sevens = table.marked[seat], table.marked[rival], table.sevens
    pile, heap = table.won[seat], table.won[rival]
    kept, taken, trail = len(pile) + len(heap), table.trick.completed, table.trick_log
    free = trail is not None and not table.phase.must_follow and not any(table.hidden.given)
    while index < last:
        first, second = events[index], events[index + 1]
        if due:
            if type(first) is not Draw or type(second) is not Draw:
                if type(first) is not Meld:
                    break
                won = len(pile) + len(heap)
                if won > kept:
                    _update_table(table, seat, down, won - kept, taken, due=due, claimed=claimed)
                    kept = won
                table.index = index
                if not score_plain_meld(table, first):
                    break
                mine = table.marked[seat]
                index += 1
                continue
            one, two = first.card, second.card
            left, right = unseen.get(one, 0), unseen.get(two, 0)
            if left < 1 or first.seat != seat or second.seat == seat:
                break
            if down < LEAST_PLAIN_STOCK_CARDS:
                if down != 1 or two != table.stock.turn_up:
                    break
                won = len(pile) + len(heap)
                _update_table(table, seat, down, won - kept, taken, due=due, claimed=claimed)
                for table.index in (index, index + 1):
                    draw(table, events[table.index])
                return run_plain_events(table, events, index + 2)
            if one == two:
                right -= 1
            if right < 1:
                break
            unseen[one] = left - 1
            unseen[two] = right - 1
            hand[one] = hand[one] + 1 if one in hand else 1
            other[two] = other[two] + 1 if two in other else 1
            down -= 2
            due = False
            index += 2
            if index >= last:
                break
            first, second = events[index], events[index + 1]
        if type(first) is not Play:
            break
        done = 2
        if type(second) is not Play:
            if type(second) is not Dix or first.card not in sevens or index + 1 >= last:
                break
            done, second = 3, events[index + 2]
            if type(second) is not Play:
                break
        card, reply = first.card, second.card
        if first.seat != seat or second.seat == seat or card not in hand or reply not in other:
            break
        if not draws and not is_lawful_reply(table, rival, card, reply):
            break
        if first.source is not None and (first.source == "table" or card in mine):
            break
        if second.source is not None and (second.source == "table" or reply in yours):
            break
        if card in sevens or reply in sevens:
            dix, answer = events[index + 1] if done == 3 else None, events[index + done]
            if type(answer) is not Dix or answer.action != "play":
                answer = None
            elif index + done > last:
                break
            if not _is_plain_seven(table, first, dix) or not _is_plain_seven(table, second, answer):
                break
            _score_played_seven(table, first, dix, index)
            _score_played_seven(table, second, answer, index + done - 1)
            done += answer is not None
        if card in mine:
            mine = _leave(table, seat, card)
        if reply in yours:
            yours = _leave(table, rival, reply)
        if hand[card] == 1:
            del hand[card]
        else:
            hand[card] -= 1
        if other[reply] == 1:
            del other[reply]
        else:
            other[reply] -= 1
        taken = (seat, card, rival, reply)
        if reply in beaters[card]:
            seat, rival = rival, seat
            hand, other, mine, yours, pile, heap = other, hand, yours, mine, heap, pile
        pile += (card, reply)
        worth = (card in scoring) + (reply in scoring)
        if worth:
            brisques[seat] += worth
        if trail is not None:
            leader = taken[0]
            may = seat == leader and card in scoring and not beaters[card].isdisjoint(other)
            missed = may and (free or could_have_taken(table, rival, card, reply))
            at = index + done - 1
            if done > 2 and type(events[at]) is not Play:
                at -= 1
            trail += (at, not draws, leader, seat, worth, missed)
        index += done
        named = events[index]
        claimed = type(named) is Trick and named.winner == seat
        if claimed:
            agree(index)
            index += 1
        if draws:
            due = True
            if down >= LEAST_PLAIN_STOCK_CARDS:
                continue
        else:
            table.closed_tricks[seat] += 1
            if hand:
                continue
        won = len(pile) + len(heap)
        _update_table(table, seat, down, won - kept, taken, due=due, claimed=claimed)
        kept, table.index = won, _reply_at(events, index - claimed)
        if draws:
            award_last_stock_trick(table)
        else:
            finish_deal(table)
            return index
    if index > start:
        won = len(pile) + len(heap)
        _update_table(table, seat, down, won - kept, taken, due=due, claimed=claimed)
    return index


def _reply_at(events: Sequence[Any], end: int) -> int:
    """The event that completed a trick whose cards, and the dix for the last of them, end before this one."""
    return end - 1 if type(events[end - 1]) is Play else end - 2


def _is_plain_seven(table: Table, play: Play, dix: Dix | None) -> bool:
    """Whether a seven of trumps that is played has not scored yet, and the dix claimed for it is right."""
    card, seat = play.card, play.seat
    if card not in table.sevens:
        return dix is None
    if dix is None:
        return card not in table.marked[seat]
    points = worth_of_fresh_seven(table)
    return (
        card not in table.marked[seat]
        and points > 0
        and dix.points in (None, points)
        and dix.card in (None, card)
        and dix.seat == seat
        and dix.action == "play"
    )


def _score_played_seven(table: Table, play: Play, dix: Dix | None, at: int) -> None:
    """A seven of trumps scores as it is played `at` that event, with its dix; another card does not."""
    if play.card not in table.sevens:
        return
    points = worth_of_fresh_seven(table)
    table.index = at
    score_seven(table, play.seat, play.card, points)
    if dix is not None:
        table.index, table.seven_played = at + 1, None
        table.state("dix", dix.points, points)


def _update_table(
    table: Table,
    seat: int,
    down: int,
    cards: int,
    taken: tuple[int, str, int, str] | None,
    *,
    due: bool,
    claimed: bool,
) -> None:
    """Leave the table as the last event done leaves it, `cards` having been won since it was last kept."""
    table.stock.left = down
    if cards:
        table.tricks += cards // 2
        table.melding.left = table.phase.melds
        table.seat = table.trick.winner = seat
        table.trick.completed, table.trick.winner_claimed = taken, claimed
    drawn = table.phase.draws and not due
    table.melding.seat = None if drawn else table.trick.winner
    table.draws_due = (seat, 1 - seat) if due else ()
    table.step = DRAW if due else LEAD


def _leave(table: Table, seat: int, card: str) -> frozenset[str]:
    """A copy leaves of which some are marked; returns the cards that are so now."""
    count, readings, rules = table.held[seat][card], table.readings[seat], table.rules
    if count > 1:
        narrow_by_leaving(table, seat, card, count)
    else:
        left = without_card(readings, card, forget=rules.forgotten_bits, trace=rules.traced_bits)
        table.readings[seat] = left
        table.marked[seat] -= {card}
    return table.marked[seat]
