"""The expert at the engine's table: one seat of a game that `records.selfplay` plays."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from analyzer.annotate.close_review import is_closed
from analyzer.annotate.shown_cards import ShownCards
from analyzer.expert.exact_close import ExactClose, exact_value
from analyzer.expert.passed_melds import PassedMelds
from analyzer.expert.player_choices import HOLD_BACK, choices_of
from analyzer.expert.seat_knowledge import SeatKnowledge
from analyzer.expert.weighing import WeighedChoice, weigh_choices
from analyzer.fast_table.card_bits import each_bit
from analyzer.fast_table.fast_deal import FastDeal
from analyzer.fast_table.greedy import Choice
from analyzer.fast_table.setting_up import fast_deal_at
from records.cards import FACE_OF, sorted_faces
from records.engine.table import Table
from records.events import AnyEvent
from records.record import Deal
from records.selfplay import FormedMeld

DEFAULT_WORLDS = 64
"""Each choice is tried in at most so many worlds; twice as many take about twice as long."""
FEWEST_TRICKS, SHARE_OF_TRICKS = 10, 4
"""A world is played on for so many tricks before the close, or for one in so many of all that the stock is enough for.

What comes later is more noise than knowledge. With six packs ten are too few: melds of four trumps take longer.
"""


class ExpertPlayer:
    """Plays one seat of a deal of a game with tricks between two; the same seed plays alike.

    The `stock` of the deal is only counted among the cards that the seat has not seen. Raises ValueError at its first
    choice in a game without tricks.
    """

    def __init__(self, seat: int, deal: Deal, seed: int, worlds: int = DEFAULT_WORLDS) -> None:
        self.seat = seat
        self._stock = list(deal.stock or ())
        self._random = Random(seed)
        self._worlds = worlds
        self._shown = ShownCards()
        self._passed = PassedMelds(1 - seat)
        self._close = ExactClose()
        self._weighed: tuple[FastDeal, list[WeighedChoice]] | None = None

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Take note of an event; `table` is the table after it."""
        self._shown.read(event, table)
        self._passed.read(event, table)
        self._weighed = None

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to play, of these."""
        if len(cards) == 1:
            return cards[0]
        deal, (best, *_) = self._weigh(table)
        (face,) = _faces(deal, best.choice)
        return next(card for card in cards if FACE_OF[card] == face)

    def choose_dix(self, table: Table, actions: Sequence[str]) -> str | None:
        """What to do with a seven of trumps, of these actions; None to do nothing now."""
        _, values = self._weigh(table)
        chosen = values[0].choice.what if values else actions[0]
        return chosen if chosen in actions else None

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        """The meld to score, of these; None to score none.

        Where like cards are not told apart, the fast table and the engine may list different melds: the best that both
        list is taken, and the dearest of `melds` where there is none.
        """
        deal, values = self._weigh(table)
        for value in values:
            if value.choice.what == HOLD_BACK:
                return None
            faces = _faces(deal, value.choice)
            for row, cards in melds:
                if row.name == value.choice.name and sorted_faces(cards) == faces:
                    return row, cards
        return melds[0]

    def _weigh(self, table: Table) -> tuple[FastDeal, list[WeighedChoice]]:
        """The deal at the table, and what may be chosen there, the best first; weighed once between two events."""
        if self._weighed is None:
            self._weighed = self._weigh_anew(table)
        return self._weighed

    def _weigh_anew(self, table: Table) -> tuple[FastDeal, list[WeighedChoice]]:
        left, other = table.stock.left, 1 - self.seat
        deal = fast_deal_at(table, self._stock[len(self._stock) - left :], viewer=self.seat)
        shown = mask_of_shown(deal, other, self._shown.of(table, other))
        knowledge = SeatKnowledge(deal, self.seat, shown, self._passed.drawn_since)
        choices = choices_of(knowledge.deal)
        if not choices:
            return deal, []
        # After the close all worlds are the same.
        worlds = 1 if is_closed(table) else self._worlds
        tricks = max(FEWEST_TRICKS, len(self._stock) // 2 // SHARE_OF_TRICKS)
        values = weigh_choices(knowledge, choices, self._random, worlds, most_tricks=tricks)
        if moves := self._close.values(table):
            # Of equally good choices the one stays first that wins most from a simple player.
            values.sort(key=lambda value: exact_value(deal, value.choice, moves), reverse=True)
        return deal, values


def mask_of_shown(deal: FastDeal, seat: int, shown: Counter[str]) -> int:
    """The cards of a hand that the other has seen, as a mask; of like cards those that have scored come first."""
    cards, hand, scored = deal.view.cards, deal.hands[seat], deal.scored[seat].ever
    found = 0
    for name, number in shown.items():
        like = hand & (cards.bits.get(name, 0) or cards.faces[FACE_OF[name]])
        ordered = [*each_bit(like & scored), *each_bit(like & ~scored)]
        found |= sum(ordered[:number])
    return found


def _faces(deal: FastDeal, choice: Choice) -> tuple[str, ...]:
    """The faces of the cards of a choice, sorted."""
    return sorted_faces(deal.view.cards.names_of(choice.cards))
