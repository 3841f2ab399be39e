"""A position may list as many like cards as a stranger chooses: what it costs to check it stays small."""

import json
import os
import subprocess
import sys

import pytest

from records.validator import check
from tests.machine.waiting import PATIENCE_SECONDS
from tests.records.engine.crowded_setups import MOST_BYTES, crowded_setup

SETUPS = int(os.environ.get("BEZIQUE_SETUPS", "20"))
MOST_SECONDS, MOST_MEGABYTES = 1.0, 200.0
"""Of CPU and of memory beyond that at rest, for a record of at most 64 KiB."""
PACK = [rank + suit for rank in "ATKQJ987" for suit in "SHDC"]


def two_like_melds(sheet: str, size: int) -> bytes:
    """A hand of so many cards that lie in two melds, too: each was melded twice, or its copy was."""
    cards = (PACK * 6)[:size]
    setup = {
        "hands": [cards, []],
        "seat": 0,
        "trump": "S",
        "stock": 10,
        "tables": [[{"meld": "marriage", "cards": cards}] * 2, []],
    }
    return json.dumps(
        {
            "format": "bezique-record",
            "version": "1.0",
            "rules": {"id": sheet},
            "players": [{"name": "a"}, {"name": "b"}],
            "deals": [{"dealer": 0, "setup": setup, "events": []}],
        }
    ).encode()


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "size"),
    [("bezique", 22), ("bezique", 32), ("zique", 14), ("rubicon-bezique", 16), ("six-pack-bezique", 192),
     ("polish-bezique", 64)],
)  # fmt: skip
def test_a_meld_laid_twice_is_read_within_a_second(sheet: str, size: int) -> None:
    timed = subprocess.run(
        [sys.executable, "-c", TIMED], input=two_like_melds(sheet, size), capture_output=True,
        check=True, timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    assert json.loads(timed.stdout) == "illegal"


TIMED = """
import json, resource, sys
from records.validator import check
from tests.bench.memory import peak_mib
from tests.machine.cpu_cost import slowness
data = sys.stdin.buffer.read()
check(data.replace(b'"tables"', b'"table"'))
slow = slowness()
used = resource.getrusage(resource.RUSAGE_SELF)
most = int(used.ru_utime + used.ru_stime + 2 * slow)
resource.setrlimit(resource.RLIMIT_CPU, (most,) * 2)
resource.setrlimit(resource.RLIMIT_DATA, (int(peak_mib() + 200) * 1024 * 1024,) * 2)
print(json.dumps(check(data).verdict))
"""


@pytest.mark.slow
def test_crowded_setups_cost_little() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.records.engine.crowded_setups", "0", str(SETUPS)],
        capture_output=True,
        text=True,
        check=True,
    )
    costs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(costs) == SETUPS
    dear = [cost for cost in costs if cost[2] > MOST_SECONDS or cost[3] > MOST_MEGABYTES]
    assert not dear
    assert all(size <= MOST_BYTES for _, size, *_ in costs)


def test_the_verdict_on_a_crowded_setup_is_always_the_same() -> None:
    """What is left out is counted, not timed."""
    data = crowded_setup(3)
    assert check(data) == check(data)
