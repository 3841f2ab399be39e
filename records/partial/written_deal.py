"""A deal that leaves things out, written out: its layout, its tricks, its turns of Zetema, and what the search may cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from records.cards import count_cards, covers, is_unknown
from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table
from records.events import (
    AnyEvent,
    CarteBlanche,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
)
from records.record import Deal, Laid
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import FirstMeld, TurnUp, Window

# What the search for completions may cost: counted in steps, never in seconds, so that a verdict never depends on the machine.

MOST_STEPS = 200_000
"""Steps for all deals of one record. A step takes about two microseconds, so the search about a third of a second."""

STEPS_A_DEAL = 50
STEPS_A_REPLAYED_EVENT = 2
STEPS_A_FINDING = 4
PROPAGATIONS_A_STEP = 20
CARDS_A_STEP = 4
VARIABLES_A_STEP = 8
"""What a deal, an event replayed, a finding, and the parts of the encoding and of a solver's answer take; a clause takes one."""

MOST_READINGS = 256
"""Deals whose copies can be told apart in more ways are not searched: a single replay may take long."""

MOST_NUMBERS_COMPARED = 256
"""Completions whose numbers are compared for one deal."""


class SearchGivenUpError(Exception):
    """The search cannot go on: the deal has something it does not model, or the budget is spent."""


class NoCompletionError(Exception):
    """No completion agrees with the record: it needs a card where none can be."""


class SearchBudget:
    """What is left to spend on the deals of one record, in steps; `given` is what there was at first."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self.given = self.steps = steps

    def spend(self, steps: int) -> None:
        """Pay for some work; raises SearchGivenUpError when there is nothing left."""
        self.steps -= steps
        if self.steps < 0:
            raise SearchGivenUpError

    @property
    def is_cut_short(self) -> bool:
        """Whether it has ended, and a record checked alone would have had more."""
        return self.steps < 0 and self.given < MOST_STEPS

    @property
    def spent(self) -> int:
        """How much has been spent."""
        return self.given - self.steps


# The layout: slots for unknown cards, unwritten draws, and what each seat gets and gives.
#
# Nothing here depends on which card lies in a slot.

CardPlace = str | int
"""A card that is known, or the number of the slot that it lies in."""


class CardMove(NamedTuple):
    """A card comes to a seat, or leaves it, at a position of the deal; -1 is the deal itself."""

    position: int
    card: CardPlace


@dataclass(slots=True)
class LayoutStep:
    """One event of the deal written out; `index` is its place in the record, or that of the event it comes before.

    `cards` are those that the event names, in its order; `shown` those that its seat must have, where they are others.
    """

    event: AnyEvent
    index: int
    cards: list[CardPlace]
    shown: list[CardPlace] | None = None


class LaidTrick(NamedTuple):
    """A trick: its cards, who led, the position of the reply, and who took it as far as the record's order tells."""

    led: CardPlace
    reply: CardPlace
    leader: int
    position: int
    winner: int


