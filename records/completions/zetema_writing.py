"""Writing out a deal of Zetema: its unwritten draws, and what every combination takes from the hand (Z2 to Z5)."""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from records.cards import count_cards, is_unknown
from records.completions.budget import NoCompletionError, SearchGivenUpError
from records.completions.deal_layout import CardAt, CardMove, DealLayout
from records.completions.writing_out import DealWriter
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


def deals_with_origins(deal: Deal) -> list[Deal]:
    """The deal with every way to take the cards of marriages from hand and tableau, where it does not say.

    Empty if there are too many.
    """
    lain = count_cards((deal.setup.tableau or []) if deal.setup else [])
    found = [list[AnyEvent]()]
    for event in deal.events:
        ways: list[AnyEvent] = [event]
        if isinstance(event, Discard):
            lain[event.card] = lain.get(event.card, 0) + 1
        elif isinstance(event, Meld) and event.meld == "marriages" and event.from_tableau is None:
            ways = [replace(event, from_tableau=cards) for cards in _origins(event, lain)]
        if len(found) * len(ways) > MOST_ORIGINS:
            return []
        found = [[*events, way] for events in found for way in ways]
    return [replace(deal, events=events) for events in found]


def _origins(event: Meld, lain: dict[str, int]) -> Iterator[list[str]]:
    """Every choice of cards that have lain on the tableau."""
    cards = count_cards(event.cards)
    ranges = [range(min(count, lain.get(card, 0)) + 1) for card, count in cards.items()]
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
        cards: list[CardAt] = [self.layout.place(card, enters=False) for card in event.cards]
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
