"""A lake of ten million deals: how quickly it answers, finds one game and takes new ones, and how large it is.

`python -m tests.bench.lakes [--deals 10000000] [--cluster]` makes a database of a million deals (tests/bench/million.py)
and a part of a lake of it, and then copies that part with other keys, names and months. The records are those of the small
collection at the beginning, each many times. With `--cluster`, two workers answer, too.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path

import duckdb

from analyzer.ingest.tasks import connect_client
from analyzer.lake.asking import ClusterStore
from analyzer.lake.copying import copy_into_lake
from analyzer.lake.joining import UNHURRIED
from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import presets
from analyzer.statistics.questions import questions, run_question
from analyzer.store.lake_parts import OF_GAMES, part_source, publish_part
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import LakePart, LakeState, add_state, read_state
from analyzer.store.lake_store import LakeStore
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.store.sums import SUM_TABLES
from records.errors import StoreError
from records.format import codec
from records.selfplay import play_game
from tests.analyzer.lake.lakes import add
from tests.bench import million
from tests.bench.asking import DEMO
from tests.bench.environment import ROOT
from tests.bench.memory import peak_mib
from tests.bench.million import MONTHS
from tests.machine.dask_clusters import dask_cluster

DEALS, OF_A_PART = 10_000_000, 1_000_000
GAMES_FOUND = 20
MOST_MEMORY = 500.0
"""What the process that answers may take, in MiB."""
NEW_GAMES = 50
KEY = "(hash(it.game, {copy}) >> 4)::BIGINT"
MONTH = f"(it.month + to_months((hash(it.game, {{copy}}) % {MONTHS})::INTEGER))::DATE"
NAMES = "list_transform(it.{column}, lambda name: name || ' of club {copy}') AS {column}"
CHANGED = {
    "games": f"format('{{{{:015x}}}}', {KEY}) || substr(it.digest, 16) AS digest, {MONTH} AS month, "
    + ", ".join(NAMES.replace("{column}", name) for name in ("names", "written", "people", "persons")),
    "records": f"format('{{{{:015x}}}}', {KEY}) || substr(it.digest, 16) AS digest",
    "seats": f"{MONTH} AS month, it.player || ' of club {{copy}}' AS player, it.opponent || ' of club {{copy}}' AS opponent",
}  # fmt: skip
FILL_RECORDS = """
    UPDATE records SET digest = format('{:015x}', game) || substr(records.digest, 16), data = it.data, size = it.size
    FROM (SELECT row_number() OVER () - 1 AS place, data, size FROM source.records) AS it
    WHERE it.place = hash(game) % (SELECT count(*) FROM source.records)
"""
FILL_GAMES = "UPDATE games SET digest = format('{:015x}', game) || substr(digest, 16)"


def make(place: LakePlace, deals: int, folder: Path) -> None:
    """Make a lake of about so many deals; what is needed on the way is in the folder."""
    demo = [sys.executable, "-c", DEMO, "demo", "--data", f"{folder}/demo"]
    subprocess.run(demo, cwd=ROOT, stdout=sys.stderr, check=True)
    made = million.make(folder / "demo", folder / "million", min(deals, OF_A_PART))
    copy_often(place, folder / "demo", folder / "million", round(deals / made), folder)


def copy_often(place: LakePlace, source: Path, large: Path, parts: int, folder: Path) -> LakeState:
    """Make a lake of so many parts from a large database, which is given the records of the small one of `source`."""
    with duckdb.connect(str(large / DATABASE_FILE_NAME), config={"threads": 2}) as connection:
        connection.execute(f"ATTACH '{source / DATABASE_FILE_NAME}' AS source (READ_ONLY)")
        connection.execute(FILL_RECORDS)
        connection.execute(FILL_GAMES)
    state = copy_into_lake(large, place).state
    (first,) = state.parts
    copies = (_copied(place, first, copy, folder) for copy in range(1, parts))
    grown = LakeState(state.number + 1, (first, *copies))
    assert add_state(place, grown)
    return grown


def _copied(place: LakePlace, part: LakePart, copy: int, folder: Path) -> LakePart:
    """A part with the games of another under other keys, names and months."""

    def source(table: str) -> str | None:
        rows = part_source(place, [part], table)
        if rows is None or (table not in OF_GAMES and table not in SUM_TABLES):
            return None
        if table in SUM_TABLES:
            return rows
        changed = f"{KEY} AS game" + (f", {CHANGED[table]}" if table in CHANGED else "")
        return f"(SELECT it.* REPLACE ({changed.format(copy=copy)}) FROM {rows} AS it)"

    start = time.process_time()
    with duckdb.connect(":memory:", config={"threads": 2}) as connection:
        connection.execute(f"SET temp_directory = '{folder}/spill'")
        made = publish_part(place, connection, folder, source)
    assert made is not None
    print(f"  part {copy + 1}: {time.process_time() - start:.0f} s of CPU", file=sys.stderr)
    return made


def asked(store: Store) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every stored question and preset by its name, and what asks it."""
    for question in questions():
        yield question.name, lambda question=question: run_question(store, question)
    for preset in presets():
        yield preset.title, lambda preset=preset: run_ask(store, preset.ask)


