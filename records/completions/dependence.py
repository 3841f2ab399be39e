"""What an event's legality may depend on beside the guards: copies that melds, dixes and places tell apart.

The replay judges such events. Completions that agree in everything listed here are judged alike, so one of
them stands for all.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeGuard

from records.completions.deal_layout import CardAt, DealLayout
from records.completions.slot_clauses import FALSE, TRUE, SlotClauses
from records.events import Declare, Dix, Meld, Play
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import BrisqueCount


class WatchedSlot(NamedTuple):
    """The literals about a slot that matter from a position on; `seat` has the card, None for nobody.

    `only_more` says that other cards here can only take copies from the seat, and so allow nothing new.
    """

    position: int
    seat: int | None
    literals: tuple[int, ...]
    only_more: bool = False


class Dependence:
    """The slots whose cards matter to melds, dixes and the places of cards, and to the numbers claimed."""

    def __init__(
        self, rules: CompiledSheet, layout: DealLayout, clauses: SlotClauses, trump: str | None
    ) -> None:
        self._rules, self._layout, self._clauses, self._trump = rules, layout, clauses, trump
        self.from_hand = not rules.melds_captured
        self._melds = [self._melded(seat) for seat in range(layout.seats)]
        self.watched = list(self._watch())

    def flips(self, true: set[int], position: int | None = None) -> list[int]:
        """The literals of which one differs in every completion that may be judged otherwise up to a position."""
        return [
            flip
            for slot in self.watched
            if position is None or slot.position <= position
            for flip in differing(slot.literals, true)
        ]

    def flips_for_more_copies(self, true: set[int], seat: int, position: int) -> list[int]:
        """The same where a seat's meld needs copies: completions with no more of them allow no more."""
        return [
            flip
            for slot in self.watched
            if slot.position <= position and slot.seat in (seat, None)
            for flip in (
                [literal for literal in slot.literals if literal not in true]
                if slot.only_more
                else differing(slot.literals, true)
            )
        ]

    def all_flips(self, cards: list[str]) -> list[int]:
        """The literals of which one differs in every other completion."""
        return [-self._clauses.is_card(slot, card) for slot, card in enumerate(cards)]

    def number_literals(self, winners: Iterable[int]) -> list[WatchedSlot]:
        """What the numbers of a legal completion depend on, too."""
        found = [WatchedSlot(-1, None, (winner,)) for winner in winners]
        sheet = self._rules.sheet
        counted = sheet.brisques.count is not BrisqueCount.NEVER
        for slot in self._taken():
            cards = list(self._clauses.domain(slot))
            if counted:
                brisques = [c for c in cards if self._rules.is_brisque[c]]
                found.append(self._watching(-1, None, [self._any(slot, brisques)]))
            if sheet.dix is not None and self._trump is not None:
                found.append(self._of(slot, -1, None, self._rules.sevens[self._trump]))
        return found

    def _any(self, slot: int, cards: Iterable[str]) -> int:
        return self._clauses.any_of(self._clauses.is_card(slot, card) for card in cards)

    def _taken(self) -> list[int]:
        """The slots of cards that tricks have taken."""
        layout = self._layout
        places = [card for cards in (*layout.captured, layout.trick) for card in cards]
        played = [move.card for moves in layout.given for move in moves]
        return [card for card in (*places, *played) if isinstance(card, int)]

    def _watch(self) -> Iterator[WatchedSlot]:
        layout = self._layout
        for position, step in enumerate(layout.steps):
            if isinstance(step.event, Meld | Declare):
                for card in filter(_is_slot, step.cards):
                    yield self._of(card, position, None, self._clauses.domain(card))
        if isinstance(layout.turn_up, int):
            yield self._of(layout.turn_up, -1, None, self._clauses.domain(layout.turn_up))
        for seat in range(layout.seats):
            if cards := self._copies_that_matter(seat):
                yield from self._watch_seat(seat, cards)

    def _watch_seat(self, seat: int, cards: set[str]) -> Iterator[WatchedSlot]:
        """The slots of a seat, as far as they may hold these cards."""
        if not self.from_hand:
            for slot in self._taken():
                yield self._of(slot, -1, None, cards)
        for position, gained in self._layout.gained[seat]:
            if _is_slot(gained):
                yield self._of(gained, position, seat, cards, only_more=True)
        for position, given in self._layout.given[seat]:
            if _is_slot(given):
                yield self._of(given, position, seat, cards)

    def _of(
        self,
        slot: int,
        position: int,
        seat: int | None,
        cards: Iterable[str],
        *,
        only_more: bool = False,
    ) -> WatchedSlot:
        literals = [self._clauses.is_card(slot, card) for card in cards]
        return self._watching(position, seat, literals, only_more=only_more)

    def _watching(
        self, position: int, seat: int | None, literals: list[int], *, only_more: bool = False
    ) -> WatchedSlot:
        told = tuple([one for one in literals if one not in (FALSE, TRUE)])
        return WatchedSlot(position, seat, told, only_more)

    def _melded(self, seat: int) -> list[set[str]]:
        """The cards of each of a seat's melds."""
        setup = self._layout.deal.setup
        groups = setup.tables[seat] if setup and setup.tables and seat < len(setup.tables) else []
        return [
            *(set(group.cards) for group in groups),
            *(
                self._cards_at(step.cards)
                for step in self._layout.steps
                if isinstance(step.event, Meld | Declare) and step.event.seat == seat
            ),
        ]

    def _cards_at(self, places: Iterable[CardAt]) -> set[str]:
        return {
            card
            for place in places
            for card in ([place] if isinstance(place, str) else self._clauses.domain(place))
        }

    def _copies_that_matter(self, seat: int) -> set[str]:
        """The cards of which a seat's copies are told apart, so that their number matters."""
        melds, found = self._melds[seat], set[str]()
        melded = set().union(*melds)
        if self._rules.melds_captured or len(melded) < sum(map(len, melds)):
            found |= melded
        moved = melded | self._sevens()
        for gained in self._layout.gained[seat]:
            moved |= self._cards_at([gained.card]) if gained.card == self._layout.turn_up else set()
        for step in self._layout.steps:
            event = step.event
            if isinstance(event, Play) and event.seat == seat and event.source is not None:
                played = self._cards_at(step.cards)
                found |= (melded | played) if played & moved else set()
        return found | self._sevens()

    def _sevens(self) -> set[str]:
        """The sevens of trumps, where some may have scored already."""
        layout, dix = self._layout, self._rules.sheet.dix
        if dix is None or self._trump is None:
            return set()
        setup, turn_up = layout.deal.setup, layout.turn_up
        told = (
            any(isinstance(step.event, Dix) for step in layout.steps)
            or (setup is not None and bool(setup.spent_dixes))
            or isinstance(turn_up, int)
            or (turn_up is not None and turn_up[0] == "7")
        )
        return set(self._rules.sevens[self._trump]) if told else set()


def _is_slot(place: CardAt) -> TypeGuard[int]:
    return isinstance(place, int)


def differing(literals: Iterable[int], true: set[int]) -> list[int]:
    """The fewest of these literals, negated or not, of which one is true wherever any of them changes."""
    chosen = [literal for literal in literals if literal in true]
    # One card to a slot: while it stays, no other card can come there.
    return [-literal for literal in chosen] or list(literals)
