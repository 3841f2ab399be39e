"""A long test of the loader: `python -m tests.soak --loading`.

2,000 mixed games of all sheets, every row of every table recounted by another path; and an import that is killed
at 50 random moments, each time a new one, and must then hold what an undisturbed one holds.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from analyzer.ingest import importer
from analyzer.ingest.importer import Importer, ImportSource
from analyzer.store.store import Store
from records.format import codec
from tests.playouts.games import STANDARD
from tests.referee.recount import compare

TASK_BYTES = 60_000
"""Of an import that is killed: small, so that a short file has many."""
TASKS_PER_COMMIT = 3
IMPORT = """
import signal, sys, time
from pathlib import Path
from analyzer.ingest import importer
from analyzer.store.store import Store
from tests.machine.waiting import PATIENCE_SECONDS
from tests.soak import loading

signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may ignore Ctrl-C
importer.TASKS_PER_COMMIT, importer.COMMIT_SECONDS = loading.TASKS_PER_COMMIT, float("inf")
path, data, processes, wanted = sys.argv[1:]
store_tasks, commits = importer.Importer._store, []

def store_and_tell(self, finished):
    if len(commits) > int(wanted) and not sys.exc_info()[0]:
        time.sleep(PATIENCE_SECONDS)  # so late at the latest comes the signal
    store_tasks(self, finished)
    commits.append(len(finished))
    if len(commits) == int(wanted):
        print("committed", flush=True)

importer.Importer._store = store_and_tell
with Store(Path(data), loading=True) as store:
    loading.load(store, Path(path), processes=int(processes))
"""
CONTENTS = (
    "SELECT * EXCLUDE stored_at FROM records", "SELECT * EXCLUDE stored_at FROM games", "FROM deals", "FROM seats", "FROM tricks",
    "FROM scores", "FROM findings", "SELECT * EXCLUDE seen_at FROM rejected",
    "SELECT * EXCLUDE (committed_at, stored, known) FROM import_batches",
)  # fmt: skip
GAMES = 1
"""The place of the games in these contents."""


def mixed(numbers: Iterable[int]) -> bytes:
    """One game for every number, a line each: all sheets and tables in turn, then all styles."""
    lines = []
    for number in numbers:
        seed, way = divmod(number, len(STANDARD))
        sheet = STANDARD[way].sheet
        labels = bool(seed & 2) and (
            sheet.rules.pack.packs > 1 or bool(sheet.rules.pack.doubled_suits)
        )
        style = ("greedy", "random")[seed & 1]
        game = STANDARD[way].play(seed, style, labels=labels, where=bool(seed & 4))
        lines.append(codec.encode(game) + b"\n")
    return b"".join(lines)


def dated(data: bytes) -> list[bytes]:
    """The same games, two of three with a date, in several months."""
    return [
        line.replace(b'"meta":{', b'"meta":{"started":"2025-0%d-15T20:00:00Z",' % (number % 4 + 1))
        if number % 3
        else line
        for number, line in enumerate(data.splitlines())
    ]


def load(store: Store, path: Path, *, processes: int) -> None:
    """Import a file in small tasks."""
    source = ImportSource(path.name, path, path.stat().st_size, lambda: path.open("rb"))
    Importer(store, processes, task_bytes=TASK_BYTES).run([source])


def contents(store: Store) -> list[list[str]]:
    """Every row of every table, but for the clock."""
    return [sorted(map(repr, store.rows(sql).rows)) for sql in CONTENTS]


def interrupted(
    path: Path, data: Path, *, commits: int, after: float, processes: int, how: int
) -> int:
    """Import in a process that is sent a signal so many seconds after so many commits; its exit status.

    It waits for the signal before it commits twice more, so that it is interrupted, whatever the machine does; an
    import that Ctrl-C has already stopped commits what it has without waiting.
    """
    command = [sys.executable, "-c", IMPORT, str(path), str(data), str(processes), str(commits)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as importing:
        assert importing.stdout
        assert importing.stdout.readline() == b"committed\n"
        time.sleep(after)
        importing.send_signal(how)
    return importing.returncode


class Undisturbed(NamedTuple):
    """What an import comes to: every row, how many commits it takes, and the seconds between two of them."""

    rows: list[list[str]]
    commits: int
    seconds: float


def undisturbed(path: Path, data: Path) -> Undisturbed:
    """Import without interruption, in commits as small as those of imports that are interrupted."""
    with (
        patch.multiple(importer, TASKS_PER_COMMIT=TASKS_PER_COMMIT, COMMIT_SECONDS=float("inf")),
        patch.object(Importer, "_store", autospec=True, side_effect=Importer._store) as stored,
        Store(data, loading=True) as store,
    ):
        start = time.monotonic()
        load(store, path, processes=0)
        seconds = (time.monotonic() - start) / stored.call_count
        return Undisturbed(contents(store), stored.call_count, seconds)


def kill_once_and_resume(
    path: Path,
    expected: Undisturbed,
    chance: random.Random,
    *,
    processes: int,
    how: int = signal.SIGKILL,
) -> None:
    """Interrupt an import at some moment between its first commit and its last, let it go on, compare.

    One commit more may come before the signal, and Ctrl-C stores what is examined: the last commit must be a third.
    """
    commits, after = chance.randint(1, expected.commits - 3), chance.uniform(0, expected.seconds)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        status = interrupted(path, data, commits=commits, after=after, processes=processes, how=how)
        assert status != 0
        with Store(data, loading=True) as store:
            assert 0 < store.counts().games < len(expected.rows[GAMES])
            load(store, path, processes=0)
            assert contents(store) == expected.rows


def main(games: int = 2000, kills: int = 50, seed: int = 1) -> int:
    """Do both, and say how far it is."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path, start = Path(folder) / "games.jsonl", time.monotonic()
        path.write_bytes(data := mixed(range(games)))
        print(f"{games:,} games played, {time.monotonic() - start:.0f} s", flush=True)
        with Store(Path(folder) / "whole", loading=True) as store:
            load(store, path, processes=2)
            for table, count in compare(store, data).items():
                print(f"  {table:10}{count:10,} rows as recounted")
        path.write_bytes(data[: data.index(b"\n", len(data) // 10) + 1])
        expected = undisturbed(path, Path(folder) / "expected")
        for number in range(kills):
            kill_once_and_resume(path, expected, chance, processes=chance.choice([0, 2]))
            print(f"\rkilled {number + 1} of {kills} times ", end="", flush=True)
        print("\nWhole after every one.")
    return 0