def times_of(store: Store, *, cpu: bool) -> dict[str, float]:
    """The milliseconds of each answer, of CPU or by the clock; nothing is kept from one to the next."""
    store.caches_answers = False
    clock, found = time.process_time if cpu else time.perf_counter, {}
    for name, ask in asked(store):
        start = clock()
        try:
            ask()
        except StoreError as error:
            print(f"  {name}: {error}", flush=True)
        else:
            found[name] = 1000 * (clock() - start)
    return found


def _say(what: str, times: dict[str, float]) -> None:
    worst = max(times, key=lambda name: times[name])
    print(f"{what}: median {statistics.median(times.values()):.0f} ms, worst {times[worst]:.0f} ms ({worst})", flush=True)  # fmt: skip


def measure(place: LakePlace, folder: Path, *, cluster: bool) -> None:
    """Print what a lake costs."""
    state = read_state(place)
    deals = sum(part.deals for part in state.parts)
    print(f"{state.games:,} games, {deals:,} deals, {len(state.parts)} parts, {state.size / deals:.0f} bytes a deal", flush=True)  # fmt: skip
    lake = Path(place.address)
    start, worked = time.perf_counter(), time.process_time()
    with LakeStore(lake, settings=UNHURRIED) as store:
        opened = time.perf_counter() - start, time.process_time() - worked
        print(f"opening: {opened[0]:.1f} s, {opened[1]:.1f} s of CPU", flush=True)
        digests = [digest for (digest,) in store.rows(f"SELECT digest FROM records USING SAMPLE {GAMES_FOUND}").rows]  # fmt: skip
        times = []
        for digest in digests:
            start = time.perf_counter()
            assert store.record_bytes(digest)
            times.append(1000 * (time.perf_counter() - start))
        print(f"one game by its address: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms", flush=True)  # fmt: skip
        _say("one process, CPU", times_of(store, cpu=True))
        _say("one process, by the clock", times_of(store, cpu=False))
    memory = peak_mib()
    print(f"memory: {memory:.0f} MB, {'pass' if memory <= MOST_MEMORY else 'FAIL'}", flush=True)
    for workers in (1, 2) if cluster else ():
        with (
            tempfile.TemporaryDirectory(dir=folder) as files,
            dask_cluster(Path(files), workers=workers) as running,
            connect_client(running.address) as client,
            ClusterStore(lake, client) as store,
        ):
            times_of(store, cpu=False)  # each share is opened once
            _say(f"{workers} workers, by the clock", times_of(store, cpu=False))
    new = b"\n".join(codec.encode(play_game("zique", seed=seed)) for seed in range(NEW_GAMES))
    start, worked = time.perf_counter(), time.process_time()
    add(place, folder, new)
    print(f"importing {NEW_GAMES} games more: {time.perf_counter() - start:.1f} s, {time.process_time() - worked:.1f} s of CPU", flush=True)  # fmt: skip


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lakes", description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument(
        "--lake", type=Path, help="the folder of the lake, which may be there already"
    )
    parser.add_argument("--cluster", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.lake and options.lake.parent) as name:
        folder = Path(name)
        place = LakePlace(str(options.lake or folder / "lake"))
        if not read_state(place).number:  # elsewhere, so that its memory is not that of a reader
            making = get_context("spawn").Process(target=make, args=(place, options.deals, folder))  # fmt: skip
            making.start()
            making.join()
        measure(place, folder, cluster=options.cluster)


if __name__ == "__main__":
    _main()
