"""The plain run of play: cards played, tricks named and cards drawn, as long as nothing is unusual.

Most events of most records are plainly lawful, and this loop does them in one go, without a check, a
frame or a function call each. It stops before the first event that needs any of those: a meld of scored cards, a
dix, a score, the last cards of the stock and of the deal, and everything that might be wrong. What it
does is what `checks` would have passed and `apply` would have done; the tests compare the two event by
event on whole games and on damaged ones.
"""

from collections.abc import Sequence
from typing import Any

from records.events import Draw, Meld, Play, Trick
from records.replay.apply import draw, last_from_stock
from records.replay.holding import leave
from records.replay.melding import meld_plainly
from records.replay.readings import without_card
from records.replay.table import DRAW, LEAD, Table
from records.replay.tricks import lawful


def may_run(table: Table) -> bool:
    """Whether this is a deal in which there may be plain runs."""
    return not (table.partial or table.tableau or table.book.captures) and table.order is None


def run(table: Table, events: Sequence[Any], start: int) -> int:
    """Do plain events from `start` on, trick by trick; returns the first index that is left to do."""
    due, step = len(table.due), table.step
    if step != LEAD and (step != DRAW or due != 2):
        return start
    held, marked, won, unseen = table.held, table.marked, table.won, table.unseen
    beaters, sevens, scoring, brisques = (
        table.beaters,
        table.sevens,
        table.book.brisques,
        table.brisques,
    )
    seat, down, index, name = table.seat, table.down, start, table.named.append
    draws, last = table.phase.draws, len(events) - 2
    rival, tricks, taken, claimed = 1 - seat, 0, table.taken, table.trick_claimed
    hand, other = held[seat], held[rival]
    while index < last:
        first = events[index]
        second = events[index + 1]
        if due:
            if type(first) is not Draw or type(second) is not Draw:
                if type(first) is not Meld:
                    break
                _keep(table, seat, down, tricks, due, taken, claimed=claimed)
                tricks, table.index = 0, index
                if not meld_plainly(table, first):
                    break
                index += 1
                continue
            one, two = first.card, second.card
            left = unseen.get(one, 0)
            if left < 1 or first.seat != seat or second.seat == seat:
                break
            if down < 3:
                if down != 1 or two != table.turn_up:
                    break
                _keep(table, seat, down, tricks, due, taken, claimed=claimed)
                draw(table, first)
                draw(table, second)
                return run(table, events, index + 2)
            unseen[one] = left - 1
            left = unseen.get(two, 0)
            if left < 1:
                unseen[one] += 1
                break
            unseen[two] = left - 1
            hand[one] = hand[one] + 1 if one in hand else 1
            other[two] = other[two] + 1 if two in other else 1
            down -= 2
            due = 0
            index += 2
            continue
        if type(first) is not Play or type(second) is not Play:
            break
        card, reply = first.card, second.card
        if first.seat != seat or second.seat == seat or card in sevens or reply in sevens:
            break
        count, replies = hand.get(card), other.get(reply)
        if not count or not replies:
            break
        if not draws and (len(other) == 1 or not lawful(table, rival, card, reply)):
            break
        if first.source is not None and (first.source == "table" or card in marked[seat]):
            break
        if second.source is not None and (second.source == "table" or reply in marked[rival]):
            break
        if card in marked[seat]:
            _leave(table, seat, card)
        if reply in marked[rival]:
            _leave(table, rival, reply)
        if count == 1:
            del hand[card]
        else:
            hand[card] = count - 1
        if replies == 1:
            del other[reply]
        else:
            other[reply] = replies - 1
        taken = (seat, card, rival, reply)
        if reply in beaters[card]:
            seat, rival, hand, other = rival, seat, other, hand
        won[seat] += (card, reply)
        if card in scoring:
            brisques[seat] += 1
        if reply in scoring:
            brisques[seat] += 1
        tricks += 1
        index += 2
        named = events[index]
        if type(named) is Trick and named.winner == seat:
            name((index, seat, seat))
            claimed = True
            index += 1
        else:
            claimed = False
        if draws:
            due = 2
            if down < 3:
                _keep(table, seat, down, tricks, due, taken, claimed=claimed)
                tricks = 0
                last_from_stock(table)
        else:
            table.closed_tricks[seat] += 1
    if index > start:
        _keep(table, seat, down, tricks, due, taken, claimed=claimed)
    return index


def _keep(
    table: Table,
    seat: int,
    down: int,
    tricks: int,
    due: int,
    taken: tuple[int, str, int, str] | None,
    *,
    claimed: bool,
) -> None:
    """Leave the table as the last event done leaves it: before the winner's draw, or his lead."""
    table.down = down
    if tricks:
        table.tricks += tricks
        table.melds_left = table.phase.melds
        table.seat = table.winner = seat
        table.taken, table.trick_claimed = taken, claimed
    drawn = table.phase.draws and not due
    table.window = None if drawn else table.winner
    table.due = (seat, 1 - seat) if due else ()
    table.step = DRAW if due else LEAD


def _leave(table: Table, seat: int, card: str) -> None:
    """A copy leaves of which some are marked."""
    count = table.held[seat][card]
    if count > 1:
        leave(table, seat, card, count)
    else:
        forget, trace = table.book.forgets, table.book.traces
        table.readings[seat] = without_card(table.readings[seat], card, forget=forget, trace=trace)
        table.marked[seat] -= {card}
