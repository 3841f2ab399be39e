"""An import on a real Dask cluster: a scheduler and two workers, one of which is killed in the middle."""

import signal
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from analyzer.ingest.importer import Importer, ImportSource
from analyzer.ingest.tasks import (
    CLUSTER_FOLDER_NAME,
    ImportTask,
    Portion,
    connect_client,
    connect_cluster,
    examine_into_folder,
)
from analyzer.lake import importing
from analyzer.lake.importing import LakeImport
from analyzer.lake.judging import judge
from analyzer.lake.merging import compact
from analyzer.lake.workbench import parts_of_notes
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import PENDING
from analyzer.store.lake_store import LakeStore
from analyzer.store.store import Store
from records.errors import StoreError
from records.format.files import read_blocks
from tests.analyzer.lake.lakes import add, everything
from tests.machine.dask_clusters import DaskCluster, dask_cluster
from tests.machine.waiting import PATIENCE_SECONDS
from tests.soak.loading import TASK_BYTES, contents, load, mixed
from webui.cli.main import main

GAMES = 57


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games, among them one twice and one line that is none."""
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    data = mixed(range(GAMES))
    path.write_bytes(data + b"{}\n" + data[: data.index(b"\n") + 1])
    return path


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path_factory.mktemp("dask"), workers=2) as cluster:
        yield cluster


@pytest.mark.slow
def test_what_a_killed_worker_had_to_do_another_does_and_all_is_stored_once(
    tmp_path: Path, file: Path, workers: DaskCluster
) -> None:
    with Store(tmp_path / "alone", loading=True) as store:
        load(store, file, processes=0)
        expected = contents(store)
    first, second = workers.workers
    data = tmp_path / "data"
    done: list[int] = []

    def kill_one(bytes_read: int) -> None:
        done.append(bytes_read)
        if len(done) == 3:
            first.kill()

    with connect_cluster(workers.address, data) as elsewhere:
        elsewhere.client.wait_for_workers(2, timeout=PATIENCE_SECONDS)
        with Store(data, loading=True, files=elsewhere.parts) as store:
            importer = Importer(store, task_bytes=TASK_BYTES, progress=kill_one)
            importer.examiner = elsewhere.examined
            source = ImportSource(file.name, file, file.stat().st_size, lambda: file.open("rb"))
            summary = importer.run([source])
            assert contents(store) == expected
        assert len(elsewhere.client.nthreads()) == 1
        assert second.poll() is None
        left = [path.suffix for path in elsewhere.parts.iterdir()]
        assert left in ([], [".draft"])  # of the worker that was killed
    assert summary.states == {"stored": GAMES, "known": 1, "rejected": 1}
    assert len(done) > 10
    assert not (data / CLUSTER_FOLDER_NAME).exists()


@pytest.mark.slow
def test_workers_write_a_lake_and_one_may_die(
    tmp_path: Path, file: Path, workers: DaskCluster
) -> None:
    """Whether a worker is left from the test before or two are there: what was begun is made once."""
    place = LakePlace(str(tmp_path / "lake"))
    with Store(tmp_path / "alone", loading=True) as store:
        load(store, file, processes=0)
        with (
            patch.object(importing, "LEAST_SHARE", TASK_BYTES),
            connect_client(workers.address) as client,
        ):
            source = ImportSource(file.name, file, file.stat().st_size, lambda: file.open("rb"))
            job = LakeImport(place, client=client)
            job.run([source])
        with LakeStore(tmp_path / "lake") as lake:
            assert everything(lake) == everything(store)
    assert job.counts.states == {"stored": GAMES, "known": 1, "rejected": 1}
    assert not place.names("pending")


@pytest.mark.slow
def test_workers_judge_a_lake_in_several_tries_and_merge_its_parts(
    tmp_path: Path, workers: DaskCluster
) -> None:
    place = LakePlace(str(tmp_path / "lake"))
    for numbers in (range(6), range(4, 10)):
        add(place, tmp_path, mixed(numbers))
    with LakeStore(tmp_path / "lake") as lake:
        before = everything(lake)
    with connect_client(workers.address) as client:
        with pytest.raises(KeyboardInterrupt):
            judge(place, progress=lambda *_: signal.raise_signal(signal.SIGINT), client=client)
        (folder,) = place.names(PENDING)
        noted = parts_of_notes(place, [f"{PENDING}/{folder}"])
        state = judge(place, client=client)
        assert noted
        assert noted <= {part.key for part in state.parts}
        with LakeStore(tmp_path / "lake") as lake:
            assert everything(lake) == before
        assert len(compact(place, client=client).parts) == 1
        with LakeStore(tmp_path / "lake") as lake:
            assert everything(lake) == before


@pytest.mark.slow
def test_the_command_stores_with_what_is_left_of_the_cluster(
    tmp_path: Path, file: Path, workers: DaskCluster
) -> None:
    words = ["ingest", str(file), "--data", str(tmp_path), "--cluster", workers.address]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2, result.output
    summary = f"{GAMES + 2} records: {GAMES} stored, 1 already stored, 1 unreadable"
    assert result.stdout.startswith(summary)
    with Store(tmp_path) as store:
        assert store.counts().games == GAMES


@pytest.mark.long
def test_the_same_task_done_twice_leaves_one_folder(tmp_path: Path, file: Path) -> None:
    with file.open("rb") as stream:
        block = next(read_blocks(stream, name="games.jsonl", size=TASK_BYTES))
    task, folder = ImportTask([], [Portion(block)], 0), tmp_path / "parts" / "task"
    first, sizes = examine_into_folder(task, str(folder))
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.iterdir())
    again, _ = examine_into_folder(task, str(folder))
    assert (again, sum(sizes)) == (first, len(first.outcomes))
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.iterdir()) == before
    assert [path.name for path in folder.parent.iterdir()] == ["task"]


@pytest.mark.long
def test_an_address_without_a_scheduler_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.ingest.tasks.CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(StoreError, match="no worker can be reached at tcp"),
        connect_cluster("tcp://127.0.0.1:9", tmp_path),
    ):
        pass
