"""What a seat holds where the record hides cards: readings narrowed, cards revealed from among unknown ones.

A hidden card is a token in `table.hidden.given`: `??`, `?S` or `Q?`. A card that the seat shows and is not
known to hold must be one of its tokens. Which one is not decided: the card is listed as revealed, and
whether all cards revealed can be among the tokens is a matching.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from records.cards import FACE_OF, covers, is_unknown, may_be_same
from records.engine.copies import SPENT_BIT, Readings
from records.engine.copy_history import are_all_readings, search_given_up
from records.engine.readings import (
    after_leaving,
    after_likely_leaving,
    after_marking,
    followed,
    without_card,
)
from records.engine.table import Table
from records.events import Draw, Play
from records.record import CLAIMS_REACH
from records.rules.vocabulary import TurnUp

MOST_CARDS_MATCHED = 40
"""Of more cards of known suits and known ranks together, suits and ranks are only counted: matching costs too much."""
PACK = -1
"""Stands for the pack where others are seats."""
_CardAt = tuple[int, str]
"""A card, known or not, and the seat that has or had it, or the pack."""


def narrow_by_leaving(
    table: Table, seat: int, card: str, count: int, *, where: str | None = None
) -> None:
    """Keep the readings in which a copy may leave from there; if there is none, those in which it leaves at all.

    Where only likely copies are followed, the readings in which others leave are left out.
    """
    readings, forget, trace = (
        table.readings[seat],
        table.rules.forgotten_bits,
        table.rules.traced_bits,
    )
    if table.tracking.likely_only:
        left = after_likely_leaving(readings, card, count, where=where, forget=forget, trace=trace)
    else:
        left = after_leaving(readings, card, count, where=where, forget=forget, trace=trace)
    if not left:
        # None left of a sample, or after a search given up, proves nothing against the record.
        table.tracking.incomplete = table.tracking.incomplete or search_given_up(left)
        table.tracking.exhausted = table.tracking.exhausted or table.tracking.incomplete
        left = after_leaving(readings, card, count, forget=forget, trace=trace)
    narrow_readings(table, seat, left)


def doubt_place(table: Table, event: Play, count: int) -> None:
    """Where some readings were left out, none that is left says that the card came from there: that proves nothing."""
    if not after_leaving(table.readings[event.seat], event.card, count, where=event.source):
        table.tracking.exhausted = True


def narrow_readings(table: Table, seat: int, readings: Readings) -> None:
    """Keep these readings, at most as many as can be followed; the old ones if there is none."""
    if readings:
        table.set_readings(seat, followed(readings, table.tracking))


def narrow_meld_readings(table: Table, seat: int, readings: Readings) -> None:
    """The same for the cards a seat melds from."""
    if readings:
        table.set_meld_readings(seat, followed(readings, table.tracking))


def full_hand_size(table: Table) -> int:
    """How many cards a turn of Zetema draws up to; 0 in other games."""
    return table.rules.full_hands.get(table.seats, 0)


def reveal_card(table: Table, seat: int, card: str, *, where: str | None = None) -> int:
    """A card is shown from among a seat's unknown ones; returns how many copies it is now known to hold."""
    held = table.held[seat]
    if is_unknown(card):
        doubt_cards(table, seat, card, where=where)
    else:
        _count_as_seen(table, seat, card)
    table.hidden.revealed[seat].append(card)
    table.leave_open()
    held[card] = held.get(card, 0) + 1
    if (seat, card) in table.hidden.spent and is_only_copy(table, card):
        narrow_readings(table, seat, after_marking(table.readings[seat], card, 1, SPENT_BIT))
    return held[card]


def _count_as_seen(table: Table, seat: int, card: str) -> None:
    """Count a card as seen, unless it may be one that was known before and might have left unseen."""
    doubtful = table.hidden.doubtful
    if doubtful and doubtful.get((seat, card)):
        doubtful[seat, card] -= 1
    elif card in table.unseen:
        table.unseen[card] -= 1


