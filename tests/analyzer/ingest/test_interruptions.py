"""An import that is killed, or stopped by Ctrl-C, in the middle: run again, it gives the same database.

`python -m tests.soak --loading` does it at 50 moments.
"""

import random
import signal
from pathlib import Path

import pytest

from tests.playouts.games import STANDARD
from tests.soak.loading import Undisturbed, kill_once_and_resume, mixed, undisturbed

MOMENTS = 2


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    path.write_bytes(mixed(range(2 * len(STANDARD))))
    return path


@pytest.fixture(scope="module")
def whole(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return undisturbed(path, tmp_path_factory.mktemp("whole"))


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("processes", [0, 2])
def test_an_interrupted_import_goes_on(
    path: Path, whole: Undisturbed, processes: int, how: signal.Signals
) -> None:
    chance = random.Random(f"{processes} {how}")
    for _ in range(MOMENTS):
        kill_once_and_resume(path, whole, chance, processes=processes, how=how)
