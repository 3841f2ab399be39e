"""No text costs more than its size allows: one CPU second and 200 MB up to 64 KiB, and twice the size about twice as much."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.costs import payloads

ROOT = Path(__file__).parents[2]
SIZE = 64 * 1024
MOST_SECONDS, MOST_MEMORY = 1.0, 200 * 1024 * 1024
SMALLEST_SECONDS = 0.15
"""Less is not told from noise."""
MOST_ANSWER_BYTES = 8 * 1024 * 1024
"""A report of a line that is no record has some five hundred bytes, and a request has at most ten thousand of them."""

GROUPS = ("FILES", "RECORDS", "EVENTS", "PACKED")
EVERY = [(group, key) for group in GROUPS for key in getattr(payloads, group)]


@cache
def costs(group: str, size: int) -> dict[str, dict[str, Any]]:
    """What every payload of a group costs at this size; one that is missing killed its process."""
    command = [sys.executable, "-m", "tests.costs.measuring", str(size), group]
    done = subprocess.run(
        command, cwd=ROOT, text=True, capture_output=True, check=True, timeout=300
    )
    return {row["key"]: row for row in map(json.loads, done.stdout.splitlines())}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("group", "key"), EVERY)
def test_a_small_text_costs_little(group: str, key: str) -> None:
    row = costs(group, SIZE)[key]
    assert row["failure"] == ""
    assert row["seconds"] <= MOST_SECONDS
    assert row["memory"] <= MOST_MEMORY
    assert row["answer"] <= MOST_ANSWER_BYTES


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("group", "key"), EVERY)
def test_twice_the_size_costs_about_twice_as_much(group: str, key: str) -> None:
    one, two = costs(group, SIZE // 2)[key], costs(group, SIZE)[key]
    growth = two["bytes"] / one["bytes"]
    assert two["failure"] == ""
    assert two["seconds"] <= 1.25 * growth * max(one["seconds"], SMALLEST_SECONDS)
