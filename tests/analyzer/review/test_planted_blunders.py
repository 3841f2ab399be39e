"""A blunder that players outside the review find is a turning point: a small form of `tests.soak.blunders`."""

import pytest

from tests.soak.blunders import LEAST_BLUNDER, review_experts


@pytest.mark.slow
def test_a_planted_blunder_is_a_turning_point_and_the_experts_are_left_alone() -> None:
    found = review_experts(("marjolet", 6))
    assert found.blundered >= 0
    assert found.lost >= LEAST_BLUNDER
    assert found.is_found
    assert found.mistakes == 0
