"""Worlds by what the other has played: from its true hand base players' plays are likely, from a hand by chance less."""

from collections.abc import Iterator
from random import Random
from statistics import mean

import pytest

from analyzer.play import likely_worlds
from analyzer.play.base_player import next_choice
from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import make_choice
from analyzer.play.likely_worlds import LikelyKnowledge, SeenPlays
from analyzer.play.setting_up import deal_cards
from analyzer.play.worlds import SeatKnowledge
from records.rules.compiled import compile_sheet
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import shuffle_deal

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
SEAT, OTHER = 0, 1
FIRST_TRICK = 4
"""Before it hands are still those dealt by chance."""
WORLDS = 5
"""So many are sampled at each moment."""


def moments(sheet_id: str, seeds: range) -> Iterator[tuple[FastDeal, SeenPlays]]:
    """Base players' deals whenever the seat is to play, with what it has seen the other play."""
    sheet = get_sheet(sheet_id)
    for seed in seeds:
        dealt = shuffle_deal(compile_sheet(sheet), seed % 2, Random(seed), seats=2, labels=True)
        deal, plays = deal_cards(sheet, dealt), SeenPlays()
        while deal.phase.draws:
            choice = next_choice(deal)
            if choice.what == "play" and choice.seat == SEAT and deal.tricks >= FIRST_TRICK:
                yield deal, plays
            if choice.what == "play" and choice.seat == OTHER:
                (name,) = deal.view.cards.names_of(choice.cards)
                plays.play(SeatKnowledge(deal, SEAT, shown_of(deal)), name)
            if choice.what == "draw" and choice.seat == OTHER:
                plays.draw()
            make_choice(deal, choice)


def shown_of(deal: FastDeal) -> int:
    """The cards of the other that lie open."""
    return deal.hands[OTHER] & deal.scored[OTHER].ever


def likelihood(deal: FastDeal, plays: SeenPlays, shown: int, random: Random) -> float:
    """How likely the plays of the other were from the hand that it has in a deal."""
    return plays.likelihood(deal, OTHER, deal.hands[OTHER] & ~shown, random)


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_card_just_led_is_what_a_base_player_leads_from_its_hand(
    sheet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing has been drawn since, so the hand is the true one: its likelihood is 1."""
    monkeypatch.setattr(likely_worlds, "PLAYS", 1)
    random, by_chance = Random(1), []
    for deal, plays in moments(sheet, range(2)):
        if deal.led:
            shown = shown_of(deal)
            assert likelihood(deal, plays, shown, random) == 1
            world = SeatKnowledge(deal, SEAT, shown).world(random)
            by_chance.append(likelihood(world, plays, shown, random))
    assert mean(by_chance) < 0.9


@pytest.mark.parametrize("sheet", ["bezique", "polish-bezique", "marjolet"])
def test_worlds_are_likelier_than_by_chance(sheet: str) -> None:
    random = Random(1)
    by_chance, likely = [], []
    for deal, plays in moments(sheet, range(4)):
        shown = shown_of(deal)
        knowledges = (
            (by_chance, SeatKnowledge(deal, SEAT, shown)),
            (likely, LikelyKnowledge(deal, SEAT, shown, None, plays)),
        )
        for found, knowledge in knowledges:
            for _ in range(WORLDS):
                found.append(likelihood(knowledge.world(random), plays, shown, random))
    assert mean(likely) > mean(by_chance) + 0.08


def test_a_play_from_a_hand_that_cannot_have_been_says_nothing() -> None:
    """The other is held to have had a card that the seat itself held then: the play is left out."""
    for deal, plays in moments("bezique", range(1)):
        world = deal.copy()
        world.hands[SEAT], world.hands[OTHER] = deal.hands[OTHER], deal.hands[SEAT]
        assert 0 < plays.likelihood(world, OTHER, 0, Random(1)) <= 1
