"""What a seat holds where the record hides cards: readings narrowed, cards revealed from among unknown ones.

A hidden card is a token in `table.hidden.given`: `??`, `?S` or `Q?`. A card that the seat shows and is not
known to hold must be one of its tokens. Which one is not decided: the card is listed as revealed, and
whether all cards revealed can be among the tokens is a matching.
"""

from collections.abc import Iterable, Sequence

from records.cards import FACE_OF, count_cards, covers, is_unknown
from records.engine.copies.history import are_all_readings, search_given_up
from records.engine.copies.marks import Readings
from records.engine.copies.readings import after_leaving, without_card
from records.engine.table import Table
from records.rules.vocabulary import TurnUp


def narrow_by_leaving(
    table: Table, seat: int, card: str, count: int, *, where: str | None = None
) -> None:
    """Keep the readings in which a copy may leave from there; if there is none, those in which it leaves at all."""
    readings, forget, trace = (
        table.readings[seat],
        table.rules.forgotten_bits,
        table.rules.traced_bits,
    )
    left = after_leaving(readings, card, count, where=where, forget=forget, trace=trace)
    if not left:
        # None left of a sample, or after a search given up, proves nothing against the record.
        table.tracking.incomplete = table.tracking.incomplete or search_given_up(left)
        table.tracking.exhausted = table.tracking.exhausted or table.tracking.incomplete
        left = after_leaving(readings, card, count, forget=forget, trace=trace)
    narrow_readings(table, seat, left)


def narrow_readings(table: Table, seat: int, readings: Readings) -> None:
    """Keep these readings, at most as many as can be followed; the old ones if there is none."""
    if readings:
        table.set_readings(seat, _followed(table, readings))


def _followed(table: Table, readings: Readings) -> Readings:
    """As many as the table follows, taken from all over: any one that survives proves the record legal."""
    if len(readings) <= table.tracking.limit:
        return readings
    table.tracking.incomplete = True
    return tuple(sorted(readings)[:: -(-len(readings) // table.tracking.limit)])


def narrow_meld_readings(table: Table, seat: int, readings: Readings) -> None:
    """The same for the cards a seat melds from."""
    if readings:
        table.set_meld_readings(seat, _followed(table, readings))


def full_hand_size(table: Table) -> int:
    """How many cards a turn of Zetema draws up to; 0 in other games."""
    tableau = table.rules.sheet.tableau
    return tableau.draw_up_to[table.seats] if tableau else 0


def reveal_card(table: Table, seat: int, card: str) -> int:
    """A card is shown from among a seat's unknown ones; returns how many copies it is now known to hold."""
    held = table.held[seat]
    if is_unknown(card):
        blur_card(table, seat, card)
    table.hidden.revealed[seat].append(card)
    table.leave_open()
    held[card] = held.get(card, 0) + 1
    if card in table.unseen:
        table.unseen[card] -= 1
    return held[card]


def reveal_if_marked(
    table: Table, seat: int, card: str, *, where: str | None = "hand", lacks: int = 0
) -> int:
    """A copy is shown from among the unknown ones, if none of those known can be meant; returns how many are known."""
    count = table.held[seat].get(card, 0)
    fits = count and after_leaving(table.readings[seat], card, count, where=where, lacks=lacks)
    return count if fits or not can_reveal(table, seat, [card]) else reveal_card(table, seat, card)


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


def may_have_captured(table: Table, seat: int, cards: list[str]) -> bool:
    """Whether these cards may be among the unknown ones that a seat has won (Polish)."""
    pile = table.captured[seat]
    tokens = [card for card, count in pile.items() if is_unknown(card) for _ in range(count)]
    known = [card for card in pile if not is_unknown(card)]
    return may_be_among([card for card in cards if not is_unknown(card)], tokens) and may_be_among(
        cards, [*tokens, *known]
    )


def may_be_among(cards: Sequence[str], others: Sequence[str]) -> bool:
    """Whether these cards may be among others, each a different one, as far as either are known."""
    if others.count("??") >= len(cards):
        return True
    return len(cards) <= len(others) and _Matching(others).takes(cards)


class _Matching:
    """Matches cards to others that may be the same; like cards are counted, not listed.

    A bipartite matching with augmenting paths: a card that finds no free partner takes one from another
    card that can change to a different partner.
    """

    def __init__(self, others: Iterable[str]) -> None:
        # Known partners first: they fit the fewest cards.
        self.free = count_cards(sorted((FACE_OF[card] for card in others), key=_unknown_last))
        self.given: dict[str, dict[str, int]] = {other: {} for other in self.free}

    def takes(self, cards: Iterable[str]) -> bool:
        """Whether every one of these cards finds a partner of its own."""
        wanted = count_cards(FACE_OF[card] for card in cards)
        for card in wanted:
            wanted[card] -= self._take_free(card, wanted[card])
        return all(
            self._take_with_changes(card, set()) for card in wanted for _ in range(wanted[card])
        )

    def _take_free(self, card: str, count: int) -> int:
        taken = 0
        for other, free in self.free.items():
            if free and taken < count and _alike(card, other):
                more = min(free, count - taken)
                self._give(other, card, more)
                taken += more
        return taken

    def _take_with_changes(self, card: str, tried: set[str]) -> bool:
        """Take a partner for a card, from another card if that one can change to a different partner."""
        for other in self.free:
            if other in tried or not _alike(card, other):
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

    def _give(self, other: str, card: str, count: int) -> None:
        self.free[other] -= count
        self.given[other][card] = self.given[other].get(card, 0) + count


def _unknown_last(card: str) -> int:
    return card.count("?")


def _alike(card: str, other: str) -> bool:
    return covers(other, card) or covers(card, other)


def blur_card(table: Table, seat: int, token: str) -> None:
    """An unknown card is shown: if it is not among a seat's unknown ones, some known card that it may be is meant.

    Which one nobody knows, so all of them become unknown.
    """
    held = table.held[seat]
    if can_reveal(table, seat, [token]):
        return
    for card in [card for card in held if covers(token, card)]:
        make_unknown(table, seat, card, token)


def make_unknown(table: Table, seat: int, card: str, token: str) -> None:
    """Count every copy that a seat holds of a card as the unknown card `token`."""
    copies = table.held[seat].pop(card, 0)
    if copies:
        table.hidden.given[seat] += [token] * copies
        table.unseen[card] = table.unseen.get(card, 0) + copies
        # A history cannot say that a card became unknown, so only the readings listed go on.
        table.tracking.incomplete = table.tracking.incomplete or not are_all_readings(
            table.readings[seat]
        )
        table.set_readings(seat, without_card(tuple(table.readings[seat]), card))
    table.leave_open()


def trumps_unknown(table: Table) -> bool:
    """Whether there are trumps, and the record does not tell which suit."""
    turned = isinstance(table.rules.sheet.trumps, TurnUp)
    return table.trump is None if turned else table.knowledge.trumps_open


def can_reveal(table: Table, seat: int, cards: list[str], *, drawn: int = 0) -> bool:
    """Whether these cards can all be among a seat's unknown ones, beside those already shown.

    `drawn` counts cards that the seat should have drawn by now and that the record does not write.
    """
    if any(table.unseen.get(card, 0) < cards.count(card) for card in cards if "?" not in card):
        return False
    return may_be_among(
        [*table.hidden.revealed[seat], *cards], [*table.hidden.given[seat], *["??"] * drawn]
    )
