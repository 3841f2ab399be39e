"""The legal choices at a table: cards to play, melds to score, a dix to exchange or show."""

from collections.abc import Iterable, Iterator
from itertools import product

import msgspec

from records.cards import FACE_OF, SUITS
from records.engine.copies import (
    SPENT_BIT,
    STEPS_A_CHOICE,
    MarkedCard,
    copy_choices,
    order_of_service,
)
from records.engine.dix import is_open, may_be_exchanged, scores_when_shown
from records.engine.following import lawful_replies
from records.engine.hidden_cards import full_hand_size
from records.engine.readings import after_leaving, laid_bounds, may_meld
from records.engine.reuse import reuse_rule_of
from records.engine.table import COMBINE, DISCARD, DRAW, LEAD, OVER, REPLY, Table
from records.engine.zetema import combination_points, completing_cards, ways_of_marriages
from records.events import Meld as MeldEvent
from records.rules.compiled import meld_requirements
from records.rules.vocabulary import MeldRule

CardsByPlace = tuple[list[str], list[str]]
"""Cards in the hand, and cards on the tableau."""
FREE_SETS = 32
"""So many sets of labelled cards are tried for nothing for one meld: more than any hand has that was dealt."""


class MeldChoice(msgspec.Struct, frozen=True):
    """A meld that could be scored now: its name, its words, a set of cards that forms it, its points."""

    name: str
    words: str
    cards: list[str]
    points: int


class LegalChoices(msgspec.Struct):
    """Everything that is legal at this point. `dix` lists `exchange` and `show`; `draws` says a draw is due.

    There may be `more_melds` than are listed where it stays open in too many ways which like cards have served.
    """

    plays: list[str]
    melds: list[MeldChoice]
    dix: list[str]
    draws: bool
    more_melds: bool = False


def legal_choices(table: Table) -> LegalChoices:
    """Everything the seats to act may do at this table, as far as their cards are known."""
    searches = table.tracking.budget.for_readers
    searches.gave_up = False
    melds = [
        MeldChoice(row.name, row.words, cards, combination_points(table, row, cards))
        for row, cards in legal_melds(table)
    ]
    return LegalChoices(
        plays=legal_plays(table),
        melds=melds,
        dix=legal_dixes(table),
        draws=table.step is DRAW,
        more_melds=searches.gave_up,
    )


def legal_plays(table: Table) -> list[str]:
    """The cards the seat to act may play or discard, best first within a suit."""
    if table.rules.has_tableau:
        return legal_discards(table)
    if table.step not in (LEAD, REPLY):
        return []
    hand = list(table.held[table.seat])
    cards = (
        lawful_replies(table, table.seat, table.trick.led)
        if table.step is REPLY and table.trick.led
        else hand
    )
    strength = table.rules.strength
    return sorted(cards, key=lambda card: (card[1], -strength.get(card, 0), card))


def legal_melds(table: Table, seat: int | None = None) -> list[tuple[MeldRule, list[str]]]:
    """The melds the winner of the trick may score, highest points first, each with one set of cards.

    With a `seat`, those that it may score, where a partner of the winner may, too. A meld of labelled cards is listed with
    every set that differs from the others by more than like copies.
    """
    return legal_combinations(table) if table.rules.has_tableau else list(_scorable(table, seat))


def _scorable(table: Table, by: int | None) -> Iterator[tuple[MeldRule, list[str]]]:
    seat = _melder(table, by)
    over = table.step is OVER and not table.rules.melds_captured
    if seat is None or table.melding.left <= 0 or over:
        return
    for row, sets in _at_hand(table, seat):
        for cards in sets:
            if _may_score(table, seat, row, cards):
                yield row, cards


def _melder(table: Table, by: int | None) -> int | None:
    """The seat asked about, if it may meld now; the winner if none is."""
    if by is None:
        return table.melding.seat
    return by if by in table.melders() else None


