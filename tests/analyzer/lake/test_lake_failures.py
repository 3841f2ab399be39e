"""A lake whose place fails at any moment: a sentence, nothing half, nothing lost, and the next try ends it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any
from unittest.mock import patch

import pytest

from analyzer.ingest.tasks import connect_client
from analyzer.lake import importing
from analyzer.lake.copying import copy_from_lake
from analyzer.lake.importing import LakeImport
from analyzer.lake.joining import delete_from_lake
from analyzer.lake.judging import judge
from analyzer.lake.merging import clean, compact
from analyzer.store.lake_place import LakePlace, LakeUnreachable
from analyzer.store.lake_state import PARTS, read_state
from analyzer.store.store import Store
from records.errors import StoreError
from tests.analyzer.lake.lakes import add, everything, load, new_place, reader, sources
from tests.machine.dask_clusters import DaskCluster, dask_cluster
from tests.make.empty_store import with_empty_database
from tests.soak.loading import dated, mixed

pytestmark = pytest.mark.slow
GAMES, GAMES_KILLED = 6, 20
KILLS = int(os.environ.get("BEZIQUE_KILLS", "0"))
"""So many processes of each kind are killed at random moments; 0 for a few."""
PLACES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Where in the course of the requests one fails."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path) -> Iterator[None]:
    with patch.dict("os.environ", XDG_CACHE_HOME=str(tmp_path / "cache")):
        yield


class Failing:
    """Requests to a place, of which the one with this number fails, or none; `count` counts them."""

    def __init__(self, number: int | None = None) -> None:
        self.number, self.count = number, 0
        self._try = LakePlace._try

    def __enter__(self) -> "Failing":
        failing = self

        def tried(place: LakePlace, do: Callable[[], Any]) -> Any:
            failing.count += 1
            if failing.count - 1 == failing.number:
                raise LakeUnreachable("the place has failed")
            return failing._try(place, do)

        self._patch = patch.object(LakePlace, "_try", tried)
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()


@pytest.mark.parametrize("where", PLACES)
def test_an_import_that_fails_anywhere_is_taken_up_again(where: float, tmp_path: Path) -> None:
    lines = [line.strip() + b"\n" for line in dated(mixed(range(GAMES)))]
    place, twin = new_place("memory", tmp_path), new_place("memory", tmp_path)
    for each in (place, twin):
        add(each, tmp_path, b"".join(lines[:3]))
    files = sources(tmp_path, b"".join(lines[2:]))
    with Failing() as counted:
        LakeImport(twin).run(files)
    with reader(place) as lake:
        before = everything(lake)
    with Failing(round(where * (counted.count - 1))), suppress(LakeUnreachable):
        LakeImport(place).run(files)
        assert where > 0.8, "only deleting what is no longer needed may fail in silence"
    with reader(place) as lake, reader(twin) as whole:
        assert everything(lake) in (before, everything(whole))
        LakeImport(place).run(files)
    with reader(place) as lake, reader(twin) as whole:
        assert everything(lake) == everything(whole)


@pytest.mark.parametrize("where", PLACES[::2])
@pytest.mark.parametrize("change", ["compact", "delete"])
def test_a_change_that_fails_anywhere_changes_all_or_nothing(
    change: str, where: float, tmp_path: Path
) -> None:
    lines = [line.strip() + b"\n" for line in dated(mixed(range(GAMES)))]
    place, twin = new_place("memory", tmp_path), new_place("memory", tmp_path)
    for each in (place, twin):
        for at in (0, 2):
            add(each, tmp_path, b"".join(lines[at : at + 4]))
    with reader(place) as lake:
        before = everything(lake)
        gone = [digest for (digest,) in lake.rows("SELECT digest FROM games ORDER BY ALL").rows][:1]

    def do(place: LakePlace) -> None:
        if change == "compact":
            compact(place)
        else:
            delete_from_lake(place, gone)

    with Failing() as counted:
        do(twin)
    with (
        Failing(round(where * (counted.count - 1))),
        pytest.raises(LakeUnreachable, match="failed"),
    ):
        do(place)
    with reader(place) as lake, reader(twin) as whole:
        assert everything(lake) in (before, everything(whole))
        do(place)
    with reader(place) as lake, reader(twin) as whole:
        assert everything(lake) == everything(whole)


def test_imports_that_are_killed_leave_nothing_half(tmp_path: Path) -> None:
    """Two commands import overlapping files at once, and are killed at random moments until both get through."""
    random = Random(1)
    lines = [line.strip() + b"\n" for line in dated(mixed(range(40)))]
    files = [tmp_path / "first.jsonl", tmp_path / "second.jsonl"]
    for path, part in zip(files, (lines[:25], lines[15:]), strict=True):
        path.write_bytes(b"".join(part))
    lake = tmp_path / "lake"
    left, kills = [*files], 0
    while left:
        running = {path: _import(path, lake) for path in left}
        if kills < (KILLS or 12):
            time.sleep(random.uniform(0.2, 6))
            for process in running.values():
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    kills += 1
        left = [path for path, process in running.items() if process.wait() != 0]
        state = read_state(LakePlace(str(lake)))
        assert state.games in (0, 25, 40)
    with Store(with_empty_database(tmp_path / "alone")) as alone:
        load(alone, tmp_path, *(path.read_bytes() for path in files))
        with reader(LakePlace(str(lake))) as found:
            assert everything(found) == everything(alone)


def _import(path: Path, lake: Path) -> "subprocess.Popen[bytes]":
    return _start("ingest", path, "--lake", lake)


def _start(*words: object) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "webui.cli", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[LakePlace, dict[str, list[str]], list[bytes]]]:
    """A lake of several parts with games that are hidden, all that a database has after the same, and the games."""
    lines = [line.strip() + b"\n" for line in dated(mixed(range(GAMES_KILLED)))]
    files = [b"".join(lines[at : at + 8]) for at in range(0, GAMES_KILLED - 4, 4)]
    place = new_place("folder", tmp_path)
    with Store(with_empty_database(tmp_path / "alone")) as alone:
        load(alone, tmp_path, *files)
        for file in files:
            add(place, tmp_path, file)
        yield place, everything(alone), lines


@pytest.mark.parametrize("change", ["compact", "judge"])
def test_changes_that_are_killed_leave_nothing_half(
    change: str, both: tuple[LakePlace, dict[str, list[str]], list[bytes]], tmp_path: Path
) -> None:
    """A command is killed at random moments, and every time the lake holds what it held; what is left of it is no obstacle."""
    (place, expected, _), random = both, Random(1)
    words = ("--clean-after", 0) if change == "compact" else ()
    kills, longest = 0, 0.0
    while kills < (KILLS or 3):
        began = time.monotonic()
        process = _start("lake", change, place.address, *words)
        if longest:
            with suppress(subprocess.TimeoutExpired):
                process.wait(random.uniform(0.1, longest))
        else:
            process.wait()
            longest = time.monotonic() - began
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        assert process.wait() in (0, -signal.SIGKILL)
        with reader(place) as lake:
            assert everything(lake) == expected
            (gone,) = random.choice(lake.rows("SELECT digest FROM games").rows)
            record = lake.record_bytes(gone) or b""
        # Something to do the next time: a part in which a game is hidden, and a small one.
        delete_from_lake(place, [gone])
        add(place, tmp_path, record)
    assert _start("lake", change, place.address, *words).wait() == 0
    with reader(place) as lake:
        assert everything(lake) == expected


def test_workers_that_are_killed_lose_nothing(
    both: tuple[LakePlace, dict[str, list[str]], list[bytes]], tmp_path: Path
) -> None:
    """Of a cluster of two, while it imports, judges and merges; for each that is killed another one comes."""
    (_, expected, lines), random = both, Random(1)
    file, kills = b"".join(lines), 0

    def kill_some(cluster: DaskCluster, ended: Event) -> None:
        nonlocal kills
        while not ended.wait(random.uniform(0.2, 3)) and kills < (KILLS or 3):
            killed = random.choice([each for each in cluster.workers if each.poll() is None])
            killed.kill()
            killed.wait()
            kills += 1
            cluster.add_workers(1)

    with dask_cluster(tmp_path, workers=2) as cluster:
        while kills < (KILLS or 3):
            ended = Event()
            killer = Thread(target=kill_some, args=(cluster, ended))
            killer.start()
            try:
                place = _worked_on(cluster, tmp_path, file, lines[0])
            finally:
                ended.set()
                killer.join()
            with reader(place) as lake:
                assert everything(lake) == expected


def _worked_on(cluster: DaskCluster, folder: Path, file: bytes, line: bytes) -> LakePlace:
    """A lake into which a cluster has imported a file, and which it has judged and compacted, as often as it took."""
    place, files = new_place("folder", folder), sources(folder, file)
    with (
        connect_client(cluster.address) as client,
        patch.multiple(importing, LEAST_SHARE=1, MOST_SHARE=20_000),
    ):
        _until_done(lambda: LakeImport(place, client=client).run(files))
        _until_done(lambda: judge(place, client=client))
        add(place, folder, line)
        _until_done(lambda: compact(place, client=client))
    return place


def _until_done(work: Callable[[], object]) -> None:
    """Do it again for as long as a sentence says that too many workers have gone."""
    for _ in range(5):
        with suppress(StoreError):
            work()
            return
    work()


def test_a_file_that_is_gone_or_damaged_is_a_sentence(tmp_path: Path) -> None:
    place = new_place("folder", tmp_path)
    add(place, tmp_path, mixed(range(3)))
    assert place.folder is not None
    (tricks,) = place.folder.glob("parts/*/tricks/*.parquet")
    whole = tricks.read_bytes()
    for damaged in (None, b"", whole[: len(whole) // 2], bytes(len(whole))):
        if damaged is None:
            tricks.unlink()
        else:
            tricks.write_bytes(damaged)
        with (
            pytest.raises(LakeUnreachable, match="cannot be read as its list of parts says"),
            reader(place) as lake,
        ):
            lake.rows("SELECT sum(trick) FROM tricks")
        with pytest.raises(LakeUnreachable, match="cannot be read as its list of parts says"):
            copy_from_lake(place, tmp_path / "copied")
        assert not list((tmp_path / "copied").iterdir())


def test_what_a_running_import_has_made_is_not_cleaned(tmp_path: Path) -> None:
    """However long it takes: its notes name its parts."""
    place = new_place("folder", tmp_path)
    files = sources(tmp_path, b"".join(dated(mixed(range(GAMES)))))

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with (
        patch("analyzer.store.lake_state.KEY_TIME", "20200101T000000"),  # made long ago
        pytest.raises(KeyboardInterrupt),
    ):
        LakeImport(place, progress=stop).run(files)
    assert clean(place, timedelta(days=1)) == (0, 0, 0)
    assert len(place.names(PARTS)) == 1
    assert clean(place, timedelta(0)).imports == 1
    assert not place.names(PARTS)
    LakeImport(place).run(files)
    with reader(place) as lake:
        assert len(everything(lake)["games"]) == GAMES


def test_a_note_whose_part_is_gone_is_not_believed(tmp_path: Path) -> None:
    place = new_place("folder", tmp_path)
    files = sources(tmp_path, b"".join(dated(mixed(range(GAMES)))))
    with pytest.raises(KeyboardInterrupt):
        LakeImport(place, progress=lambda _: signal.raise_signal(signal.SIGINT)).run(files)
    place.remove([PARTS])
    LakeImport(place).run(files)
    with reader(place) as lake:
        assert len(everything(lake)["games"]) == GAMES


def test_a_note_of_judging_whose_part_is_gone_is_not_believed(tmp_path: Path) -> None:
    place = new_place("folder", tmp_path)
    add(place, tmp_path, b"".join(dated(mixed(range(3)))))
    with reader(place) as lake:
        before = everything(lake)
    with (
        patch("analyzer.lake.judging.add_state", side_effect=LakeUnreachable("it has failed")),
        pytest.raises(LakeUnreachable, match="failed"),
    ):
        judge(place)
    (held,) = read_state(place).parts
    place.remove(f"{PARTS}/{key}" for key in place.names(PARTS) if key != held.key)
    judge(place)
    with reader(place) as lake:
        assert everything(lake) == before