def doubt_cards(table: Table, seat: int, token: str, *, where: str | None = None) -> None:
    """An unknown card leaves a seat: it may be any known one like it, so none of those is surely held any more.

    `where` it lay, if the record says so, rules out the others.
    """
    held = table.held[seat]
    for card in [card for card in held if covers(token, FACE_OF[card])]:
        if where is not None and not may_leave_from(table, seat, card, where):
            continue
        copies = held.pop(card)
        table.hidden.given[seat] += [card] * copies
        at = seat, card
        table.hidden.doubtful[at] = table.hidden.doubtful.get(at, 0) + copies
        if card in table.sevens and may_have_scored(table, seat, card):
            table.hidden.spent.add(at)
        _forget_marks(table, seat, card)
    table.leave_open()


def may_have_scored(table: Table, seat: int, seven: str) -> bool:
    """Whether a seven that a seat holds has scored as a dix, in some reading."""
    marked = [mark for reading in table.readings[seat] for card, mark in reading if card == seven]
    return any([mark & SPENT_BIT for mark in marked])


def is_only_copy(table: Table, card: str) -> bool:
    """Whether no other card looks like it: the pack has one copy, or it is labelled."""
    return len(card) > len(FACE_OF[card]) or table.rules.copies[card] == 1


def may_leave_from(table: Table, seat: int, card: str, where: str) -> bool:
    """Whether a copy that a seat surely holds may lie there: in its hand, or on the table."""
    if where == "table" and may_lie_unseen(table, seat, card):
        return True
    if where == "hand" and can_reveal(table, seat, [card]):
        return True
    left = after_leaving(table.readings[seat], card, table.held[seat][card], where=where)
    return bool(left) or table.tracking.incomplete or search_given_up(left)


def may_lie_unseen(table: Table, seat: int, card: str) -> bool:
    """Whether a copy of a card may lie before a seat without the record having laid it by its name."""
    return table.knowledge.uncertain and (
        _may_have_been_laid(table, seat, card) or may_lie_beside(table, seat, card)
    )


def _may_have_been_laid(table: Table, seat: int, card: str) -> bool:
    """Whether a known copy may lie there: by a meld that is not written, or is written with unknown cards."""
    if table.rules.melds_captured:
        return False
    if table.knowledge.plays_only:
        return table.phase.melds > 0
    face = FACE_OF[card]
    return any([owner == seat and may_be_same(laid, face) for owner, laid in table.hidden.laid])


def may_lie_beside(table: Table, seat: int, card: str) -> bool:
    """Whether a copy lies there that is none of those known, and none of those may lie there.

    It has become doubtful since it was laid, or an unknown copy was laid where a known one was thought to be.
    """
    if _may_have_been_laid(table, seat, card) or not (table.phase.draws or table.phase.melds):
        return False
    if table.hidden.doubtful.get((seat, card)):
        return True
    melded = any([laid == card for _, _, laid in table.melding.laid[seat]])
    return melded and can_reveal(table, seat, [card])


def _forget_marks(table: Table, seat: int, card: str) -> None:
    """No longer tell the copies of a card apart, since nobody knows which of them are still held."""
    # A history cannot say that a card became unknown, so only the readings listed go on.
    table.tracking.incomplete = table.tracking.incomplete or not are_all_readings(
        table.readings[seat]
    )
    table.set_readings(seat, without_card(tuple(table.readings[seat]), card))


def reveal_if_marked(
    table: Table,
    seat: int,
    card: str,
    *,
    where: str | None = "hand",
    lacks: int = 0,
    drawn: int = 0,
) -> int:
    """A copy is shown from among the unknown ones, if none of those known can be meant; returns how many are known."""
    count = table.held[seat].get(card, 0)
    fits = count and after_leaving(table.readings[seat], card, count, where=where, lacks=lacks)
    if fits or not can_reveal(table, seat, [card], drawn=drawn):
        return count
    return reveal_card(table, seat, card)


