"""A partial deal written out: its slots for unknown cards, its unwritten draws, and what each seat gets and gives.

Nothing here depends on which card lies in a slot.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace

from records.cards import covers, is_unknown
from records.events import AnyEvent, Declare, Discard, Draw, Meld, Play
from records.record import Deal

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
