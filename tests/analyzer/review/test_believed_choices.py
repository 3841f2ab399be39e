"""What no player would believe is weighed, but never called better than what was done."""

import pytest

from analyzer.play import base_player
from analyzer.review.choice_worlds import FOLDS, LeadsByChoice
from analyzer.review.deep_review import NEARLY, ReviewTerms, near_best
from records.selfplay import play_game
from tests.make.whole_reviews import review_deeply
from tests.soak.deep_review import open_decisions


def test_a_refused_choice_is_not_the_best_of_any_worlds() -> None:
    leads = [[0] * 12, [10] * 12, [20, 40] * 6]
    free = LeadsByChoice(base_player.play_out, leads)
    assert (free.best(0), {*free.best_by_world(0)[1]}) == (2, {2})
    refusing = LeadsByChoice(base_player.play_out, leads, frozenset({2}))
    assert (refusing.best(0), {*refusing.best_by_world(0)[1]}) == (1, {1})
    assert refusing.value_of(2, 1).points <= refusing.mean_of(1).points
    assert refusing.loss_range(0, -1, 1)[1] == 10
    assert len(refusing.best_by_world(0)[1]) > FOLDS


def test_refused_choices_are_not_tried_on() -> None:
    leads = [[each] * 8 for each in range(8)]
    players = LeadsByChoice(base_player.play_out, leads, frozenset({7, 6}))
    players.give_up(0)
    assert players.kept == [0, 5]


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["bezique", "zique"])
def test_no_review_calls_better_what_no_player_would_believe(sheet: str) -> None:
    record = play_game(sheet, seed=1, style="casual", deals=1)
    (deal,) = review_deeply(record, ReviewTerms(worlds=8)).deals
    reviewed = {(each.event, each.seat): each for each in deal.decisions}
    asked = 0
    for decision in open_decisions(record):
        found = reviewed.get((decision.event, decision.seat))
        if found is None or found.phase != "stock":
            continue
        refused = {
            (decision.choices[place].name, *decision.cards_of(decision.choices[place]))
            for place in decision.refused
        }
        asked += len(refused)
        named = {(each.meld, *each.cards) for each in near_best(found)}
        assert not named & refused
        for each in found.choices:
            if (each.meld, *each.cards) in refused:
                assert each.behind >= NEARLY
    assert asked
