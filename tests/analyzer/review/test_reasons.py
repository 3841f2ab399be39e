"""Reasons: what the worlds bring after two choices adds up, and the reasons told say enough of the difference."""

from itertools import product

import pytest

from analyzer.play.worlds import do_choice
from analyzer.review.choice_worlds import (
    SOON,
    ChoiceWorlds,
    PointSource,
    Reason,
    choose_reasons,
    trace_choice,
)
from records.selfplay import play_game
from tests.soak.deep_review import open_decisions


@pytest.mark.parametrize("sheet", ["bezique", "polish-bezique", "marjolet", "rubicon-bezique"])
def test_the_points_of_all_sources_add_up_to_the_lead(sheet: str) -> None:
    decisions = open_decisions(play_game(sheet, seed=1, style="casual", deals=1))
    for decision in decisions[3::15]:
        worlds = ChoiceWorlds(decision, "key")
        for number, players in product(range(2), (worlds.base, worlds.simple)):
            before = worlds.world(number)
            for choice in decision.choices:
                traced = trace_choice(before, choice, players.play_out)
                points = [0, 0]
                for source, times in traced.items():
                    points[source.seat] += source.worth * times
                after = before.copy()
                do_choice(after, choice)
                players.play_out(after, SOON)
                assert points[0] - points[1] == after.lead_so_far - before.lead_so_far


def reason(name: str, points: float) -> Reason:
    return Reason(PointSource(0, name, 100), 100, 50, 20, 0.5, 0.2, points)


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ({"four_aces": (60, 5), "bezique": (20, 5), "other": (20, 5)}, ["four_aces", "bezique"]),
        ({"four_aces": (60, 5), "bezique": (10, 5), "other": (30, 5)}, ["four_aces"]),
        ({"four_aces": (60, 31), "bezique": (40, 5)}, ["bezique"]),
        ({"four_aces": (20, 5), "bezique": (20, 5), "four_kings": (15, 5), "other": (45, 5)},
         ["four_aces", "bezique"]),
        ({"four_aces": (17, 1), "bezique": (15, 1), "other": (68, 5)}, []),
        ({"other": (100, 5)}, []),
        ({"four_aces": (-50, 5), "bezique": (150, 5)}, ["bezique"]),
    ],
)  # fmt: skip
def test_the_reasons_told_are_a_third_of_the_difference_at_least(
    points: dict[str, tuple[float, float]], told: list[str]
) -> None:
    found = [(reason(name, worth), error) for name, (worth, error) in points.items()]
    assert [each.source.name for each in choose_reasons(found)] == told
    assert [each.source.name for each in choose_reasons(found, 100)] == told
    assert choose_reasons(found, 1000) == []
