"""Damaged games seen in part, so that no completion saves them: at least nine in ten are found illegal."""

import os
from collections import Counter
from random import Random

import pytest

from records.validator import check_record
from tests.playouts.games import STANDARD
from tests.records.partial.refuted import ARGUMENTS, LEAST_FOUND, Refuted, refuted_views

GAMES = int(os.environ.get("BEZIQUE_REFUTED", "1"))
"""So many games of every sheet at every table are damaged in every way."""


@pytest.fixture(scope="module")
def made() -> list[tuple[Refuted, bool]]:
    found = []
    for way in STANDARD:
        for seed in range(GAMES):
            record = way.play(seed, ["random", "greedy"][seed % 2], deals=1, where=seed % 2 == 0)
            for view in refuted_views(record, Random(f"{way} {seed}")):
                found.append((view, check_record(view.record).verdict == "illegal"))
    return found


def shares(made: list[tuple[Refuted, bool]]) -> list[str]:
    """A line for every argument and view: how many are found of how many."""
    counts: dict[tuple[str, str], Counter[bool]] = {}
    for view, found in made:
        counts.setdefault((view.argument, view.view), Counter())[found] += 1
    return [
        f"{argument:14} {kind:26} {n[True]:5} of {n.total():5} found"
        for (argument, kind), n in sorted(counts.items())
    ]


@pytest.mark.slow
def test_nine_of_ten_refuted_views_are_found(made):
    print("\n" + "\n".join(shares(made)))
    lost = Counter((view.argument, view.view, view.damage) for view, found in made if not found)
    share = sum(found for _, found in made) / len(made)
    assert share >= LEAST_FOUND, lost.most_common()


@pytest.mark.slow
def test_every_argument_is_used(made):
    assert {view.argument for view, _ in made} == set(ARGUMENTS)
