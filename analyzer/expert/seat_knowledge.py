"""What a seat knows of a deal, and worlds that agree with it."""

from random import Random

from analyzer.fast_table.card_bits import each_bit
from analyzer.fast_table.fast_deal import CLOSED_CHAIN, OPEN_CHAIN, FastDeal
from analyzer.fast_table.greedy import dearest_meld

RASH = 0.1
"""Players leave a meld that they hold unscored about so often."""
MOST_REFUSED = 20
"""So many worlds in which the other would have melded are refused before one is taken as it is."""


class SeatKnowledge:
    """A deal as one seat knows it: its own cards, all that lies open, and the cards of the other that it has `shown`.

    The other cards of the other hand and the stock are `unseen`. They are taken together and in the order of the pack,
    so that nothing that is asked here can depend on where they truly are. `deal` is the first such world.
    """

    __slots__ = ("_drawn_since", "_known", "_missing", "deal", "seat", "unseen")

    def __init__(
        self, deal: FastDeal, seat: int, shown: int, drawn_since: int | None = None
    ) -> None:
        """`deal` has every card somewhere; `shown` are cards of the other hand, as a mask.

        `drawn_since` is how many cards the other has drawn since it last could have melded and did not: worlds in which it
        had a meld then are rare. With None nothing is known of that.
        """
        other = 1 - seat
        self.seat, self._drawn_since = seat, drawn_since
        self._known = deal.hands[other] & shown
        hidden = deal.hands[other] ^ self._known
        self._missing = hidden.bit_count()
        self.unseen = sorted([*each_bit(hidden), *deal.stock])
        self.deal = self._dealt(deal, self.unseen)
        _forget_marks(self.deal, other, sum(self.unseen))
        if self.deal.chains[other] == OPEN_CHAIN:
            # Whether the other could show carte blanche is not known before it does.
            self.deal.chains[other] = CLOSED_CHAIN

    def world(self, random: Random) -> FastDeal:
        """The deal with the unseen cards dealt at random, as far as what the other did lets expect."""
        cards = self.unseen[:]
        for _ in range(MOST_REFUSED):
            random.shuffle(cards)
            world = self._dealt(self.deal, cards)
            if self._drawn_since is None or random.random() < RASH:
                break
            if not self.has_overlooked(world, sum(cards[: self._missing][: self._drawn_since])):
                break
        return world

    def has_overlooked(self, world: FastDeal, drawn: int) -> bool:
        """Whether the other held a meld already when it did not meld; `drawn` are the cards that have come since.

        Where melds may be formed again once a card has left, only cards never shown count: what the others could do then is
        forgotten.
        """
        other, compiled = 1 - self.seat, world.rules.compiled
        before = world.hands[other], world.window, world.hopeful[other]
        world.hands[other] &= ~drawn
        if compiled.forgotten_bits | compiled.traced_bits:
            world.hands[other] &= ~self._known
        world.window = other
        found = dearest_meld(world) is not None
        world.hands[other], world.window, world.hopeful[other] = before
        return found

    def _dealt(self, deal: FastDeal, cards: list[int]) -> FastDeal:
        """The deal with these unseen cards: first those of the other hand, then the stock."""
        deal, other = deal.copy(), 1 - self.seat
        deal.hands[other] = self._known | sum(cards[: self._missing])
        deal.stock = cards[self._missing :]
        deal.hopeful[other] = deal.view.all_melds
        return deal


def _forget_marks(deal: FastDeal, seat: int, cards: int) -> None:
    """Let these cards have served in nothing: what has was seen, or cannot be told from what has not."""
    scored = deal.scored[seat]
    scored.kinds = [of_kind & ~cards for of_kind in scored.kinds]
    scored.ever, scored.new, scored.used = (
        scored.ever & ~cards,
        scored.new & ~cards,
        scored.used & ~cards,
    )
    for each in scored.sets:
        each.cards, each.moved = each.cards & ~cards, each.moved & ~cards
    deal.spent &= ~cards
