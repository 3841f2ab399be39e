"""Judging the records of a lake again, by the program of today: its tables are made anew from them, part by part.

What no record tells is taken over: rulebooks, corrections, names, evenings, studies, times of storing. Reviews are not: they are
made again when they are asked for. What was made is noted, so that work that was interrupted goes on with what is left.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from analyzer.ingest.batch import prepare_batch
from analyzer.ingest.loader import store_batches
from analyzer.ingest.tasks import map_tasks
from analyzer.lake.joining import compare_parts, settle_people_of
from analyzer.lake.workbench import (
    MadePart,
    Workbench,
    open_workbench,
    read_note,
    reading_parts,
    rulebooks_of,
    write_note,
)
from analyzer.store.lake_parts import OF_GAMES, lake_tables, part_source
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import (
    MOST_TRIES,
    PENDING,
    VERSIONS,
    LakePart,
    LakeState,
    add_state,
    read_state,
    require_own_versions,
    wait_to_try_again,
)
from analyzer.store.made_corrections import holding_corrections
from analyzer.store.packing import unpack_record
from analyzer.store.store import answers_of
from analyzer.store.tables import INSTANT, number_column
from records.corrected import NO_CORRECTIONS
from records.errors import StoreError
from records.format.files import Entry
from records.rules.vocabulary import RuleSheet

if TYPE_CHECKING:
    from distributed import Client

RECORDS_AT_A_TIME = 1_000
SELECT_RECORDS = """
    SELECT game, digest, name, line, data, epoch_us(stored_at)
    FROM {} ORDER BY stored_at, name, line NULLS FIRST, game
"""


class _StoredRecord(NamedTuple):
    """A record as a part has it, packed; the time is in microseconds since 1970."""

    game: int
    digest: str
    name: str
    line: int | None
    data: bytes
    stored_at: int


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """A part whose records are judged again; the name of the note says for which program."""

    place: LakePlace
    part: LakePart
    name: str
    sheets: tuple[RuleSheet, ...]

    def __str__(self) -> str:
        return f"part {self.part.key}"


def judge(
    place: LakePlace,
    processes: int = 0,
    progress: Callable[[int, int], None] = lambda *_: None,
    client: "Client | None" = None,
    telling: Callable[[str], None] = lambda _: None,
) -> LakeState:
    """Judge all records of a lake again, in processes or by the cluster of a client; raises StoreError.

    All of it counts at once. What others change meanwhile is judged, too.

    `progress` is called with the records that are judged, and with all. `telling` is called with what is waited for, if it is
    not a part.
    """
    folder = f"{PENDING}/judged-{'-'.join(map(str, VERSIONS))}"
    for tries in range(MOST_TRIES):
        state = read_state(place, of_any_program=True)
        if not state.number:
            raise StoreError(f"there is no lake in {place.address}")
        tasks = _judge_tasks(place, state, folder)
        made, done = list[LakePart](), 0
        for task, judged in map_tasks(judge_part, tasks, processes, client, telling):
            found = [judged.part] if judged.part else []
            require_own_versions(found)
            made += found
            done += task.part.games
            progress(done, state.games)
        parts = settle_people_of(place, compare_parts(place, (), made).parts)
        new = LakeState(state.number + 1, parts)
        if add_state(place, new):
            place.remove([folder])
            return new
        wait_to_try_again(tries)
    raise StoreError(f"the lake {place.address} changes faster than it can be judged")


def _judge_tasks(place: LakePlace, state: LakeState, folder: str) -> list[JudgeTask]:
    """All parts of a state as tasks; those of which it is noted are not made anew."""
    sheets = rulebooks_of(place, state.parts)
    return [
        JudgeTask(place, part, f"{folder}/{part.key}-{len(part.hidden)}.json", sheets)
        for part in state.parts
    ]


def judge_part(task: JudgeTask) -> MadePart:
    """Make the tables of a part anew from its records, unless that was done; raises StoreError."""
    place = task.place
    if (noted := read_note(place, task.name, MadePart)) is not None:
        return noted
    with (
        reading_parts(place, [task.part]) as reading,
        open_workbench(place, task.sheets) as bench,
    ):
        _take_over(bench, task.part)
        for records in _records(reading, place, task.part):
            _store(bench, records)
        judged = MadePart(bench.publish())
    write_note(place, task.name, judged)
    return judged


def _take_over(bench: Workbench, part: LakePart) -> None:
    """Take over what no record tells: the rows that belong to no game, and the corrections."""
    with bench.beside([part]) as cursor:
        for table in (*(name for name in lake_tables() if name not in OF_GAMES), "corrections"):
            if source := part_source(bench.place, [part], table):
                cursor.execute(f"INSERT INTO {table} BY NAME SELECT * FROM {source}")


def _records(
    reading: duckdb.DuckDBPyConnection, place: LakePlace, part: LakePart
) -> Iterator[list[_StoredRecord]]:
    """The records of a part that count, some at a time, in the order of storing."""
    if source := part_source(place, [part], "records"):
        found = reading.execute(SELECT_RECORDS.format(source))
        while rows := found.fetchmany(RECORDS_AT_A_TIME):
            yield [_StoredRecord(*row) for row in rows]


def _store(bench: Workbench, records: Sequence[_StoredRecord]) -> None:
    """Examine records as they are corrected, and store them with the times at which they were stored."""
    held = holding_corrections(answers_of(bench), [record.game for record in records])
    batch = prepare_batch(
        [Entry(record.name, record.line, unpack_record(record.data)) for record in records],
        digests=[record.digest for record in records],
        corrections=[held.get(record.game, NO_CORRECTIONS) for record in records],
    )
    time_of = {record.digest: record.stored_at for record in records}
    times = [
        time_of[outcome.digest]
        for outcome in batch.outcomes
        if outcome.digest and outcome.state == "stored"
    ]
    for table in ("records", "games"):
        if table in batch.tables:
            batch.tables[table]["stored_at"] = number_column(INSTANT, times)
    store_batches(bench, [batch])
