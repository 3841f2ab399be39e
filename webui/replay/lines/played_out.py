"""How a tried line goes on if the simple players of the roll-outs play it to the end of the deal."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile

from analyzer.annotate.luck.rollout import event_of
from analyzer.fast_table.greedy import make_choice, next_choice
from analyzer.fast_table.setting_up import ImpossiblePack, fast_deal_at
from records.cards import is_unknown
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Draw

NextCard = Callable[[Sequence[AnyEvent]], str | None]
"""Gives the card that is drawn after some events of the continuation; None where the record does not say."""


def can_be_played_out(table: Table) -> bool:
    """Whether the simple players can play on: they know no game without tricks, and no hand that is not known."""
    if table.rules.has_tableau or table.step is TableStep.OVER or table.seats != 2:
        return False
    return not any(table.unknown_held(seat) for seat in range(table.seats))


def play_out_line(table: Table, next_card: NextCard, room: int) -> list[AnyEvent]:
    """The events of both players to the end of the deal, at most `room`.

    The line ends before it where the record does not tell the next card; there is none if the cards are not of one pack.
    Cards that the record leaves to be drawn unwritten are drawn, and no event says so.
    """
    known = _known_stock(table, next_card)
    others = Counter(table.unseen) - Counter(known)
    stock = [*known, *others.elements()][: table.stock.left]
    try:
        deal = fast_deal_at(table, stock)
    except ImpossiblePack:
        return []
    line: list[AnyEvent] = []
    while len(line) < room and (not deal.over or deal.window is not None):
        choice = next_choice(deal)
        if choice.what == "draw" and len(stock) - len(deal.stock) >= len(known) and deal.stock:
            break  # nobody knows the next card
        event = event_of(table, deal, choice)
        make_choice(deal, choice)
        if event is not None and not (isinstance(event, Draw) and table.knowledge.omits_draws):
            line.append(event)
    return line


def _is_known(card: str) -> bool:
    """Whether rank and suit of a card are written."""
    return not is_unknown(card)


def _known_stock(table: Table, next_card: NextCard) -> list[str]:
    """The cards that lie face down, as far as the record tells them, the next one first."""
    left, order = table.stock.left, table.stock.order
    if order is not None:
        return [*takewhile(_is_known, order[len(order) - left :])] if left else []
    cards: list[str] = []
    drawn: list[AnyEvent] = []
    while len(cards) < left:
        card = next_card(drawn)
        if card is None or not _is_known(card):
            break
        cards.append(card)
        drawn.append(Draw(seat=0, card=card))
    return cards