@dataclass(slots=True)
class DealLayout:
    """A deal written out.

    `tokens` are what the record writes of every slot, `domains` the cards that may lie in it; the `entering` slots
    are those of cards dealt and drawn, the others name such a card again. `alike` are slots that nothing tells
    apart. `copies` counts by card those that are not known to lie anywhere else; `held` are the known cards of
    each seat before the first event. `narrowed` says that some illegal completions are left out, `doubtful` that some
    legal ones may be, because the record leaves open who drew which card. `every_card_matters` says that what is
    legal may depend on any of the slots.
    """

    deal: Deal
    seats: int
    copies: dict[str, int]
    held: list[dict[str, int]]
    hands: list[list[CardPlace]] = field(default_factory=list)
    captured: list[list[CardPlace]] = field(default_factory=list)
    trick: list[CardPlace] = field(default_factory=list)
    turn_up: CardPlace | None = None
    tokens: list[list[str]] = field(default_factory=list)
    entering: list[int] = field(default_factory=list)
    domains: list[list[str]] = field(default_factory=list)
    alike: list[list[int]] = field(default_factory=list)
    steps: list[LayoutStep] = field(default_factory=list)
    gained: list[list[CardMove]] = field(default_factory=list)
    given: list[list[CardMove]] = field(default_factory=list)
    tricks: list[LaidTrick] = field(default_factory=list)
    narrowed: bool = False
    doubtful: bool = False
    every_card_matters: bool = False

    def place(self, token: str, *, enters: bool = True) -> CardPlace:
        """A card as the record writes it: itself, or a new slot for it.

        A card that `enters` comes from those that are not known to lie anywhere.
        """
        if is_unknown(token):
            return self.slot(token, enters=enters)
        if enters:
            self.count_known(token)
        return token

    def slot(self, token: str, *, enters: bool = True) -> int:
        """A new slot."""
        self.tokens.append([token])
        if enters:
            self.entering.append(len(self.tokens) - 1)
        return len(self.tokens) - 1

    def narrow(self, slot: int, token: str) -> None:
        """The record writes the card of a slot once more."""
        if token != "??" and token not in self.tokens[slot]:
            self.tokens[slot].append(token)

    def places(self, tokens: list[str]) -> list[CardPlace]:
        """The cards of one place whose known cards are counted: like tokens are like slots."""
        found: list[CardPlace] = []
        groups: dict[str, list[int]] = {}
        for token in tokens:
            if is_unknown(token):
                found.append(slot := self.slot(token))
                groups.setdefault(token, []).append(slot)
            else:
                found.append(token)
        self.alike += [group for group in groups.values() if len(group) > 1]
        return found

    def find_domains(self) -> None:
        """List the cards that may lie in each slot, once all known cards are counted."""
        entering, found = set(self.entering), dict[tuple[bool, tuple[str, ...]], list[str]]()
        for slot, tokens in enumerate(self.tokens):
            asked = slot in entering, tuple(tokens)
            if asked not in found:
                found[asked] = [
                    card
                    for card, count in self.copies.items()
                    if (count > 0 or slot not in entering) and all(fits(t, card) for t in tokens)
                ]
            self.domains.append(found[asked])

    def count_known(self, card: CardPlace) -> None:
        """A known card has come into play: one copy fewer can be anywhere else."""
        if isinstance(card, str):
            self.copies[card] = self.copies.get(card, 0) - 1

    def completed(self, cards: list[str]) -> Deal:
        """The deal with a card in every slot, and nothing left open."""

        def named(where: list[CardPlace]) -> list[str]:
            return [cards[card] if isinstance(card, int) else card for card in where]

        deal = self.deal
        events = [with_cards(step.event, named(step.cards)) for step in self.steps]
        turn_up = None if self.turn_up is None else named([self.turn_up])[0]
        hands = list(map(named, self.hands))
        setup = deal.setup
        changed = {"knowledge": "full", "seat": None, "stock": None, "events": events}
        if setup is None:
            return replace(deal, **changed, hands=hands, turn_up=turn_up)
        filled = replace(
            setup,
            hands=hands,
            turn_up=turn_up,
            captured=list(map(named, self.captured)) if setup.captured is not None else None,
            trick=named(self.trick) if setup.trick is not None else None,
        )
        return replace(deal, **changed, setup=filled)


def fits(token: str, card: str) -> bool:
    """Whether a card may be what the record writes."""
    return covers(token, card) if is_unknown(token) else token == card


def with_cards(event: AnyEvent, cards: list[str]) -> AnyEvent:
    """An event with these cards instead of its own."""
    match event:
        case Play() | Draw() | Discard():
            return event if event.card == cards[0] else replace(event, card=cards[0])
        case Meld() | Declare():
            return event if event.cards == cards else replace(event, cards=cards)
    return event


