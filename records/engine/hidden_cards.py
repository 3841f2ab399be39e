"""What a seat holds: the readings narrowed, a card shown from among the unknown ones."""

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
    """Keep the readings in which a copy may leave from there; if there is none, from anywhere."""
    readings, forget, trace = (
        table.readings[seat],
        table.rules.forgotten_bits,
        table.rules.traced_bits,
    )
    left = after_leaving(readings, card, count, where=where, forget=forget, trace=trace)
    if not left:
        table.tracking.incomplete = table.tracking.incomplete or search_given_up(left)
        table.tracking.exhausted = table.tracking.exhausted or table.tracking.incomplete
        left = after_leaving(readings, card, count, forget=forget, trace=trace)
    narrow_readings(table, seat, left)


def narrow_readings(table: Table, seat: int, readings: Readings) -> None:
    """Keep these readings, unless there is none, and no more than can be followed."""
    if readings:
        table.set_readings(seat, _followed(table, readings))


def _followed(table: Table, readings: Readings) -> Readings:
    """As many as the table follows, taken from all over: any that survives shows that the record is lawful."""
    if len(readings) <= table.tracking.limit:
        return readings
    table.tracking.incomplete = True
    return tuple(sorted(readings)[:: -(-len(readings) // table.tracking.limit)])


def narrow_meld_readings(table: Table, seat: int, readings: Readings) -> None:
    """The same for the cards a seat melds from."""
    if readings:
        table.set_meld_readings(seat, _followed(table, readings))


def full_hand_size(table: Table) -> int:
    """How many cards a turn draws up to."""
    tableau = table.rules.sheet.tableau
    return tableau.draw_up_to[table.seats] if tableau else 0


def reveal_card(table: Table, seat: int, card: str) -> int:
    """Show a card from among a seat's unknown ones; returns how many copies it then holds."""
    held = table.held[seat]
    if is_unknown(card):
        blur_card(table, seat, card)
    table.hidden.revealed[seat].append(card)
    table.knowledge.uncertain = True
    held[card] = held.get(card, 0) + 1
    if card in table.unseen:
        table.unseen[card] -= 1
    return held[card]


def reveal_if_marked(
    table: Table, seat: int, card: str, *, where: str | None = "hand", lacks: int = 0
) -> int:
    """Show another copy from among the unknown ones where those known do not do; returns how many."""
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
    """Cards matched to others that may be they; like ones are counted, not listed."""

    def __init__(self, others: Iterable[str]) -> None:
        self.free = count_cards(sorted((FACE_OF[card] for card in others), key=_unknown_last))
        self.given: dict[str, dict[str, int]] = {other: {} for other in self.free}

    def takes(self, cards: Iterable[str]) -> bool:
        """Whether every one of these cards finds another of its own."""
        wanted = count_cards(FACE_OF[card] for card in cards)
        for card in wanted:
            wanted[card] -= self._take_free(card, wanted[card])
        return all(self._take_one(card, set()) for card in wanted for _ in range(wanted[card]))

    def _take_free(self, card: str, count: int) -> int:
        taken = 0
        for other, free in self.free.items():
            if free and taken < count and _alike(card, other):
                more = min(free, count - taken)
                self._give(other, card, more)
                taken += more
        return taken

    def _take_one(self, card: str, tried: set[str]) -> bool:
        """Take one for a card, from another card if that one finds a different one instead."""
        for other in self.free:
            if other in tried or not _alike(card, other):
                continue
            tried.add(other)
            if self.free[other]:
                self._give(other, card, 1)
                return True
            for holder in [name for name, count in self.given[other].items() if count]:
                if self._take_one(holder, tried):
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
    """Unless the unknown card is among a seat's unknown ones, it is one of those it may be."""
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
        table.tracking.incomplete = table.tracking.incomplete or not are_all_readings(
            table.readings[seat]
        )
        table.set_readings(seat, without_card(tuple(table.readings[seat]), card))
    table.knowledge.uncertain = True


def trumps_unknown(table: Table) -> bool:
    """Whether there are trumps, and the record does not tell which suit."""
    turned = isinstance(table.rules.sheet.trumps, TurnUp)
    return table.trump is None and (turned or table.knowledge.plays_only)


def can_reveal(table: Table, seat: int, cards: list[str], *, drawn: int = 0) -> bool:
    """Whether these cards can all be among a seat's unknown ones, beside those already shown.

    `drawn` counts cards that the seat should have drawn by now and that the record does not write.
    """
    if any(table.unseen.get(card, 0) < cards.count(card) for card in cards if "?" not in card):
        return False
    return may_be_among(
        [*table.hidden.revealed[seat], *cards], [*table.hidden.given[seat], *["??"] * drawn]
    )
