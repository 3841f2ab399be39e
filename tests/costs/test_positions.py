"""Whatever a position holds, to look at it costs little: one CPU second and 200 MB, in every way there is."""

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from tests.costs import looking
from tests.costs.measuring_once import ROOT
from tests.costs.test_costs import MOST_MEMORY, MOST_SECONDS, TRIES

pytestmark = pytest.mark.long

POSITIONS = looking.positions()


Costs = dict[tuple[str, str], dict[str, Any]]


def measured(*position_and_way: str) -> Costs:
    """What it costs to look at every position, or at one, in each way; one that is missing killed its process."""
    command = [sys.executable, "-m", "tests.costs.looking", *position_and_way]
    done = subprocess.run(
        command, cwd=ROOT, text=True, capture_output=True, check=True, timeout=600
    )
    rows = map(json.loads, done.stdout.splitlines())
    return {(row["position"], row["way"]): row for row in rows}


@cache
def costs() -> Costs:
    """What all of them cost, measured once."""
    return measured()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", looking.LOOKS)
@pytest.mark.parametrize("position", POSITIONS)
def test_a_crowded_position_costs_little_to_look_at(position: str, way: str) -> None:
    row = costs()[position, way]
    assert row["failure"] == ""
    seconds = [row["seconds"]]
    while min(seconds) > MOST_SECONDS and len(seconds) < TRIES:
        seconds.append(measured(position, way)[position, way]["seconds"])
    assert min(seconds) <= MOST_SECONDS, seconds
    assert row["memory"] <= MOST_MEMORY


def test_the_positions_are_small() -> None:
    assert max(map(len, POSITIONS.values())) <= 64 * 1024
