"""Inputs from the fuzzer, with fixed seeds: none costs more than it may, none raises. `make soak` tries many more."""

import pytest

from tests.fuzz.__main__ import report
from tests.fuzz.hunt import hunt
from tests.fuzz.shapes import SHAPES

CPU_SECONDS = 0.8
"""What the inputs of a shape may cost together."""
INPUTS = {"identify": 2, "sql": 30}
MOST_INPUTS = 300
SEED = 1


@pytest.mark.timeout(600)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_input_costs_more_than_it_may(shape: str) -> None:
    tallies = hunt(
        [shape], seed=SEED, inputs=INPUTS.get(shape, MOST_INPUTS), cpu_seconds=CPU_SECONDS
    )
    print(report(tallies))
    assert [found.say() for found in tallies[shape].found] == []
    assert tallies[shape].inputs >= 2
