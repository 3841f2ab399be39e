"""The choice by worlds: the base player's stands until another is surely better, and worlds go where they matter."""

from random import Random
from statistics import mean, stdev

import pytest

from analyzer.play import halving
from analyzer.play.base_player import next_choice, play_out
from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import make_choice
from analyzer.play.halving import FIRST_WORLDS, base_place, weigh_against_base
from analyzer.play.setting_up import deal_cards
from analyzer.play.worlds import HOLD_BACK, SeatKnowledge, choices_of, do_choice
from records.rules.compiled import compile_sheet
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import shuffle_deal

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.tableau is None]
NOISE = 100
"""Worlds differ by so many points by chance."""
PAIRS, WORLDS = 30, 16
"""So many deals are played twice, by the expert in each seat, with so many worlds."""


def new_deal(sheet_id: str, seed: int) -> FastDeal:
    sheet = get_sheet(sheet_id)
    dealt = shuffle_deal(compile_sheet(sheet), seed % 2, Random(seed), seats=2, labels=True)
    return deal_cards(sheet, dealt)


def knowledge_at(deal: FastDeal) -> SeatKnowledge:
    other = 1 - deal.actor
    return SeatKnowledge(deal, deal.actor, deal.hands[other] & deal.scored[other].ever)


def first_choice(sheet_id: str = "bezique") -> SeatKnowledge:
    """What the seat knows that has the first choice of a deal."""
    return knowledge_at(new_deal(sheet_id, seed=1))


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_base_players_choice_is_found_among_all(sheet: str) -> None:
    """Whoever always takes it comes to the same score as base players who play on."""
    deal = new_deal(sheet, seed=1)
    lead = play_out(deal.copy())
    found = 0
    while not deal.over or deal.window is not None:
        choices = choices_of(deal)
        if len(choices) < 2:
            make_choice(deal, next_choice(deal))
            continue
        place = base_place(deal, choices)
        found += place > 0
        do_choice(deal, choices[place])
        if choices[place].what == HOLD_BACK and deal.over:
            deal.window = None
    assert deal.points[0] - deal.points[1] == lead
    assert found > 10


class PretendedResults:
    """Stands for the base players' roll-outs: noise, and something more for each world in which a choice was made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, better: int, by: float) -> None:
        self.calls, self._made = 0, -1
        self._better, self._by, self._random = better, by, Random(1)
        monkeypatch.setattr(halving, "do_choice", self.do_choice)
        monkeypatch.setattr(halving, "play_out", self.play_out)

    def do_choice(self, deal: FastDeal, choice: object) -> None:
        self._made = self.choices.index(choice)

    def play_out(self, deal: FastDeal, most_tricks: int) -> float:
        assert deal.paired
        self.calls += 1
        return self._random.gauss(self._by if self._made == self._better else 0, NOISE)

    def place_taken(self, knowledge: SeatKnowledge, worlds: int) -> int:
        """The place of the choice that is taken."""
        self.choices = choices_of(knowledge.deal)
        taken, *others = weigh_against_base(knowledge, self.choices, Random(2), worlds)
        assert {*self.choices} == {taken.choice, *(other.choice for other in others)}
        return self.choices.index(taken.choice)


def another_place(knowledge: SeatKnowledge) -> tuple[int, int]:
    """The place of the base player's choice, and that of another."""
    own = base_place(knowledge.deal, choices_of(knowledge.deal))
    return own, int(own == 0)


def test_a_choice_that_is_surely_better_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge = first_choice()
    _, better = another_place(knowledge)
    results = PretendedResults(monkeypatch, better, 2 * NOISE)
    assert [results.place_taken(knowledge, 64) for _ in range(10)] == [better] * 10


def test_among_equals_the_base_players_choice_mostly_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who took whatever leads would take it once in as many times as there are choices."""
    knowledge = first_choice()
    own, _ = another_place(knowledge)
    results = PretendedResults(monkeypatch, own, 0)
    stood = sum(results.place_taken(knowledge, 64) == own for _ in range(60))
    assert len(results.choices) >= 6
    assert stood > 20


@pytest.mark.parametrize("worlds", [1, FIRST_WORLDS, 12, 64])
def test_worlds_go_to_the_better_half(monkeypatch: pytest.MonkeyPatch, worlds: int) -> None:
    """Each round costs at most as much as the first and what the base player's choice costs."""
    knowledge = first_choice()
    results = PretendedResults(monkeypatch, 0, 0)
    results.place_taken(knowledge, worlds)
    number = len(results.choices)
    first = min(FIRST_WORLDS, worlds)
    rounds = 0 if worlds == first else (-(-worlds // first) - 1).bit_length()
    assert number * first <= results.calls <= first * number * (1 + rounds) + 2 * worlds
    assert results.calls < number * worlds or rounds == 0


def test_what_no_longer_differs_is_believed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single world is for a seat to which nothing is hidden: there the least lead counts."""
    knowledge = first_choice()
    _, better = another_place(knowledge)
    results = PretendedResults(monkeypatch, better, 20 * NOISE)
    assert results.place_taken(knowledge, 1) == better


@pytest.mark.slow
def test_choices_by_worlds_beat_the_base_player() -> None:
    """Each deal in both seats, each seat drawing the same cards: luck alone leads by three errors once in a thousand runs."""
    leads = []
    for seed in range(PAIRS):
        deal = new_deal("marjolet", seed)
        deal.paired = True
        leads.append(mean(_lead_by_worlds(deal.copy(), seat, seed) for seat in (0, 1)))
    assert mean(leads) > 3 * stdev(leads) / PAIRS**0.5


def _lead_by_worlds(deal: FastDeal, seat: int, seed: int) -> int:
    """The lead of a seat that chooses by worlds until the close over a base player."""
    random = Random(seed)
    while not deal.over or deal.window is not None:
        choices = choices_of(deal) if deal.actor == seat and deal.phase.draws else []
        if len(choices) > 1:
            knowledge = knowledge_at(deal)
            do_choice(deal, weigh_against_base(knowledge, choices, random, WORLDS)[0].choice)
        else:
            make_choice(deal, next_choice(deal))
    lead = deal.points[0] - deal.points[1]
    return lead if seat == 0 else -lead