def showable_melds(table: Table, seat: int | None = None) -> list[tuple[MeldRule, list[str]]]:
    """The melds the winner of the trick, or a `seat`, may lay now and score later, if some card of them is not laid yet."""
    seat = _melder(table, seat)
    pending = table.rules.written.pending
    if seat is None or not pending or table.step is OVER or not table.phase.melds:
        return []
    surely_laid = {card: least for card, (least, _) in laid_bounds(table.readings[seat]).items()}
    return [
        (row, cards)
        for row, sets in _at_hand(table, seat)
        for cards in sets
        if any(cards.count(card) > surely_laid.get(card, 0) for card in cards)
    ]


def _at_hand(table: Table, seat: int) -> Iterator[tuple[MeldRule, Iterable[list[str]]]]:
    """Every meld whose cards are held, highest points first, with the sets of cards that form it."""
    held = table.melding.cards[seat]
    copies: dict[str, list[str]] = {}
    for card in sorted(held):
        copies.setdefault(FACE_OF[card], []).extend([card] * held[card])
    count = {face: len(cards) for face, cards in copies.items()}
    labelled: _LabelledCopies | None = None
    for needed, row in meld_requirements(table.rules.sheet, table.trump):
        for face, number in needed:
            if count.get(face, 0) < number:
                break
        else:
            if len(copies) == len(held):
                yield row, ([card for face, number in needed for card in copies[face][:number]],)
            else:
                labelled = labelled or _LabelledCopies(table, seat)
                yield row, labelled.sets(needed)


def legal_discards(table: Table) -> list[str]:
    """The cards the seat to act may discard (Zetema)."""
    if table.step not in (COMBINE, DISCARD):
        return []
    held = table.held[table.seat]
    cards = [
        card
        for card in held
        if table.tableau.discard_from is None or card in table.tableau.discard_from
    ]
    if table.tableau.must_complete:
        cards = completing_cards(table, table.seat) or cards
    return sorted(cards, key=lambda card: (card[1], -table.rules.strength[card], card))


def legal_combinations(table: Table) -> list[tuple[MeldRule, list[str]]]:
    """The combinations the seat to act may score, highest points first (Zetema)."""
    if table.step is not COMBINE or table.melding.left <= 0:
        return []
    hand = [card for card, count in sorted(table.held[table.seat].items()) for _ in range(count)]
    full = full_hand_size(table)
    sets = [hand] if len(hand) == full else []
    sets += [
        own[:5]
        for rank in table.tableau.piles
        if len(own := [card for card in hand if card[0] == rank]) >= 5
    ]
    sets += _marriages(table)
    found = {
        (row, tuple(sorted(cards))): (row, cards)
        for cards in sets
        for row in table.rules.combinations(full, tuple(cards))
    }
    return sorted(found.values(), key=lambda pair: -combination_points(table, *pair))


def _marriages(table: Table) -> Iterator[list[str]]:
    """Every set of pairs that the seat may marry from hand and tableau; cards of one place are alike."""
    held, piles = table.held[table.seat], table.tableau.piles
    royal = sorted([card for card in held if card[0] in "KQ"])
    hand = [card for card in royal for _ in range(held[card])]
    tableau = sorted([*piles["K"], *piles["Q"]])
    of_suits = []
    for suit in SUITS:
        kings, queens = (
            (
                [card for card in hand if card[:2] == face],
                [card for card in tableau if card[:2] == face],
            )
            for face in ("K" + suit, "Q" + suit)
        )
        if any(kings) and any(queens):
            of_suits.append(_sets_of_pairs(kings, queens, table.rules.copies["K" + suit]))
    for pairs in product(*of_suits):
        cards = [card for pair in pairs for card in pair]
        event = MeldEvent(seat=table.seat, meld="marriages", cards=cards)
        if cards and next(ways_of_marriages(table, event), None) is not None:
            yield cards


def _sets_of_pairs(kings: CardsByPlace, queens: CardsByPlace, most: int) -> list[tuple[str, ...]]:
    """The sets of kings with as many queens of one suit, none among them.

    No more pairs are combined than the pack has: a position set up against the rules may have hundreds.
    """
    found = {
        (*some, *others): None
        for pairs in range(most + 1)
        for some in _taken_from(kings, pairs)
        for others in _taken_from(queens, pairs)
    }
    return list(found)


