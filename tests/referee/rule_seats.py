"""Rule players take their seats: at the engine's table, and in a deal of the fast table that they play to its end."""

from collections.abc import Sequence
from functools import partial

from analyzer.play.fast_deal import FastDeal
from analyzer.play.setting_up import fast_deal_at
from analyzer.play.worlds import ShownCards, mask_of_shown
from records.cards import FACE_OF, sorted_faces
from records.engine.table import Table
from records.events import AnyEvent
from records.record import Deal
from records.selfplay import FormedMeld, SeatPlayerMaker
from tests.referee.rule_players import RulePlayer
from tests.referee.seat_view import SeatView

# At the engine's table.


class RulePlayerSeat:
    """Plays one seat of a game of `records.selfplay`; the `stock` of the deal is only counted among the unseen cards."""

    def __init__(self, seat: int, deal: Deal, seed: int, *, player: RulePlayer) -> None:
        self.seat, self.player = seat, player
        self._stock = list(deal.stock or ())
        self._shown = ShownCards()

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Take note of an event; `table` is the table after it."""
        self._shown.read(event, table)

    def view(self, table: Table) -> SeatView:
        """What the seat sees of a table."""
        stock = self._stock[len(self._stock) - table.stock.left :]
        deal, other = fast_deal_at(table, stock, viewer=self.seat), 1 - self.seat
        shown = mask_of_shown(deal, other, self._shown.of(table, other))
        return SeatView(deal, self.seat, shown)

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to play, of these."""
        if len(cards) == 1:
            return cards[0]
        view = self.view(table)
        face = view.face(self.player.choose_card(view))
        return next(card for card in cards if FACE_OF[card] == face)

    def choose_dix(self, table: Table, actions: Sequence[str]) -> str | None:
        """What to do with a seven of trumps, of these actions."""
        return self.player.choose_dix(actions)

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        """The meld to score, of these; the dearest, where fast table and engine list none in common.

        They may differ where like cards cannot be told apart.
        """
        view = self.view(table)
        listed = {(row.name, sorted_faces(cards)): (row, cards) for row, cards in reversed(melds)}
        lawful = {}
        for each in view.lawful_melds():
            faces = sorted_faces(view.cards.names_of(each.cards))
            if (each.meld.rule.name, faces) in listed:
                lawful[each] = listed[each.meld.rule.name, faces]
        if not lawful:
            return melds[0]
        chosen = self.player.choose_meld(view, [*lawful])
        return None if chosen is None else lawful[chosen]


def seat_maker(player: RulePlayer) -> SeatPlayerMaker:
    """The maker of seats for a rule player."""
    return partial(RulePlayerSeat, player=player)


# In fast play.


def play_out_by_rules(
    deal: FastDeal, players: Sequence[RulePlayer], shown: Sequence[int] = (0, 0)
) -> int:
    """Play a deal to its end, each seat by its player; returns the lead of seat 0 in points. Changes the deal.

    `shown` are the cards of each seat that the other has seen besides those that have scored. Each player chooses by the
    view of its own seat alone.
    """
    return _FastPlay(deal, players, shown).play_to_the_end()


class _FastPlay:
    """A deal of the fast table in play, with the cards of each seat that the other has seen."""

    def __init__(self, deal: FastDeal, players: Sequence[RulePlayer], shown: Sequence[int]) -> None:
        self.deal, self.players = deal, players
        self.shown = [
            cards | deal.scored[seat].ever | deal.spent for seat, cards in enumerate(shown)
        ]
        self._has_had_dix = False

    def view(self, seat: int) -> SeatView:
        """What a seat sees now."""
        return SeatView(self.deal, seat, self.shown[1 - seat])

    def play_to_the_end(self) -> int:
        """Play on until the deal is over."""
        deal = self.deal
        while not deal.over or deal.window is not None:
            self._step()
        return deal.points[0] - deal.points[1]

    def _step(self) -> None:
        deal = self.deal
        for seat in (0, 1):
            if deal.may_show_blanche(seat):
                deal.show_blanche(seat)
        # Whoever has held back, or scored what is allowed, has none left.
        holds = deal.window is not None and deal.left > 0
        if holds and (self._use_seven() or self._score_meld()):
            return
        deal.window = None
        if deal.due:
            deal.draw()
        elif not deal.over:
            seat, lawful = deal.seat, deal.lawful_cards()
            alone = not lawful & (lawful - 1)
            card = lawful if alone else self.players[seat].choose_card(self.view(seat))
            deal.play(card)
            self._has_had_dix = False

    def _use_seven(self) -> bool:
        """Exchange or show a seven, once after a trick."""
        deal, seat = self.deal, self.deal.actor
        sevens = dict(reversed([*deal.lawful_dixes()]))
        if self._has_had_dix or not sevens:
            return False
        self._has_had_dix = True
        action = self.players[seat].choose_dix([*sevens])
        if action is None:
            return False
        self.shown[seat] |= sevens[action] if action == "show" else deal.turn_up
        deal.dix(action, sevens[action])
        return True

    def _score_meld(self) -> bool:
        deal, seat = self.deal, self.deal.actor
        view = self.view(seat)
        lawful = view.lawful_melds()
        chosen = self.players[seat].choose_meld(view, lawful) if lawful else None
        if chosen is None:
            return False
        trump = deal.view.trump
        deal.meld(*chosen)
        if deal.view.trump != trump:
            self.shown = [self._renumbered(cards, trump) for cards in self.shown]
        self.shown[seat] |= deal.scored[seat].ever
        return True

    def _renumbered(self, cards: int, trump: str | None) -> int:
        """Cards as they are numbered since there are trumps."""
        names = self.deal.rules.under[trump].cards.names_of(cards)
        return sum(self.deal.view.cards.bits[name] for name in names)
