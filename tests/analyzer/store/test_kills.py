"""A process that is killed at any moment: nothing that it acknowledged is missing.

`python -m tests.soak --kills` does it 200 times.
"""

import pytest

from tests.soak.kills import kill_many

pytestmark = pytest.mark.long

KILLS = 4


@pytest.mark.slow
def test_nothing_acknowledged_is_missing_after_a_kill() -> None:
    *_, said = kill_many(KILLS, seed=1)
    assert said.stored
