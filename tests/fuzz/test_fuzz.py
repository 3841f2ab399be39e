"""Inputs from the fuzzer, with fixed seeds: none costs more than it may, none raises. `make soak` tries many more."""

from collections.abc import Iterator

import pytest

from tests.fuzz.__main__ import report
from tests.fuzz.hunt import Runners, hunt
from tests.fuzz.shapes import SHAPES

pytestmark = pytest.mark.long

INPUTS = 40
FEW_INPUTS = {
    "identify": 2,
    "positions": 4,
    "pages": 12,
    "files": 20,
    "notations": 8,
    "packed": 15,
    "partial": 15,
    "drafts": 15,
}
"""Of the shapes whose inputs cost most, fewer are tried: by number, so that a busy machine tries as many."""
SEED = 1


@pytest.fixture(scope="module")
def runners() -> Iterator[Runners]:
    """The processes that run the inputs of all shapes: each needs a second to start."""
    shared = Runners()
    yield shared
    shared.close()


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_no_input_costs_more_than_it_may(runners: Runners, shape: str) -> None:
    tallies = hunt([shape], seed=SEED, inputs=FEW_INPUTS.get(shape, INPUTS), runners=runners)
    print(report(tallies))
    assert [found.say() for found in tallies[shape].found] == []
