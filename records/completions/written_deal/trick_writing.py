"""Writing out a deal with tricks: every unknown card gets a slot, and every unwritten draw its place (C1, C5, C6)."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from records.cards import is_unknown
from records.completions.budget import SearchGivenUpError
from records.completions.written_deal.deal_layout import (
    CardMove,
    CardPlace,
    DealLayout,
    LaidTrick,
    LayoutStep,
    fits,
)
from records.engine.deal import lay_out_deal
from records.engine.table import Table
from records.events import AnyEvent, CarteBlanche, Declare, Dix, Draw, Irregular, Meld, Play
from records.record import Deal, Laid
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import FirstMeld, TurnUp, Window


def begin_layout(rules: CompiledSheet, deal: Deal, names: list[str]) -> tuple[DealLayout, Table]:
    """The layout before the first event, and the table of the known cards alone."""
    known = _without_tokens(deal, rules, len(names))
    table = lay_out_deal(rules, known, names)
    layout = DealLayout(
        deal=deal,
        seats=len(names),
        copies=dict(table.unseen),
        held=[dict(held) for held in table.held],
        gained=[[] for _ in names],
        given=[[] for _ in names],
    )
    if table.not_in_pack:
        raise SearchGivenUpError
    return layout, table


def _without_tokens(deal: Deal, rules: CompiledSheet, seats: int) -> Deal:
    def known(cards: list[str]) -> list[str]:
        return [card for card in cards if not is_unknown(card)]

    setup = deal.setup
    # Where melds make trumps and may be formed again, too much depends on which cards they had.
    if isinstance(rules.sheet.trumps, FirstMeld) and any(
        isinstance(event, Meld | Declare) and any(map(is_unknown, event.cards))
        for event in deal.events
    ):
        raise SearchGivenUpError
    if setup is None:
        hands = deal.hands if deal.hands is not None else [[]] * seats
        if len(hands) != seats:
            raise SearchGivenUpError
        hands = list(map(known, hands))
        return replace(deal, knowledge="full", hands=hands, stock=None, events=deal.events)
    laid = [card for groups in setup.tables or [] for group in groups for card in group.cards]
    if len(setup.hands) != seats or any(map(is_unknown, [*laid, *(setup.tableau or [])])):
        raise SearchGivenUpError
    if any(map(_may_share_cards, setup.tables or [])):
        raise SearchGivenUpError
    filled = replace(
        setup,
        hands=list(map(known, setup.hands)),
        captured=None if setup.captured is None else list(map(known, setup.captured)),
    )
    return replace(deal, knowledge="full", setup=filled, stock=None)


def _may_share_cards(groups: list[Laid]) -> bool:
    """Whether a card without a label lies in two of these melds: one card or two, which hands hidden here decide."""
    listed = [card for group in groups for card in set(group.cards) if "." not in card]
    return len(set(listed)) < len(listed)


def write_out(
    rules: CompiledSheet, deal: Deal, names: list[str], trump: str | None, last_trump: str | None
) -> DealLayout:
    """A deal with tricks written out; raises SearchGivenUpError for what the search does not model.

    `trump` is the suit that the turn-up is taken to have, `last_trump` the trump suit when the record ends.
    """
    return _TrickWriter(rules, deal, names, trump, last_trump).write()


class _After(NamedTuple):
    """What comes after an event and before the next card: melds, and the seats of draws; and who plays that card."""

    melds: bool = False
    draws: tuple[int, ...] = ()
    seat: int | None = None


def _look_ahead(events: Sequence[AnyEvent]) -> list[_After]:
    """For every event, what comes after it."""
    after, found = _After(), []
    for event in reversed(events):
        found.append(after)
        match event:
            case Play():
                after = _After(seat=event.seat)
            case Meld() | Declare():
                after = after._replace(melds=True)
            case Draw():
                after = after._replace(draws=(event.seat, *after.draws[:3]))
    return found[::-1]


class DealWriter:
    """Goes through a deal once, and gives every unknown card its slot."""

    def __init__(
        self, rules: CompiledSheet, deal: Deal, names: list[str], trump: str | None
    ) -> None:
        self.rules, self.deal, self.trump = rules, deal, trump
        self.layout, self.table = begin_layout(rules, deal, names)
        self.events: Sequence[AnyEvent] = deal.events
        self.left = 0
        self.turn_up: CardPlace | None = None
        self.stock: list[CardPlace] = []

    def _begin(self) -> None:
        layout, setup = self.layout, self.deal.setup
        if setup is None:
            size = self.rules.sheet.hand[layout.seats]
            hands = self.deal.hands or [["??"] * size for _ in range(layout.seats)]
            self.left = self.rules.pack_size - sum(map(len, hands))
            turn_up = self.deal.turn_up
            if isinstance(self.rules.sheet.trumps, TurnUp):
                turn_up, self.left = turn_up or "??", self.left - 1
        else:
            hands, self.left, turn_up = setup.hands, setup.stock, setup.turn_up
        layout.hands = [layout.places(hand) for hand in hands]
        for seat, hand in enumerate(layout.hands):
            layout.gained[seat] += [CardMove(-1, card) for card in hand if isinstance(card, int)]
        if turn_up is not None:
            layout.turn_up = self.turn_up = layout.place(turn_up)
            # The table of the known cards has counted a turn-up that is known.
            if isinstance(layout.turn_up, str):
                layout.copies[layout.turn_up] += 1
            elif self.trump is not None:
                layout.narrow(layout.turn_up, "?" + self.trump)
        if setup is not None:
            layout.captured = [layout.places(cards) for cards in setup.captured or []]
            layout.trick = layout.places(setup.trick or [])
        self.stock = [layout.place(card) for card in self.deal.stock or []]

    def _add(self, index: int, event: AnyEvent, *cards: CardPlace) -> int:
        self.layout.steps.append(LayoutStep(event, index, list(cards)))
        return len(self.layout.steps) - 1

    def _draw(self, index: int, event: Draw) -> None:
        """A card comes from the stock, or the turn-up when the stock is gone."""
        layout, written = self.layout, event.card
        card: CardPlace
        if self.left and self.left <= len(self.stock):
            card = self._also_written(self.stock[-self.left], written)
        elif self.left:
            card = layout.place(written)
        elif self.turn_up is not None:
            card = self._also_written(self.turn_up, written)
            self.turn_up = None
        else:
            raise SearchGivenUpError
        self.left = max(0, self.left - 1)
        position = self._add(index, event, card)
        layout.gained[event.seat].append(CardMove(position, card))

    def _also_written(self, card: CardPlace, written: str) -> CardPlace:
        """A card that lies there, and that a draw writes too."""
        if isinstance(card, int):
            self.layout.narrow(card, written)
        elif not fits(written, card):
            raise SearchGivenUpError
        return card


class _TrickWriter(DealWriter):
    """Goes through a deal with tricks."""

    def __init__(
        self,
        rules: CompiledSheet,
        deal: Deal,
        names: list[str],
        trump: str | None,
        last_trump: str | None,
    ) -> None:
        super().__init__(rules, deal, names, trump)
        self.last_trump = last_trump
        self.after = _look_ahead(deal.events)
        makers = [meld.name for meld in rules.sheet.melds if meld.kind in rules.makes_trumps]
        self._trump_makers = frozenset(makers)
        self.due: tuple[int, ...] = ()
        self.trick: list[tuple[int, CardPlace]] = []

    def write(self) -> DealLayout:
        """The layout of the whole deal."""
        self._begin()
        self._begin_trick()
        for index, event in enumerate(self.events):
            match event:
                case Play():
                    self._play(index, event)
                case Draw():
                    self._draw_written(index, event)
                case Meld() | Declare():
                    self._meld(index, event)
                case Dix():
                    self._dix(index, event)
                case CarteBlanche():
                    self._draw_before(index)
                    self._add(index, event)
                case Irregular() if event.what != "withdrawn_meld":
                    raise SearchGivenUpError
                case _:
                    self._add(index, event)
        self.layout.find_domains()
        return self.layout

    def _begin_trick(self) -> None:
        setup = self.deal.setup
        if setup is None:
            return
        self.trick = [(1 - setup.seat, card) for card in self.layout.trick]
        if setup.won and not setup.trick and (setup.stock or setup.turn_up is not None):
            self.due = (setup.seat, 1 - setup.seat)

    def _play(self, index: int, event: Play) -> None:
        for seat in self.due:
            self._draw(index, Draw(seat=seat, card="??"))
        self.due = ()
        seat, card = event.seat, self.layout.place(event.card, enters=False)
        position = self._add(index, event, card)
        self.layout.given[seat].append(CardMove(position, card))
        self.trick.append((seat, card))
        if len(self.trick) == 2:
            (leader, led), self.trick = self.trick[0], []
            if seat == leader:
                raise SearchGivenUpError
            winner = self._winner(index, leader, led, card)
            self.layout.tricks.append(LaidTrick(led, card, leader, position, winner))
            if self.left or self.turn_up is not None:
                self.due = (winner, 1 - winner)

    def _winner(self, index: int, leader: int, led: CardPlace, reply: CardPlace) -> int:
        """Who took a trick: whoever acts next, in every legal completion; else by its cards."""
        after = self.after[index]
        if after.seat is not None:
            return after.seat
        for event in self.events[index + 1 :]:
            if isinstance(event, Meld | Declare):
                return event.seat
        if isinstance(led, str) and isinstance(reply, str):
            taken = reply in self.rules.beaters(self.trump or self.last_trump)[led]
            return 1 - leader if taken else leader
        # Whose draw it was, then, nobody knows: neither of one draw written, nor of those before a card shown.
        shown = any(isinstance(event, Dix | CarteBlanche) for event in self.events[index + 1 :])
        if len(after.draws) == 1 or (shown and not after.draws):
            self.layout.doubtful = True
        return after.draws[0] if after.draws else leader

    def _draw_written(self, index: int, event: Draw) -> None:
        if event.seat not in self.due:
            raise SearchGivenUpError
        if event.seat != self.due[0]:
            self._draw(index, Draw(seat=self.due[0], card="??"))
        self._draw(index, event)
        self.due = self.due[1 + self.due.index(event.seat) :]

    def _draw_before(self, index: int, *, keep_turn_up: bool = False) -> None:
        """Make the draws that are due and are not written after an event, before it."""
        while self.due and self.due[0] not in self.after[index].draws:
            if keep_turn_up and not self.left:
                return
            self._draw(index, Draw(seat=self.due[0], card="??"))
            self.due = self.due[1:]

    def _meld(self, index: int, event: Meld | Declare) -> None:
        cards = [self.layout.place(card, enters=False) for card in event.cards]
        slots = [card for card in cards if isinstance(card, int)]
        if slots and event.meld in self._trump_makers:
            self._make_trumps(event, slots)
        self._add(index, event, *cards)

    def _make_trumps(self, event: Meld | Declare, slots: list[int]) -> None:
        """A meld that may make trumps is of one suit: no other cards would be that meld."""
        suits = {card[1] for card in event.cards} - {"?"}
        if len(suits) != 1:
            raise SearchGivenUpError
        for slot in slots:
            self.layout.narrow(slot, "?" + min(suits))
        self.layout.narrowed = True

    def _dix(self, index: int, event: Dix) -> None:
        """A dix that need not wait for a trick comes after the draws: a card just drawn may be the seven."""
        rule, seat = self.rules.sheet.dix, event.seat
        if rule is None or self.trump is None:
            raise SearchGivenUpError
        exchanges, anytime = (
            event.action == "exchange",
            rule.window(event.action) is Window.AT_ANY_TIME,
        )
        if event.action != "play" and anytime and not self.after[index].melds:
            self._draw_before(index, keep_turn_up=exchanges)
        seven = "7" + self.trump if event.card is None or is_unknown(event.card) else event.card
        if seven not in self.layout.copies:
            raise SearchGivenUpError
        position = self._add(index, event, seven)
        if exchanges and self.turn_up is not None:
            self.layout.given[seat].append(CardMove(position, seven))
            self.layout.gained[seat].append(CardMove(position, self.turn_up))
            self.turn_up = seven