def may_hold(table: Table, seat: int, cards: list[str], *, drawn: int = 0) -> bool:
    """Whether a seat may hold these cards beyond those it surely has.

    A card that is unknown may be any it has; the known ones must be among its unknown cards.
    """
    if not can_reveal(table, seat, [card for card in cards if "?" not in card], drawn=drawn):
        return False
    if "?" not in "".join(cards):
        return True
    held = [card for card, count in table.held[seat].items() for _ in range(count)]
    tokens = [*table.hidden.given[seat], *["??"] * drawn, *held]
    return may_be_among([*table.hidden.revealed[seat], *cards], tokens)


def ranks_surely_hidden(table: Table, seat: int, ranks: tuple[str, ...]) -> list[str]:
    """The unknown cards of these ranks, such as `K?`, of which a seat surely still has one."""
    given, revealed = table.hidden.given[seat], table.hidden.revealed[seat]
    return [
        token
        for token in [f"{rank}?" for rank in ranks]
        if given.count(token) > sum([may_be_same(card, token) for card in revealed])
    ]


def may_have_captured(table: Table, seat: int, cards: list[str]) -> bool:
    """Whether these cards may be among the unknown ones that a seat has won (Polish)."""
    pile = [card for card, count in table.captured[seat].items() for _ in range(count)]
    tokens = [card for card in pile if is_unknown(card)]
    known = [card for card in cards if not is_unknown(card)]
    return may_be_among(known, tokens) and may_be_among(cards, pile)


def may_be_among(cards: Sequence[str], others: Sequence[str]) -> bool:
    """Whether these cards may be among others, each a different one, as far as either are known."""
    if others.count("??") >= len(cards):
        return True
    if len(cards) > len(others):
        return False
    # Known partners first: they fit the fewest cards.
    counts = Counter(map(FACE_OF.__getitem__, others))
    free = {card: counts[card] for card in sorted(counts, key=_unknown_last)}
    return _Matching(free, may_be_same).takes(Counter(map(FACE_OF.__getitem__, cards)))


class _Matching:
    """Matches cards to others by what `fits`; like cards are counted, not listed. What is `free` is used up.

    A bipartite matching with augmenting paths: a card that finds no free partner takes one from another
    card that can change to a different partner.
    """

    def __init__(self, free: dict[Any, int], fits: Callable[[Any, Any], bool]) -> None:
        self.free, self.fits = free, fits
        self.given: dict[Any, dict[Any, int]] = {other: {} for other in free}

    def takes(self, wanted: Counter[Any]) -> bool:
        """Whether every one of these cards finds a partner of its own."""
        for card in wanted:
            wanted[card] -= self._take_free(card, wanted[card])
        return all(
            self._take_with_changes(card, set()) for card in wanted for _ in range(wanted[card])
        )

    def _take_free(self, card: Any, count: int) -> int:
        taken = 0
        for other, free in self.free.items():
            if free and taken < count and self.fits(card, other):
                more = min(free, count - taken)
                self._give(other, card, more)
                taken += more
        return taken

    def _take_with_changes(self, card: Any, tried: set[Any]) -> bool:
        """Take a partner for a card, from another card if that one can change to a different partner."""
        for other in self.free:
            if other in tried or not self.fits(card, other):
                continue
            tried.add(other)
            if self.free[other]:
                self._give(other, card, 1)
                return True
            for holder in [name for name, count in self.given[other].items() if count]:
                if self._take_with_changes(holder, tried):
                    self.given[other][holder] -= 1
                    self.free[other] += 1
                    self._give(other, card, 1)
                    return True
        return False

    def _give(self, other: Any, card: Any, count: int) -> None:
        self.free[other] -= count
        self.given[other][card] = self.given[other].get(card, 0) + count


def _unknown_last(card: str) -> int:
    return card.count("?")


