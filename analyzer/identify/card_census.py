"""Which cards a deal has too many of, and which are wanting: what a card written wrong may have been."""

from collections import Counter

from records.events import Dix, Draw, Play
from records.record import Deal
from records.rules.compiled import CompiledSheet


class CardCensus:
    """Which cards are too many and which are wanting, in what was dealt and drawn and in what was played.

    Where a deal was played to its end, every card is dealt once and played once: then a card written
    wrong is one too many, and what it should have been is missing.
    """

    def __init__(self, deal: Deal, book: CompiledSheet) -> None:
        labelled = any(["." in card for hand in deal.hands or [] for card in hand])
        pack = Counter(_labelled(book)) if labelled else Counter(book.copies)
        self.faces = list(book.copies)
        self.all = list(pack)
        played = Counter([event.card for event in deal.events if isinstance(event, Play)])
        self.whole = sum(played.values()) >= sum(pack.values()) - 1
        dealt = _dealt(deal)
        self.dealt_over, self.dealt_under = dealt - pack, pack - dealt
        self.played_over, self.played_under = played - pack, pack - played
        self.undrawn = list(self.dealt_under)

    def instead_of_deal(self, card: str) -> list[str]:
        """What a card that was dealt or drawn may have been."""
        if not self.whole:
            return [other for other in self.all if other != card]
        return list(self.dealt_under) if card in self.dealt_over else []

    def instead_of_play(self, card: str) -> list[str]:
        """What a card that was played may have been."""
        if not self.whole:
            return [other for other in self.all if other != card]
        return list(self.played_under) if card in self.played_over else []


def _dealt(deal: Deal) -> Counter[str]:
    """Every card that came to a hand from the pack; the seven laid down in exchange comes to one twice."""
    cards = Counter([card for hand in deal.hands or [] for card in hand])
    cards.update([event.card for event in deal.events if isinstance(event, Draw)])
    exchanged = [e for e in deal.events if isinstance(e, Dix) and e.action == "exchange"]
    if exchanged and deal.turn_up is not None:
        cards[deal.turn_up] += 1
        cards[exchanged[0].card or "7" + deal.turn_up[1]] -= 1
    return cards


def _labelled(book: CompiledSheet) -> list[str]:
    return [
        f"{face}.{copy}" for face, copies in book.copies.items() for copy in range(1, copies + 1)
    ]
