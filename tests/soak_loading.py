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

from analyzer.db.store import Store
from analyzer.ingest.importer import Importer, ImportSource
from records import codec
from tests.playouts.games import STANDARD
from tests.recount import compare

TASK_BYTES = 60_000
"""Of an import that is killed: small, so that a short file has many."""
IMPORT = """
import sys
from pathlib import Path
from analyzer.ingest import importer
from analyzer.db.store import Store
from tests.soak_loading import load
importer.TASKS_PER_COMMIT = 3
with Store(Path(sys.argv[2]), loading=True) as store:
    print("open", flush=True)
    load(store, Path(sys.argv[1]), processes=int(sys.argv[3]))
"""
CONTENTS = (
    "SELECT * EXCLUDE stored_at FROM records", "SELECT * EXCLUDE stored_at FROM games", "FROM deals", "FROM seats", "FROM tricks",
    "FROM scores", "FROM findings", "SELECT * EXCLUDE seen_at FROM rejected",
    "SELECT * EXCLUDE (committed_at, stored, known) FROM import_batches",
)  # fmt: skip


def mixed(numbers: Iterable[int]) -> bytes:
    """One game for every number, a line each: all sheets and tables in turn, then all styles."""
    lines = []
    for number in numbers:
        seed, way = divmod(number, len(STANDARD))
        sheet = STANDARD[way].sheet
        labels = bool(seed & 2) and (sheet.pack.copies > 1 or bool(sheet.pack.doubled_suits))
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


def interrupted(path: Path, data: Path, *, after: float, processes: int, how: int) -> int:
    """Import in a process that is sent a signal so many seconds after it has begun; its exit status."""
    command = [sys.executable, "-c", IMPORT, str(path), str(data), str(processes)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as importing:
        assert importing.stdout
        importing.stdout.readline()
        time.sleep(after)
        importing.send_signal(how)
    return importing.returncode


def undisturbed(path: Path, data: Path) -> tuple[list[list[str]], float]:
    """What an import comes to, and the seconds it takes."""
    with Store(data, loading=True) as store:
        start = time.monotonic()
        load(store, path, processes=0)
        return contents(store), time.monotonic() - start


def kill_once_and_resume(
    path: Path,
    expected: list[list[str]],
    *,
    after: float,
    processes: int,
    how: int = signal.SIGKILL,
) -> int:
    """Interrupt an import, let it go on, compare; returns how many games were there in between."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        interrupted(path, data, after=after, processes=processes, how=how)
        with Store(data, loading=True) as store:
            between = store.counts().games
            load(store, path, processes=0)
            assert contents(store) == expected
    return between


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
        expected, seconds = undisturbed(path, Path(folder) / "expected")
        cut = 0
        for number in range(kills):
            after, processes = chance.uniform(0, 1.2 * seconds), chance.choice([0, 2])
            between = kill_once_and_resume(path, expected, after=after, processes=processes)
            cut += 0 < between < len(expected[1])
            print(
                f"\rkilled {number + 1} of {kills} times, {cut} in the middle ", end="", flush=True
            )
        print("\nWhole after every one.")
    return 0
