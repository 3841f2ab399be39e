"""The cards a deal has too many or too few of: what a wrongly written card may have been."""

from collections import Counter

from records.engine.copies.labels import single_labels
from records.events import Dix, Draw, Play
from records.record import Deal
from records.rules.compiled import CompiledSheet


class CardCensus:
    """The surplus and the missing cards among those dealt and drawn, and among those played.

    In a deal played to its end (`is_whole`) every card is dealt once and played once. A wrongly written card is
    then one too many, and the right one is missing.
    """

    def __init__(self, deal: Deal, rules: CompiledSheet) -> None:
        self._plain = single_labels(rules)
        played = self._count([event.card for event in deal.events if isinstance(event, Play)])
        dealt = self._dealt(deal)
        # Any card may tell: hands may be hidden, and draws left out.
        labelled = any(["." in card for card in (*dealt, *played)])
        pack = Counter(rules.labelled_copies if labelled else rules.copies)
        self.faces = list(rules.copies)
        self.names = list(pack)
        self.is_whole = sum(played.values()) >= sum(pack.values()) - 1
        self.dealt_surplus, self.dealt_missing = dealt - pack, pack - dealt
        self.played_surplus, self.played_missing = played - pack, pack - played
        self.undrawn = list(self.dealt_missing)

    def instead_of_deal(self, card: str) -> list[str]:
        """The cards that one dealt or drawn may have been."""
        return self._instead_of(card, self.dealt_surplus, self.dealt_missing)

    def instead_of_play(self, card: str) -> list[str]:
        """The cards that one played may have been."""
        return self._instead_of(card, self.played_surplus, self.played_missing)

    def _instead_of(self, card: str, surplus: Counter[str], missing: Counter[str]) -> list[str]:
        name = self._name(card)
        if not self.is_whole:
            return [other for other in self.names if other != name]
        return list(missing) if name in surplus else []

    def _name(self, card: str) -> str:
        """A card as the pack names it: one of which there is no other has no label."""
        return self._plain.get(card, card)

    def _count(self, cards: list[str]) -> Counter[str]:
        return Counter(map(self._name, cards))

    def _dealt(self, deal: Deal) -> Counter[str]:
        """Every card that came from the pack into a hand; a seven exchanged for the turn-up is counted once."""
        cards = self._count([card for hand in deal.hands or [] for card in hand])
        cards += self._count([event.card for event in deal.events if isinstance(event, Draw)])
        exchanged = [e for e in deal.events if isinstance(e, Dix) and e.action == "exchange"]
        if exchanged and deal.turn_up is not None:
            cards[self._name(deal.turn_up)] += 1
            cards[self._name(exchanged[0].card or "7" + deal.turn_up[1])] -= 1
        return cards