def make_unknown(table: Table, seat: int, card: str, token: str) -> None:
    """Count every copy that a seat holds of a card as the unknown card `token`."""
    copies = table.held[seat].pop(card, 0)
    if copies:
        table.hidden.given[seat] += [token] * copies
        table.unseen[card] = table.unseen.get(card, 0) + copies
        _forget_marks(table, seat, card)
    table.leave_open()


def trumps_unknown(table: Table) -> bool:
    """Whether there are trumps, or may be by now, and the record does not tell which suit."""
    if table.knowledge.trumps_open:
        return True
    return table.trump is None and isinstance(table.rules.written.trumps, TurnUp)


def can_reveal(table: Table, seat: int, cards: list[str], *, drawn: int = 0) -> bool:
    """Whether these cards can all be among a seat's unknown ones, beside those already shown.

    `drawn` counts cards that the seat should have drawn by now and that the record does not write.
    """
    doubtful = table.hidden.doubtful
    for card in cards:
        if "?" not in card:
            left = table.unseen.get(card, 0) + doubtful.get((seat, card), 0)
            if left < cards.count(card):
                return False
    return may_be_among(
        [*table.hidden.revealed[seat], *cards], [*table.hidden.given[seat], *["??"] * drawn]
    )


def is_draw_written(table: Table, seat: int) -> bool:
    """Whether a draw of this seat is written further on, before the next card is played."""
    after = table.index + 1
    for later in table.events[after : after + CLAIMS_REACH]:
        match later:
            case Play():
                return False
            case Draw(seat=drawer) if drawer == seat:
                return True
    return False


def draws_left_out_before(table: Table, event: Draw) -> int:
    """How many draws that the record leaves out were made before this one: other seats', or more of this seat's turn."""
    if not (table.knowledge.partial and table.draws_due):
        return 0
    if table.seats > 2 and not table.rules.has_tableau:
        return _seats_passed_over(table, event)
    return _passed_over(table, event) if table.rules.has_tableau else _is_second_draw(table, event)


def _passed_over(table: Table, event: Draw) -> int:
    """How many cards of a stock in order lie above the one drawn, where all of them are due to its seat (Zetema).

    If several may be the one, the first: whichever it was, the turn ends with the same cards. A card that lies there by
    its name goes before one that is not known, which may be another.
    """
    due, stock = table.draws_due, table.stock
    if event.seat != due[0] or stock.order is None:
        return 0
    tops = [stock.card_with(stock.left - n) for n in range(min(len(due), stock.left))]
    if event.card in tops and not is_unknown(event.card):
        return tops.index(event.card)
    fits = [top is None or is_card_on_top(event.card, top) for top in tops]
    return fits.index(True) if True in fits else 0


def is_card_on_top(card: str, top: str) -> bool:
    """Whether a card drawn may be the one that lies on top."""
    return may_be_same(card, top) if is_unknown(card) or is_unknown(top) else card == top


def _is_second_draw(table: Table, event: Draw) -> bool:
    """Whether the other seat drew before this one, by a draw that the record leaves out.

    Where nobody knows who took the trick, the card tells if it can have been drawn only so.
    """
    due = table.draws_due
    if len(due) < 2 or event.seat not in due:
        return False
    if is_draw_written(table, 1 - event.seat):
        return False
    first = due[0] == event.seat
    if not table.trick.winner_open:
        return not first
    stock = table.stock
    fits = [_may_be_drawn(table, event.card, stock.left - before) for before in (0, 1)]
    return fits == [False, True] or (fits == [False, False] and not first)


def _seats_passed_over(table: Table, event: Draw) -> int:
    """How many seats drew before this one by draws that the record leaves out, as their turns tell."""
    if event.seat not in table.draws_due or table.trick.winner_open:
        return 0
    before = table.draws_due[: table.draws_due.index(event.seat)]
    return 0 if any([is_draw_written(table, seat) for seat in before]) else len(before)


