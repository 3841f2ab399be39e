"""Players at the engine's table: each plays one seat of a game, and is chosen by its name."""

from collections.abc import Sequence
from typing import Literal, get_args

from analyzer.play.base_player import choose_card
from analyzer.play.expert import card_at_table, expert_for, require_two_at_tricks
from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import dearest_meld
from analyzer.play.setting_up import fast_deal_at
from analyzer.play.worlds import SeatKnowledge, ShownCards, mask_of_shown
from records.cards import sorted_faces
from records.engine.table import Table
from records.engine.zetema import completing_cards
from records.events import AnyEvent
from records.record import Deal
from records.rules.vocabulary import RuleSheet
from records.selfplay import FormedMeld, SeatPlayerMaker, choose_greedy_card

PlayerKind = Literal["simple", "base", "expert"]
"""A player that comes with the program: simple ones take what scores and keep what may, base ones weigh cards by what they
are worth on the average, and the expert tries its choices in many possible deals. Where more than two play tricks, only simple
ones know the game."""


class SimplePlayer:
    """Plays one seat of a deal of any game: takes what scores, and keeps what may."""

    def __init__(self, seat: int, deal: Deal, seed: int = 0) -> None:
        self.seat = seat

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Take note of an event, which a simple player does not."""

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to play or discard, of these."""
        if not table.rules.has_tableau:
            return choose_greedy_card(table, list(cards))
        completing = completing_cards(table, self.seat)
        return next((card for card in cards if card in completing), cards[-1])

    def choose_dix(self, table: Table, actions: Sequence[str]) -> str | None:
        """What to do with a seven of trumps, of these actions."""
        return "exchange" if "exchange" in actions else actions[0]

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        """The meld to score, of these: the dearest."""
        return melds[0]


class BasePlayer:
    """Plays one seat of a deal of a game with tricks between two; the same deal is played alike.

    The `stock` of the deal is only counted among the cards that the seat has not seen. Raises ValueError at its first
    choice in a game without tricks.
    """

    def __init__(self, seat: int, deal: Deal, seed: int = 0) -> None:
        self.seat = seat
        self._stock = list(deal.stock or ())
        self._shown = ShownCards()

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Take note of an event; `table` is the table after it."""
        self._shown.read(event, table)

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to play, of these."""
        if len(cards) == 1:
            return cards[0]
        deal = self._known_deal(table)
        return card_at_table(deal, choose_card(deal, deal.lawful_cards()), cards)

    def choose_dix(self, table: Table, actions: Sequence[str]) -> str | None:
        """What to do with a seven of trumps, of these actions."""
        return "exchange" if "exchange" in actions else actions[0]

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        """The meld to score, of these.

        Where like cards are not told apart, the fast table and the engine may list different melds: then it is the dearest.
        """
        deal = self._known_deal(table)
        if best := dearest_meld(deal):
            meld, cards = best
            faces = sorted_faces(deal.view.cards.names_of(cards))
            for row, formed in melds:
                if row.name == meld.rule.name and sorted_faces(formed) == faces:
                    return row, formed
        return melds[0]

    def _known_deal(self, table: Table) -> FastDeal:
        """The deal at the table as the seat knows it: what it has not seen lies anywhere."""
        other, left = 1 - self.seat, table.stock.left
        deal = fast_deal_at(table, self._stock[len(self._stock) - left :], viewer=self.seat)
        shown = mask_of_shown(deal, other, self._shown.of(table, other))
        return SeatKnowledge(deal, self.seat, shown).deal


def base_player_for(sheet: RuleSheet) -> SeatPlayerMaker:
    """A maker of base players of a sheet; raises ValueError for a game without tricks, or of tricks for more than two."""
    if sheet.rules.tableau is not None:
        raise ValueError(f"{sheet.id} has no tricks.")
    require_two_at_tricks(sheet)
    return BasePlayer


def player_for(name: PlayerKind, sheet: RuleSheet) -> SeatPlayerMaker:
    """The maker of players with this name; raises ValueError for another name, and where they do not know the game."""
    if name not in get_args(PlayerKind):
        raise ValueError(
            f"There is no player {name!r}: there are {', '.join(get_args(PlayerKind))}."
        )
    if name == "simple":
        return SimplePlayer
    return base_player_for(sheet) if name == "base" else expert_for(sheet)
