"""Judging the records of a lake again, by the program of today: its tables are made anew from them, part by part.

What no record tells is taken over: rulebooks, corrections, names, evenings, studies, times of storing. Reviews are not: they are
made again when they are asked for. What was made is noted, so that work that was interrupted goes on with what is left.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import duckdb
import msgspec

from analyzer.ingest.batch import prepare_batch
from analyzer.ingest.loader import store_batches
from analyzer.lake.joining import compare_parts, settle_people_of
from analyzer.lake.workbench import Workbench, open_workbench, reading_parts
from analyzer.store.lake_parts import OF_GAMES, lake_tables, part_source
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import (
    PENDING,
    LakePart,
    LakeState,
    add_state,
    read_state,
)
from analyzer.store.made_corrections import holding_corrections
from analyzer.store.packing import unpack_record
from analyzer.store.processes import map_in_processes
from analyzer.store.schema import SCHEMA_VERSION
from analyzer.store.store import answers_of, read_rulebooks
from records.corrected import NO_CORRECTIONS
from records.errors import StoreError
from records.format.files import Entry
from records.rules.registry import know_sheets, own_sheets
from records.rules.vocabulary import RuleSheet
from records.validator import JUDGEMENT_VERSION

RECORDS_AT_A_TIME = 1_000
SELECT_RECORDS = """
    SELECT game, digest, name, line, data FROM {} ORDER BY stored_at, name, line NULLS FIRST, game
"""
TAKE_TIMES = """
    UPDATE {0} SET stored_at = was.stored_at FROM was WHERE {0}.game = was.game
"""


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """A part whose records are judged again; the name of the note says for which program."""

    place: LakePlace
    part: LakePart
    name: str
    sheets: tuple[RuleSheet, ...]

    def __str__(self) -> str:
        return f"part {self.part.key}"


class JudgedPart(msgspec.Struct, frozen=True):
    """The part that was made of another one."""

    part: LakePart | None


def judge(
    place: LakePlace, processes: int = 0, progress: Callable[[int, int], None] = lambda *_: None
) -> LakeState:
    """Judge all records of a lake again; all of it counts at once. Raises StoreError, also if somebody changes it meanwhile.

    `progress` is called with the records that are judged, and with all.
    """
    state = read_state(place, of_any_program=True)
    folder = f"{PENDING}/judged-{state.number}-{SCHEMA_VERSION}-{JUDGEMENT_VERSION}"
    sheets = rulebooks_of(place, state.parts)
    tasks = [JudgeTask(place, part, f"{folder}/{part.key}.json", sheets) for part in state.parts]
    made, done = list[LakePart](), 0
    for task, judged in map_in_processes(judge_part, tasks, processes):
        made += [judged.part] if judged.part else []
        done += task.part.games
        progress(done, state.games)
    parts = settle_people_of(place, compare_parts(place, (), made).parts)
    new = LakeState(state.number + 1, parts)
    if not add_state(place, new):
        raise StoreError(f"somebody has changed the lake {place.address} meanwhile: judge it again")
    place.remove([folder])
    return new


def judge_part(task: JudgeTask) -> JudgedPart:
    """Make the tables of a part anew from its records, unless that was done; raises StoreError."""
    place = task.place
    try:
        return msgspec.json.decode(place.read(task.name), type=JudgedPart)
    except FileNotFoundError:
        pass
    before = own_sheets()
    know_sheets([*before, *(sheet for sheet in task.sheets if sheet not in before)])
    try:
        with reading_parts(place, [task.part]) as reading, open_workbench(place) as bench:
            _take_over(bench, task.part)
            for rows in _records(reading, place, task.part):
                _store(bench, rows)
            _take_times(bench, task.part)
            judged = JudgedPart(bench.publish())
    finally:
        know_sheets(before)
    place.create(task.name, msgspec.json.encode(judged))
    return judged


def rulebooks_of(place: LakePlace, parts: Sequence[LakePart]) -> tuple[RuleSheet, ...]:
    """The rulebooks of their own that these parts keep."""
    source = part_source(place, parts, "rulebooks")
    if source is None:
        return ()
    with reading_parts(place, parts) as reading:
        reading.execute(f"CREATE TEMP TABLE rulebooks AS SELECT * FROM {source}")
        return tuple(read_rulebooks(answers_of(reading)))


def _take_over(bench: Workbench, part: LakePart) -> None:
    """Take over what no record tells: the rows that belong to no game, and the corrections."""
    with bench.beside([part]) as cursor:
        for table in (*(name for name in lake_tables() if name not in OF_GAMES), "corrections"):
            if source := part_source(bench.place, [part], table):
                cursor.execute(f"INSERT INTO {table} BY NAME SELECT * FROM {source}")


def _records(
    reading: duckdb.DuckDBPyConnection, place: LakePlace, part: LakePart
) -> Iterator[list[tuple[int, str, str, int | None, bytes]]]:
    """The records of a part that count, some at a time."""
    if source := part_source(place, [part], "records"):
        found = reading.execute(SELECT_RECORDS.format(source))
        while rows := found.fetchmany(RECORDS_AT_A_TIME):
            yield rows


def _store(bench: Workbench, rows: Sequence[tuple[int, str, str, int | None, bytes]]) -> None:
    """Examine records as they are corrected, and store them."""
    held = holding_corrections(answers_of(bench), [game for game, *_ in rows])
    batch = prepare_batch(
        [Entry(name, line, unpack_record(data)) for _, _, name, line, data in rows],
        digests=[digest for _, digest, *_ in rows],
        corrections=[held.get(game, NO_CORRECTIONS) for game, *_ in rows],
    )
    store_batches(bench, [batch])


def _take_times(bench: Workbench, part: LakePart) -> None:
    """Let records have the times at which they were stored."""
    source = part_source(bench.place, [part], "records")
    if source is None:
        return
    with bench.beside([part]) as cursor:
        cursor.execute(f"CREATE TEMP TABLE was AS SELECT game, stored_at FROM {source}")
        for table in ("records", "games", "other_games"):
            cursor.execute(TAKE_TIMES.format(table))
        cursor.execute("DROP TABLE was")
