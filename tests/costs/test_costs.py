"""No record costs more than its size allows: one CPU second and 200 MB up to 64 KiB, and twice the size about twice as much.

The records of a request cost no more than its steps.
"""

import pytest

from tests.costs import payloads
from tests.costs.measuring_once import Measure, measured

pytestmark = pytest.mark.long

SIZE = 64 * 1024
MOST_SECONDS, MOST_MEMORY = 1.0, 200 * 1024 * 1024
SMALLEST_SECONDS = 0.15
"""Less is not told from noise."""
FACTOR = 1.25
"""What is allowed beyond the growth of the text."""
MOST_REQUEST_SECONDS = 30.0
"""Of a request that takes all its ten million steps; a step takes a microsecond or two."""
TRIES = 3
"""Two measurements of the same thing differ by a quarter now and then, but not every time."""
MOST_ANSWER_BYTES = 8 * 1024 * 1024
"""A report of a line that is no record has some five hundred bytes, and a request has at most ten thousand of them."""

GROUPS = ("FILES", "RECORDS", "EVENTS", "PARTIAL", "PACKED")
EVERY = [(group, key) for group in GROUPS for key in getattr(payloads, group)]


@pytest.mark.slow
@pytest.mark.parametrize(("group", "key"), EVERY)
def test_a_small_text_costs_little(costs: Measure, group: str, key: str) -> None:
    row = costs(group, SIZE)[key]
    assert row["failure"] == ""
    seconds = [row["seconds"]]
    while min(seconds) > MOST_SECONDS and len(seconds) < TRIES:
        seconds.append(measured(group, SIZE, key)[key]["seconds"])
    assert min(seconds) <= MOST_SECONDS, seconds
    assert row["memory"] <= MOST_MEMORY
    assert row["answer"] <= MOST_ANSWER_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("key", payloads.REQUESTS)
def test_a_request_costs_no_more_than_its_steps(key: str) -> None:
    row = measured("REQUESTS", 4 * SIZE, key)[key]
    assert row["failure"] == ""
    assert row["seconds"] <= MOST_REQUEST_SECONDS
    assert row["memory"] <= MOST_MEMORY


@pytest.mark.slow
@pytest.mark.parametrize(("group", "key"), EVERY)
def test_twice_the_size_costs_about_twice_as_much(costs: Measure, group: str, key: str) -> None:
    rows = costs(group, SIZE)
    two = rows[key]
    assert two["failure"] == ""
    # Whoever costs less keeps the bound whatever half the size costs.
    costly = [name for name, row in rows.items() if row["seconds"] > FACTOR * SMALLEST_SECONDS]
    if key not in costly:
        return
    one = costs(group, SIZE // 2, *costly)[key]
    growth = two["bytes"] / one["bytes"]
    ones, twos = [one["seconds"]], [two["seconds"]]

    def grows_too_much() -> bool:
        return min(twos) > FACTOR * growth * max(*ones, SMALLEST_SECONDS)

    while grows_too_much() and len(twos) < TRIES:
        ones.append(measured(group, SIZE // 2, key)[key]["seconds"])
        twos.append(measured(group, SIZE, key)[key]["seconds"])
    assert not grows_too_much(), f"{twos} CPU seconds, and {ones} for half the size"
