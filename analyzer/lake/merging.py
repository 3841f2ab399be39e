"""Merging parts of a lake into larger ones without what is hidden, and deleting files that no state names any more."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from analyzer.ingest.tasks import map_tasks
from analyzer.lake.workbench import parts_of_notes, reading_parts
from analyzer.store.lake_parts import part_source, publish_part, sum_source
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import (
    MOST_TRIES,
    PARTS,
    PENDING,
    LakePart,
    LakeState,
    add_state,
    held_states,
    made_at,
    read_state,
    require_own_versions,
    state_names,
    wait_to_try_again,
)
from analyzer.store.sums import SUM_TABLES, total_sums_sql
from records.errors import StoreError

if TYPE_CHECKING:
    from distributed import Client

GOOD_SIZE = 300_000_000
"""Bytes of a part that is good to read: its largest table has some 150 MB."""
SMALL_SIZE = 100_000_000
"""A part below it is merged with others."""
MOST_HIDDEN = 0.02
"""A part of which more is hidden is written again without it."""
GRACE_DAYS = 1
"""Files that no state names are kept so long: a reader may still read them, or an import add them."""


@dataclass(frozen=True, slots=True)
class MergeTask:
    """Parts to be merged."""

    place: LakePlace
    parts: tuple[LakePart, ...]

    def __str__(self) -> str:
        return f"part {self.parts[0].key}"


def merge_parts(task: MergeTask) -> LakePart | None:
    """Write what counts in some parts as one part; None if nothing does. No state names it yet. Raises StoreError."""
    place, parts = task.place, task.parts

    def source(table: str) -> str | None:
        if table not in SUM_TABLES:
            return part_source(place, parts, table)
        sums = sum_source(place, parts, table)
        return f"({total_sums_sql(table, sums)})" if sums else None

    with (
        TemporaryDirectory(prefix="bezique-lake-") as folder,
        reading_parts(place, parts, Path(folder)) as reading,
    ):
        return publish_part(place, reading, Path(folder), source)


def group_parts(parts: Iterable[LakePart]) -> list[list[LakePart]]:
    """Parts in groups that are merged to be of a good size, in their order; a large one is alone."""
    groups: list[list[LakePart]] = []
    size = GOOD_SIZE
    for part in parts:
        if size + part.size > GOOD_SIZE:
            groups.append([])
            size = 0
        groups[-1].append(part)
        size += part.size
    return groups


def compact(
    place: LakePlace,
    processes: int = 0,
    progress: Callable[[int, int], None] = lambda *_: None,
    client: "Client | None" = None,
    telling: Callable[[str], None] = lambda _: None,
) -> LakeState:
    """Merge small parts, and write those again of which much is hidden, in processes or by the cluster of a client.

    Raises StoreError.
    Readers and importers go on meanwhile: what they change is merged the next time. `progress` is called with the bytes that
    are merged, and with all that will be.
    """
    groups = _to_merge(read_state(place).parts)
    total = sum(part.size for group in groups for part in group)
    tasks = [MergeTask(place, tuple(group)) for group in groups]
    done = 0
    state = read_state(place)
    for task, merged in map_tasks(merge_parts, tasks, processes, client, telling):
        require_own_versions([merged] if merged else [])
        state = _replace(place, task.parts, merged)
        done += sum(part.size for part in task.parts)
        progress(done, total)
    return state


def _to_merge(parts: Sequence[LakePart]) -> list[list[LakePart]]:
    """The groups that gain by merging."""
    chosen = [part for part in parts if part.size < SMALL_SIZE or _hides_much(part)]
    return [group for group in group_parts(chosen) if len(group) > 1 or _hides_much(group[0])]


def _hides_much(part: LakePart) -> bool:
    return len(part.hidden) > MOST_HIDDEN * part.games


def _replace(place: LakePlace, parts: Sequence[LakePart], merged: LakePart | None) -> LakeState:
    """Let a merged part stand for others, unless one of them was changed meanwhile."""
    for tries in range(MOST_TRIES):
        state = read_state(place)
        if any(part not in state.parts for part in parts):
            return state
        kept = tuple(part for part in state.parts if part not in parts)
        new = LakeState(state.number + 1, (*kept, *([merged] if merged else [])), state.imports)
        if add_state(place, new):
            return new
        wait_to_try_again(tries)
    raise StoreError(f"the lake {place.address} changes faster than it can be compacted")


# Deleting what no state names.


class Cleaned(NamedTuple):
    """How many states and parts were deleted, and how many interrupted imports were forgotten."""

    states: int
    parts: int
    imports: int


def clean(place: LakePlace, older_than: timedelta = timedelta(days=GRACE_DAYS)) -> Cleaned:
    """Delete states that have not held for so long, parts that none named since, and notes of imports as old.

    Raises StoreError.
    """
    before = datetime.now(UTC) - older_than
    # In this order: what an import has noted and then added is named by the notes, or else by the state.
    here = place.names(PARTS)
    imports = {key: place.written_at(f"{PENDING}/{key}") for key in place.names(PENDING)}
    old_imports = [f"{PENDING}/{key}" for key, written in imports.items() if written < before]
    running = [f"{PENDING}/{key}" for key, written in imports.items() if written >= before]
    noted = parts_of_notes(place, running)
    states = held_states(place, before)
    named = noted | {part.key for state in states for part in state.parts}
    old_parts = [
        f"{PARTS}/{key}" for key in here if key not in named and _made_at(place, key) < before
    ]
    old_states = state_names(place, below=min(state.number for state in states))
    # Notes go before what they name, which nobody must take for made.
    place.remove([*old_imports, *old_parts, *old_states])
    return Cleaned(len(old_states), len(old_parts), len(old_imports))


def _made_at(place: LakePlace, key: str) -> datetime:
    """When a part was made; a draft of one that was never finished has no such key."""
    return place.written_at(f"{PARTS}/{key}") if key.startswith(".") else made_at(key)