def _taken_from(places: CardsByPlace, number: int) -> Iterator[list[str]]:
    """Every way to take so many cards from the hand and the tableau, most from the hand first."""
    hand, tableau = places
    for from_hand in range(min(number, len(hand)), max(0, number - len(tableau)) - 1, -1):
        yield [*hand[:from_hand], *tableau[: number - from_hand]]


class _LabelledCopies:
    """The labelled cards that a seat may meld, in groups of like copies: the same face, and the same mark.

    Where like copies differ in nothing that a rule can ask, a set takes the first of them. Copies that have scored most
    come first in the sets: those that have scored less can still do whatever they can, and stay free.
    """

    __slots__ = ("_budget", "_cards", "_grouped", "_numbers")

    def __init__(self, table: Table, seat: int) -> None:
        self._budget = table.tracking.budget.for_readers
        self._cards: dict[MarkedCard, list[str]] = {}
        self._grouped: list[MarkedCard] = []
        self._numbers: dict[str, int] = {}
        held, marked = table.melding.cards[seat], table.melding.marked[seat]
        readings = table.melding.readings[seat]
        marks: dict[str, int] = dict(readings[0]) if len(readings) == 1 else {}
        ordered = sorted({0, *marks.values()}, key=order_of_service)
        # From 1: `copy_choices` would put a nought first.
        place = {mark: 1 + number for number, mark in enumerate(ordered)}
        for number, card in enumerate(sorted(held)):
            face, count = FACE_OF[card], held[card]
            alike = card not in marked or (card in marks and count == 1)
            group = face, place[marks.get(card, 0)] if alike else len(place) + 1 + number
            self._cards.setdefault(group, []).extend([card] * count)
            self._grouped += [group] * count
            self._numbers[face] = self._numbers.get(face, 0) + count

    def sets(self, needed: Iterable[tuple[str, int]]) -> Iterator[list[str]]:
        """The sets of cards with these faces, each made as it is asked for; those beyond a few as the budget allows."""
        wanted = dict(needed)
        steps = STEPS_A_CHOICE * sum(wanted.values())
        for number, groups in enumerate(copy_choices(self._grouped, wanted, self._numbers)):
            if number >= FREE_SETS:
                if self._budget.is_spent:
                    self._budget.gave_up = True
                    return
                self._budget.spend(steps)
            cards = {group: iter(self._cards[group]) for group in groups}
            yield [next(cards[group]) for group in groups]


def _may_score(table: Table, seat: int, row: MeldRule, cards: list[str]) -> bool:
    # Cards that have served in nothing may form any meld; captured ones need one of the trick just won.
    if table.melding.marked[seat].isdisjoint(cards):
        return not table.rules.melds_captured
    allows = reuse_rule_of(row, table.rules, table.melding.scored[seat])
    readings, held = table.melding.readings[seat], table.melding.cards[seat]
    return may_meld(readings, cards, held, allows, table.tracking.budget.for_readers)


def legal_dixes(table: Table) -> list[str]:
    """Which of `exchange` and `show` the seat that may meld, or is to act, may do with a seven of trumps."""
    rule = table.rules.written.dix
    seat = table.melding.seat if table.melding.seat is not None else table.seat
    if rule is None or table.step is OVER or table.seven is None:
        return []
    sevens = [card for card in table.held[seat] if FACE_OF[card] == table.seven]
    fresh = [
        card
        for card in sevens
        if after_leaving(table.readings[seat], card, table.held[seat][card], lacks=SPENT_BIT)
    ]
    found = []
    may_exchange = fresh or (sevens and rule.spent_exchanges)
    one_left = table.melding.left > 0 or not rule.exchange_is_the_meld
    won = table.melding.seat is not None
    if (
        is_open(rule.exchange, trick_won=won)
        and may_be_exchanged(table)
        and may_exchange
        and one_left
    ):
        found.append("exchange")
    if is_open(rule.show, trick_won=won) and fresh and scores_when_shown(rule, table.phase):
        found.append("show")
    return found
