"""Fast deals from cards that have been dealt, and from a table of the engine in mid-deal."""

from collections.abc import Mapping, Sequence
from itertools import count

from analyzer.play.fast_deal import CLOSED_CHAIN, OPEN_CHAIN, SHOWN_CHAIN, FastDeal
from analyzer.play.fast_rules import FastRules, ScoredCards, ScoredSet, fast_rules
from records.cards import FACE_OF
from records.engine.copies import (
    MOVED_BIT,
    NEW_BIT,
    SPENT_BIT,
    TRACE_NAME,
    USED_BIT,
    Reading,
    order_of_service,
)
from records.engine.effects import CHAIN_OPEN, CHAIN_SHOWN
from records.engine.table import Table
from records.record import Deal
from records.rules.vocabulary import RuleSheet

CHAINS = {CHAIN_OPEN: OPEN_CHAIN, CHAIN_SHOWN: SHOWN_CHAIN}
"""The chains of carte blanche by the engine's words for them; any other is over."""


def deal_cards(sheet: RuleSheet, dealt: Deal) -> FastDeal:
    """A deal before its first event: its hands and stock written, labelled where the pack has several copies."""
    rules, turn_up = fast_rules(sheet), dealt.turn_up
    deal = FastDeal(rules, turn_up[1] if turn_up else None, seat=1 - dealt.dealer)
    bits = deal.view.cards.bits
    deal.hands = [sum(bits[card] for card in hand) for hand in dealt.hands or ()]
    deal.stock = [bits[card] for card in reversed(dealt.stock or ())]
    deal.turn_up = bits[turn_up] if turn_up else 0
    deal.begin(dealt.dealer)
    return deal


def fast_deal_at(table: Table, stock: Sequence[str], viewer: int | None = None) -> FastDeal:
    """The deal of a table whose cards are all known, with this `stock`, the next card first.

    Where like copies cannot be told apart, the first reading decides which of them have scored. They are numbered in the
    order in which they are met. With a `viewer`, the cards that this seat sees come first: what it sees then has the same
    numbers wherever the hidden cards are.

    Raises ValueError for a game without tricks, ImpossiblePack if there is a card that the pack does not have, or not so
    often.
    """
    rules = fast_rules(table.rules.sheet)
    # While draws are due the engine's table names who draws next; the winner of the trick leads after them.
    winner = table.trick.winner if table.draws_due else None
    deal = FastDeal(rules, table.trump, seat=table.seat if winner is None else winner)
    naming = _Naming(deal)
    seats = range(2) if viewer is None else (viewer,)
    for seat in seats:
        deal.hands[seat] = naming.take_all(table.held[seat])
    if rules.compiled.melds_captured:
        deal.captured = [naming.take_all(pile) for pile in table.captured]
    turn_up = table.stock.turn_up
    deal.turn_up = naming.take(turn_up) if turn_up else 0
    deal.led = naming.take(table.trick.led) if table.trick.led else 0
    if viewer is not None:
        deal.hands[1 - viewer] = naming.take_all(table.held[1 - viewer])
    deal.stock = [naming.take(card) for card in stock][::-1]
    deal.spent |= deal.turn_up if table.stock.turn_up_spent else 0
    for seat in range(2):
        reading: Reading = next(iter(table.melding.readings[seat]))
        if viewer is not None:
            # Cards that have served most are those surely seen, so they get the first numbers.
            reading = tuple(sorted(reading, key=lambda pair: order_of_service(pair[1])))
        deal.scored[seat] = _scored(deal, table, seat, reading)
        deal.hope_for(seat, deal.meldable(seat))
    deal.phase, deal.points = table.phase, [*table.points]
    deal.leader, deal.window, deal.left = table.trick.leader, table.melding.seat, table.melding.left
    deal.due, deal.tricks = tuple(table.draws_due), table.tricks
    deal.brisques, deal.closes = [*table.brisques], [*table.closed_tricks]
    deal.over, deal.whole_close = table.step.name == "OVER", table.whole_close
    deal.chains = [CHAINS.get(state, CLOSED_CHAIN) for state in table.blanche_chains] or [
        CLOSED_CHAIN
    ] * 2
    return deal


