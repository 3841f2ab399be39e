"""The cards a deal has too many or too few of: what a wrongly written card may have been."""

from collections import Counter

from records.events import Dix, Draw, Play
from records.record import Deal
from records.rules.compiled import CompiledSheet


class CardCensus:
    """The surplus and the missing cards among those dealt and drawn, and among those played.

    In a deal played to its end (`is_whole`) every card is dealt once and played once. A wrongly written card is
    then one too many, and the right one is missing.
    """

    def __init__(self, deal: Deal, rules: CompiledSheet) -> None:
        labelled = any(["." in card for hand in deal.hands or [] for card in hand])
        pack = Counter(_labelled(rules)) if labelled else Counter(rules.copies)
        self.faces = list(rules.copies)
        self.names = list(pack)
        played = Counter([event.card for event in deal.events if isinstance(event, Play)])
        self.is_whole = sum(played.values()) >= sum(pack.values()) - 1
        dealt = _dealt(deal)
        self.dealt_surplus, self.dealt_missing = dealt - pack, pack - dealt
        self.played_surplus, self.played_missing = played - pack, pack - played
        self.undrawn = list(self.dealt_missing)

    def instead_of_deal(self, card: str) -> list[str]:
        """The cards that one dealt or drawn may have been."""
        if not self.is_whole:
            return [other for other in self.names if other != card]
        return list(self.dealt_missing) if card in self.dealt_surplus else []

    def instead_of_play(self, card: str) -> list[str]:
        """The cards that one played may have been."""
        if not self.is_whole:
            return [other for other in self.names if other != card]
        return list(self.played_missing) if card in self.played_surplus else []


def _dealt(deal: Deal) -> Counter[str]:
    """Every card that came from the pack into a hand; a seven exchanged for the turn-up is counted once."""
    cards = Counter([card for hand in deal.hands or [] for card in hand])
    cards.update([event.card for event in deal.events if isinstance(event, Draw)])
    exchanged = [e for e in deal.events if isinstance(e, Dix) and e.action == "exchange"]
    if exchanged and deal.turn_up is not None:
        cards[deal.turn_up] += 1
        cards[exchanged[0].card or "7" + deal.turn_up[1]] -= 1
    return cards


def _labelled(rules: CompiledSheet) -> list[str]:
    return [
        f"{face}.{copy}" for face, copies in rules.copies.items() for copy in range(1, copies + 1)
    ]
