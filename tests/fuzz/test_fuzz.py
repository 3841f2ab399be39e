"""Inputs from the fuzzer, with fixed seeds: none costs more than it may, none raises. `make soak` tries many more."""

import pytest

from tests.fuzz.__main__ import report
from tests.fuzz.hunt import hunt
from tests.fuzz.shapes import SHAPES

CPU_SECONDS = 2.5
"""What the inputs of a shape may cost together."""
INPUTS = {"identify": 3, "sql": 40}
MOST_INPUTS = 400
SEED = 1


@pytest.mark.timeout(600)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_input_costs_more_than_it_may(shape: str) -> None:
    tallies = hunt(
        [shape], seed=SEED, inputs=INPUTS.get(shape, MOST_INPUTS), cpu_seconds=CPU_SECONDS
    )
    print(report(tallies))
    assert [found.say() for found in tallies[shape].found] == []
    assert tallies[shape].inputs >= 3
