"""In the last three tricks before the close all worlds can be played: their mean is exact, and the sampled ones agree."""

from math import sqrt

import pytest

from analyzer.review.choice_worlds import ChoiceWorlds
from analyzer.review.decisions import OpenDecision
from records.selfplay import play_game
from tests.analyzer.review.enumerated_worlds import (
    count_worlds,
    exact_means,
    possible_worlds,
    tricks_to_close,
)
from tests.soak.deep_review import open_decisions

MOST_WORLDS = 2600
SAMPLED = 400
ERRORS, DEVIATION = 4, 0.3
"""A sampled mean differs by so many standard errors at most, and its own idea of the error by this part."""
SEEDS = {"bezique": 11, "marjolet": 3, "zique": 7}


def last_decisions(sheet: str) -> dict[int, OpenDecision]:
    """A decision of a deal for each of the last three tricks, of those that have few worlds the one that has most."""
    decisions = open_decisions(play_game(sheet, seed=SEEDS[sheet], style="casual", deals=1))
    few = [each for each in decisions if count_worlds(each) <= MOST_WORLDS]
    return {tricks_to_close(each): each for each in sorted(few, key=count_worlds)}


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SEEDS)
def test_sampled_worlds_agree_with_all_worlds_enumerated(sheet: str) -> None:
    decisions = last_decisions(sheet)
    assert {1, 2} <= set(decisions)
    for decision in decisions.values():
        sampled = ChoiceWorlds(decision, "key")
        for players in (sampled.base, sampled.simple):
            sampled.widen(players, SAMPLED)
            for choice, exact in enumerate(exact_means(decision, players.play_out)):
                found, error = players.mean_of(choice), exact.error / sqrt(SAMPLED)
                assert abs(found.points - exact.points) <= ERRORS * error + 1e-9
                assert abs(found.error - error) <= DEVIATION * error + 1e-9


def test_the_last_three_tricks_are_all_compared() -> None:
    assert {place for sheet in SEEDS for place in last_decisions(sheet)} == {1, 2, 3}


def test_worlds_in_which_the_other_overlooked_a_meld_are_unlikely() -> None:
    """The enumeration gives them the chance that they have in the sample, so it has unequal chances somewhere."""
    decision = last_decisions("zique")[2]
    assert decision.knowledge._drawn_since is not None
    chances = [world.chance for world in possible_worlds(decision)]
    assert max(chances) > 10 * min(chances)
