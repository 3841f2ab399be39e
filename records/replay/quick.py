"""The plain run of play: cards played, tricks named and cards drawn, as long as nothing is unusual.

Most events of most records are plainly lawful, and this loop does them in one go, without a check, a
frame or a function call each. It stops before the first event that needs any of those: a meld, a
dix, a score, the last cards of the stock and of the deal, and everything that might be wrong. What it
does is what `checks` would have passed and `apply` would have done; the tests compare the two event by
event on whole games and on damaged ones.
"""

from collections.abc import Sequence
from typing import Any

from records.events import Draw, Play, Trick
from records.replay.holding import leave
from records.replay.readings import without_card
from records.replay.table import DRAW, LEAD, REPLY, Table
from records.replay.tricks import owed


def is_plain(table: Table) -> bool:
    """Whether this is a table on which the run may act."""
    return not (
        table.guessed or table.partial or table.blanche or table.tableau or table.book.captures
    ) and (table.order is None and table.step <= DRAW)


def run(table: Table, events: Sequence[Any], start: int) -> int:
    """Do plain events from `start` on, trick by trick; returns the first index that is left to do."""
    due = len(table.due)
    if table.step == REPLY or due == 1:
        return start
    held, marked, won, unseen = table.held, table.marked, table.won, table.unseen
    beaters, sevens, worth, brisques = table.beaters, table.sevens, table.worth, table.brisques
    seat, down, tricks, index = table.seat, table.down, table.tricks, start
    draws, owes, last = table.phase.draws, table.phase.owes, len(events) - 2
    while index < last:
        first, second = events[index], events[index + 1]
        if due:
            if type(first) is not Draw or type(second) is not Draw or down < 3:
                break
            one, two = first.card, second.card
            if first.seat != seat or second.seat == seat or unseen.get(one, 0) < 1:
                break
            if unseen.get(two, 0) < 1 + (one == two):
                break
            unseen[one] -= 1
            unseen[two] -= 1
            hand, other = held[seat], held[1 - seat]
            hand[one] = hand.get(one, 0) + 1
            other[two] = other.get(two, 0) + 1
            down, due, index = down - 2, 0, index + 2
            continue
        if type(first) is not Play or type(second) is not Play:
            break
        card, reply, hand, other = first.card, second.card, held[seat], held[1 - seat]
        if first.seat != seat or second.seat == seat or card not in hand or reply not in other:
            break
        if card in sevens or reply in sevens or (down < 3 if draws else len(other) == 1):
            break
        heads = reply[1] == card[1] and reply in beaters[card]
        if owes and not heads and reply not in owed(table, 1 - seat, card):
            break
        if first.source is not None and (first.source == "table" or card in marked[seat]):
            break
        if second.source is not None and (second.source == "table" or reply in marked[1 - seat]):
            break
        _leave(table, seat, card)
        _leave(table, 1 - seat, reply)
        table.taken = (seat, card, 1 - seat, reply)
        if reply in beaters[card]:
            seat = 1 - seat
        won[seat] += (card, reply)
        brisques[seat] += worth[card] + worth[reply]
        table.tricks_won[seat] += 1
        tricks, index, due = tricks + 1, index + 2, 2
        table.trick_claimed = False
        named = events[index]
        if type(named) is Trick and named.winner == seat:
            table.named.append((index, seat, seat))
            table.trick_claimed = True
            index += 1
        if not draws:
            due = 0
            table.closed_tricks[seat] += 1
    if index > start:
        _keep(table, seat, down, tricks, due)
    return index


def _keep(table: Table, seat: int, down: int, tricks: int, due: int) -> None:
    """Leave the table as the last event done leaves it: before the winner's draw, or his lead."""
    table.down = down
    if tricks != table.tricks:
        table.tricks, table.melds_left = tricks, table.phase.melds
        table.seat = table.winner = seat
    drawn = table.phase.draws and not due
    table.window = None if drawn else table.winner
    table.due = (seat, 1 - seat) if due else ()
    table.step = DRAW if due else LEAD


def _leave(table: Table, seat: int, card: str) -> None:
    """A copy leaves the hand, or the table."""
    hand = table.held[seat]
    count = hand[card]
    if card in table.marked[seat]:
        if count > 1:
            leave(table, seat, card, count)
        else:
            forget, trace = table.book.forgets, table.book.traces
            table.readings[seat] = without_card(
                table.readings[seat], card, forget=forget, trace=trace
            )
            table.marked[seat] -= {card}
    if count == 1:
        del hand[card]
    else:
        hand[card] = count - 1
