"""One database, many users: readers beside a writer, and a writer that is killed during an import."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.ingest import loader
from analyzer.ingest.loader import ingest
from analyzer.store.store import Store
from records.format import codec
from records.format.files import Entry, read_entries
from records.record import Record
from records.selfplay import play_game
from tests.machine.waiting import PATIENCE_SECONDS, wait_until

GAMES = 60

WHOLE = """
    SELECT
        (SELECT count(*) FROM games),
        (SELECT count(*) FROM records),
        (SELECT coalesce(sum(deals), 0) FROM games),
        (SELECT count(*) FROM deals),
        (SELECT 2 * count(*) FROM deals),
        (SELECT count(*) FROM seats),
        (SELECT coalesce(sum(tricks), 0) FROM deals),
        (SELECT count(*) FROM tricks),
        (SELECT coalesce(sum(points), 0) FROM seats),
        (SELECT coalesce(sum(points), 0) FROM scores)
"""
"""Pairs of numbers that are equal whenever only whole games are seen."""

WRITER = """
import sys
import time
from pathlib import Path
from analyzer.ingest import loader
from analyzer.store.store import Store
from records.format.files import read_entries
loader.RECORDS_PER_BATCH = 2
games, folder, last, seconds = sys.argv[1:]

def entries():
    for number, entry in enumerate(read_entries(Path(games))):
        if number == int(last):
            time.sleep(float(seconds))
        yield entry

with Store(Path(folder)) as store:
    print("open", flush=True)
    loader.ingest(store, entries(), lambda summary: print(summary.records, flush=True))
"""
"""It waits before the last game, so that it is killed in mid-import however late the kill comes."""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("many") / "games.jsonl"
    games: list[Record] = [play_game("marjolet", seed=seed) for seed in range(GAMES)]
    path.write_bytes(b"".join(codec.encode(record) + b"\n" for record in games))
    return path


def torn(store: Store) -> list[tuple[int, int]]:
    """The pairs that differ."""
    (row,) = store.rows(WHOLE).rows
    return [pair for pair in zip(row[::2], row[1::2], strict=True) if pair[0] != pair[1]]


@pytest.mark.slow
def test_readers_beside_a_writer_see_whole_games_only(
    tmp_path: Path, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "RECORDS_PER_BATCH", 3)
    problems: list[object] = []
    counts: set[int] = set()
    done = threading.Event()
    with Store(tmp_path) as store:

        def read() -> None:
            while not done.is_set():
                try:
                    problems.extend(torn(store))
                    counts.add(store.counts().games)
                    time.sleep(0.002)
                except Exception as error:
                    problems.append(error)

        readers = [threading.Thread(target=read) for _ in range(2)]

        def entries() -> Iterator[Entry]:
            """The games; the last ones come when a reader has seen some of the others."""
            for number, entry in enumerate(read_entries(many)):
                if number == GAMES // 2:
                    wait_until(lambda: problems or counts - {0})
                yield entry

        for reader in readers:
            reader.start()
        try:
            ingest(store, entries())
        finally:
            done.set()
            for reader in readers:
                reader.join()
        assert problems == []
        assert counts - {0, GAMES}
        assert store.counts().games == GAMES


@pytest.mark.slow
def test_two_writers_at_once_store_every_game_once(tmp_path: Path, many: Path) -> None:
    data = many.read_bytes()
    with Store(tmp_path) as store:

        def write() -> None:
            loader.ingest_bytes(store, "games.jsonl", data)

        writers = [threading.Thread(target=write) for _ in range(3)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert store.counts().games == GAMES
        assert torn(store) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_killed_writer_leaves_whole_games_and_the_import_goes_on(
    tmp_path: Path, many: Path, seed: int
) -> None:
    chance = random.Random(seed)
    told = _start_and_kill(
        many, tmp_path, batches=chance.randrange(1, 20), wait=chance.random() / 50
    )
    with Store(tmp_path) as store:
        assert torn(store) == []
        assert store.counts().games >= told
        summary = ingest(store, read_entries(many))
        assert summary.states["known"] >= told
        assert store.counts().games == GAMES
        assert torn(store) == []


def _start_and_kill(many: Path, folder: Path, *, batches: int, wait: float) -> int:
    """Kill an import a moment after so many batches; returns the records it said were done."""
    words = [str(many), str(folder), str(GAMES - 1), str(PATIENCE_SECONDS)]
    command = [sys.executable, "-c", WRITER, *words]
    told = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "open\n"
        for _ in range(batches):
            told = int(writer.stdout.readline())
        time.sleep(wait)
        os.kill(writer.pid, signal.SIGKILL)
    return told


@pytest.mark.long
def test_the_kill_hits_in_mid_import(tmp_path: Path, many: Path) -> None:
    told = _start_and_kill(many, tmp_path, batches=1, wait=0)
    assert told < GAMES
    with Store(tmp_path) as store:
        assert told <= store.counts().games < GAMES
