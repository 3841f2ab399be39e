import pytest

from tests.costs.measuring_once import Measure, measuring_once


@pytest.fixture(scope="session")
def costs(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Measure:
    """What every payload of a group costs at a size, measured by one worker for all."""
    folder = tmp_path_factory.getbasetemp()
    return measuring_once(folder if worker_id == "master" else folder.parent)
