"""Numbers of copies as clauses: right in every case, and few clauses however many copies there are."""

from itertools import product

import pytest

from records.engine.reading_sat import Clauses

STEPS = 1_000_000


@pytest.mark.parametrize("listed", [0, 64])
@pytest.mark.parametrize("copies", range(6))
def test_at_least_and_at_most_mean_what_they_say(monkeypatch, copies, listed):
    monkeypatch.setattr("records.engine.reading_sat.MOST_SUBSETS_LISTED", listed)
    for number in range(copies + 2):
        for at_least in (True, False):
            clauses = Clauses()
            active, *variables = clauses.new_variables(copies + 1)
            (clauses.at_least if at_least else clauses.at_most)(active, variables, number)
            for chosen in product((False, True), repeat=copies):
                asked = [v if taken else -v for v, taken in zip(variables, chosen, strict=True)]
                right = sum(chosen) >= number if at_least else sum(chosen) <= number
                assert bool(clauses.solve([active, *asked], STEPS)) == right
                assert clauses.solve([-active, *asked], STEPS)


def test_hundreds_of_copies_take_few_clauses():
    clauses = Clauses()
    active, *variables = clauses.new_variables(385)
    clauses.at_least(active, variables, 190)
    clauses.at_most(active, variables, 190)
    assert clauses.cost < 100_000


def test_six_copies_are_told_without_more_variables():
    clauses = Clauses()
    active, *variables = clauses.new_variables(7)
    for number in range(7):
        clauses.at_least(active, variables, number)
        clauses.at_most(active, variables, number)
    assert clauses.new_variables(1) == [8]
