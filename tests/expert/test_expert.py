"""The expert: what it does is legal, the same for the same seed, better than greedy, and owes nothing to hidden cards."""

import math
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import mean, stdev

import pytest

from analyzer.expert.expert_player import ExpertPlayer
from analyzer.expert.weighing import WeighedChoice
from analyzer.fast_table.fast_deal import FastDeal
from records import codec
from records.cards import FACE_OF
from records.engine.table import Table
from records.record import Deal
from records.rules.registry import ALL_SHEETS
from records.selfplay import SeatPlayer, play_game
from records.validator import check_record
from tests.soak_expert import paired_leads

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.tableau is None]
FEW_WORLDS = 4
PAIRS, WORLDS = 20, 8
"""So many deals are played twice, by the expert in each seat."""


def expert(seat: int, deal: Deal, seed: int, worlds: int = FEW_WORLDS) -> ExpertPlayer:
    return ExpertPlayer(seat, deal, seed, worlds)


class WatchedExpert(ExpertPlayer):
    """Weighs every choice once more with the hidden cards in other places; counts those where they were."""

    moved = 0

    def _weigh(self, table: Table) -> tuple[FastDeal, list[WeighedChoice]]:
        state, stock = self._random.getstate(), self._stock
        deal, values = super()._weigh(table)
        after = self._random.getstate()
        twin = self._with_hidden_cards_elsewhere(table)
        self._random.setstate(state)
        other_deal, other_values = super()._weigh(twin)
        assert told(other_deal, other_values) == told(deal, values)
        WatchedExpert.moved += twin.held != table.held
        self._stock = stock
        self._random.setstate(after)
        return deal, values

    def _with_hidden_cards_elsewhere(self, table: Table) -> Table:
        other, left = 1 - self.seat, table.stock.left
        known = self._shown.of(table, other)
        hidden = Counter(table.held[other]) - known
        stock = self._stock[len(self._stock) - left :]
        cards = [*hidden.elements(), *stock]
        Random(len(table.events) + left).shuffle(cards)
        self._stock = cards[hidden.total() :]
        twin = table.copy()
        twin.held = [*table.held]
        twin.held[other] = dict(known + Counter(cards[: hidden.total()]))
        return twin


def told(deal: FastDeal, values: list[WeighedChoice]) -> list[object]:
    """The choices with their faces and their values."""
    names = deal.view.cards.names_of
    return [
        (
            value.choice.what,
            value.choice.name,
            sorted(FACE_OF[name] for name in names(value.choice.cards)),
            value[1:],
        )
        for value in values
    ]


@pytest.mark.parametrize("sheet", SHEETS)
def test_what_a_seat_cannot_see_changes_nothing(sheet: str) -> None:
    WatchedExpert.moved = 0
    watched: Callable[[int, Deal, int], SeatPlayer] = partial(WatchedExpert, worlds=2)
    for seed, labels in ((1, False), (2, "marjolet" not in sheet)):
        record = play_game(
            sheet, seed=seed, deals=1, labels=labels, seat_players={0: watched, 1: watched}
        )
        assert check_record(record).verdict in ("legal", "incomplete")
    assert WatchedExpert.moved > 20


def test_the_same_seed_plays_the_same_game() -> None:
    games = [
        codec.encode(play_game("zique", seed=seed, deals=2, seat_players={0: expert, 1: expert}))
        for seed in (5, 5, 6)
    ]
    assert games[0] == games[1] != games[2]


def test_the_expert_beats_greedy_players() -> None:
    """On the same cards in both seats: luck alone leads by three standard errors once in a thousand runs."""
    leads = list(paired_leads("marjolet", PAIRS, partial(expert, worlds=WORLDS)))
    assert mean(leads) > 3 * stdev(leads) / math.sqrt(PAIRS)
