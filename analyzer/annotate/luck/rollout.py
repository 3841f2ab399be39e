"""Roll-outs: a position played to the end by two simple players, who estimate its value.

Both win brisques cheaply, throw the cards worth least, and make the highest meld at once (`analyzer.fast_table.greedy`).
They play badly, so the value compares positions and is no prediction. Where like cards are not told apart, one way to
tell them apart is followed: what the players meld is legal, but now and then they miss a meld.
"""

from collections.abc import Sequence

from analyzer.fast_table.fast_deal import FastDeal
from analyzer.fast_table.greedy import Choice, next_choice, play_out
from analyzer.fast_table.setting_up import fast_deal_at
from records.cards import FACE_OF
from records.engine.table import Table
from records.events import AnyEvent, CarteBlanche, Dix, Draw, Meld, Play


class Rollouts:
    """The position of a table, whose cards are all known, to be played out with any order of its face-down cards.

    Raises ValueError for a game without tricks, and ImpossiblePack if its cards are not those of one pack.
    """

    def __init__(self, table: Table, stock: Sequence[str]) -> None:
        """`stock` are the face-down cards in some order."""
        self._deal = fast_deal_at(table, stock)

    def play_out(self, order: Sequence[int] | None = None) -> int:
        """Seat 0's lead at the end of the deal, in points, with the stock in this order of its places, or in its own.

        In an order each seat draws the same cards whoever takes the tricks (`FastDeal.paired`). Two positions then differ by
        the decisions between them and little by who draws what, which halves the standard errors.
        """
        deal = self._deal.copy()
        if order is not None:
            deal.paired = True
            last = len(deal.stock) - 1
            deal.stock = [deal.stock[last - place] for place in reversed(order)]
        return play_out(deal)


def next_event(table: Table) -> AnyEvent | None:
    """The next event of these players at a table; None if there is nothing left to do.

    Raises ValueError and ImpossiblePack as `Rollouts` does.
    """
    event = event_of(table, deal := fast_deal_at(table, ()), next_choice(deal))
    if isinstance(event, Draw):
        return Draw(seat=event.seat, card=table.stock.next_card() or "??")
    return event


def event_of(table: Table, deal: FastDeal, choice: Choice) -> AnyEvent | None:
    """What is chosen at the fast table, as the record of this table would write it: with labels only if it has them."""
    labelled = any(len(card) > 2 for held in (*table.held, *table.captured) for card in held)
    names = deal.view.cards.names_of(choice.cards)
    cards = names if labelled else [FACE_OF[name] for name in names]
    match choice.what:
        case "carte_blanche":
            return CarteBlanche(seat=choice.seat)
        case "exchange" | "show":
            return Dix(seat=choice.seat, action=choice.what)
        case "meld":
            return Meld(seat=choice.seat, meld=choice.name, cards=cards)
        case "draw":
            return Draw(seat=choice.seat, card=cards[0] if cards else "??")
        case "play":
            return Play(seat=choice.seat, card=cards[0])
        case _:
            return None
