"""The choice by worlds: the base player's stands until another is surely better, and worlds go where they matter."""

from collections import Counter
from random import Random
from statistics import mean, stdev

import pytest

from analyzer.play import halving
from analyzer.play.base_player import next_choice, play_out
from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import make_choice
from analyzer.play.halving import (
    FIRST_WORLDS,
    TIMES_AS_MANY,
    base_place,
    weigh_against_base,
    weigh_in_every_world,
)
from analyzer.play.setting_up import deal_cards
from analyzer.play.worlds import HOLD_BACK, SeatKnowledge, choices_of, do_choice
from records.rules.compiled import compile_sheet
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import shuffle_deal

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
NOISE = 100
"""Worlds differ by so many points by chance."""
SAMPLED = 600
"""So many worlds are sampled where all are known."""
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
    again = 2 * (TIMES_AS_MANY - 1) * worlds
    assert number * first <= results.calls <= first * number * (1 + rounds) + 2 * worlds + again
    assert results.calls < number * worlds or rounds == 0


@pytest.mark.parametrize("worlds", [8, 32, 128])
def test_what_leads_is_tried_again_and_must_lead_by_more(
    monkeypatch: pytest.MonkeyPatch, worlds: int
) -> None:
    """A lead of half an error is rarely enough in four times the worlds; one of four errors is."""
    knowledge = first_choice()
    _, better = another_place(knowledge)
    error = NOISE * (2 / worlds) ** 0.5
    weak, strong = [
        sum(results.place_taken(knowledge, worlds) == better for _ in range(20))
        for errors in (0.5, 4)
        for results in [PretendedResults(monkeypatch, better, errors * error)]
    ]
    assert weak <= 4
    assert strong >= 12


def test_one_world_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge = first_choice()
    own, better = another_place(knowledge)
    results = PretendedResults(monkeypatch, better, 20 * NOISE)
    assert results.place_taken(knowledge, 1) == own


# Every world.


def last_trick(sheet_id: str, seed: int) -> FastDeal:
    """A deal of base players at the lead to the last trick of the stock."""
    deal = new_deal(sheet_id, seed)
    while len(deal.stock) + (deal.turn_up > 0) > 2 or deal.due or deal.window is not None:
        make_choice(deal, next_choice(deal))
    return deal


@pytest.mark.parametrize("sheet", ["bezique", "marjolet", "rubicon-bezique"])
def test_every_world_has_the_chance_with_which_it_is_sampled(sheet: str) -> None:
    deal, random = last_trick(sheet, seed=3), Random(1)
    other = 1 - deal.actor
    shown = deal.hands[other] & deal.scored[other].ever
    knowledge = SeatKnowledge(deal, deal.actor, shown, drawn_since=2)
    worlds = knowledge.every_world(random)
    chances = {_faces_of_stock(world): chance for world, chance in worlds}
    assert len(chances) == len(worlds) > 2
    sampled = Counter(_faces_of_stock(knowledge.world(random)) for _ in range(SAMPLED))
    assert sampled.keys() <= chances.keys()
    total = sum(chances.values())
    for faces, chance in chances.items():
        expected = SAMPLED * chance / total
        assert abs(sampled[faces] - expected) < 5 * expected**0.5 + SAMPLED / 50


def _faces_of_stock(world: FastDeal) -> tuple[str, ...]:
    return tuple(name[:2] for card in world.stock for name in world.view.cards.names_of(card))


def test_no_world_is_looked_at_before_the_last_trick() -> None:
    assert first_choice().every_world(Random(1)) == []


def test_what_is_best_on_the_mean_of_all_worlds_comes_first() -> None:
    """A choice that no world but one speaks for is best if that one is likely enough."""
    deal = last_trick("bezique", seed=3)
    knowledge = knowledge_at(deal)
    choices = choices_of(knowledge.deal)
    worlds = knowledge.every_world(Random(1))
    alone = [weigh_in_every_world(knowledge, choices, [world]) for world in worlds]
    together = weigh_in_every_world(knowledge, choices, worlds)
    total = sum(chance for _, chance in worlds)
    for value in together:
        points = [each.points for found in alone for each in found if each.choice == value.choice]
        parts = zip(points, worlds, strict=True)
        assert value.points == pytest.approx(sum(p * chance for p, (_, chance) in parts) / total)
        assert (value.error, value.behind_error, value.worlds) == (0, 0, len(worlds))
        assert value.behind == pytest.approx(together[0].points - value.points)
    assert min(value.behind for value in together) >= 0


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