# A deal with tricks: every unknown card gets a slot, and every unwritten draw its place (C1, C5, C6).


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
    if isinstance(rules.written.trumps, FirstMeld) and any(
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
            size = self.rules.written.hand[layout.seats]
            hands = self.deal.hands or [["??"] * size for _ in range(layout.seats)]
            self.left = self.rules.pack_size - sum(map(len, hands))
            turn_up = self.deal.turn_up
            if isinstance(self.rules.written.trumps, TurnUp):
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
        makers = [meld.name for meld in rules.written.melds if meld.kind in rules.makes_trumps]
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
        rule, seat = self.rules.written.dix, event.seat
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


# A deal of Zetema: its unwritten draws, and what every combination takes from the hand (Z2 to Z5).

MOST_ORIGINS = 24
"""Ways to take the cards of marriages that are searched, one after the other."""


def write_out_turns(rules: CompiledSheet, deal: Deal, names: list[str]) -> DealLayout:
    """A deal of Zetema that says where the cards of marriages lay, written out.

    Raises SearchGivenUpError for what the search does not model, NoCompletionError if they cannot have lain there.
    """
    writer = _TurnWriter(rules, deal, names)
    try:
        return writer.write()
    except NoCompletionError:
        if writer.hidden_discards:
            raise SearchGivenUpError from None
        raise


def deals_with_origins(
    rules: CompiledSheet, deal: Deal, names: list[str], budget: SearchBudget
) -> list[Deal]:
    """The deal with every way to take the cards of marriages from hand and tableau, where it does not say.

    A way is dropped when a later draw or turn shows that the hand had another size. Raises SearchGivenUpError
    if there are too many ways, and NoWayError if an event is possible in none.
    """
    if not any(isinstance(event, Meld) and _hides_origin(event) for event in deal.events):
        return [deal]
    ways = [_Way([], lay_out_deal(rules, deal, names))]
    hidden = False
    for index, event in enumerate(deal.events):
        budget.spend(STEPS_A_REPLAYED_EVENT * len(ways))
        before, ways = len(ways), [after for way in ways for after in way.after(event)]
        # A card discarded unseen may have completed a pile; one married unseen may have left the hand.
        hidden = hidden or isinstance(event, Irregular) or _hides_cards(event)
        if len(ways) > MOST_ORIGINS or (hidden and len(ways) < before):
            raise SearchGivenUpError
        if not ways:
            raise NoWayError(index)
    return [replace(deal, events=way.events) for way in ways]


class NoWayError(Exception):
    """No origin of the cards of marriages makes an event possible; the argument is its index."""


def _hides_cards(event: AnyEvent) -> bool:
    if isinstance(event, Meld):
        return any(map(is_unknown, [*event.cards, *(event.from_tableau or [])]))
    return isinstance(event, Discard) and is_unknown(event.card)


def _hides_origin(event: Meld) -> bool:
    return event.meld == "marriages" and event.from_tableau is None


class _Way:
    """The events so far, with the origins chosen for marriages, and the table after them."""

    def __init__(self, events: list[AnyEvent], table: Table) -> None:
        self.events, self.table = events, table
        self.stepper = unchecked_stepper(table)

    def after(self, event: AnyEvent) -> list["_Way"]:
        """The ways with one more event: none if it cannot be, several if its cards may have several origins."""
        if not self._may_be(event):
            return list[_Way]()
        if not isinstance(event, Meld) or not _hides_origin(event):
            return [self.joined_by(event)]
        origins = list(_origins(event, self.table))
        others = [_Way([*self.events], self.table.copy()) for _ in origins[1:]]
        return [
            way.joined_by(replace(event, from_tableau=cards))
            for way, cards in zip([*others, self], origins[::-1], strict=True)
        ]

    def joined_by(self, event: AnyEvent) -> "_Way":
        """The same way, after one more event."""
        self.events.append(event)
        self.stepper.advance(event)
        return self

    def _may_be(self, event: AnyEvent) -> bool:
        """Whether the size of the hands allows the event now."""
        if isinstance(event, Draw):
            return event.seat in self.table.draws_due
        return not isinstance(event, Meld | Discard) or event.seat == self.table.seat


def _origins(event: Meld, table: Table) -> Iterator[list[str]]:
    """Every choice of cards that lie on the tableau."""
    cards = count_cards(event.cards)
    lying = [card for rank in {c[0] for c in cards} for card in table.tableau.piles.get(rank, [])]
    ranges = [range(min(count, lying.count(card)) + 1) for card, count in cards.items()]
    for numbers in product(*ranges):
        yield [card for card, n in zip(cards, numbers, strict=True) for _ in range(n)]


class _TurnWriter(DealWriter):
    """Goes through a deal of Zetema beside a table that knows who has to draw."""

    def __init__(self, rules: CompiledSheet, deal: Deal, names: list[str]) -> None:
        super().__init__(rules, deal, names, None)
        self.hidden_discards = False
        self.partial = lay_out_deal(rules, deal, names)

    def write(self) -> DealLayout:
        """The layout of the whole deal."""
        self._begin()
        table, stepper = self.partial, unchecked_stepper(self.partial)
        for index, event in enumerate(self.events):
            match event:
                case Draw():
                    if event.seat not in table.draws_due or not self.left:
                        raise NoCompletionError
                    self._draw(index, event)
                case Discard():
                    self._draw_up(index, event)
                    self._discard(index, event, table)
                case Meld():
                    self._draw_up(index, event)
                    self._combine(index, event, table)
                case Irregular():
                    raise SearchGivenUpError
                case _:
                    self._add(index, event)
            stepper.advance(event)
        self.layout.find_domains()
        return self.layout

    def _draw_up(self, index: int, event: Discard | Meld) -> None:
        """Make the draws that are due and not written."""
        for seat in self.partial.draws_due:
            if seat != event.seat:
                raise NoCompletionError
            self._draw(index, Draw(seat=seat, card="??"))

    def _discard(self, index: int, event: Discard, table: Table) -> None:
        card = self.layout.place(event.card, enters=False)
        self.hidden_discards = self.hidden_discards or isinstance(card, int)
        if isinstance(card, int) or table.tableau.must_complete:
            self.layout.every_card_matters = True
        position = self._add(index, event, card)
        self.layout.given[event.seat].append(CardMove(position, card))

    def _combine(self, index: int, event: Meld, table: Table) -> None:
        cards: list[CardPlace] = [self.layout.place(card, enters=False) for card in event.cards]
        position = self._add(index, event, *cards)
        if event.meld != "marriages":
            return
        if self.hidden_discards:
            raise SearchGivenUpError
        taken = _from_tableau(event, table)
        shown = count_cards(event.cards)
        from_hand = [card for card in shown for _ in range(shown[card] - taken.get(card, 0))]
        self.layout.steps[position].shown = list(from_hand)
        moves = self.layout.given[event.seat]
        moves += [CardMove(position, card) for card in from_hand]


def _from_tableau(event: Meld, table: Table) -> dict[str, int]:
    """Which cards of marriages lie on the tableau, where the record leaves no doubt."""
    lying = [
        card for rank in {c[0] for c in event.cards} for card in table.tableau.piles.get(rank, [])
    ]
    written = event.from_tableau or []
    if any(map(is_unknown, [*event.cards, *lying, *written])):
        raise SearchGivenUpError
    taken = count_cards(written)
    if any(lying.count(card) < number for card, number in taken.items()):
        raise NoCompletionError
    return taken