class ImpossiblePack(ValueError):
    """The cards of a table are not those of one pack."""


class _Naming:
    """Gives every card a copy of its own: the one it is labelled as, or the next that is free."""

    def __init__(self, deal: FastDeal) -> None:
        self.bits = deal.view.cards.bits
        self.free = {face: count(1) for face in deal.view.cards.faces}
        self.single = len(self.bits) == len(self.free)
        self.taken = 0

    def take_all(self, cards: Mapping[str, int]) -> int:
        """The mask of cards that are held so often."""
        return sum(self.take(card) for card, number in cards.items() for _ in range(number))

    def take(self, card: str) -> int:
        """The bit of a card; raises ImpossiblePack if all its copies are taken."""
        name = card if len(card) > 2 else FACE_OF[card]
        if len(name) == 2 and not self.single:
            name = f"{name}.{next(self.free.get(name, count()))}"
        bit = self.bits.get(name, 0)
        if not bit & ~self.taken:
            raise ImpossiblePack(card)
        self.taken |= bit
        return bit


def _scored(deal: FastDeal, table: Table, seat: int, reading: Reading) -> ScoredCards:
    """What the cards of a seat have scored, by this reading of its copies; its spent sevens are noted, too."""
    rules, scored = deal.rules, ScoredCards(len(deal.rules.kinds))
    sets = _sets(rules, table, seat)
    free = deal.meldable(seat)
    for card, mark in reading:
        if card == TRACE_NAME:
            for bit, each in sets.items():
                each.broken = bool(mark & bit)
            continue
        bit = _copy_of(deal, card, free)
        free ^= bit
        _note_mark(rules, scored, bit, mark)
        for set_bit, each in sets.items():
            if mark & set_bit:
                each.cards |= bit
                # Of several sets a card belongs to the newest, which has the highest bit, unless it has left that, too.
                if mark & MOVED_BIT or mark >> set_bit.bit_length():
                    each.moved |= bit
    scored.sets = [each for each in sets.values() if each.cards]
    _note_spent_sevens(deal, table, seat)
    return scored


def _sets(rules: FastRules, table: Table, seat: int) -> dict[int, ScoredSet]:
    """The melds that a seat has scored by the bits that mark their cards, the oldest first."""
    if not rules.compiled.counts_sets:
        return {}
    melds = {meld.rule.kind: meld for meld in rules.under[table.trump].melds}
    melds |= {
        meld.rule.kind: meld for meld in rules.under[None].melds if meld.rule.kind not in melds
    }
    found = {}
    for number, (kind, size) in enumerate(table.melding.scored[seat]):
        each = ScoredSet(melds[kind], 0)
        each.size = size
        found[1 << rules.compiled.first_set_bit + number] = each
    return found


def _note_mark(rules: FastRules, scored: ScoredCards, card: int, mark: int) -> None:
    for kind, number in rules.kinds.items():
        if rules.lasting[number] and mark & rules.compiled.kind_bit[kind]:
            scored.kinds[number] |= card
            scored.ever |= card
    if mark >> rules.compiled.first_set_bit:
        scored.ever |= card
    scored.new |= card if mark & NEW_BIT else 0
    scored.used |= card if mark & USED_BIT else 0


def _copy_of(deal: FastDeal, card: str, free: int) -> int:
    """The bit of a marked card: a labelled one, or the first free copy of its face."""
    cards = deal.view.cards
    if card in cards.bits:
        return cards.bits[card]
    own = cards.faces[FACE_OF[card]] & free
    return own & -own


def _note_spent_sevens(deal: FastDeal, table: Table, seat: int) -> None:
    reading: Reading = next(iter(table.readings[seat]))
    free = deal.hands[seat]
    for card, mark in reading:
        if card != TRACE_NAME and mark & SPENT_BIT:
            bit = _copy_of(deal, card, free)
            free ^= bit
            deal.spent |= bit
