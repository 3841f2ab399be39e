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
    """Do plain events from `start` on; returns the index of the first that is left to do."""
    held, marked, won, unseen = table.held, table.marked, table.won, table.unseen
    beaters, sevens, phase, worth = table.beaters, table.sevens, table.phase, table.worth
    seat, step, led, leader, winner = (
        table.seat,
        table.step,
        table.led or "",
        table.leader,
        table.winner,
    )
    down, due, window, claimed = table.down, len(table.due), table.window, table.trick_claimed
    tricks, taken, draws, owes = table.tricks, table.taken, phase.draws, phase.owes
    for index in range(start, len(events)):
        event = events[index]
        kind = type(event)
        if kind is Play:
            card, hand = event.card, held[seat]
            if event.seat != seat or step > REPLY or card not in hand or card in sevens:
                break
            if event.source is not None and (event.source == "table" or card in marked[seat]):
                break
            if step == REPLY:
                takes = card[1] == led[1] and card in beaters[led]
                if owes and not takes and card not in owed(table, seat, led):
                    break
                if (down <= 1) if draws else (len(hand) == 1):
                    break
            count = hand[card]
            if card in marked[seat]:
                _leave(table, seat, card, count)
            if count == 1:
                del hand[card]
            else:
                hand[card] = count - 1
            if step == LEAD:
                led, leader, winner, window, step = card, seat, None, None, REPLY
                seat = 1 - seat
                continue
            winner = seat if card in beaters[led] else leader
            won[winner] += (led, card)
            table.brisques[winner] += worth[led] + worth[card]
            table.tricks_won[winner] += 1
            tricks, claimed, taken = tricks + 1, False, (leader, led, seat, card)
            seat = window = winner
            if draws:
                step, due = DRAW, 2
            else:
                step = LEAD
                table.closed_tricks[winner] += 1
        elif kind is Draw:
            card = event.card
            if event.seat != seat or step != DRAW or down <= 2 or unseen.get(card, 0) < 1:
                break
            unseen[card] -= 1
            hand = held[seat]
            hand[card] = hand.get(card, 0) + 1
            down, due, window, seat = down - 1, due - 1, None, 1 - seat
            if not due and winner is not None:
                step, seat = LEAD, winner
        elif kind is Trick:
            if claimed or winner is None or event.winner != winner:
                break
            table.named.append((index, winner, winner))
            claimed = True
        else:
            break
    else:
        index = len(events)
    if tricks != table.tricks:
        table.melds_left = phase.melds
    table.taken, table.window = taken, window
    table.down, table.tricks, table.trick_claimed = down, tricks, claimed
    table.seat, table.step, table.leader, table.winner = seat, step, leader, winner
    table.led = led if step == REPLY else None
    table.due = ((), (seat,), (seat, 1 - seat))[due]
    return index


def _leave(table: Table, seat: int, card: str, count: int) -> None:
    """A copy leaves of which some are marked."""
    if count > 1:
        leave(table, seat, card, count)
        return
    forget, trace = table.book.forgets, table.book.traces
    table.readings[seat] = without_card(table.readings[seat], card, forget=forget, trace=trace)
    table.marked[seat] -= {card}
