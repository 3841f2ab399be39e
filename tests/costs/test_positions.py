"""Whatever a position holds, to look at it costs little: one CPU second and 200 MB, in every way there is."""

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from tests.costs import looking
from tests.costs.measuring_once import ROOT
from tests.costs.test_costs import MOST_MEMORY, MOST_SECONDS

pytestmark = pytest.mark.long

POSITIONS = looking.positions()


@cache
def costs() -> dict[tuple[str, str], dict[str, Any]]:
    """What it costs to look at each position in each way; one that is missing killed its process."""
    command = [sys.executable, "-m", "tests.costs.looking"]
    done = subprocess.run(
        command, cwd=ROOT, text=True, capture_output=True, check=True, timeout=600
    )
    rows = map(json.loads, done.stdout.splitlines())
    return {(row["position"], row["way"]): row for row in rows}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", looking.LOOKS)
@pytest.mark.parametrize("position", POSITIONS)
def test_a_crowded_position_costs_little_to_look_at(position: str, way: str) -> None:
    row = costs()[position, way]
    assert row["failure"] == ""
    assert row["seconds"] <= MOST_SECONDS
    assert row["memory"] <= MOST_MEMORY


def test_the_positions_are_small() -> None:
    assert max(map(len, POSITIONS.values())) <= 64 * 1024