def _may_be_drawn(table: Table, card: str, left: int) -> bool:
    """Whether a card may be the next one when so many lie face down."""
    stock = table.stock
    top = stock.card_with(left) if left > 0 else stock.turn_up
    if top is not None and not may_be_same(card, top):
        return False
    if left <= 0 and top is not None and not is_unknown(top):
        return True
    return is_copy_left(table, card) and may_all_be_in_pack(table, drawn=card, is_turn_up=left <= 0)


def is_exchanged_unseen(table: Table, turn_up: str) -> bool:
    """Whether the turn-up is a seven of a suit unknown that a seat gave in exchange, and had perhaps been seen."""
    return turn_up == "7?" and any(["7?" in cards for cards in table.hidden.revealed])


def count_sevens_as_unseen(table: Table) -> None:
    """A seven given in exchange goes to a hand, of a suit unknown: it may be any that the seat which gave it had shown."""
    doubtful = table.hidden.doubtful
    for seat, seven in [at for at in doubtful if at[1][0] == "7"]:
        table.unseen[seven] = table.unseen.get(seven, 0) + doubtful.pop((seat, seven))


def is_copy_left(table: Table, card: str) -> bool:
    """Whether a copy of a card may still be drawn, as far as the card is known."""
    return is_unknown(card) or table.unseen.get(card, 0) > 0


def may_all_be_in_pack(table: Table, *, drawn: str | None = None, is_turn_up: bool = False) -> bool:
    """Whether the cards not seen yet suffice for all cards of which the record tells the suit or the rank.

    `drawn` is one more card, or the turn-up. Each needs a copy of its own: one that nobody has seen, or one that its
    seat has shown since.
    """
    turn_up = table.stock.turn_up
    if turn_up is not None and (is_turn_up or is_exchanged_unseen(table, turn_up)):
        turn_up = None
    wanted = Counter(
        (seat, token)
        for seat, tokens in (*enumerate(table.hidden.given), (PACK, (turn_up, drawn)))
        for token in tokens
        if token is not None and token != "??" and is_unknown(token)
    )
    return not wanted or _all_find_copies(wanted, _copies_left(table, drawn))


def _copies_left(table: Table, drawn: str | None) -> Counter[_CardAt]:
    """The cards that the pack may still have once one more is drawn, and those that each seat has shown since."""
    copies: Counter[_CardAt] = Counter()
    for card, count in table.unseen.items():
        left = count - (card == drawn)
        if left > 0:
            copies[PACK, FACE_OF[card]] += left
    for seat, cards in enumerate(table.hidden.revealed):
        for card in cards:
            if not is_unknown(card):
                copies[seat, FACE_OF[card]] += 1
    return copies


def _all_find_copies(wanted: Counter[_CardAt], copies: Counter[_CardAt]) -> bool:
    """Whether every card wanted finds a copy that it may be: one of the pack's, or of its seat's."""
    if not all([_enough_alike(token, wanted, copies) for token in {token for _, token in wanted}]):
        return False
    suits = sum([token[0] == "?" for _, token in wanted])
    if suits in (0, len(wanted)) or wanted.total() > MOST_CARDS_MATCHED:
        return True
    return _Matching(copies, _may_be_copy).takes(wanted)


def _may_be_copy(one: _CardAt, other: _CardAt) -> bool:
    return other[0] in (PACK, one[0]) and covers(one[1], other[1])


def _enough_alike(token: str, wanted: Counter[_CardAt], copies: Counter[_CardAt]) -> bool:
    """Whether there are enough cards of a suit, or of a rank, where nothing else is asked for."""
    alike: Counter[int] = Counter()
    for (seat, card), count in copies.items():
        if covers(token, card):
            alike[seat] += count
    missing = [
        count - alike[seat]
        for (seat, other), count in wanted.items()
        if other == token and seat != PACK
    ]
    lying = wanted.get((PACK, token), 0)
    return lying + sum([count for count in missing if count > 0]) <= alike[PACK]
