"""Writing out a deal of Zetema: its unwritten draws, and what every combination takes from the hand (Z2 to Z5)."""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from records.cards import count_cards, is_unknown
from records.completions.budget import (
    STEPS_A_REPLAYED_EVENT,
    NoCompletionError,
    SearchBudget,
    SearchGivenUpError,
)
from records.completions.written_deal.deal_layout import CardMove, CardPlace, DealLayout
from records.completions.written_deal.trick_writing import DealWriter
from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table
from records.events import AnyEvent, Discard, Draw, Irregular, Meld
from records.record import Deal
from records.rules.compiled import CompiledSheet

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
