"""The expert of a game without tricks: its games are legal, it beats greedy players, and it cannot peek."""

from collections.abc import Sequence
from functools import partial
from random import Random

import pytest

from analyzer.play.expert import TableauExpert
from records.engine.table import Table
from records.record import Deal
from records.selfplay import FormedMeld, play_game
from records.validator import check_record

FEW_WORLDS = 3


class WatchedExpert(TableauExpert):
    """Chooses once more with the cards that it cannot see in other places; `moved` counts how often these differed."""

    moved = 0

    def __init__(self, seat: int, deal: Deal, seed: int) -> None:
        super().__init__(seat, deal, seed, FEW_WORLDS)

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        stock, twin, state = self._stock, self._dealt_elsewhere(table), self._random.getstate()
        other = super().choose_card(twin, cards)
        self._stock = stock
        self._random.setstate(state)
        assert super().choose_card(table, cards) == other
        return other

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        stock, twin, state = self._stock, self._dealt_elsewhere(table), self._random.getstate()
        other = super().choose_meld(twin, melds)
        self._stock = stock
        self._random.setstate(state)
        assert super().choose_meld(table, melds) == other
        return other

    def _dealt_elsewhere(self, table: Table) -> Table:
        left = table.stock.left
        held = [[card for card in each for _ in range(each[card])] for each in table.held]
        others = [seat for seat in range(table.seats) if seat != self.seat]
        cards = self._stock[len(self._stock) - left :] + [
            card for seat in others for card in held[seat]
        ]
        Random(left).shuffle(cards)
        twin = table.copy()
        for seat in others:
            hand = [cards.pop() for _ in held[seat]]
            twin.held[seat].clear()
            twin.held[seat].update({card: hand.count(card) for card in hand})
        self._stock = cards
        WatchedExpert.moved += twin.held != table.held
        return twin


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3])
def test_what_a_seat_cannot_see_changes_nothing(players: int) -> None:
    WatchedExpert.moved = 0
    record = play_game("zetema", seed=1, deals=1, players=players, seat_players={1: WatchedExpert})
    assert check_record(record).verdict in ("legal", "incomplete")
    assert WatchedExpert.moved > 5


@pytest.mark.slow
def test_the_expert_wins_its_matches_against_greedy_players() -> None:
    """In either seat of the same match."""
    for seat in (0, 1):
        expert = {seat: partial(TableauExpert, worlds=FEW_WORLDS)}
        record = play_game("zetema", seed=1, seat_players=expert)
        assert record.result is not None
        assert record.result.winner == seat
